// Idea. Each method is packed as if banks had no end. If one is larger than its room, the largest
// webs that are in use at its fullest point leave it, one by one, until what is left may fit:
//
//   bank 1: 700 of 600 bytes     v3, 256 bytes, goes to bank 2
//   bank 1: 448 of 600 bytes     bank 2: 256 of 65536 bytes
//
// Invariant: a web is in one bank as a whole, and leaves a bank once at most. Cost: a placement for
// each round, and O(webs) for each web that leaves.
#include "planner/repair/pack_within.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "planner/lift/webs.h"
#include "planner/replan/change_bank.h"
#include "planner/replan/fixed_bytes.h"
#include "planner/replan/moving_webs.h"
#include "runtime/devices.h"

namespace pteproof::planner {
namespace {

struct WebInBank {
  int32_t web = 0;
  uint64_t bytes = 0;
};

class MethodPacker {
 public:
  MethodPacker(Program& program, std::span<const MethodWebs> webs,
               std::span<const std::vector<BankBytes>> kept, size_t method, const BankRoom& room,
               const ReplanOptions& options)
      : program_(program),
        webs_(webs),
        kept_(kept),
        m_(method),
        room_(room),
        options_(options),
        fixed_(FixedBytesOf(program, webs, kept, method)),
        moving_(MovingWebsOf(program.methods[method], webs[method])) {}

  PlannedMethod Go() {
    for (;;) {
      PlannedMethod planned = PlaceMethod(program_, webs_, kept_, m_, options_);
      const auto full = std::ranges::find_if(
          planned.banks, [&](const ReplannedBank& bank) { return bank.after > RoomOf(bank.bank); });
      if (full == planned.banks.end() || !MakeRoom(*full, planned)) return planned;
    }
  }

  // Of the bank that is too small; empty: none is.
  [[nodiscard]] const std::string& failure() const { return failure_; }

 private:
  [[nodiscard]] uint64_t RoomOf(uint32_t bank) const {
    const auto room = room_.find(bank);
    return room == room_.end() ? kUnbounded : room->second;
  }

  Method& method() { return program_.methods[m_]; }

  bool MakeRoom(const ReplannedBank& full, const PlannedMethod& planned) {
    // What a placement loses beside the bytes in use it will lose again.
    const uint64_t lost = full.after - std::min(full.after, full.peak_live);
    const uint64_t most = RoomOf(full.bank) - std::min(RoomOf(full.bank), lost);
    came_.clear();
    bool left = false;
    for (;;) {
      const std::vector<WebInBank> fullest = FullestPoint(full.bank);
      uint64_t bytes = 0;
      for (const WebInBank& each : fullest) bytes += each.bytes;
      if (left && bytes <= most) return true;
      if (!MoveOne(fullest, full, planned)) break;
      left = true;
    }
    if (left) return true;
    failure_ = fmt::format(
        "bank {} of '{}' needs {} bytes, {} more than it has, and no other bank has room for them",
        full.bank, method().name, full.after, full.after - RoomOf(full.bank));
    return false;
  }

  // The webs that are in use when most bytes of a bank are.
  [[nodiscard]] std::vector<WebInBank> FullestPoint(uint32_t bank) {
    const std::map<int32_t, uint64_t> sizes = SizesIn(bank);
    std::map<int64_t, int64_t> changes;  // by point
    for (const auto& [web, bytes] : sizes) {
      for (const Span& span : moving_.lives[IndexOf(web)]) {
        changes[span.lower] += static_cast<int64_t>(bytes);
        changes[span.upper] -= static_cast<int64_t>(bytes);
      }
    }
    int64_t now = 0;
    int64_t most = -1;
    int64_t fullest = 0;
    for (const auto& [point, change] : changes) {
      now += change;
      if (now <= most) continue;
      most = now;
      fullest = point;
    }
    std::vector<WebInBank> webs;
    for (const auto& [web, bytes] : sizes) {
      const bool lives = std::ranges::any_of(moving_.lives[IndexOf(web)], [&](const Span& span) {
        return span.lower <= fullest && fullest < span.upper;
      });
      if (lives) webs.push_back({web, bytes});
    }
    return webs;
  }

  // By web.
  [[nodiscard]] std::map<int32_t, uint64_t> SizesIn(uint32_t bank) {
    std::map<int32_t, std::pair<uint64_t, uint64_t>> extents;
    for (size_t v = 0; v < moving_.web.size(); ++v) {
      const Tensor* tensor = method().TensorOf(static_cast<int32_t>(v));
      const int32_t web = moving_.web[v];
      if (web < 0 || tensor == nullptr || !tensor->planned || tensor->bank != bank) continue;
      const uint64_t end = tensor->offset + tensor->nbytes;
      auto& [lo, hi] = extents.try_emplace(web, tensor->offset, end).first->second;
      lo = std::min(lo, tensor->offset);
      hi = std::max(hi, end);
    }
    std::map<int32_t, uint64_t> sizes;
    for (const auto& [web, extent] : extents) sizes[web] = extent.second - extent.first;
    return sizes;
  }

  // The largest of them that another bank has room for.
  bool MoveOne(std::vector<WebInBank> webs, const ReplannedBank& full,
               const PlannedMethod& planned) {
    std::ranges::stable_sort(webs, std::ranges::greater(), &WebInBank::bytes);
    for (const WebInBank& each : webs) {
      if (fixed_.Stays(each.web) || moved_.contains(each.web)) continue;
      const auto to = BankFor(each.bytes, full.bank, planned);
      if (!to) continue;
      Move(each.web, {full.bank, *to});
      moved_.insert(each.web);
      return true;
    }
    return false;
  }

  [[nodiscard]] std::optional<uint32_t> BankFor(uint64_t bytes, uint32_t from,
                                                const PlannedMethod& planned) {
    for (const auto& [bank, most] : room_) {
      if (bank == from || !DeviceOfBank(method(), bank).is_host()) continue;
      uint64_t taken = came_[bank];
      for (const ReplannedBank& each : planned.banks) {
        if (each.bank == bank) taken += each.after;
      }
      if (most == kUnbounded || (taken <= most && bytes <= most - taken)) {
        came_[bank] += bytes;
        return bank;
      }
    }
    return std::nullopt;
  }

  void Move(int32_t web, const BankChange& change) {
    std::vector<bool> moves(moving_.web.size());
    for (size_t v = 0; v < moves.size(); ++v) moves[v] = moving_.web[v] == web;
    MoveToBank(change, moves, method());
  }

  Program& program_;
  std::span<const MethodWebs> webs_;
  std::span<const std::vector<BankBytes>> kept_;
  size_t m_;
  const BankRoom& room_;
  const ReplanOptions& options_;
  FixedBytes fixed_;
  MovingWebs moving_;
  std::set<int32_t> moved_;  // webs
  std::map<uint32_t, uint64_t>
      came_;  // bytes that came into a bank since the last placement, at most
  std::string failure_;
};

}  // namespace

BankRoom BanksOf(const Program& program, const std::map<uint32_t, uint64_t>& sizes) {
  BankRoom room(sizes.begin(), sizes.end());
  for (const Method& method : program.methods) {
    for (uint32_t bank = 1; bank < method.bank_sizes.size(); ++bank) {
      if (method.bank_sizes[bank] > 0) room.try_emplace(bank, kUnbounded);
    }
  }
  return room;
}

Packed PackWithin(Program program, const BankRoom& room, const meaning::ProgramMeaning& meant,
                  const ReplanOptions& options) {
  const std::vector<MethodWebs> webs = WebsOf(meant, program);
  const auto kept = KeptBytesOf(program, webs, KeepsOutputs(options));
  Packed packed;
  packed.replanned.program = program;
  for (size_t m = 0; m < program.methods.size(); ++m) {
    MethodPacker packer(program, webs, kept, m, room, options);
    PlannedMethod planned = packer.Go();
    if (packed.failure.empty()) packed.failure = packer.failure();
    packed.replanned.program.methods[m] = std::move(planned.method);
    std::ranges::move(planned.banks, std::back_inserter(packed.replanned.banks));
  }
  return packed;
}

}  // namespace pteproof::planner
