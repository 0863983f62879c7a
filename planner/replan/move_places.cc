// Idea. A web (planner/lift/webs.h) is one item of placement, which moves as a whole. Its life and
// its size are known; state is fixed. Each bank of each method is placed by itself.
//
//   before:  v3 [0, 64)   v4 [64, 128)   v6 [128, 192)        bank 1: 192 bytes
//   webs:    {v3, v4, v5} 128 bytes, [1, 6)    {v6} 64 bytes, [7, 10)
//   after:   v3 [0, 64)   v4 [64, 128)   v6 [0, 64)           bank 1: 128 bytes
//
// Invariant: two webs that are in use at one point share no byte, and no web lies over fixed bytes.
// Values that nothing touches follow the value whose name they are, or lie at 0. Cost: that of
// placement.
#include "planner/replan/move_places.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "planner/lift/webs.h"
#include "planner/replan/fixed_bytes.h"
#include "pteproof/place.h"

namespace pteproof::planner {
namespace {

// XNNPACK's kernels read up to so many bytes behind their operands.
constexpr std::string_view kReadsBeyond = "XnnpackBackend";
constexpr uint64_t kReadBeyond = 64;
// Of a bank whose values all begin at 0.
constexpr int64_t kUsualAlignment = 16;

class BankMover {
 public:
  BankMover(const ReplanOptions& options, const MethodWebs& webs, const FixedBytes& fixed,
            std::span<const LiveSet> lives, Method& method)
      : options_(options), webs_(webs), fixed_(fixed), lives_(lives), method_(method) {}

  ReplannedBank Go(uint32_t bank) {
    bank_ = bank;
    const uint64_t before = method_.bank_sizes[bank];
    ReplannedBank report = {method_.name, bank, before, before, 0};
    Gather();
    if (values_.empty() || end_ > std::numeric_limits<int64_t>::max() / 4) return report;
    MakeItems();
    PlaceOptions how = {.algorithm = options_.algorithm};
    if (options_.effort) how.seconds = options_.effort->seconds;
    const auto placed = PlaceStorages(items_, how);
    if (!placed.ok()) return report;
    report.peak_live = static_cast<uint64_t>(placed.value().peak_live);
    const uint64_t peak = std::max(static_cast<uint64_t>(placed.value().peak), untouched_);
    uint64_t guard = before > end_ ? before - end_ : 0;
    if (ReadsBeyond()) guard = std::max(guard, kReadBeyond);
    const uint64_t after = peak + guard;
    if (after >= before) return report;
    Move(placed.value().offsets);
    method_.bank_sizes[bank] = report.after = after;
    return report;
  }

 private:
  [[nodiscard]] bool ReadsBeyond() const {
    return std::ranges::any_of(method_.delegates,
                               [](const Delegate& each) { return each.id == kReadsBeyond; });
  }

  // The bank's values, with the web that each moves with; -1: none.
  void Gather() {
    std::map<std::pair<uint64_t, uint64_t>, std::vector<int32_t>> at;  // touched, by place
    for (size_t v = 0; v < webs_.web.size(); ++v) {
      const auto value = static_cast<int32_t>(v);
      const Tensor* tensor = method_.TensorOf(value);
      if (tensor == nullptr || !tensor->planned || tensor->bank != bank_) continue;
      const BankBytes bytes = BytesOf(method_, value);
      end_ = std::max(end_, bytes.hi);
      offsets_ |= bytes.lo;
      values_.push_back(value);
      if (webs_.web[v] >= 0) at[{bytes.lo, bytes.hi}].push_back(value);
    }
    for (const int32_t value : values_) {
      const BankBytes bytes = BytesOf(method_, value);
      const auto there = at.find({bytes.lo, bytes.hi});
      follows_.push_back(WebToFollow(value, there == at.end() ? nullptr : &there->second));
    }
  }

  [[nodiscard]] int32_t WebToFollow(int32_t value, const std::vector<int32_t>* there) const {
    const auto v = static_cast<size_t>(value);
    if (webs_.web[v] >= 0 || there == nullptr) return webs_.web[v];
    const auto is_source = [&](int32_t other) {
      return std::ranges::find(webs_.touches.sources[v], other) != webs_.touches.sources[v].end();
    };
    auto named = std::ranges::find_if(*there, is_source);
    if (named == there->end()) {
      named = std::ranges::lower_bound(*there, value);
      if (named != there->begin()) --named;
    }
    return webs_.web[static_cast<size_t>(*named)];
  }

  // One per web that moves, and one per range that is fixed.
  void MakeItems() {
    const int64_t alignment =
        std::max(options_.alignment,
                 offsets_ == 0 ? kUsualAlignment : int64_t{1} << std::countr_zero(offsets_));
    std::map<int32_t, BankBytes> extents;
    for (size_t n = 0; n < values_.size(); ++n) {
      const int32_t web = follows_[n];
      const BankBytes bytes = BytesOf(method_, values_[n]);
      if (web < 0) {
        untouched_ = std::max(untouched_, bytes.hi - bytes.lo);
      } else if (!fixed_.webs[static_cast<size_t>(web)]) {
        const auto [known, fresh] = extents.try_emplace(web, bytes);
        known->second.lo = std::min(known->second.lo, bytes.lo);
        known->second.hi = std::max(known->second.hi, bytes.hi);
      }
    }
    for (const auto& [web, extent] : extents) {
      item_of_[web] = {items_.size(), extent.lo};
      items_.push_back({.size = static_cast<int64_t>(extent.hi - extent.lo),
                        .alignment = alignment,
                        .live = lives_[static_cast<size_t>(web)]});
    }
    const auto count = static_cast<int64_t>(method_.instructions.size());
    for (const BankBytes& range : fixed_.ranges) {
      if (range.bank != bank_) continue;
      items_.push_back({.size = static_cast<int64_t>(range.hi - range.lo),
                        .alignment = 1,
                        .live = {{-1, 2 * count + 1}},
                        .fixed = static_cast<int64_t>(range.lo)});
    }
  }

  void Move(std::span<const int64_t> offsets) {
    for (size_t n = 0; n < values_.size(); ++n) {
      Tensor& tensor = method_.tensors[method_.values[static_cast<size_t>(values_[n])].tensor];
      const int32_t web = follows_[n];
      if (web < 0) {
        tensor.offset = 0;
      } else if (const auto item = item_of_.find(web); item != item_of_.end()) {
        const auto [index, from] = item->second;
        tensor.offset = tensor.offset - from + static_cast<uint64_t>(offsets[index]);
      }
    }
  }

  const ReplanOptions& options_;
  const MethodWebs& webs_;
  const FixedBytes& fixed_;
  std::span<const LiveSet> lives_;
  Method& method_;
  uint32_t bank_ = 0;
  std::vector<int32_t> values_;   // of the bank
  std::vector<int32_t> follows_;  // likewise: their webs
  uint64_t end_ = 0;              // of the last value
  uint64_t offsets_ = 0;          // all of them, bit by bit
  uint64_t untouched_ = 0;        // bytes of the largest value that follows no web
  std::vector<placement::Storage> items_;
  std::map<int32_t, std::pair<size_t, uint64_t>> item_of_;  // by web: index, and its first byte
};

}  // namespace

Replanned MovePlaces(const Program& program, const ReplanOptions& options) {
  Replanned replanned = {.program = program, .banks = {}};
  std::vector<MethodWebs> webs;
  for (const Method& method : program.methods) webs.push_back(WebsOf(method));
  const auto kept = KeptBytesOf(program, webs);
  for (size_t m = 0; m < program.methods.size(); ++m) {
    const FixedBytes fixed = FixedBytesOf(program, webs, kept, m);
    const std::vector<LiveSet> lives = LivesOf(program.methods[m], webs[m]);
    Method& method = replanned.program.methods[m];
    for (uint32_t bank = 1; bank < method.bank_sizes.size(); ++bank) {
      if (method.bank_sizes[bank] == 0) continue;
      const bool stays =
          std::ranges::find(options.keep, BankOf{method.name, bank}) != options.keep.end();
      if (stays) {
        const uint64_t size = method.bank_sizes[bank];
        replanned.banks.push_back({method.name, bank, size, size, 0});
        continue;
      }
      replanned.banks.push_back(BankMover(options, webs[m], fixed, lives, method).Go(bank));
    }
  }
  return replanned;
}

}  // namespace pteproof::planner
