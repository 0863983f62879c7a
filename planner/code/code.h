// A method as a list of steps, between the graph and the file: control flow is jumps, what stores
// and branches hand over is copies, and nothing has a place yet. Passes look at it; placing and
// emitting turn it into a method of a Program.
#ifndef PTEPROOF_PLANNER_CODE_CODE_H_
#define PTEPROOF_PLANNER_CODE_CODE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/graph/module.h"
#include "reference/op_schema.h"

namespace pteproof::planner {

using graph::Operand;
using graph::ValueId;

// Where a value's bytes come from.
enum class Origin : uint8_t {
  kStep,      // steps write it: one, or several where branches and loops hand values over
  kInput,     // the caller, before the first step
  kBuffer,    // a mutable buffer, as it is at entry or as a store leaves it
  kConstant,  // a buffer that no method stores to
};

struct CodeValue {
  graph::ValueType type;
  Origin origin = Origin::kStep;
  int32_t index = -1;  // kInput: of Method::inputs; kBuffer, kConstant: of Module::buffers
  // It holds the same bytes as this value, wherever both hold any: a copy or view written once.
  std::optional<ValueId> same_as = {};
  bool carried = false;  // a loop's: each round writes it anew
  bool stacked = false;  // row by row, so that its sizes are only known in a run
  bool keep = false;     // not the method's to overwrite, although it is wanted no more
};

enum class StepKind : uint8_t {
  kCall,       // an operator
  kDelegate,   // a delegate's whole graph
  kCopy,       // results[0] becomes what operand 0 is: the same type
  kMove,       // the same for numbers
  kJumpFalse,  // to `target` when operand 0 is false
  kJump,       // to `target`
};

struct Step {
  StepKind kind = StepKind::kCall;
  std::string op = {};               // kCall, kDelegate: its name
  const OpSchema* schema = nullptr;  // kCall: null for an operator that is not in the table
  std::vector<Operand> operands = {};
  std::vector<ValueId> results = {};
  // Values that begin here, undefined: steps after this one write them part by part.
  std::vector<ValueId> begins = {};
  int32_t target = -1;    // jumps: index of a step, or the count of steps
  std::string pool = {};  // a wish for a bank for the results
  // Of what keeps its operand's bytes under sizes that vary: those sizes in a run, -1 for one that
  // the others tell.
  std::optional<std::vector<Operand>> view_sizes = {};
  // The operand whose bytes the first result should be made in, where that is right.
  std::optional<int32_t> in_place = {};
};

struct Code {
  std::vector<CodeValue> values;  // first those of the graph's method, by the same numbers
  std::vector<Step> steps;
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;  // inputs that are stored to come first, as an exporter lists them
  // By index in Module::buffers, the entry value; -1: the method has nothing to do with it.
  std::vector<ValueId> entry;
  std::vector<ValueId> exit;  // likewise what is stored; -1: nothing
};

[[nodiscard]] inline const TensorType* TensorTypeOf(const Code& code, ValueId value) {
  return std::get_if<TensorType>(&code.values[static_cast<size_t>(value)].type);
}

// Whether a step changes part of operand `operand` and leaves the rest.
[[nodiscard]] inline bool Updates(const Step& step, size_t operand) {
  if (step.kind != StepKind::kCall || step.schema == nullptr) return false;
  const ArgSchema* arg = OperandSchema(*step.schema, operand);
  return arg != nullptr && (arg->access == Access::kUpdate || arg->access == Access::kFill);
}

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_CODE_CODE_H_
