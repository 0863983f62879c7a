// One method on its way to steps: what linearise.cc (nodes, exit) and linearise_regions.cc (control
// flow) share.
#ifndef PTEPROOF_PLANNER_CODE_LINEARISER_H_
#define PTEPROOF_PLANNER_CODE_LINEARISER_H_

#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "planner/code/code.h"
#include "planner/code/parallel_copy.h"
#include "reference/graph/builder.h"

namespace pteproof::planner {

class Lineariser {
 public:
  Lineariser(const graph::Module& module, const graph::Method& method);
  [[nodiscard]] Code Go();

 private:
  // A new value of the code.
  ValueId New(graph::ValueType type);
  // What a value of the graph is in the code: itself, or what its parameter stands for.
  [[nodiscard]] ValueId Here(ValueId value) const { return here_[static_cast<size_t>(value)]; }
  [[nodiscard]] Operand Here(const Operand& operand);
  [[nodiscard]] const graph::ValueType& TypeOf(ValueId value) const {
    return code_.values[static_cast<size_t>(value)].type;
  }
  [[nodiscard]] bool IsTensor(ValueId value) const { return TensorTypeOf(code_, value) != nullptr; }

  Step& Add(Step step);
  ValueId AddPrim(std::string_view op, std::vector<Operand> operands, graph::NumberType type);
  void AddPrimTo(ValueId result, std::string_view op, std::vector<Operand> operands);
  void Copy(ValueId to, ValueId from);
  void CopyAll(std::vector<Assignment> assignments);
  // A jump whose target is set by Land.
  size_t Jump(StepKind kind, std::optional<ValueId> condition = {});
  void Land(size_t jump);
  void JumpBack(StepKind kind, size_t target, std::optional<ValueId> condition = {});

  void Enter();
  void Nodes(std::span<const graph::Node> nodes);
  void Call(const graph::Node& node);
  std::optional<std::vector<Operand>> ViewSizes(ValueId root, ValueId view);
  void Delegate(const graph::Node& node);
  // `to` holds the bytes of `from`, unless those do not last.
  void SameBytes(ValueId to, ValueId from);
  void FindDelegateWrites(const graph::Region& region);
  void Exit();
  std::vector<ValueId> Outputs();
  std::vector<Assignment> Stores();
  [[nodiscard]] bool IsStoreLost(const graph::BufferStore& store,
                                 std::span<const Assignment> before) const;
  void BeginOutsideLoops();
  ValueId EntryOf(int32_t buffer);

  // Control flow (linearise_regions.cc).
  void Pass(std::span<const ValueId> params, std::span<const Operand> operands);
  [[nodiscard]] std::optional<ValueId> HandedOn(const graph::Node& cond,
                                                const graph::Region& branch, size_t result) const;
  void Cond(const graph::Node& node);
  void While(const graph::Node& node);
  void Rows(const graph::Node& node);
  void StartCarried(const graph::Node& node);
  void EndRound(const graph::Node& node, const graph::Region& body);
  void StartStacked(std::span<const ValueId> stacked, bool may_be_none);

  // Numbers that depend on dims (linearise_sizes.cc).
  struct Arithmetic;
  void FindDims();
  Operand SizeOperand(const SizeExpr& size);
  Operand Dim(int32_t symbol);

  const graph::Module& module_;
  const graph::Method& method_;
  Code code_;
  std::vector<ValueId> here_;
  std::map<int32_t, ValueId> delegate_writes_;  // by buffer: what it is at exit
  std::vector<Step> prologue_;
  std::vector<Step>* steps_ = nullptr;  // where steps go: the code's, or the prologue
  struct InputSize {
    ValueId input = -1;
    int32_t dimension = 0;
  };
  std::map<int32_t, InputSize> told_by_;  // by dim
  std::map<SizeExpr, Operand> sizes_;
  std::map<int32_t, Operand> dims_;
};

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_CODE_LINEARISER_H_
