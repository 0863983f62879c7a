#include "fuzz/calls/own_calls.h"

#include <array>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/require.h"
#include "runtime/own_operators.h"

namespace pteproof::fuzz {
namespace {

constexpr std::array<std::string_view, 4> kSignatures = {
    "fuzz::mix.out(Tensor x, Tensor y, *, Tensor(a!) out) -> Tensor(a!)",
    "fuzz::mix_(Tensor(a!) self, Tensor x) -> Tensor(a!)",
    "fuzz::peek(Tensor(a) self) -> Tensor(a)",
    "fuzz::mark.out(Tensor(a) self, Tensor(b!) state, *, Tensor(a) out) -> Tensor(a)",
};

std::shared_ptr<const OwnOperators> ReadSignatures() {
  auto own = std::make_shared<OwnOperators>();
  for (const std::string_view signature : kSignatures) {
    Require(!AddOperator(signature, *own).has_value(), "the signatures of the fuzzers are right");
  }
  return own;
}

const std::shared_ptr<const OwnOperators>& Signatures() {
  static const std::shared_ptr<const OwnOperators> own = ReadSignatures();
  return own;
}

int32_t AddFloats(Draft& draft, std::vector<int32_t> sizes, uint32_t bank, uint64_t offset) {
  DraftValue value;
  value.kind = ValueKind::kTensor;
  value.tensor.sizes = std::move(sizes);
  value.tensor.given = value.tensor.sizes;
  value.tensor.bank = bank;
  value.tensor.offset = offset;
  return draft.Add(std::move(value));
}

}  // namespace

const std::deque<OpSchema>& OwnCalls() {
  return Signatures()->schemas;
}

bool BindOwnCalls(Program& program) {
  return BindOperators(Signatures(), program).empty();
}

DraftStep AddNeedlessCall(Draft& draft, size_t which, uint32_t bank) {
  constexpr std::array<std::string_view, kNeedlessCalls> kOperators = {
      "aten::_cat_nop.out", "aten::_slice_copy_nop.Tensor_out", "aten::_select_copy_nop.int_out"};
  constexpr uint64_t kRow = 12;  // bytes of three floats
  DraftStep step;
  step.op = FindAliasOperator(kOperators.at(which));
  const int32_t whole = AddFloats(draft, {4, 3}, bank, 0);
  if (which == 0) {
    DraftValue parts;
    parts.kind = ValueKind::kTensorList;
    parts.items = {AddFloats(draft, {1, 3}, bank, 0), AddFloats(draft, {3, 3}, bank, kRow)};
    for (const int32_t part : parts.items) draft.At(part).tensor.is_input = true;
    step.args = {draft.Add(std::move(parts)), draft.Add(NumberValue(0)), whole, whole};
  } else if (which == 1) {
    const int32_t part = AddFloats(draft, {3, 3}, bank, kRow);
    const int32_t start = draft.Add(NumberValue(1));
    const int32_t end = draft.Add({});  // None: all that there are
    const int32_t dim = draft.Add(NumberValue(0));
    step.args = {whole, dim, start, end, draft.Add(NumberValue(1)), part, part};
  } else {
    const int32_t part = AddFloats(draft, {3}, bank, 2 * kRow);
    const int32_t dim = draft.Add(NumberValue(0));
    step.args = {whole, dim, draft.Add(NumberValue(2)), part, part};
  }
  if (which != 0) draft.At(whole).tensor.is_input = true;
  draft.At(step.args.back()).tensor.is_output = true;
  return step;
}

int32_t AnyPartOf(const Draft& draft, const DraftStep& call, size_t choice) {
  const DraftValue& first = draft.values[static_cast<size_t>(call.args.front())];
  return first.kind == ValueKind::kTensor ? call.args.front()
                                          : first.items[choice % first.items.size()];
}

}  // namespace pteproof::fuzz
