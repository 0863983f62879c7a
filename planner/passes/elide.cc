#include <algorithm>
#include <cassert>

#include "planner/code/parallel_copy.h"
#include "planner/code/same_bytes.h"
#include "planner/passes/in_place_rules.h"
#include "planner/passes/passes.h"
#include "reference/graph/method_uses.h"

namespace pteproof::planner {
namespace {

ValueId SourceOf(const Step& step) {
  return *graph::ValueOfOperand(step.operands.front());
}

// Steps of which `is` holds, those with the most bytes first.
template <class Is>
std::vector<const Step*> LargestFirst(const Code& code, const Sharing& sharing, const Is& is) {
  std::vector<const Step*> steps;
  for (const Step& step : code.steps) {
    if (is(step)) steps.push_back(&step);
  }
  std::ranges::stable_sort(steps, std::ranges::greater(), [&](const Step* step) {
    return sharing.BytesOf(step->results.front());
  });
  return steps;
}

// Whether a value is made where another one goes: a buffer, an input, what branches or loops hand
// over. Then it is that one's value of the file, which is older than others in the same place.
bool IsHandedOver(const Code& code, const Sharing& sharing, ValueId value) {
  if (sharing.accesses().writes[static_cast<size_t>(value)].size() > 1) return true;
  for (const int32_t s : sharing.accesses().reads[static_cast<size_t>(value)]) {
    const Step& step = code.steps[static_cast<size_t>(s)];
    if (step.kind != StepKind::kCopy) continue;
    const auto to = static_cast<size_t>(step.results.front());
    const bool over =
        sharing.accesses().writes[to].size() > 1 || code.values[to].origin != Origin::kStep;
    if (over && sharing.Coincide(step.results.front(), value)) return true;
  }
  return false;
}

bool IsConcat(const Step& step) {
  return step.kind == StepKind::kCall && step.op == "aten::cat.out";
}

// By value: whether a delegate is given it. That must be seen to be written: a delegate's results
// are told by that nothing wrote them before.
std::vector<bool> Delegated(const Code& code) {
  std::vector<bool> delegated(code.values.size());
  for (const Step& step : code.steps) {
    if (step.kind != StepKind::kDelegate) continue;
    graph::ForEachValue(step.operands,
                        [&](ValueId v) { delegated[static_cast<size_t>(v)] = true; });
  }
  return delegated;
}

// By value: whether it is another name of its operand's bytes, which no instruction writes.
std::vector<bool> Views(const Code& code, const Sharing& sharing) {
  std::vector<bool> view(code.values.size());
  for (const Step& step : code.steps) {
    if (!BytesKept(code, step)) continue;
    const bool named = IsElided(code, sharing, step) || IsRenamed(code, sharing, step);
    if (named) view[static_cast<size_t>(step.results.front())] = true;
  }
  return view;
}

bool AllStatic(const TensorType& type) {
  return std::ranges::all_of(type.sizes,
                             [](const SizeExpr& size) { return size.Constant().has_value(); });
}

// The parts of a concatenation whose bytes lie one behind the other in the result; none where they
// do not, or where a part stands in it twice.
std::vector<Member> PartsOf(const Code& code, const Sharing& sharing, const Step& step,
                            const std::vector<bool>& view) {
  const auto* list = std::get_if<graph::OperandList>(&step.operands[0].held);
  const auto* dim = std::get_if<SizeExpr>(&step.operands[1].held);
  const TensorType& whole = *TensorTypeOf(code, step.results.front());
  if (list == nullptr || dim == nullptr || !dim->Constant() || !AllStatic(whole)) return {};
  const auto rank = static_cast<int64_t>(whole.rank());
  const int64_t at = *dim->Constant() < 0 ? *dim->Constant() + rank : *dim->Constant();
  for (int64_t d = 0; d < at; ++d) {
    if (!whole.sizes[static_cast<size_t>(d)].Is(1)) return {};
  }
  std::vector<Member> parts;
  int64_t inside = 0;
  for (const Operand& operand : *list) {
    const auto value = graph::ValueOfOperand(operand);
    if (!value || code.values[static_cast<size_t>(*value)].origin != Origin::kStep) return {};
    if (view[static_cast<size_t>(*value)] || code.values[static_cast<size_t>(*value)].stacked) {
      return {};
    }
    const TensorType& type = *TensorTypeOf(code, *value);
    const bool whole_part = type.dtype == whole.dtype && type.rank() == whole.rank();
    if (!whole_part || std::ranges::find(parts, *value, &Member::value) != parts.end()) return {};
    parts.push_back({*value, inside});
    inside += sharing.BytesOf(*value);
  }
  return parts;
}

}  // namespace

void ShareStored(const Code& code, Sharing& sharing) {
  for (size_t v = 0; v < code.values.size(); ++v) {
    const CodeValue& value = code.values[v];
    if (value.origin == Origin::kStep || TensorTypeOf(code, static_cast<ValueId>(v)) == nullptr) {
      continue;
    }
    const auto index = static_cast<size_t>(value.index);
    const ValueId entry = value.origin == Origin::kInput ? code.inputs[index] : code.entry[index];
    [[maybe_unused]] const bool shared = sharing.TryShare(entry, static_cast<ValueId>(v));
    assert(shared);
  }
}

void ElideViews(const Code& code, Sharing& sharing) {
  const std::vector<bool> delegated = Delegated(code);
  const auto keeps_bytes = [&](const Step& step) {
    return BytesKept(code, step) && !delegated[static_cast<size_t>(step.results.front())];
  };
  for (const Step* step : LargestFirst(code, sharing, keeps_bytes)) {
    sharing.TryShare(*BytesKept(code, *step), step->results.front());
  }
}

void ElideCopies(const Code& code, Sharing& sharing) {
  const auto is_copy = [](const Step& step) { return step.kind == StepKind::kCopy; };
  for (const Step* step : LargestFirst(code, sharing, is_copy)) {
    sharing.TryShare(step->results.front(), SourceOf(*step));
  }
}

// Not in the bytes of a buffer or a caller: what goes there is made there already, and what does
// not would have no place of its own in the file.
void MakeInPlace(const Code& code, Sharing& sharing) {
  const auto is_pinned = [&](ValueId value) {
    const auto storage = static_cast<size_t>(sharing.StorageIndexOf(value));
    return sharing.storages()[storage].pin.kind != Pin::Kind::kNone;
  };
  const auto share = [&](const Step& step, size_t operand) {
    const auto value = graph::ValueOfOperand(step.operands[operand]);
    return value && TensorTypeOf(code, *value) != nullptr && !is_pinned(*value) &&
           !is_pinned(step.results.front()) &&
           MayLieUnder(code, step, *value, step.results.front()) &&
           sharing.TryShare(*value, step.results.front());
  };
  const auto is_call = [&](const Step& step) {
    return step.kind == StepKind::kCall && !step.results.empty() && !BytesKept(code, step);
  };
  for (const Step& step : code.steps) {
    if (is_call(step) && step.in_place) share(step, static_cast<size_t>(*step.in_place));
  }
  for (const Step* step : LargestFirst(code, sharing, is_call)) {
    for (size_t o = 0; o < step->operands.size(); ++o) {
      if (share(*step, o)) break;
    }
  }
}

void ElideConcats(const Code& code, const std::vector<bool>& but_not, Sharing& sharing) {
  const std::vector<bool> view = Views(code, sharing);
  const std::vector<bool> delegated = Delegated(code);
  for (const Step* step : LargestFirst(code, sharing, IsConcat)) {
    const std::vector<Member> parts = PartsOf(code, sharing, *step, view);
    const ValueId whole = step->results.front();
    // Nothing writes the whole: so it cannot be what a store or a branch hands over.
    const auto storage = static_cast<size_t>(sharing.StorageIndexOf(whole));
    if (sharing.storages()[storage].members.size() != 1) continue;
    if (delegated[static_cast<size_t>(whole)] || but_not[static_cast<size_t>(whole)]) continue;
    sharing.TryShareParts(whole, parts);
  }
}

// A reader takes a view that nothing makes for one of the youngest value in its place.
bool IsRenamed(const Code& code, const Sharing& sharing, const Step& step) {
  const auto base = BytesKept(code, step);
  const ValueId result = step.results.empty() ? -1 : step.results.front();
  if (!base || !sharing.Coincide(result, *base)) return false;
  if (*TensorTypeOf(code, result) == *TensorTypeOf(code, *base)) return false;
  return step.view_sizes || IsHandedOver(code, sharing, RootOf(code, *base));
}

bool IsElided(const Code& code, const Sharing& sharing, const Step& step) {
  if (step.results.empty()) return false;
  const ValueId result = step.results.front();
  if (step.kind == StepKind::kCopy) return sharing.Coincide(result, SourceOf(step));
  if (const auto base = BytesKept(code, step)) {
    return sharing.Coincide(result, *base) && !IsRenamed(code, sharing, step);
  }
  return IsConcat(step) && sharing.HasParts(result);
}

}  // namespace pteproof::planner
