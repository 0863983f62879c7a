// One method on its way to functional form: what functionalize.cc (nodes),
// functionalize_caches.cc (updates of caches) and functionalize_regions.cc (control flow) share.
#ifndef PTEPROOF_REFERENCE_GRAPH_FUNCTIONALIZER_H_
#define PTEPROOF_REFERENCE_GRAPH_FUNCTIONALIZER_H_

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reference/graph/builder.h"
#include "reference/graph/module.h"
#include "reference/graph/storage_names.h"

namespace pteproof::graph {

class Functionalizer {
 public:
  // Writes the functional form of `from` to `to`, which is a copy of it.
  Functionalizer(const Method& from, Method& to);
  // Why there is none; empty: it is there.
  [[nodiscard]] std::string Go();

 private:
  void Refuse(const std::string& why);
  [[nodiscard]] std::string NameText(ValueId value) const;

  // The functional value that holds what `value` reads now.
  ValueId Read(ValueId value);
  // From now on `value` and all that overlap it read `contents`.
  void Write(ValueId value, ValueId contents);
  ValueId WriteBase(ValueId view, ValueId contents);
  Operand ReadOperand(const Operand& operand);
  std::vector<Operand> ReadOperands(std::span<const Operand> operands);

  void Nodes(std::span<const Node> nodes);
  void Step(const Node& node);
  void CheckDelegate(const Node& node);
  void Call(const Node& node);
  void View(const Node& node);
  void Mutation(const Node& node);
  [[nodiscard]] std::optional<ValueId> CopiedWhole(const Node& node, const TensorType& type) const;
  void CacheUpdate(const Node& node);
  [[nodiscard]] Operand After(const Operand& start, const SizeExpr& length);
  ValueId Recompute(const Node& view, ValueId base, ValueId result);
  void AddRoots(std::span<const ValueId> values);
  void Exit();

  // Control flow (functionalize_regions.cc). Positions are those of parameters.
  using Positions = std::vector<size_t>;
  Region Walk(const Region& region, std::span<const Operand> operands, size_t rows_from = 0,
              size_t rows_to = 0);
  [[nodiscard]] Positions WrittenParams(const Region& region) const;
  [[nodiscard]] std::optional<size_t> ReturnedParam(const Region& region, size_t result) const;
  void WriteOperands(std::span<const std::pair<ValueId, ValueId>> writes);

  void Cond(const Node& node);
  [[nodiscard]] std::optional<size_t> ReturnedOfCond(const Node& cond, size_t result) const;
  ValueId ResultForParam(const Node& from, Node& cond, size_t param);
  void NameCondResults(const Node& node);

  void Loop(const Node& node);
  [[nodiscard]] std::string LoopFault(const Node& node, const Positions& written) const;
  [[nodiscard]] std::string CarriedFault(const Node& node, size_t carried) const;
  [[nodiscard]] bool ReturnsOwn(const Node& loop, size_t carried) const;
  std::vector<ValueId> Carry(Node& loop, const Node& from, const Positions& moved);
  void NameLoopResults(const Node& node);
  [[nodiscard]] StorageSet StoragesOfCarried(const Node& node, size_t carried) const;

  const Method& from_;
  Method& to_;
  Builder builder_;
  StorageNames names_;
  int32_t region_ = 0;                    // the one that nodes are in
  int32_t regions_ = 1;                   // so many were seen
  std::vector<ValueId> delegates_write_;  // entry values of buffers that delegates write
  std::string fault_;
};

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_FUNCTIONALIZER_H_
