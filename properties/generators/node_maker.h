// Makes one node of a draft's kind, if the values at hand admit it.
#ifndef PTEPROOF_PROPERTIES_GENERATORS_NODE_MAKER_H_
#define PTEPROOF_PROPERTIES_GENERATORS_NODE_MAKER_H_

#include <optional>
#include <span>
#include <vector>

#include "properties/generators/draft.h"
#include "reference/graph/builder.h"

namespace pteproof::generators {

using graph::Builder;
using graph::ValueId;

enum class Kind : uint8_t {
  kUnary,
  kBinary,
  kTwice,  // one value as both operands
  kScalar,
  kReduce,
  kSoftmax,
  kProduct,
  kCat,
  kSlice,
  kSelect,
  kReshape,
  kPermute,
  kUnsqueeze,
  kClone,
  kConvert,
  kScatter,
  kView,    // a name of some elements of an older value
  kMutate,  // a store into an older value, also through a view
  kDelegate,
  kUnknown,
  kCond,
  kWhile,
  kMap,
  kScan,
};

// The kinds to choose from in a case, the frequent ones several times.
[[nodiscard]] std::vector<Kind> KindsOf(const CaseDraft& draft);

// Where the nodes of one region are made.
struct Scope {
  std::vector<ValueId> tensors;  // those that may be used, oldest first
};

class NodeMaker {
 public:
  NodeMaker(const CaseDraft& draft, std::span<const Kind> kinds, const graph::Module& module,
            Builder& builder)
      : draft_(draft), kinds_(kinds), module_(module), builder_(builder) {}

  // Makes the nodes of these drafts, in order.
  void MakeAll(std::span<const NodeDraft> drafts, Scope& scope);

 private:
  using Test = bool (*)(const TensorType&);

  bool Make(Kind kind, const NodeDraft& d, std::span<const NodeDraft> rest, Scope& scope);
  [[nodiscard]] std::optional<ValueId> Pick(const Scope& scope, uint8_t number, Test fits) const;
  [[nodiscard]] std::optional<ValueId> PickLike(const Scope& scope, uint8_t number,
                                                ValueId like) const;
  bool Keep(std::optional<ValueId> made, Scope& scope);
  [[nodiscard]] const TensorType& TypeOf(ValueId v) const { return *builder_.TypeOf(v); }
  [[nodiscard]] bool IsSmall(const TensorType& type) const;

  bool Elementwise(Kind kind, const NodeDraft& d, Scope& scope);
  bool Compute(Kind kind, const NodeDraft& d, Scope& scope);
  bool Move(Kind kind, const NodeDraft& d, Scope& scope);
  bool View(const NodeDraft& d, Scope& scope);
  bool Mutate(const NodeDraft& d, Scope& scope);
  bool Opaque(Kind kind, const NodeDraft& d, Scope& scope);
  bool Regions(Kind kind, const NodeDraft& d, std::span<const NodeDraft> rest, Scope& scope);
  std::optional<ValueId> MoveOf(ValueId self, const NodeDraft& d, Kind kind);

  // Regions, in make_regions.cc.
  [[nodiscard]] std::optional<ValueId> Predicate(const NodeDraft& d, Scope& scope);
  bool Cond(const NodeDraft& d, std::span<const NodeDraft> rest, Scope& scope);
  bool While(const NodeDraft& d, std::span<const NodeDraft> rest, Scope& scope);
  bool Rows(Kind kind, const NodeDraft& d, std::span<const NodeDraft> rest, Scope& scope);
  void Body(graph::Region& region, std::span<const TensorType> params,
            std::span<const NodeDraft> drafts, std::span<const TensorType> results);

  const CaseDraft& draft_;
  std::span<const Kind> kinds_;
  const graph::Module& module_;
  Builder& builder_;
  int depth_ = 0;
};

}  // namespace pteproof::generators

#endif  // PTEPROOF_PROPERTIES_GENERATORS_NODE_MAKER_H_
