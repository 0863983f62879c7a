// Idea. At first each value has a storage of its own. Passes propose that two storages become one,
// and TryShare accepts only what loses no byte. Every pass may therefore be greedy and wrong in its
// hopes: the plan stays right.
//
//   step     0: a = f(x)   1: b = g(a)   2: c = h(b)     a ends with the read of step 1, b begins
//   point      0    1        2    3        4    5        with its write: b may lie in the bytes
//   a               |========|                           of a, if g goes element by element
//   b                             |========|
//
// Two members collide if their bytes meet and either both are live at one point and hold different
// bytes, or a step would write one while it still reads the other. Equal bytes (a copy or a view
// made in place) do not collide.
//
// Invariant: at each time point, each byte of a storage holds one content that is needed then, at
// most. Members of a storage never move relative to each other, and a pinned storage keeps its
// start and its size. Cost of one attempt: O(1) if the two are never live together, else O(members
// x members) at worst.
#include "planner/passes/sharing.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "planner/code/parallel_copy.h"
#include "planner/code/same_bytes.h"
#include "planner/passes/in_place_rules.h"
#include "planner/passes/liveness.h"
#include "planner/planted.h"
#include "reference/graph/method_uses.h"

namespace pteproof::planner {

namespace {

bool MayNotMeet(const Storage& a, const Storage& b) {
  if (Planted(Defect::kUnplannedShared)) return false;
  if (a.pin.kind == Pin::Kind::kOutput) return true;
  if (a.pin.kind == Pin::Kind::kInput && b.set_late) return true;
  return (a.pin.kind == Pin::Kind::kBuffer && (b.filled || b.taken)) || (a.returned && b.taken);
}

}  // namespace

Sharing::Sharing(const Code& code, std::span<const int64_t> nbytes, graph::InPlaceOrder order)
    : code_(&code),
      nbytes_(nbytes.begin(), nbytes.end()),
      accesses_(AccessesOf(code)),
      single_use_(order == graph::InPlaceOrder::kStrict && !Planted(Defect::kSecondReader)),
      live_(LivenessOf(code, accesses_, OperandEnd::kRead)),
      inside_(code.values.size()),
      parts_(code.values.size()),
      slice_(code.values.size()) {
  std::vector<LiveSet> through = LivenessOf(code, accesses_, OperandEnd::kWrite);
  for (size_t v = 0; v < code.values.size(); ++v) {
    of_.push_back(static_cast<int32_t>(v));
    storages_.push_back({.members = {{static_cast<ValueId>(v), 0}},
                         .nbytes = nbytes[v],
                         .live = std::move(through[v])});
  }
  for (const Step& step : code.steps) {
    for (const ValueId v : step.results) StorageOf(v).pool = step.pool;
  }
  FindApart();
  FindFirstWrites();
  if (order != graph::InPlaceOrder::kListed) order_.emplace(code, accesses_);
}

void Sharing::MarkPassed() {
  for (const ValueId v : code_->inputs) StorageOf(v).filled = true;
  for (const ValueId v : code_->outputs) {
    if (code_->values[Index(v)].origin == Origin::kInput) StorageOf(v).returned = true;
    const Origin origin = code_->values[Index(RootOf(*code_, v))].origin;
    const bool own = code_->values[Index(v)].origin == Origin::kStep;
    if (own && origin == Origin::kStep) StorageOf(v).taken = true;
  }
}

void Sharing::SetOutputsLate() {
  if (Planted(Defect::kOutputOverInput)) return;
  for (const ValueId v : code_->outputs) {
    if (code_->values[Index(v)].origin == Origin::kStep) StorageOf(v).set_late = true;
  }
}

// What branches and loops hand over, and what outlives the call, is one value of the file that
// instructions write. Nothing writes a view under that value; a delegate's result has one of its
// own; and what is written part by part does not tell that what was there is gone. The same holds
// for a copy of such a value that nothing else writes.
void Sharing::FindApart() {
  std::vector<bool> unseen(code_->values.size());
  for (const Step& step : code_->steps) {
    const bool view = BytesKept(*code_, step).has_value();
    if (view || step.kind == StepKind::kDelegate) {
      for (const ValueId v : step.results) unseen[Index(v)] = true;
    }
    for (const ValueId v : step.begins) unseen[Index(v)] = true;
  }
  for (const Step& step : code_->steps) {
    apart_.push_back(false);
    if (step.kind != StepKind::kCopy) continue;
    const ValueId to = step.results.front();
    const bool handed_over =
        accesses_.writes[Index(to)].size() > 1 || code_->values[Index(to)].origin != Origin::kStep;
    if (Planted(Defect::kStoreAssumedTied)) continue;
    const bool is_unseen = unseen[Index(*graph::ValueOfOperand(step.operands.front()))];
    apart_.back() = handed_over && is_unseen;
    if (!handed_over && is_unseen) unseen[Index(to)] = true;  // the copy may lie where it is made
  }
}

bool Sharing::TryShare(ValueId whole, ValueId part, int64_t inside) {
  const int32_t a = of_[Index(whole)];
  const int32_t b = of_[Index(part)];
  const int64_t shift = InsideOf(whole) + inside - InsideOf(part);
  if (a == b) return shift == 0;
  const Storage& to = storages_[static_cast<size_t>(a)];
  const Storage& from = storages_[static_cast<size_t>(b)];
  if (MayNotMeet(to, from) || MayNotMeet(from, to)) return false;
  return TryMeet({a, b, shift});
}

bool Sharing::IsAlone(ValueId value) const {
  const Storage& storage = storages_[static_cast<size_t>(of_[Index(value)])];
  return storage.pin.kind == Pin::Kind::kNone && storage.members.size() == 1 &&
         accesses_.writes[Index(value)].size() == 1 && !code_->values[Index(value)].stacked;
}

bool Sharing::TryBuildIn(ValueId result, ValueId operand) {
  const Storage& to = StorageOf(result);
  if (!IsAlone(operand) || to.nbytes != BytesOf(operand)) return false;
  if (Planted(Defect::kBuiltInWhileRead) && !StorageOf(operand).taken) {
    Join(StorageIndexOf(result), StorageIndexOf(operand), 0);
    return true;
  }
  if (to.pin.kind != Pin::Kind::kOutput) return TryShare(result, operand);
  // What is laid over an input begins where the input's last reader is done.
  if (to.filled || StorageOf(operand).taken || StorageOf(operand).filled) return false;
  return TryMeet({StorageIndexOf(result), StorageIndexOf(operand), 0});
}

bool Sharing::TryWriteOver(ValueId operand, ValueId result) {
  const Storage& to = StorageOf(operand);
  if (Planted(Defect::kLentInputReread) && IsAlone(result) && to.nbytes == BytesOf(result)) {
    Join(StorageIndexOf(operand), StorageIndexOf(result), 0);
    return true;
  }
  return IsAlone(result) && to.nbytes == BytesOf(result) && !to.returned &&
         !StorageOf(result).set_late &&
         TryMeet({StorageIndexOf(operand), StorageIndexOf(result), 0});
}

bool Sharing::TryMeet(const Meeting& meeting) {
  const auto [a, b, shift] = meeting;
  const Storage& to = storages_[static_cast<size_t>(a)];
  const Storage& from = storages_[static_cast<size_t>(b)];
  const bool both_pinned = to.pin.kind != Pin::Kind::kNone && from.pin.kind != Pin::Kind::kNone;
  const bool buffers = to.pin.kind == Pin::Kind::kBuffer && from.pin.kind == Pin::Kind::kBuffer;
  const bool taken_for_one = buffers && Planted(Defect::kTwoBuffersOneStorage);
  if (both_pinned && to.pin != from.pin && !taken_for_one) return false;
  if (to.pool != from.pool && !to.pool.empty() && !from.pool.empty()) return false;
  // What is pinned keeps its size and its start.
  const bool inside_of_to = shift >= 0 && shift + from.nbytes <= to.nbytes;
  const bool around_to = shift <= 0 && to.nbytes - shift <= from.nbytes;
  if (!inside_of_to && (!around_to || to.pin.kind != Pin::Kind::kNone)) return false;
  if (from.pin.kind != Pin::Kind::kNone && !around_to) return false;
  if (!FollowsDelegates(to, from)) return false;
  if (order_ || Intersect(to.live, from.live)) {
    for (const Member& x : to.members) {
      for (Member y : from.members) {
        y.inside += shift;
        if (Collide(meeting, x, y)) return false;
      }
    }
  }
  if (inside_of_to) {
    Join(a, b, shift);
  } else {
    Join(b, a, -shift);
  }
  return true;
}

bool Sharing::TryShareParts(ValueId whole, std::span<const Member> parts) {
  if (order_ && StorageOf(whole).pin.kind != Pin::Kind::kNone) return false;
  std::vector<std::pair<int32_t, Storage>> before;
  const auto keep = [&](int32_t index) {
    before.emplace_back(index, storages_[static_cast<size_t>(index)]);
  };
  keep(of_[Index(whole)]);
  for (const Member& part : parts) {
    if (!Share(whole, part.value)) keep(of_[Index(part.value)]);
    parts_[Index(whole)].push_back({RootOf(*code_, part.value), part.inside});
    if (TryShare(whole, part.value, part.inside)) continue;
    for (auto& [index, storage] : before | std::views::reverse) Restore(index, std::move(storage));
    parts_[Index(whole)].clear();
    return false;
  }
  return !parts.empty();
}

bool Sharing::TryShareSlice(ValueId whole, Member slice) {
  Part& of = slice_[Index(slice.value)];
  of = {RootOf(*code_, whole), slice.inside};
  if (TryShare(whole, slice.value, slice.inside)) return true;
  of = {};
  return false;
}

void Sharing::Restore(int32_t index, Storage storage) {
  for (const Member& m : storage.members) {
    of_[Index(m.value)] = index;
    inside_[Index(m.value)] = m.inside;
  }
  storages_[static_cast<size_t>(index)] = std::move(storage);
}

// Defects: of two storages that become one, only the older one's uses count.
bool Sharing::IsLifeForgotten(const Storage& to, const Storage& gone) const {
  const auto are_names = [&] {
    return RootOf(*code_, to.members.front().value) == RootOf(*code_, gone.members.front().value);
  };
  return (Planted(Defect::kViewUsesLost) && are_names()) ||
         (Planted(Defect::kInPlaceUsesLost) && !are_names());
}

void Sharing::Join(int32_t into, int32_t from, int64_t shift) {
  Storage& to = storages_[static_cast<size_t>(into)];
  Storage& gone = storages_[static_cast<size_t>(from)];
  for (const Member& m : gone.members) {
    to.members.push_back({m.value, m.inside + shift});
    of_[Index(m.value)] = into;
    inside_[Index(m.value)] = m.inside + shift;
  }
  if (!IsLifeForgotten(to, gone)) to.live = Union(to.live, gone.live);
  to.first_write = std::min(to.first_write, gone.first_write);
  to.first_delegate = std::min(to.first_delegate, gone.first_delegate);
  to.filled = to.filled || gone.filled;
  to.taken = to.taken || gone.taken;
  to.returned = to.returned || gone.returned;
  to.set_late = to.set_late || gone.set_late;
  if (to.pin.kind == Pin::Kind::kNone) to.pin = gone.pin;
  if (to.pool.empty()) to.pool = gone.pool;
  gone = {};
}

// Whether bytes of one would be lost to the other, or an operand be overwritten too early.
bool Sharing::Collide(const Meeting& meeting, const Member& a, const Member& b) const {
  // What has no bytes still has a place, where readers take it for what lies there.
  const auto bytes = [&](const Member& m) { return std::max<int64_t>(BytesOf(m.value), 1); };
  const bool apart = a.inside + bytes(a) <= b.inside || b.inside + bytes(b) <= a.inside;
  if (apart) return false;
  if (IsViewForgotten(a, b) || IsViewForgotten(b, a)) return false;
  if (Intersect(live_[Index(a.value)], live_[Index(b.value)]) && !HoldTheSame(meeting, a, b)) {
    return true;
  }
  if (order_ && !HoldTheSame(meeting, a, b) && OnlyListed(meeting, a, b)) return true;
  if (Planted(Defect::kResultOverOperand)) return false;
  return WritesUnder(a, b) || WritesUnder(b, a);
}

// In any order: whether the listing alone keeps a step that writes one of them from one that uses
// the other.
bool Sharing::OnlyListed(const Meeting& meeting, const Member& a, const Member& b) const {
  if (AreOneValue(meeting, a, b) || Planted(Defect::kOrderAsListed)) return false;
  const auto unordered = [&](int32_t u, int32_t w) {
    return u != w && !order_->IsBefore(std::min(u, w), std::max(u, w));
  };
  const auto any_unordered = [&](const Member& used, const Member& written) {
    for (const int32_t w : accesses_.writes[Index(written.value)]) {
      const auto with = [&](int32_t u) { return unordered(u, w); };
      if (std::ranges::any_of(accesses_.reads[Index(used.value)], with)) return true;
      if (std::ranges::any_of(accesses_.writes[Index(used.value)], with)) return true;
    }
    return false;
  };
  return any_unordered(a, b) || any_unordered(b, a);
}

// In buffers, callers' memory and inputs that come back, values of one type are one value of the
// file, if they are not views: each executor sees that a step uses what another one writes.
bool Sharing::AreOneValue(const Meeting& meeting, const Member& a, const Member& b) const {
  const CodeValue& x = code_->values[Index(a.value)];
  const CodeValue& y = code_->values[Index(b.value)];
  if (x.origin != Origin::kStep && x.origin == y.origin && x.index == y.index) return true;
  const auto is_kept = [&](int32_t storage) {
    const Storage& each = storages_[static_cast<size_t>(storage)];
    return each.pin.kind != Pin::Kind::kNone || each.returned;
  };
  if (!is_kept(meeting.to) && !is_kept(meeting.from)) return false;
  const auto is_own = [&](const Member& m) {
    return code_->values[Index(m.value)].origin != Origin::kStep ||
           RootOf(*code_, m.value) == m.value;
  };
  return a.inside == b.inside && is_own(a) && is_own(b) &&
         *TensorTypeOf(*code_, a.value) == *TensorTypeOf(*code_, b.value);
}

void Sharing::Widen() {
  if (!order_ || Planted(Defect::kLivesAsListed)) return;
  for (Storage& storage : storages_) {
    LiveSet wide;
    const auto use = [&](int32_t step) {
      const int32_t last = order_->LastUnordered(step);
      if (last > step) wide.push_back({2 * int64_t{step}, 2 * int64_t{last} + 2});
    };
    for (const Member& m : storage.members) {
      std::ranges::for_each(accesses_.reads[Index(m.value)], use);
      std::ranges::for_each(accesses_.writes[Index(m.value)], use);
      std::ranges::for_each(accesses_.updates[Index(m.value)], use);
    }
    if (!wide.empty()) storage.live = Union(storage.live, Normal(std::move(wide)));
  }
}

// Defects: readers of a view do not count, for results in place of its base or for stores.
bool Sharing::IsViewForgotten(const Member& view, const Member& written) const {
  if (!code_->values[Index(view.value)].same_as) return false;
  const bool store = code_->values[Index(written.value)].origin != Origin::kStep;
  return Planted(store ? Defect::kViewOfStoredBuffer : Defect::kViewReadersForgotten);
}

// Equal bytes do not collide if they are not written twice: the later value is made of what lies
// there.
bool Sharing::HoldTheSame(const Meeting& meeting, const Member& a, const Member& b) const {
  if (IsPart(a, b) || IsPart(b, a) || IsSliceOf(a, b) || IsSliceOf(b, a)) return true;
  if (a.inside != b.inside || RootOf(*code_, a.value) != RootOf(*code_, b.value)) return false;
  const auto made_there = [&](const Member& m) {
    const auto source = code_->values[Index(m.value)].same_as;
    if (!source) return false;
    const int32_t storage = of_[Index(*source)];
    if (storage == meeting.to) return InsideOf(*source) == m.inside;
    return storage == meeting.from && InsideOf(*source) + meeting.shift == m.inside;
  };
  const auto made_at = [&](const Member& m) {
    const std::vector<int32_t>& writes = accesses_.writes[Index(m.value)];
    return writes.empty() ? -1 : writes.front();
  };
  return made_there(made_at(a) < made_at(b) ? b : a);
}

bool Sharing::IsPart(const Member& whole, const Member& part) const {
  const ValueId root = RootOf(*code_, part.value);
  return std::ranges::any_of(parts_[Index(RootOf(*code_, whole.value))], [&](const Part& each) {
    return each.root == root && whole.inside + each.inside == part.inside;
  });
}

bool Sharing::IsSliceOf(const Member& slice, const Member& whole) const {
  const Part& of = slice_[Index(RootOf(*code_, slice.value))];
  return of.root >= 0 && of.root == RootOf(*code_, whole.value) &&
         whole.inside + of.inside == slice.inside;
}

// Whether a step that writes `result` reads `operand` under it and may not.
bool Sharing::WritesUnder(const Member& result, const Member& operand) const {
  const bool alias = code_->values[Index(operand.value)].same_as.has_value();
  if (alias && Planted(Defect::kAliasUnderResult)) return false;
  const auto reads = [&](int32_t step) {
    return std::ranges::binary_search(accesses_.reads[Index(operand.value)], step);
  };
  for (const int32_t s : accesses_.updates[Index(result.value)]) {
    if (operand.value != result.value && reads(s)) return true;
  }
  for (const int32_t s : accesses_.writes[Index(result.value)]) {
    if (!reads(s) || IsPart(result, operand) || IsSliceOf(result, operand)) continue;
    const Step& step = code_->steps[static_cast<size_t>(s)];
    if (result.inside != operand.inside || apart_[static_cast<size_t>(s)]) return true;
    if (!MayLieUnder(*code_, step, operand.value, result.value)) return true;
    const bool is_call = step.kind == StepKind::kCall && !BytesKept(*code_, step);
    if (single_use_ && is_call && HasOtherReader(operand.value, s)) return true;
  }
  return false;
}

// Whether another step reads a value, or a view of what it is a view of.
bool Sharing::HasOtherReader(ValueId value, int32_t step) const {
  const ValueId root = RootOf(*code_, value);
  for (size_t v = 0; v < code_->values.size(); ++v) {
    if (RootOf(*code_, static_cast<ValueId>(v)) != root) continue;
    for (const int32_t reader : accesses_.reads[v]) {
      const bool makes_view = BytesKept(*code_, code_->steps[Index(reader)]).has_value();
      if (reader != step && !makes_view) return true;
    }
  }
  return false;
}

void Sharing::FindFirstWrites() {
  const auto none = static_cast<int32_t>(code_->steps.size());
  for (size_t v = 0; v < code_->values.size(); ++v) {
    Storage& storage = storages_[v];
    storage.first_write = storage.first_delegate = none;
    for (const int32_t s : accesses_.writes[v]) {
      storage.first_write = std::min(storage.first_write, s);
      if (code_->steps[static_cast<size_t>(s)].kind != StepKind::kDelegate) continue;
      storage.first_delegate = std::min(storage.first_delegate, s);
    }
    if (code_->values[v].origin != Origin::kStep) storage.first_write = -1;
  }
}

// A file does not say which arguments of a delegate are its results: readers take the last ones
// that nothing defined before. So nothing may define those bytes earlier.
bool Sharing::FollowsDelegates(const Storage& a, const Storage& b) const {
  const auto none = static_cast<int32_t>(code_->steps.size());
  return (a.first_delegate == none || b.first_write >= a.first_delegate) &&
         (b.first_delegate == none || a.first_write >= b.first_delegate);
}

}  // namespace pteproof::planner
