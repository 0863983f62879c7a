// Distances between rows: the p-norm of their difference.
#include <cmath>
#include <limits>

#include "reference/ops/elements.h"
#include "reference/ops/parts.h"
#include "reference/ops/rows.h"
#include "reference/ops/type_rules.h"
#include "reference/ops/walk.h"

namespace pteproof {
namespace {

constexpr std::string_view kDistanceOrder = "kernels compute in the type and in another order";

Types CdistType(const TypeCall& call) {
  const TensorType& a = TensorAt(call, 0);
  const TensorType& b = TensorAt(call, 1);
  if (!IsFloat(a.dtype) || a.dtype != b.dtype) return std::string("the operands must be floats");
  if (a.rank() < 2 || b.rank() < 2) return std::string("the operands must have rows");
  if (!MayBeEqual(a.sizes.back(), b.sizes.back()))
    return std::string("the rows have different lengths");
  const auto batch = [](const TensorType& t) {
    return SizeList(t.sizes.begin(), t.sizes.end() - 2);
  };
  SizesOrFault sizes = Broadcast(batch(a), batch(b));
  if (!sizes.ok()) return sizes.error();
  sizes.value().push_back(a.sizes[a.rank() - 2]);
  sizes.value().push_back(b.sizes[b.rank() - 2]);
  return OneResult(a.dtype, std::move(sizes).value());
}

// One distance for each pair of rows.
Types PdistType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  if (!IsFloat(self.dtype)) return std::string("self must be of floats");
  if (self.rank() != 2) return std::string("self must have two dimensions");
  const SizeExpr& rows = self.sizes[0];
  return OneResult(self.dtype, {FloorDiv(rows * (rows - 1), 2)});
}

// A power takes as long as some other elements do.
int64_t CostOfTerm(double p) {
  return p == 0 || p == 1 || p == 2 || std::isinf(p) ? 1 : 8;
}

// p 0 counts what differs, infinity takes the largest difference.
double Distance(const double* a, const double* b, size_t length, double p, Paced& pace) {
  double total = 0;
  pace.Step();
  for (size_t i = 0; i < length; ++i) {
    pace.Step();
    const double off = std::fabs(a[i] - b[i]);
    if (p == 0) {
      total += off == 0 ? 0 : 1;
    } else if (std::isinf(p)) {
      total = off > total || std::isnan(off) ? off : total;
    } else {
      total += p == 1 ? off : p == 2 ? off * off : std::pow(off, p);
    }
  }
  if (p == 0 || p == 1 || std::isinf(p)) return total;
  return p == 2 ? std::sqrt(total) : std::pow(total, 1 / p);
}

std::string Cdist(const Call& call, std::span<TensorValue> results) {
  const TensorValue& a = TensorAt(call, 0);
  const TensorValue& b = TensorAt(call, 1);
  const double p = RealAt(call, 2);
  if (!(p >= 0)) return "p must not be negative";
  const auto length = static_cast<size_t>(a.sizes.back());
  const auto left = Elements<double>(a);
  const auto right = Elements<double>(b);
  // Over the result, rows of a go along its last dimension but one, rows of b along its last.
  Sizes a_rows(a.sizes.begin(), a.sizes.end() - 1);
  Sizes b_rows(b.sizes.begin(), b.sizes.end() - 1);
  a_rows.push_back(1);
  b_rows.insert(b_rows.end() - 1, 1);
  const auto& sizes = results[0].sizes;
  const auto width = static_cast<int64_t>(length);
  Paced pace(CappedProduct({ElementCount(sizes), width, CostOfTerm(p)}));
  Walk(sizes, BroadcastStrides(a_rows, sizes), BroadcastStrides(b_rows, sizes),
       [&](int64_t i, int64_t from, int64_t to) {
         const double* x = left.data() + static_cast<size_t>(from) * length;
         const double* y = right.data() + static_cast<size_t>(to) * length;
         SetReal(results[0], i, Distance(x, y, length, p, pace));
       });
  return {};
}

std::string Pdist(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  const double p = RealAt(call, 1);
  if (!(p >= 0)) return "p must not be negative";
  const auto rows = Elements<double>(self);
  const auto count = static_cast<size_t>(self.sizes[0]);
  const auto length = static_cast<size_t>(self.sizes[1]);
  int64_t next = 0;
  Paced pace(CappedProduct({ElementCount(results[0]), self.sizes[1] + 1, CostOfTerm(p)}));
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = i + 1; j < count; ++j) {
      const double* x = rows.data() + i * length;
      SetReal(results[0], next++, Distance(x, rows.data() + j * length, length, p, pace));
    }
  }
  return {};
}

constexpr OpMeaning kDistanceMeanings[] = {
    RoundedFor(kDistanceOrder, "aten::_cdist_forward.out", CdistType, Cdist),
    RoundedFor(kDistanceOrder, "aten::_pdist_forward.out", PdistType, Pdist),
};

}  // namespace

std::span<const OpMeaning> DistanceMeanings() {
  return kDistanceMeanings;
}

}  // namespace pteproof
