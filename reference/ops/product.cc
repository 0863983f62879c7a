// Products of matrices.
#include <algorithm>
#include <array>

#include "reference/ops/elements.h"
#include "reference/ops/parts.h"
#include "reference/ops/rows.h"
#include "reference/ops/type_rules.h"
#include "reference/ops/walk.h"

namespace pteproof {
namespace {

constexpr std::string_view kProductOrder =
    "kernels add the products in the type and in another order";

// [batch..., rows, inner] times [batch..., inner, columns] of equal types.
Types ProductType(const TensorType& a, const TensorType& b, size_t rank) {
  if (a.dtype != b.dtype) return std::string("the operands have different element types");
  if (a.rank() != rank || b.rank() != rank) return std::string("an operand has another rank");
  SizeList sizes = a.sizes;
  sizes.back() = b.sizes.back();
  for (size_t d = 0; d + 2 < rank; ++d) {
    if (!MayBeEqual(a.sizes[d], b.sizes[d])) return std::string("the batches have different sizes");
  }
  if (!MayBeEqual(a.sizes[rank - 1], b.sizes[rank - 2]))
    return std::string("the inner sizes differ");
  return OneResult(a.dtype, std::move(sizes));
}

Types MmType(const TypeCall& call) {
  return ProductType(TensorAt(call, 0), TensorAt(call, 1), 2);
}

Types BmmType(const TypeCall& call) {
  return ProductType(TensorAt(call, 0), TensorAt(call, 1), 3);
}

Types AddmmType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  Types types = ProductType(TensorAt(call, 1), TensorAt(call, 2), 2);
  if (!types.ok()) return types;
  const TensorType& product = types.value().front();
  if (self.dtype != product.dtype) return std::string("self has another element type");
  const SizesOrFault sizes = Broadcast(self.sizes, product.sizes);
  if (!sizes.ok() || !MayBeEqual(sizes.value(), product.sizes))
    return std::string("self does not broadcast");
  return types;
}

Types LinearType(const TypeCall& call) {
  const TensorType& input = TensorAt(call, 0);
  const TensorType& weight = TensorAt(call, 1);
  const TensorType* bias = TensorOrNull(call, 2);
  if (weight.rank() != 2 || input.rank() == 0) return std::string("an operand has another rank");
  if (input.dtype != weight.dtype || (bias != nullptr && bias->dtype != weight.dtype)) {
    return std::string("the operands have different element types");
  }
  if (!MayBeEqual(input.sizes.back(), weight.sizes[1]))
    return std::string("the inner sizes differ");
  if (bias != nullptr && !MayBeEqual(bias->sizes, SizeList{weight.sizes[0]})) {
    return std::string("the bias does not have one number for each output");
  }
  SizeList sizes = input.sizes;
  sizes.back() = weight.sizes[0];
  return OneResult(input.dtype, std::move(sizes));
}

// Sizes of one product; the batches lie one behind the other.
struct Extent {
  size_t batches = 1;
  size_t rows = 0;
  size_t inner = 0;
  size_t columns = 0;
};

Extent ExtentOf(const TensorValue& a, const TensorValue& b) {
  const size_t rank = a.sizes.size();
  Extent extent;
  if (rank == 3) extent.batches = static_cast<size_t>(a.sizes[0]);
  extent.rows = static_cast<size_t>(a.sizes[rank - 2]);
  extent.inner = static_cast<size_t>(a.sizes[rank - 1]);
  extent.columns = static_cast<size_t>(b.sizes[rank - 1]);
  return extent;
}

// The second operand, often a large constant, is turned into numbers a row at a time.
template <class T>
Numbers<T> Product(const TensorValue& a, const TensorValue& b) {
  const Extent extent = ExtentOf(a, b);
  Numbers<T> product(extent.batches * extent.rows * extent.columns);
  if (product.empty()) return product;
  const Numbers<T> left = Elements<T>(a);
  Numbers<T> right(extent.columns);
  const auto of_term = static_cast<int64_t>((extent.rows + 1) * extent.columns);
  Paced pace(CappedProduct({static_cast<int64_t>(extent.batches),
                            static_cast<int64_t>(extent.inner), of_term}) /
             kProductsPerElement);
  for (size_t batch = 0; batch < extent.batches; ++batch) {
    for (size_t k = 0; k < extent.inner; ++k) {
      const size_t start = (batch * extent.inner + k) * extent.columns;
      for (size_t c = 0; c < right.size(); ++c) {
        pace.Step();
        right[c] = Element<T>(b, static_cast<int64_t>(start + c));
      }
      for (size_t row = batch * extent.rows; row < (batch + 1) * extent.rows; ++row) {
        const T factor = left[row * extent.inner + k];
        T* sums = product.data() + row * extent.columns;
        pace.Step(static_cast<int64_t>(extent.columns));
        for (size_t c = 0; c < right.size(); ++c) sums[c] += factor * right[c];
      }
    }
  }
  return product;
}

// The same with the rows of `weight` for the columns of b, some of them at a time.
template <class T>
Numbers<T> ProductWithRows(const TensorValue& a, const TensorValue& weight, const Extent& extent) {
  constexpr size_t kPanel = 16;
  Numbers<T> product(extent.rows * extent.columns);
  if (product.empty()) return product;
  const Numbers<T> left = Elements<T>(a);
  Numbers<T> panel(extent.inner * kPanel);
  Paced pace(
      CappedProduct({static_cast<int64_t>(extent.rows + 1), static_cast<int64_t>(extent.inner + 1),
                     static_cast<int64_t>(extent.columns + kPanel)}) /
      kProductsPerElement);
  for (size_t first = 0; first < extent.columns; first += kPanel) {
    const size_t width = std::min(kPanel, extent.columns - first);
    for (size_t c = 0; c < width; ++c) {
      const size_t start = (first + c) * extent.inner;
      for (size_t k = 0; k < extent.inner; ++k) {
        pace.Step();
        panel[k * kPanel + c] = Element<T>(weight, static_cast<int64_t>(start + k));
      }
    }
    for (size_t row = 0; row < extent.rows; ++row) {
      std::array<T, kPanel> sums = {};
      for (size_t k = 0; k < extent.inner; ++k) {
        const T factor = left[row * extent.inner + k];
        pace.Step(kPanel);
        for (size_t c = 0; c < kPanel; ++c) sums[c] += factor * panel[k * kPanel + c];
      }
      std::copy_n(sums.begin(), width,
                  product.begin() + static_cast<ptrdiff_t>(row * extent.columns + first));
    }
  }
  return product;
}

std::string Matmul(const Call& call, std::span<TensorValue> results) {
  const TensorValue& a = TensorAt(call, 0);
  const TensorValue& b = TensorAt(call, 1);
  WithNumbers(a.dtype, [&](auto zero) {
    using T = decltype(zero);
    SetElements(results[0], Product<T>(a, b));
  });
  return {};
}

template <class T>
T Factor(const Number& number) {
  if constexpr (std::is_same_v<T, uint64_t>) {
    TensorValue integer = Zeros(ScalarType::kInt64, {1});
    if (number.is_real()) {
      SetReal(integer, 0, number.real);
    } else {
      SetInt(integer, 0, number.integer);
    }
    return Element<T>(integer, 0);
  } else {
    return number.real;
  }
}

// beta * self + alpha * product; with a beta of 0 self counts for nothing, be it NaN, as in
// PyTorch.
std::string Addmm(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  const TensorValue& a = TensorAt(call, 1);
  const TensorValue& b = TensorAt(call, 2);
  const auto strides = BroadcastStrides(self.sizes, results[0].sizes);
  WithNumbers(a.dtype, [&](auto zero) {
    using T = decltype(zero);
    const T beta = Factor<T>(NumberAt(call, 3));
    const T alpha = Factor<T>(NumberAt(call, 4));
    const auto product = Product<T>(a, b);
    Walk(results[0].sizes, strides, [&](int64_t i, int64_t from) {
      const T bias = beta == T(0) ? T(0) : beta * Element<T>(self, from);
      SetElement(results[0], i, bias + alpha * product[static_cast<size_t>(i)]);
    });
  });
  return {};
}

std::string Linear(const Call& call, std::span<TensorValue> results) {
  const TensorValue& input = TensorAt(call, 0);
  const TensorValue& weight = TensorAt(call, 1);
  const TensorValue* bias = TensorOrNull(call, 2);
  Extent extent;
  extent.columns = static_cast<size_t>(weight.sizes[0]);
  extent.inner = static_cast<size_t>(weight.sizes[1]);
  extent.rows = 1;
  for (size_t d = 0; d + 1 < input.sizes.size(); ++d) {
    extent.rows *= static_cast<size_t>(input.sizes[d]);
  }
  WithNumbers(input.dtype, [&](auto zero) {
    using T = decltype(zero);
    auto product = ProductWithRows<T>(input, weight, extent);
    if (bias != nullptr) {
      const auto added = Elements<T>(*bias);
      ForEachElement(static_cast<int64_t>(product.size()), [&](int64_t i) {
        const auto at = static_cast<size_t>(i);
        product[at] += added[at % extent.columns];
      });
    }
    SetElements(results[0], product);
  });
  return {};
}

constexpr OpMeaning kProductMeanings[] = {
    RoundedFor(kProductOrder, "aten::addmm.out", AddmmType, Addmm),
    RoundedFor(kProductOrder, "aten::bmm.out", BmmType, Matmul),
    RoundedFor(kProductOrder, "aten::linear.out", LinearType, Linear),
    RoundedFor(kProductOrder, "aten::mm.out", MmType, Matmul),
};

}  // namespace

std::span<const OpMeaning> ProductMeanings() {
  return kProductMeanings;
}

}  // namespace pteproof
