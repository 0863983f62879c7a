// Idea: values that can stand for one tensor in a run form a class: source and destination of a
// move, base and result of a view, a list that is moved and its items. A write to a value is a
// write to each constant of its class.
//
//   et_view(c, sizes, v)   {c, v}
//   copy_(v, x, v)         v is written, so the constant c is
//   add_(c, x, 1, s)       {c, s}: the return slot becomes the operand
//
// Invariant: a run writes to no constant that is not listed here, since only moves, views and
// return slots make a value stand for another value's tensor. The slot of a call that is not given
// may become any argument, and all of these are listed. Cost: O(arguments), nearly.
#include "runtime/execute/written_constants.h"

#include <algorithm>

#include "base/disjoint_sets.h"
#include "reference/op_schema.h"

namespace pteproof {
namespace {

class WrittenClasses {
 public:
  // `opaque`: of the method.
  WrittenClasses(const Method& method, const OpaqueCalls& opaque)
      : method_(method),
        opaque_(opaque),
        classes_(method.values.size()),
        written_(method.values.size()) {
    const auto count = static_cast<int32_t>(method.instructions.size());
    for (int32_t i = 0; i < count; ++i) JoinNames(i);
    for (int32_t i = 0; i < count; ++i) MarkResults(i);
  }

  [[nodiscard]] bool IsWritten(int32_t v) { return written_[static_cast<size_t>(classes_.Of(v))]; }

 private:
  template <class Each>
  void ForEachItem(int32_t v, const Each& each) const {
    const Value& value = method_.values[static_cast<size_t>(v)];
    if (value.kind == ValueKind::kTensor || !IsTensorLike(value.kind)) return;
    for (const int32_t item : method_.Ints(value.items)) {
      if (item >= 0) each(item);
    }
  }

  [[nodiscard]] const OpSchema* SchemaOf(const Instruction& call) const {
    if (call.kind != InstructionKind::kKernelCall) return nullptr;
    return method_.operators[static_cast<size_t>(call.target)].schema;
  }

  [[nodiscard]] const Instruction& At(int32_t i) const {
    return method_.instructions[static_cast<size_t>(i)];
  }
  [[nodiscard]] const OpaqueCall* GivenAt(int32_t i) const {
    const auto given = opaque_.find(i);
    return given == opaque_.end() ? nullptr : &given->second;
  }

  void JoinNames(int32_t i) {
    const Instruction& instruction = At(i);
    if (instruction.kind == InstructionKind::kMove) {
      classes_.Join(instruction.target, instruction.other);
      for (const int32_t list : {instruction.target, instruction.other}) {
        ForEachItem(list, [&](int32_t item) { classes_.Join(list, item); });
      }
    }
    const OpSchema* schema = SchemaOf(instruction);
    const auto args = method_.Ints(instruction.args);
    if (const OpaqueCall* call = GivenAt(i)) {
      for (const auto& [slot, result] : call->returned) classes_.Join(slot, result);
    }
    if (schema == nullptr || args.size() < schema->args.size()) return;
    if (schema->is_view) classes_.Join(args[schema->viewed], args[schema->args.size() - 1]);
    for (size_t a = 0; a < schema->args.size(); ++a) {
      if (schema->PutsInSlot(a)) classes_.Join(args[a], args.back());
    }
  }

  void Mark(int32_t v) {
    written_[static_cast<size_t>(classes_.Of(v))] = true;
    ForEachItem(v, [&](int32_t item) { written_[static_cast<size_t>(classes_.Of(item))] = true; });
  }

  void MarkResults(int32_t i) {
    const OpSchema* schema = SchemaOf(At(i));
    const auto args = method_.Ints(At(i).args);
    if (const OpaqueCall* call = GivenAt(i)) {
      for (const int32_t v : call->results) Mark(v);
    } else if (IsOpaque(method_, At(i))) {
      for (const int32_t v : args) Mark(v);
    }
    if (schema == nullptr) return;
    for (size_t a = 0; a < std::min(args.size(), schema->args.size()); ++a) {
      const Access access = schema->args[a].access;
      if (access != Access::kRead && access != Access::kNone) Mark(args[a]);
    }
  }

  const Method& method_;
  const OpaqueCalls& opaque_;
  DisjointSets classes_;
  std::vector<bool> written_;  // by class
};

}  // namespace

std::vector<uint64_t> WrittenConstantBytes(const Program& program, const GivenOpaqueCalls& opaque) {
  const OpaqueCalls none;
  std::vector<uint64_t> bytes(program.constants.size());
  std::vector<bool> written(program.constants.size());
  for (size_t m = 0; m < program.methods.size(); ++m) {
    const Method& method = program.methods[m];
    WrittenClasses classes(method, opaque != nullptr && m < opaque->size() ? (*opaque)[m] : none);
    for (int32_t v = 0; v < static_cast<int32_t>(method.values.size()); ++v) {
      const Tensor* tensor = method.TensorOf(v);
      if (tensor == nullptr || tensor->planned || tensor->external) continue;
      const size_t index = tensor->data_index;
      if (index == 0 || index >= bytes.size()) continue;
      bytes[index] = std::max({bytes[index], tensor->nbytes, uint64_t{1}});
      if (classes.IsWritten(v)) written[index] = true;
    }
  }
  for (size_t c = 0; c < bytes.size(); ++c) {
    if (!written[c]) bytes[c] = 0;
  }
  return bytes;
}

}  // namespace pteproof
