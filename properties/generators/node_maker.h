// Makes one node of a draft's kind, if the values at hand admit it.
#ifndef PTEPROOF_PROPERTIES_GENERATORS_NODE_MAKER_H_
#define PTEPROOF_PROPERTIES_GENERATORS_NODE_MAKER_H_

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "properties/generators/draft.h"
#include "reference/graph/builder.h"

namespace pteproof::generators {

using graph::Builder;
using graph::ValueId;

// The frequent ones of them stand in the generator's list several times.
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

// A draft's kind counts modulo this.
inline constexpr size_t kKindNumbers = 46;

// Where the nodes of one region are made.
struct Scope {
  std::vector<ValueId> tensors;  // those that may be used, oldest first
};

class NodeMaker {
 public:
  NodeMaker(const CaseDraft& draft, const graph::Module& module, Builder& builder)
      : draft_(draft), module_(module), builder_(builder) {}

  // Makes the nodes of these drafts, in order.
  void MakeAll(std::span<const NodeDraft> drafts, Scope& scope);

  // Whether a delegate made so far writes the buffer.
  [[nodiscard]] bool IsWritten(int32_t buffer) const;

 private:
  bool Make(Kind kind, const NodeDraft& d, std::span<const NodeDraft> rest, Scope& scope);
  // The first that fits, from `number` younger ones on towards older ones, then from the youngest.
  template <class Fits>
  [[nodiscard]] std::optional<ValueId> Pick(const Scope& scope, uint8_t number,
                                            const Fits& fits) const {
    const size_t count = scope.tensors.size();
    for (size_t tried = 0; tried < count; ++tried) {
      const size_t back = (std::min<size_t>(number, count - 1) + tried) % count;
      const ValueId v = scope.tensors[count - 1 - back];
      if (fits(TypeOf(v))) return v;
    }
    return std::nullopt;
  }
  // One of the same type as `like`: itself where there is no other.
  [[nodiscard]] ValueId PickLike(const Scope& scope, uint8_t number, ValueId like) const;
  // Now and then one that is spread over `self`; else one of the same type.
  [[nodiscard]] ValueId PickOther(const Scope& scope, const NodeDraft& d, ValueId self) const;
  bool Keep(std::optional<ValueId> made, Scope& scope);
  void AddAndKeep(graph::Node node, Scope& scope);
  ValueId DeclareLike(ValueId value) { return builder_.Declare(TypeOf(value)); }
  void SetDtype(ValueId made, ScalarType dtype);
  void TakeOperand(const NodeDraft& d, ValueId self, ValueId made, const Scope& scope);
  void GiveBuffers(const NodeDraft& d, graph::Node& node);
  static void WishForPool(const NodeDraft& d, graph::Node& node);
  [[nodiscard]] const TensorType& TypeOf(ValueId v) const { return *builder_.TypeOf(v); }
  [[nodiscard]] bool IsSmall(const TensorType& type) const;

  bool Elementwise(Kind kind, const NodeDraft& d, Scope& scope);
  bool Compute(Kind kind, const NodeDraft& d, Scope& scope);
  bool Extreme(ValueId self, int64_t dim, const NodeDraft& d, Scope& scope);
  bool Opaque(Kind kind, const NodeDraft& d, Scope& scope);
  static void ShapeCall(ValueId a, ValueId b, const NodeDraft& d, graph::Node& node);
  bool OnDevice(ValueId a, ValueId b, const NodeDraft& d, Scope& scope);
  bool Regions(Kind kind, const NodeDraft& d, std::span<const NodeDraft> rest, Scope& scope);

  // Moves, views and stores through them, in make_moves.cc.
  std::optional<ValueId> MoveOf(ValueId self, const NodeDraft& d, Kind kind);
  bool Move(Kind kind, const NodeDraft& d, Scope& scope);
  bool Scatter(const NodeDraft& d, Scope& scope);
  bool View(const NodeDraft& d, Scope& scope);
  bool Mutate(const NodeDraft& d, Scope& scope);
  std::optional<ValueId> PutPart(const NodeDraft& d, ValueId self, ValueId other);
  std::optional<ValueId> PutIndex(const NodeDraft& d, int form, ValueId self, ValueId other);
  std::optional<ValueId> PutElements(const NodeDraft& d, int form, ValueId self, ValueId other);
  std::optional<ValueId> PutInCache(const NodeDraft& d, ValueId self, ValueId other);

  // Regions, in make_regions.cc.
  [[nodiscard]] std::optional<ValueId> Predicate(const NodeDraft& d, Scope& scope);
  bool Cond(const NodeDraft& d, std::span<const NodeDraft> rest, Scope& scope);
  bool While(const NodeDraft& d, std::span<const NodeDraft> rest, Scope& scope);
  bool Rows(Kind kind, const NodeDraft& d, std::span<const NodeDraft> rest, Scope& scope);
  void Body(graph::Region& region, std::vector<ValueId> params, std::span<const NodeDraft> drafts,
            size_t results);
  ValueId DeclareRow(ValueId mapped);

  const CaseDraft& draft_;
  const graph::Module& module_;
  Builder& builder_;
  std::vector<int32_t> written_;  // buffers that delegates write
  int depth_ = 0;
};

}  // namespace pteproof::generators

#endif  // PTEPROOF_PROPERTIES_GENERATORS_NODE_MAKER_H_
