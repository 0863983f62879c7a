// Idea. One pass over the steps appends instructions; values get their numbers when they are first
// named, buffers and constants first, then inputs, then the rest in the order of the steps, as an
// exporter numbers them. Readers infer from these numbers when a view was made.
//
// Invariant: an elided step emits no instruction, but its values get their numbers in order. Jumps
// are emitted with step numbers and are translated at the end, when the first instruction of each
// step is known. Cost: O(operands + results).
#include "planner/emit/emit.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

#include "planner/emit/arguments.h"
#include "planner/emit/file_values.h"
#include "planner/emit/method_writer.h"
#include "planner/passes/in_place_rules.h"
#include "planner/passes/passes.h"
#include "planner/planted.h"
#include "reference/graph/method_uses.h"
#include "reference/op_schema.h"
#include "runtime/devices.h"
#include "runtime/structure_text.h"

namespace pteproof::planner {
namespace {

class Emitter {
 public:
  Emitter(const EmitInput& input, Method& method)
      : input_(input), method_(method), writer_(method), values_(input, writer_) {}

  std::vector<ElidedName> Go() && {
    Enter();
    std::vector<int32_t> begins;  // by step: index of its first instruction
    std::vector<std::pair<size_t, int32_t>> jumps;
    for (const Step& step : input_.code.steps) {
      begins.push_back(static_cast<int32_t>(method_.instructions.size()));
      if (step.target >= 0) jumps.emplace_back(method_.instructions.size(), step.target);
      Emit(step);
    }
    begins.push_back(static_cast<int32_t>(method_.instructions.size()));
    for (const auto& [jump, target] : jumps) {
      method_.instructions[jump].other = begins[static_cast<size_t>(target)];
    }
    for (const ValueId v : input_.code.inputs) method_.inputs.push_back(values_.Of(v));
    for (const ValueId v : input_.code.outputs) method_.outputs.push_back(values_.Of(v));
    SetFlatStructures(method_);
    return std::move(elided_);
  }

 private:
  void Enter() {
    const auto& reads = input_.sharing.accesses().reads;
    for (size_t b = 0; b < input_.code.entry.size(); ++b) {
      const ValueId v = input_.code.entry[b];
      const bool used =
          v >= 0 && (!reads[static_cast<size_t>(v)].empty() || input_.code.exit[b] >= 0);
      if (used) values_.Of(v);
    }
    for (const ValueId v : input_.code.inputs) values_.Of(v);
  }

  void Emit(const Step& step) {
    switch (step.kind) {
      case StepKind::kCall:
        return Call(step);
      case StepKind::kDelegate:
        return Delegate(step);
      case StepKind::kCopy:
        return Copy(step);
      case StepKind::kMove:
        return Move(step);
      case StepKind::kJumpFalse:
        return writer_.JumpFalse(Argument(step.operands.front()), 0);
      case StepKind::kJump:
        return writer_.JumpFalse(writer_.Bool(false), 0);
    }
  }

  // Each gets its number in the order of the lines, whatever a compiler evaluates first.
  void Move(const Step& step) {
    const int32_t from = Argument(step.operands.front());
    const int32_t to = values_.Of(step.results.front());
    writer_.Move(from, to);
  }

  int32_t Argument(const Operand& operand) {
    return ArgumentOf(operand, Taking(ArgKind::kScalar), values_, writer_);
  }

  void CallNamed(std::string_view name, std::vector<int32_t> args) {
    writer_.Call(writer_.OperatorNamed(name, FindOperator(name)), args);
  }

  // What is left out has its values in the file all the same, in order. By its literals a reader
  // knows a slice.
  void NameElided(const Step& step) {
    ElidedName name;
    graph::ForEachValue(step.operands, [&](ValueId v) {
      const int32_t operand = values_.Of(v);
      if (TensorTypeOf(input_.code, v) != nullptr) name.of.push_back(operand);
    });
    for (const ValueId v : step.results) values_.Of(v);
    name.value = values_.Of(step.results.front());
    name.made_before = static_cast<int32_t>(method_.instructions.size());
    if (!IsConcat(step)) name.of.resize(1);
    if (IsConcat(step) || name.of.front() != name.value) elided_.push_back(std::move(name));
    if (!IsSlice(step)) return;
    for (const Operand& operand : std::span(step.operands).subspan(1)) {
      const auto* number = std::get_if<SizeExpr>(&operand.held);
      if (number != nullptr) writer_.NewInt(*number->Constant());
    }
  }

  void Call(const Step& step) {
    if (IsElided(input_.code, input_.sharing, step)) return NameElided(step);
    if (IsRenamed(input_.code, input_.sharing, step)) return View(step);
    if (step.schema == nullptr) return Unknown(step);
    const ValueId result = step.results.empty() ? -1 : step.results.front();
    const OpSchema* form = InPlaceForm(input_.code, step);
    const auto self = graph::ValueOfOperand(step.operands.empty() ? Operand{} : step.operands[0]);
    const bool updates =
        form != nullptr && self &&
        (input_.sharing.Coincide(*self, result) || Planted(Defect::kUpdateElsewhere));
    if (updates) {
      writer_.Call(writer_.OperatorNamed(form->name, form),
                   CallArguments(*form, step.operands, {}, values_, writer_));
      return;
    }
    writer_.Call(writer_.OperatorNamed(step.op, step.schema),
                 CallArguments(*step.schema, step.operands, step.results, values_, writer_));
  }

  // et_view gives its result the operand's bytes and this call's sizes.
  void View(const Step& step) {
    const ValueId from = *graph::ValueOfOperand(step.operands.front());
    const int32_t self = values_.Of(from);
    const int32_t out = values_.Of(step.results.front());
    std::vector<int32_t> sizes;
    if (Planted(Defect::kSizesAtBound)) {
      for (const int64_t size : input_.bounds[static_cast<size_t>(step.results.front())]) {
        sizes.push_back(writer_.Int(size));
      }
    } else if (step.view_sizes) {
      for (const Operand& size : *step.view_sizes) sizes.push_back(Argument(size));
    } else {
      for (const SizeExpr& size : TensorTypeOf(input_.code, step.results.front())->sizes) {
        sizes.push_back(writer_.Int(*size.Constant()));
      }
    }
    CallNamed("executorch_prim::et_view.default",
              {self, writer_.List(ValueKind::kIntList, sizes), out});
  }

  // As ExecuTorch calls an out variant: the results are the last arguments, and the return slot
  // lists them once more. An operator without one has only the slot.
  void Unknown(const Step& step) {
    std::vector<int32_t> args;
    for (const Operand& operand : step.operands) {
      args.push_back(ArgumentOf(operand, UnknownArgument(operand), values_, writer_));
    }
    std::vector<int32_t> results;
    for (const ValueId v : step.results) results.push_back(values_.Of(v));
    if (const auto passed = PassedThrough(step); passed && Planted(Defect::kPassedElsewhere)) {
      results.front() = values_.Of(*passed);
    }
    if (step.op.ends_with("out")) args.insert(args.end(), results.begin(), results.end());
    if (results.size() == 1) args.push_back(results.front());
    if (results.size() > 1) args.push_back(writer_.List(ValueKind::kTensorList, results));
    CallNamed(step.op, std::move(args));
  }

  void Delegate(const Step& step) {
    std::vector<int32_t> args;
    for (const Operand& operand : step.operands) {
      args.push_back(ArgumentOf(operand, UnknownArgument(operand), values_, writer_));
    }
    for (const ValueId v : step.results) args.push_back(values_.Of(v));
    writer_.Delegated(step.op, args);
    if (!step.results.empty() && LiesOnDevice(step.results.front())) {
      static constexpr std::string_view kTarget = "cuda:0";
      method_.delegates.back().specs = {
          {.key = "target_device", .value = std::as_bytes(std::span(kTarget))}};
    }
  }

  bool LiesOnDevice(ValueId v) const {
    const auto storage = static_cast<size_t>(input_.sharing.StorageIndexOf(v));
    const auto bank = static_cast<uint32_t>(input_.places[storage].bank);
    return !DeviceOfBank(method_, bank).is_host();
  }

  void Copy(const Step& step) {
    if (IsElided(input_.code, input_.sharing, step)) return NameElided(step);
    const ValueId to = step.results.front();
    const int32_t from = Argument(step.operands.front());
    const int32_t target = values_.Of(to);
    const auto storage = static_cast<size_t>(input_.sharing.StorageIndexOf(to));
    const bool state = input_.sharing.storages()[storage].pin.kind == Pin::Kind::kBuffer;
    if (state || input_.code.values[static_cast<size_t>(to)].origin != Origin::kStep) {
      return CallNamed(StoreOperator(to), {target, from, writer_.Bool(false), target});
    }
    CallNamed("aten::clone.out", {from, writer_.Null(), target, target});
  }

  std::string_view StoreOperator(ValueId to) const {
    const auto storage = static_cast<size_t>(input_.sharing.StorageIndexOf(to));
    const auto chosen = input_.store_operators.find(input_.places[storage].bank);
    if (chosen == input_.store_operators.end()) return "aten::copy_";
    return chosen->second;
  }

  const EmitInput& input_;
  Method& method_;
  MethodWriter writer_;
  FileValues values_;
  std::vector<ElidedName> elided_;
};

}  // namespace

std::vector<ElidedName> Emit(const EmitInput& input, Method& method) {
  return Emitter(input, method).Go();
}

}  // namespace pteproof::planner
