// A kernel call lists operands, memory for results and the return slot, which is the same memory
// once more, or a list of it. The common call says the memory twice, and the text says it once:
//
//   arguments  [v0, v1, v3, v4, v4]          %4 = aten::add.out(%0, %1, 1)
//   arguments  [.., v5, v6, [v5, v6]]        %5, %6 = aten::topk.values(...)
//
// Cost: O(arguments).
#include "runtime/pteasm/call_form.h"

#include <algorithm>
#include <span>

namespace pteproof::pteasm {
namespace {

const Value& ValueOf(const Method& method, int32_t index) {
  return method.values[static_cast<size_t>(index)];
}

// The tensors of a list that may be left unnamed; nothing: it is another value.
std::span<const int32_t> UnnamedList(const Method& method, int32_t index,
                                     const std::vector<bool>& literal) {
  const Value& value = ValueOf(method, index);
  if (value.kind != ValueKind::kTensorList || !literal[static_cast<size_t>(index)]) return {};
  return method.Ints(value.items);
}

CallParts RawParts(std::span<const int32_t> args) {
  CallParts parts;
  parts.raw = true;
  parts.operands.assign(args.begin(), args.end());
  return parts;
}

// As exporters call what they do not know: the result's memory, and the same as return slot.
CallParts PartsOfUnknown(std::span<const int32_t> args) {
  const size_t count = args.size();
  if (count < 2 || args[count - 1] != args[count - 2]) return RawParts(args);
  CallParts parts;
  parts.results = {args.back()};
  parts.operands.assign(args.begin(), args.end() - 2);
  return parts;
}

// The results that stand for `outs` and the slot; empty: none do.
CallParts ImpliedParts(const Method& method, const OpSchema& schema, std::span<const int32_t> args,
                       const std::vector<bool>& literal) {
  CallParts parts;
  const size_t outs = ImpliedOuts(schema);
  const size_t operands = schema.args.size() - outs;
  const auto given = args.subspan(operands, outs);
  auto results = given;
  if (HasOutList(schema)) {
    results = UnnamedList(method, given.front(), literal);
    parts.lists.push_back(given.front());
  }
  if (schema.returns == ReturnSlot::kWritten && args.back() != given.front()) return {};
  if (schema.returns == ReturnSlot::kWrittenList) {
    if (!std::ranges::equal(UnnamedList(method, args.back(), literal), results)) return {};
    parts.lists.push_back(args.back());
  }
  parts.results.assign(results.begin(), results.end());
  parts.operands.assign(args.begin(), args.begin() + static_cast<std::ptrdiff_t>(operands));
  return parts;
}

}  // namespace

const OpSchema* SignatureOf(std::string_view op) {
  const OpSchema* schema = FindOperator(op);
  return schema != nullptr ? schema : FindAliasOperator(op);
}

bool HasOutList(const OpSchema& schema) {
  return !schema.args.empty() && schema.args.back().kind == ArgKind::kTensorList;
}

size_t ImpliedOuts(const OpSchema& schema) {
  size_t outs = 0;
  const auto is_out = [](const ArgSchema& arg) { return arg.out && !arg.scratch; };
  while (outs < schema.args.size() && is_out(schema.args[schema.args.size() - 1 - outs])) ++outs;
  const auto last = schema.args.last(outs);
  const bool lists = std::ranges::any_of(
      last, [](const ArgSchema& arg) { return arg.kind == ArgKind::kTensorList; });
  if (lists && outs != 1) return 0;
  switch (schema.returns) {
    case ReturnSlot::kNone:
    case ReturnSlot::kWrittenList:
      return outs;
    case ReturnSlot::kWritten:
      return outs == 1 && !lists ? 1 : 0;
    case ReturnSlot::kScalar:
      return 0;
  }
  return 0;
}

CallParts PartsOf(const Method& method, const Instruction& call, const std::vector<bool>& literal) {
  const auto args = method.Ints(call.args);
  const OpSchema* schema = SignatureOf(method.operators[static_cast<size_t>(call.target)].name);
  if (schema == nullptr) return PartsOfUnknown(args);
  if (args.size() != schema->ArgumentCount()) return RawParts(args);
  if (ImpliedOuts(*schema) > 0) {
    CallParts implied = ImpliedParts(method, *schema, args, literal);
    if (!implied.results.empty()) return implied;
  }
  CallParts parts;
  const auto operands = args.first(schema->args.size());
  parts.operands.assign(operands.begin(), operands.end());
  if (schema->returns != ReturnSlot::kNone) parts.results = {args.back()};
  return parts;
}

}  // namespace pteproof::pteasm
