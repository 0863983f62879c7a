// Idea. A call whose result has bytes of its operand, unchanged and in order, has nothing to do if
// the result lies in the operand. A concatenation has nothing to do if its parts lie in the result:
//
//   1: clone.out(v3, v4)          v4 lies over v3
//   2: slice_copy.out(v4, v5)     v5 lies in v4, and in v3
//   3: cat.out([v6, v7], v8)      v6 and v7 are made in v8
//
// Readers of the file take a value that nothing writes for a view of what lies in its place, and
// one that values tile for their concatenation, as far as numbers and literals tell.
//
// Invariant: what copy_calls.cc has. Methods with jumps or moves stay as they are.
//
// All calls that may go are found in one lift of the method. Those that touch no bytes of each
// other go together; names of one source do not, as long as no output is among them. If the file
// tells less then, halves of them are tried, down to the calls that stay.
//
// Cost: lifting the method and O(n log n), about as often as the longest chain of copies has
// halves, and for each call that has to stay twice its logarithm; never more than kMostSteps.
#include "planner/replan/dropped_copies.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <span>
#include <utility>

#include "base/disjoint_sets.h"
#include "base/stop.h"
#include "planner/lift/renumber.h"
#include "planner/replan/copy_calls.h"
#include "planner/replan/order.h"

namespace pteproof::planner {
namespace {

using CopyCalls = std::map<int32_t, CopyCall>;  // by instruction

// Sets of values: nothing but them is in their bytes.
DisjointSets GroupsOf(const Method& method, const MethodWebs& webs) {
  DisjointSets groups(webs.web.size());
  std::vector<std::pair<BankBytes, int32_t>> all;
  for (size_t v = 0; v < webs.web.size(); ++v) {
    if (webs.web[v] < 0) continue;
    const auto value = static_cast<int32_t>(v);
    groups.Join(value, webs.web[v]);
    all.emplace_back(BytesOf(method, value), value);
  }
  std::ranges::sort(all);
  size_t widest = 0;
  for (size_t n = 1; n < all.size(); ++n) {
    if (Meet(all[n].first, all[widest].first)) groups.Join(all[n].second, all[widest].second);
    const auto end_of = [&](size_t at) { return std::pair(all[at].first.bank, all[at].first.hi); };
    if (end_of(n) > end_of(widest)) widest = n;
  }
  return groups;
}

// Those of some calls that touch no bytes of each other. What moves is in one of them alone; what
// stays may be the source of several.
std::vector<int32_t> ApartOf(const CopyCalls& calls, const Method& method, const MethodWebs& webs) {
  enum class Use : uint8_t { kNone, kStays, kMoves };
  DisjointSets groups = GroupsOf(method, webs);
  std::vector<Use> uses(webs.web.size(), Use::kNone);
  std::vector<int32_t> apart;
  for (const auto& [i, call] : calls) {
    const auto for_each_use = [&](const auto& each_use) {
      for (const Inside& each : call.moves) {
        each_use(uses[IndexOf(groups.Of(each.value))], Use::kMoves);
        each_use(uses[IndexOf(groups.Of(each.whole))], call.may_share ? Use::kStays : Use::kMoves);
      }
    };
    bool is_apart = true;
    for_each_use([&](Use before, Use now) {
      is_apart = is_apart && (before == Use::kNone || (before == now && now == Use::kStays));
    });
    if (!is_apart) continue;
    for_each_use([](Use& before, Use now) { before = std::max(before, now); });
    apart.push_back(i);
  }
  return apart;
}

// Gives them, and all that moves with them, their new places.
void Move(std::span<const Inside> moves, const Method& old, const MethodWebs& webs,
          Method& method) {
  std::map<int32_t, uint64_t> by;  // of a web, how far, and round the end for less
  for (const Inside& each : moves) {
    by[webs.web[IndexOf(each.value)]] =
        old.TensorOf(each.whole)->offset + each.at - old.TensorOf(each.value)->offset;
  }
  for (size_t v = 0; v < webs.web.size(); ++v) {
    const auto moved = by.find(webs.web[v]);
    if (moved == by.end()) continue;
    const uint64_t offset = old.TensorOf(static_cast<int32_t>(v))->offset;
    method.tensors[method.values[v].tensor].offset = offset + moved->second;
  }
}

// A method with what is recovered of it, which refers to it.
struct LiftedMethod {
  Method method;
  meaning::MethodMeaning meant;
  MethodWebs webs;

  LiftedMethod(Method lifted, const Manifest* manifest, double numberings)
      : method(std::move(lifted)),
        meant(meaning::MeaningOf(method, manifest, nullptr, numberings)),
        webs(WebsOf(meant, method)) {}

  // What the file does not show of names.
  [[nodiscard]] std::array<size_t, 4> Open() const {
    const auto nameless = std::ranges::count_if(
        meant.roles.states, [](const meaning::StateSlot& slot) { return slot.key.empty(); });
    return {meant.aliases.uncertain.size(), meant.aliases.unsure_slices.size(),
            static_cast<size_t>(nameless), meant.unmade.size()};
  }
};

// Instructions that are lifted, in all lifts of a method: part of a second. Then the calls that are
// left stay.
constexpr int64_t kMostSteps = int64_t{1} << 18;

// Drops the calls of a method. `lift` makes a LiftedMethod of a method. A call stays if the file
// does not show without it what its result is a name of.
template <class Lift>
class CopyDropper {
 public:
  CopyDropper(const Lift& lift, const Method& method)
      : lift_(lift), origin_(method.instructions.size()), now_(Lifted(method)) {
    std::iota(origin_.begin(), origin_.end(), 0);
    FindCalls();
  }

  void Go() {
    for (auto apart = Apart(); !apart.empty(); apart = Apart()) Drop(apart);
  }

  [[nodiscard]] const Method& method() const { return now_->method; }
  // Per instruction, its number in the old method.
  [[nodiscard]] const std::vector<int32_t>& origin() const { return origin_; }
  [[nodiscard]] int64_t lifts() const { return lifts_; }

 private:
  auto Lifted(Method method) {
    EndIfStopped();
    ++lifts_;
    steps_ += std::ssize(method.instructions);
    return lift_(std::move(method));
  }

  void FindCalls() {
    calls_ = CopyCallsOf(now_->meant, now_->webs);
    std::erase_if(calls_, [&](const auto& call) { return stay_.contains(OldOf(call.first)); });
  }

  [[nodiscard]] int32_t OldOf(int32_t i) const { return origin_[IndexOf(i)]; }
  [[nodiscard]] int32_t NowOf(int32_t old) const {
    return static_cast<int32_t>(std::ranges::lower_bound(origin_, old) - origin_.begin());
  }

  // By their numbers in the old method.
  [[nodiscard]] std::vector<int32_t> Apart() const {
    std::vector<int32_t> apart = ApartOf(calls_, now_->method, now_->webs);
    for (int32_t& i : apart) i = OldOf(i);
    return apart;
  }

  // Those that may go, one half after the other if they may not go together.
  void Drop(std::span<const int32_t> old_calls) {
    Method changed = now_->method;
    std::vector<Inside> moves;
    std::vector<bool> goes(origin_.size());
    for (const int32_t old : old_calls) {
      const auto call = calls_.find(NowOf(old));
      if (call == calls_.end()) continue;
      moves.insert(moves.end(), call->second.moves.begin(), call->second.moves.end());
      goes[IndexOf(call->first)] = true;
    }
    Move(moves, now_->method, now_->webs, changed);
    Erase(goes, changed.instructions);
    if (steps_ + std::ssize(changed.instructions) > kMostSteps) return Keep(old_calls);
    auto then = Lifted(std::move(changed));
    if (std::ranges::equal(then->Open(), now_->Open(), std::less_equal())) {
      now_ = std::move(then);
      Erase(goes, origin_);
      FindCalls();
    } else if (old_calls.size() == 1) {
      Keep(old_calls);
    } else {
      Drop(old_calls.first(old_calls.size() / 2));
      Drop(old_calls.subspan(old_calls.size() / 2));
    }
  }

  void Keep(std::span<const int32_t> old_calls) {
    for (const int32_t old : old_calls) calls_.erase(NowOf(old));
    stay_.insert(old_calls.begin(), old_calls.end());
  }

  template <class T>
  static void Erase(const std::vector<bool>& goes, std::vector<T>& items) {
    size_t n = 0;
    std::erase_if(items, [&](const T&) { return goes[n++]; });
  }

  const Lift& lift_;
  int64_t lifts_ = 0;
  int64_t steps_ = 0;
  std::vector<int32_t> origin_;  // ascending
  std::unique_ptr<LiftedMethod> now_;
  CopyCalls calls_;         // that may go, by instruction
  std::set<int32_t> stay_;  // of the old method
};

}  // namespace

bool DroppedCopies::changes() const {
  return std::ranges::any_of(dropped, [](const auto& method) { return !method.empty(); });
}

bool MayDropCopies(const Program& program) {
  return std::ranges::any_of(program.methods, [](const Method& method) {
    return IsStraight(method) && std::ranges::any_of(method.operators, [](const Operator& op) {
             return MayOnlyCopy(op.name);
           });
  });
}

DroppedCopies DropCopies(const Program& program, const Manifest* manifest) {
  DroppedCopies made = {program, {}, {}, 0};
  made.dropped.resize(program.methods.size());
  made.now_at.resize(program.methods.size());
  const double numberings = meaning::NumberingsOf(program);
  const auto lift = [&](Method method) {
    return std::make_unique<LiftedMethod>(std::move(method), manifest, numberings);
  };
  for (size_t m = 0; m < program.methods.size(); ++m) {
    const Method& method = program.methods[m];
    if (!IsStraight(method)) continue;
    CopyDropper dropper(lift, method);
    dropper.Go();
    made.lifts += dropper.lifts();
    if (dropper.origin().size() == method.instructions.size()) continue;
    made.program.methods[m] = dropper.method();
    made.now_at[m] = Inverse(dropper.origin(), method.instructions.size());
    for (size_t i = 0; i < method.instructions.size(); ++i) {
      if (made.now_at[m][i] < 0) made.dropped[m].push_back(static_cast<int32_t>(i));
    }
  }
  return made;
}

}  // namespace pteproof::planner
