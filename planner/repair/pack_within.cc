// Idea. Each method is packed as if banks had no end. If one is larger than its room, the largest
// webs that are in use at its fullest point leave it, one by one, until what is left may fit:
//
//   bank 1: 700 of 600 bytes     v3, 256 bytes, goes to bank 2
//   bank 1: 448 of 600 bytes     bank 2: 256 of 65536 bytes
//
// A web goes where there is room behind all that is there; if nothing can go like that, where there
// is room among the bytes in use while it lives, which the next placement may or may not bear out.
//
// Invariant: a web is in one bank as a whole, and leaves a bank once at most. Cost: a placement for
// each round, and for each web that leaves, O(values), and O(webs) for each web that is tried.
#include "planner/repair/pack_within.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
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

// Of a bank, by the point from which on so many are in use.
using BytesInUse = std::map<int64_t, uint64_t>;

// A bank that webs may go to.
struct Target {
  uint32_t bank = 0;
  uint64_t most = 0;
  uint64_t end = 0;   // of what the last placement put there
  uint64_t lost = 0;  // of these, beside the bytes in use
  BytesInUse in_use = {};
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
    const BytesInUse in_use = InUse(sizes);
    const auto fullest = std::ranges::max_element(in_use, {}, &BytesInUse::value_type::second);
    std::vector<WebInBank> webs;
    for (const auto& [web, bytes] : sizes) {
      const bool lives = std::ranges::any_of(moving_.lives[IndexOf(web)], [&](const Span& span) {
        return span.lower <= fullest->first && fullest->first < span.upper;
      });
      if (lives) webs.push_back({web, bytes});
    }
    return webs;
  }

  [[nodiscard]] BytesInUse InUse(const std::map<int32_t, uint64_t>& sizes) const {
    BytesInUse in_use;
    for (const auto& [web, bytes] : sizes) {
      for (const Span& span : moving_.lives[IndexOf(web)]) {
        in_use[span.lower] += bytes;
        in_use[span.upper] -= bytes;  // mod 2^64 until they are summed up
      }
    }
    uint64_t now = 0;
    for (auto& [point, bytes] : in_use) now = bytes += now;
    return in_use;
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
    std::erase_if(webs, [&](const WebInBank& each) {
      return fixed_.Stays(each.web) || moved_.contains(each.web);
    });
    std::ranges::stable_sort(webs, std::ranges::greater(), &WebInBank::bytes);
    const std::vector<Target> targets = TargetsFrom(full.bank, planned);
    for (const auto has_room : {&MethodPacker::HasRoomBehind, &MethodPacker::HasRoomAmong}) {
      for (const WebInBank& each : webs) {
        const auto to = std::ranges::find_if(
            targets, [&](const Target& target) { return (this->*has_room)(target, each); });
        if (to == targets.end()) continue;
        Move(each.web, {full.bank, to->bank});
        came_[to->bank] += each.bytes;
        moved_.insert(each.web);
        return true;
      }
    }
    return false;
  }

  // The banks that a web may go to.
  [[nodiscard]] std::vector<Target> TargetsFrom(uint32_t from, const PlannedMethod& planned) {
    std::vector<Target> targets;
    for (const auto& [bank, most] : room_) {
      if (bank == from || !DeviceOfBank(method(), bank).is_host()) continue;
      Target& target = targets.emplace_back(bank, most);
      target.in_use = InUse(SizesIn(bank));
      const auto placed = std::ranges::find(planned.banks, bank, &ReplannedBank::bank);
      if (placed == planned.banks.end()) continue;
      target.end = placed->after;
      target.lost = placed->after - std::min(placed->after, placed->peak_live);
    }
    return targets;
  }

  [[nodiscard]] bool HasRoomBehind(const Target& target, const WebInBank& web) {
    return Fits(target.end + came_[target.bank], web, target);
  }

  [[nodiscard]] bool HasRoomAmong(const Target& target, const WebInBank& web) {
    uint64_t most = 0;
    for (const Span& span : moving_.lives[IndexOf(web.web)]) {
      auto point = target.in_use.upper_bound(span.lower);
      if (point != target.in_use.begin()) --point;
      for (; point != target.in_use.end() && point->first < span.upper; ++point) {
        most = std::max(most, point->second);
      }
    }
    return Fits(most + target.lost, web, target);
  }

  static bool Fits(uint64_t taken, const WebInBank& web, const Target& target) {
    return target.most == kUnbounded || (taken <= target.most && web.bytes <= target.most - taken);
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
