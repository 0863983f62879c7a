// Idea. A web (planner/lift/webs.h) is one item of placement, which moves as a whole. Its life and
// its size are known; state is fixed. Each bank of each method is placed by itself.
//
//   before:  v3 [0, 64)   v4 [64, 128)   v6 [128, 192)        bank 1: 192 bytes
//   webs:    {v3, v4, v5} 128 bytes, [1, 6)    {v6} 64 bytes, [7, 10)
//   after:   v3 [0, 64)   v4 [64, 128)   v6 [0, 64)           bank 1: 128 bytes
//
// Invariant: two webs that are in use at one point share no byte, and no web lies over fixed bytes.
// Values that nothing touches move with the value whose name they are (moving_webs.h), or lie at 0.
// Cost: that of placement, twice if results may lie over operands.
#include "planner/replan/move_places.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "planner/lift/webs.h"
#include "planner/placement/load.h"
#include "planner/placement/validate.h"
#include "planner/read_beyond.h"
#include "planner/replan/fixed_bytes.h"
#include "planner/replan/moving_webs.h"

namespace pteproof::planner {
namespace {

// Of a bank whose values all begin at 0.
constexpr int64_t kUsualAlignment = 16;

// Of a web, from the first byte of its bank as it was.
struct WebExtent {
  int64_t lower = 0;
  int64_t upper = 0;
  int64_t element = 1;  // bytes of its largest one
};

class BankMover {
 public:
  BankMover(const ReplanOptions& options, const FixedBytes& fixed, const MovingWebs& moving,
            const Method& method, uint32_t bank)
      : options_(options), fixed_(fixed), moving_(moving), method_(method), bank_(bank) {
    Gather();
  }

  // The bank's new size, no smaller than the old one if there is no better plan. Changes nothing.
  ReplannedBank Place() {
    const uint64_t before = method_.bank_sizes[bank_];
    ReplannedBank report = {method_.name, bank_, before, before, 0};
    if (values_.empty() || end_ > std::numeric_limits<int64_t>::max() / 4) return report;
    MakeItems();
    if (!placement::Placeable(items_)) return report;
    report.peak_live = static_cast<uint64_t>(placement::LoadOf(items_));
    if (!PlaceItems()) return report;
    const uint64_t peak = EndOfValues();
    uint64_t guard = before > end_ ? before - end_ : 0;
    if (ReadsBeyond(method_)) guard = std::max(guard, kReadBeyond);
    report.after = std::min(before, peak + guard);
    report.peak_live = std::min(report.peak_live, report.after);
    report.causes = CausesOf(report);
    return report;
  }

  // Gives the bank's values their new offsets, in a copy of the method.
  void Move(Method& method) const {
    for (size_t n = 0; n < values_.size(); ++n) {
      const auto v = static_cast<size_t>(values_[n]);
      Tensor& tensor = method.tensors[method.values[v].tensor];
      const int32_t web = moving_.web[v];
      if (web < 0) {
        tensor.offset = 0;
      } else if (const auto item = item_of_.find(web); item != item_of_.end()) {
        const auto [index, from] = item->second;
        tensor.offset = static_cast<uint64_t>(moving_.at[v] - from + placed_.layout.offsets[index]);
      }
    }
  }

 private:
  [[nodiscard]] int64_t OldAlignment() const {
    if (options_.old_alignment > 0) return options_.old_alignment;
    const uint64_t offsets = options_.offsets_of == nullptr ? offsets_ : OffsetsInOldPlan();
    return offsets == 0 ? kUsualAlignment : int64_t{1} << std::countr_zero(offsets);
  }

  // All of the bank, bit by bit.
  [[nodiscard]] uint64_t OffsetsInOldPlan() const {
    const auto& methods = options_.offsets_of->methods;
    const auto old = std::ranges::find(methods, method_.name, &Method::name);
    uint64_t offsets = 0;
    if (old == methods.end()) return offsets;
    for (const Tensor& tensor : old->tensors) {
      if (tensor.planned && tensor.bank == bank_) offsets |= tensor.offset;
    }
    return offsets;
  }

  void Gather() {
    for (size_t v = 0; v < moving_.web.size(); ++v) {
      const auto value = static_cast<int32_t>(v);
      const Tensor* tensor = method_.TensorOf(value);
      if (tensor == nullptr || !tensor->planned || tensor->bank != bank_) continue;
      const BankBytes bytes = BytesOf(method_, value);
      end_ = std::max(end_, bytes.hi);
      offsets_ |= bytes.lo;
      values_.push_back(value);
    }
  }

  // What other methods keep is only heeded if the best plan for the others lies over it: mostly it
  // lies behind them, and would seem to make the bank no smaller.
  bool PlaceItems() {
    PlaceAll();
    const size_t own = items_.size();
    for (const BankBytes& range : fixed_.untouched) {
      if (range.bank == bank_) AddFixed(range);
    }
    if (items_.size() > own) {
      placement::Layout<int64_t> with_others = placed_.layout;
      for (size_t n = own; n < items_.size(); ++n) {
        with_others.offsets.push_back(*items_[n].fixed);
        with_others.peak = std::max(with_others.peak, *items_[n].fixed + items_[n].size);
      }
      if (!placement::MistakeIn(items_, with_others)) return true;
      if (!placement::Placeable(items_)) return false;
      PlaceAll();
    }
    return !placement::MistakeIn(items_, placed_.layout);
  }

  void PlaceAll() {
    placed_ = options_.effort ? placement::Place(items_, options_.algorithm, *options_.effort)
                              : placement::Place(items_, options_.algorithm);
  }

  // Bytes where nothing else may lie, at any time.
  void AddFixed(const BankBytes& range) {
    const auto count = static_cast<int64_t>(method_.instructions.size());
    items_.push_back({.size = static_cast<int64_t>(range.hi - range.lo),
                      .alignment = 1,
                      .live = {{-1, 2 * count + 1}},
                      .fixed = static_cast<int64_t>(range.lo)});
  }

  // Of those that moved and those that stayed; bytes that are left to other methods may lie behind.
  [[nodiscard]] uint64_t EndOfValues() const {
    int64_t end = 0;
    for (const auto& [web, item] : item_of_) {
      end = std::max(end, placed_.layout.offsets[item.first] + items_[item.first].size);
    }
    return std::max(static_cast<uint64_t>(end), at_least_);
  }

  // From the bank's size down, with one reason after the other taken away: what each leaves is the
  // next one's, so that all of them make the size.
  [[nodiscard]] BankCauses CausesOf(const ReplannedBank& bank) const {
    uint64_t left = bank.after;
    const auto down_to = [&](uint64_t bytes) {
      const uint64_t was = left;
      left = std::min(left, bytes);
      return was - left;
    };
    const auto load = [](const std::vector<placement::Storage>& items) {
      return static_cast<uint64_t>(placement::LoadOf(items));
    };
    BankCauses causes;
    causes.guard = down_to(bank.after == bank.before ? end_ : EndOfValues());
    causes.gaps = down_to(std::max(load(items_), at_least_));
    std::vector<placement::Storage> own(items_.begin(),
                                        items_.begin() + static_cast<int64_t>(own_items_));
    causes.others = down_to(std::max(load(own), at_least_));
    for (const auto& [web, item] : fixed_item_of_) {
      if (fixed_.outputs[static_cast<size_t>(web)]) own[item].fixed.reset();
    }
    causes.outputs = down_to(load(own));
    for (placement::Storage& item : own) item.fixed.reset();
    causes.state = down_to(load(own));
    for (placement::Storage& item : own) item.alignment = 1;
    causes.alignment = down_to(load(own));
    causes.movable = left;
    NameValues(causes);
    return causes;
  }

  void NameValues(BankCauses& causes) const {
    uint64_t output_end = 0;
    uint64_t state_end = 0;
    int64_t widest = 0;
    for (const int32_t value : values_) {
      const int32_t web = moving_.web[static_cast<size_t>(value)];
      if (web < 0) continue;
      const BankBytes bytes = BytesOf(method_, value);
      if (fixed_.Stays(web)) {
        const bool is_output = fixed_.outputs[static_cast<size_t>(web)];
        uint64_t& last = is_output ? output_end : state_end;
        if (bytes.hi <= last) continue;
        last = bytes.hi;
        (is_output ? causes.output : causes.state_value) = value;
      } else if (const auto item = item_of_.find(web); item != item_of_.end()) {
        const int64_t size = items_[item->second.first].size;
        const auto own = static_cast<int64_t>(bytes.hi - bytes.lo);
        if (own >= size || size <= widest) continue;  // no part of a larger web
        widest = size;
        causes.widest = value;
      }
    }
  }

  // One per web that moves, and one per range of state.
  void MakeItems() {
    const int64_t alignment = std::max(options_.alignment, OldAlignment());
    std::map<int32_t, WebExtent> extents;  // by web
    for (const int32_t value : values_) {
      const int32_t web = moving_.web[static_cast<size_t>(value)];
      const BankBytes bytes = BytesOf(method_, value);
      if (web < 0) {
        at_least_ = std::max(at_least_, bytes.hi - bytes.lo);
        continue;
      }
      if (fixed_.Stays(web)) {
        at_least_ = std::max(at_least_, bytes.hi);  // also of a buffer without bytes
        if (fixed_.Holds(bytes)) continue;
      }
      const int64_t lo = moving_.at[static_cast<size_t>(value)];
      const int64_t hi = lo + static_cast<int64_t>(bytes.hi - bytes.lo);
      WebExtent& extent = extents.try_emplace(web, WebExtent{lo, hi}).first->second;
      extent.lower = std::min(extent.lower, lo);
      extent.upper = std::max(extent.upper, hi);
      const uint32_t element = ElementSize(method_.TensorOf(value)->dtype);
      extent.element = std::max(extent.element, static_cast<int64_t>(element));
    }
    for (const auto& [web, extent] : extents) AddWeb(web, extent, alignment);
    for (const BankBytes& range : fixed_.ranges) {
      if (range.bank == bank_) AddFixed(range);
    }
    own_items_ = items_.size();
  }

  // Elements stay at multiples of their size, also in a plan that packs bytes more tightly.
  void AddWeb(int32_t web, const WebExtent& extent, int64_t alignment) {
    placement::Storage& item = items_.emplace_back();
    item.live = moving_.lives[static_cast<size_t>(web)];
    if (fixed_.Stays(web)) {
      fixed_item_of_[web] = items_.size() - 1;
      item.fixed = extent.lower;
      item.size = extent.upper - extent.lower;
      return;
    }
    const int64_t beyond = (extent.lower % extent.element + extent.element) % extent.element;
    const int64_t lower = extent.element > alignment ? extent.lower - beyond : extent.lower;
    item.alignment = std::max(alignment, extent.element);
    item.size = extent.upper - lower;
    item_of_[web] = {items_.size() - 1, lower};
  }

  const ReplanOptions& options_;
  const FixedBytes& fixed_;
  const MovingWebs& moving_;
  const Method& method_;
  uint32_t bank_;
  std::vector<int32_t> values_;  // of the bank
  uint64_t end_ = 0;             // of the last value
  uint64_t offsets_ = 0;         // all of them, bit by bit
  uint64_t at_least_ = 0;        // end of the values that stay, and of those that move with no web
  std::vector<placement::Storage> items_;
  std::map<int32_t, std::pair<size_t, int64_t>> item_of_;  // by web: index, and its first byte
  std::map<int32_t, size_t> fixed_item_of_;                // of webs that stay
  size_t own_items_ = 0;                                   // behind them: what other methods keep
  placement::Outcome placed_;
};

// One method: each bank as it is best, with results over operands or without.
class MethodMover {
 public:
  MethodMover(const ReplanOptions& options, const MethodWebs& webs, FixedBytes fixed,
              const Method& old_method)
      : options_(options), fixed_(std::move(fixed)), old_(old_method) {
    plans_.push_back({MovingWebsOf(old_method, webs), {}});
    if (options.outputs == OutputsLast::kAlways) LastAlways(webs.touches, plans_.front().moving);
    if (!options.in_place) return;
    Plan over = plans_.front();
    over.laid_over = LayOver(old_method, webs, fixed_, over.moving);
    if (!over.laid_over.empty()) plans_.push_back(std::move(over));
  }

  PlannedMethod Go() {
    PlannedMethod planned = {old_, {}};
    for (uint32_t bank = 1; bank < old_.bank_sizes.size(); ++bank) {
      if (old_.bank_sizes[bank] > 0) MoveBank(bank, planned);
    }
    return planned;
  }

 private:
  struct Plan {
    MovingWebs moving;
    std::vector<LaidOver> laid_over;
  };

  // Nothing else lies in the bytes of an output, at any time.
  void LastAlways(const MethodTouches& touches, MovingWebs& moving) const {
    const auto count = static_cast<int64_t>(old_.instructions.size());
    for (const auto* outputs : {&touches.outputs, &touches.may_be_outputs}) {
      for (const int32_t v : *outputs) {
        const int32_t web = moving.web[IndexOf(v)];
        if (web >= 0) moving.lives[IndexOf(web)] = {{-1, 2 * count + 1}};
      }
    }
  }

  void MoveBank(uint32_t bank, PlannedMethod& planned) {
    const uint64_t size = old_.bank_sizes[bank];
    ReplannedBank best = {old_.name, bank, size, size, 0};
    const bool stays =
        std::ranges::find(options_.keep, BankOf{old_.name, bank}) != options_.keep.end();
    for (const Plan& plan : plans_) {
      if (stays) break;
      BankMover mover(options_, fixed_, plan.moving, old_, bank);
      const ReplannedBank placed = mover.Place();
      if (placed.after >= best.after) {
        if (best.after == size) {
          best.peak_live = placed.peak_live;
          best.causes = placed.causes;
        }
        continue;
      }
      best = placed;
      best.laid_over.clear();
      for (const LaidOver& each : plan.laid_over) {
        if (old_.TensorOf(each.result)->bank == bank) best.laid_over.push_back(each);
      }
      mover.Move(planned.method);
    }
    planned.method.bank_sizes[bank] = best.after;
    planned.banks.push_back(std::move(best));
  }

  const ReplanOptions& options_;
  FixedBytes fixed_;
  const Method& old_;
  std::vector<Plan> plans_;
};

// Banks whose values have all gone to another one.
void AddEmptied(const Program& program, size_t m, Replanned& replanned) {
  const Method& before = program.methods[m];
  for (uint32_t bank = 1; bank < before.bank_sizes.size(); ++bank) {
    const bool is_told = std::ranges::any_of(replanned.banks, [&](const ReplannedBank& each) {
      return each.method == before.name && each.bank == bank;
    });
    if (is_told || before.bank_sizes[bank] == 0) continue;
    const uint64_t after = replanned.program.methods[m].bank_sizes[bank];
    replanned.banks.push_back({before.name, bank, before.bank_sizes[bank], after, 0});
  }
}

}  // namespace

bool KeepsOutputs(const ReplanOptions& options) {
  return options.outputs != OutputsLast::kNextCall && !options.spread;
}

Replanned MovePlaces(const Program& program, const ReplanOptions& options) {
  return MovePlaces(program, WebsOf(program, options.manifest), options);
}

PlannedMethod PlaceMethod(const Program& program, std::span<const MethodWebs> webs,
                          std::span<const std::vector<BankBytes>> kept, size_t method,
                          const ReplanOptions& options) {
  return MethodMover(options, webs[method], FixedBytesOf(program, webs, kept, method),
                     program.methods[method])
      .Go();
}

uint64_t PlannedMethod::bytes() const {
  uint64_t sum = 0;
  for (const ReplannedBank& bank : banks) sum += bank.after;
  return sum;
}

Replanned MovePlaces(const Program& program, std::span<const MethodWebs> webs,
                     const ReplanOptions& options) {
  Replanned replanned = {.program = program, .banks = {}};
  const auto kept = KeptBytesOf(program, webs, KeepsOutputs(options));
  for (size_t m = 0; m < program.methods.size(); ++m) {
    PlannedMethod planned = PlaceMethod(program, webs, kept, m, options);
    replanned.program.methods[m] = std::move(planned.method);
    std::ranges::move(planned.banks, std::back_inserter(replanned.banks));
  }
  return replanned;
}

void SetSizesBefore(const Program& program, Replanned& replanned) {
  for (ReplannedBank& bank : replanned.banks) {
    const auto method = std::ranges::find(program.methods, bank.method, &Method::name);
    const bool had = bank.bank < method->bank_sizes.size();
    bank.before = had ? method->bank_sizes[bank.bank] : 0;
  }
  for (size_t m = 0; m < program.methods.size(); ++m) AddEmptied(program, m, replanned);
}

}  // namespace pteproof::planner
