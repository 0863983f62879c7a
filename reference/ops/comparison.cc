// Operators on two operands that answer a question, element by element.
#include "reference/ops/elementwise.h"
#include "reference/ops/rows.h"

namespace pteproof {
namespace {

constexpr TypeRule kCompared = ElementwiseTypes<Admit::kAll, AlwaysBool, 0, 1>;
constexpr TypeRule kOrdered = ElementwiseTypes<Admit::kReal, AlwaysBool, 0, 1>;

template <class T>
concept Ordered = !std::is_same_v<T, Complex>;

struct Equal {
  template <class T>
  bool operator()(T a, T b) const {
    return a == b;
  }
};

struct NotEqual {
  template <class T>
  bool operator()(T a, T b) const {
    return a != b;
  }
};

struct Less {
  template <Ordered T>
  bool operator()(T a, T b) const {
    return a < b;
  }
};

struct LessEqual {
  template <Ordered T>
  bool operator()(T a, T b) const {
    return a <= b;
  }
};

struct Greater {
  template <Ordered T>
  bool operator()(T a, T b) const {
    return a > b;
  }
};

struct GreaterEqual {
  template <Ordered T>
  bool operator()(T a, T b) const {
    return a >= b;
  }
};

// NaN is true: it is not zero.
struct LogicalAnd {
  template <class T>
  bool operator()(T a, T b) const {
    return a != T() && b != T();
  }
};

struct LogicalOr {
  template <class T>
  bool operator()(T a, T b) const {
    return a != T() || b != T();
  }
};

struct LogicalXor {
  template <class T>
  bool operator()(T a, T b) const {
    return (a != T()) != (b != T());
  }
};

constexpr OpMeaning kComparisonMeanings[] = {
    Exact("aten::eq.Tensor_out", kCompared, ToBool<Equal, 0, 1>),
    Exact("aten::eq.Scalar_out", kCompared, ToBool<Equal, 0, 1>),
    Exact("aten::ne.Tensor_out", kCompared, ToBool<NotEqual, 0, 1>),
    Exact("aten::ne.Scalar_out", kCompared, ToBool<NotEqual, 0, 1>),
    Exact("aten::lt.Tensor_out", kOrdered, ToBool<Less, 0, 1>),
    Exact("aten::lt.Scalar_out", kOrdered, ToBool<Less, 0, 1>),
    Exact("aten::le.Tensor_out", kOrdered, ToBool<LessEqual, 0, 1>),
    Exact("aten::le.Scalar_out", kOrdered, ToBool<LessEqual, 0, 1>),
    Exact("aten::gt.Tensor_out", kOrdered, ToBool<Greater, 0, 1>),
    Exact("aten::gt.Scalar_out", kOrdered, ToBool<Greater, 0, 1>),
    Exact("aten::ge.Tensor_out", kOrdered, ToBool<GreaterEqual, 0, 1>),
    Exact("aten::ge.Scalar_out", kOrdered, ToBool<GreaterEqual, 0, 1>),
    Exact("aten::logical_and.out", kCompared, ToBool<LogicalAnd, 0, 1>),
    Exact("aten::logical_or.out", kCompared, ToBool<LogicalOr, 0, 1>),
    Exact("aten::logical_xor.out", kCompared, ToBool<LogicalXor, 0, 1>),
};

}  // namespace

std::span<const OpMeaning> ComparisonMeanings() {
  return kComparisonMeanings;
}

}  // namespace pteproof
