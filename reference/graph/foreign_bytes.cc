// Whose bytes an operand has is known from its maker: a node's result belongs to the method; a
// buffer's entry value and an input that is stored to may be overwritten only by the value that is
// stored there in the end; any other input, a parameter of a region and a result that may be
// another name belong to someone else. Cost: O(stores), and O(1) for all else.
#include "reference/graph/foreign_bytes.h"

#include <algorithm>
#include <utility>

#include "reference/graph/names.h"
#include "reference/kept_operand.h"

namespace pteproof::graph {
namespace {

using MakerKind = ValueMaker::Kind;
using Found = std::optional<InPlaceReader>;

size_t Index(int32_t index) {
  return static_cast<size_t>(index);
}

Found Foreign(std::string what, std::string outcome, std::string remedy = {}) {
  return InPlaceReader{{}, std::move(what), std::move(outcome), std::move(remedy)};
}

// Whether `value` is `first`, or made in place from it in one or more steps, or a view of that with
// all elements in order.
bool IsMadeInPlaceOf(const MethodUses& uses, ValueId value, ValueId first) {
  while (value != first) {
    const ValueMaker maker = uses.makers[Index(value)];
    if (maker.kind != MakerKind::kNode) return false;
    const Node& node = *uses.nodes[Index(maker.index)];
    const auto from = AliasedOperand(node);
    const bool same_bytes = node.in_place || (node.view && KeptOperand(node.op) == 0U);
    if (!same_bytes || !from || node.results.front() != value) return false;
    value = *from;
  }
  return true;
}

// The operand and the result that is to be made in its bytes.
struct Pair {
  const Module& module;
  const Method& method;
  const MethodUses& uses;
  ValueId operand;
  ValueId result;
  std::string operand_name;
  std::string result_name;
};

Found ForeignEntry(const Pair& pair, const NodeTexts& texts, int32_t buffer) {
  const auto& stores = pair.method.stores;
  const auto store = std::ranges::find(stores, buffer, &BufferStore::buffer);
  const std::string what = pair.operand_name + " is the value of @" +
                           pair.module.buffers[Index(buffer)].name + " at entry";
  if (store == stores.end()) {
    return Foreign(what + ", and the method does not store to that buffer.",
                   "The buffer would hold " + pair.result_name + " after the call.",
                   "store the result to the buffer.");
  }
  if (IsMadeInPlaceOf(pair.uses, store->value, pair.result)) return std::nullopt;
  return Foreign(what + ". At exit the buffer must hold " + texts.Name(store->value) + ".",
                 "Only the stored value itself may be computed in these bytes.");
}

// The caller lets the method overwrite it; but at exit it is to hold what is stored to it.
Found ForeignInput(const Pair& pair, const NodeTexts& texts, int32_t input) {
  const auto& stores = pair.method.input_stores;
  const auto store = std::ranges::find(stores, input, &InputStore::input);
  if (store == stores.end() || IsMadeInPlaceOf(pair.uses, store->value, pair.result)) {
    return std::nullopt;
  }
  return Foreign("At exit " + pair.operand_name + " must hold " + texts.Name(store->value) + ".",
                 "Only the stored value itself may be computed in these bytes.");
}

Found ForeignResult(const Pair& pair, const NodeTexts& texts, const Node& maker) {
  if (pair.uses.may_be_alias[Index(pair.operand)]) {
    return Foreign(pair.operand_name + " comes out of a region and may be another name of a value.",
                   "A reader of that value would see " + pair.result_name + ".");
  }
  const auto of = AliasedOperand(maker);
  if (!of || maker.in_place || maker.results.front() != pair.operand) return std::nullopt;
  return Foreign(pair.operand_name + " is another name of " + texts.Name(*of) + ".",
                 texts.Name(*of) + " would change to " + pair.result_name + " too.");
}

Found ForeignMaker(const Pair& pair, const NodeTexts& texts) {
  const ValueMaker maker = pair.uses.makers[Index(pair.operand)];
  switch (maker.kind) {
    case MakerKind::kInput:
      if (pair.method.inputs[Index(maker.index)].in_place) {
        return ForeignInput(pair, texts, maker.index);
      }
      return Foreign(pair.operand_name + " is an input that must not be overwritten.",
                     "The caller would find " + pair.result_name + " in it.",
                     "mark the input in_place.");
    case MakerKind::kEntry:
      return ForeignEntry(pair, texts, pair.method.buffers[Index(maker.index)].buffer);
    case MakerKind::kParam:
      return Foreign(pair.operand_name + " is a parameter, another name of an operand outside.",
                     "A reader of that operand would see " + pair.result_name + ".");
    case MakerKind::kNode:
      return ForeignResult(pair, texts, *pair.uses.nodes[Index(maker.index)]);
    case MakerKind::kNone:
      break;
  }
  return std::nullopt;
}

}  // namespace

std::string NodeTexts::Name(ValueId value) const {
  return NameOf(names, value);
}

std::string NodeTexts::Title(const Node& node) const {
  const std::string made = node.results.empty() ? "" : Name(node.results.front()) + " = ";
  return made + (node.op.empty() ? std::string(KindWord(node.kind)) : node.op);
}

Found ForeignBytes(const Module& module, const Method& method, const MethodUses& uses,
                   const NodeTexts& texts, ValueId operand, ValueId result) {
  return ForeignMaker(
      {module, method, uses, operand, result, texts.Name(operand), texts.Name(result)}, texts);
}

}  // namespace pteproof::graph
