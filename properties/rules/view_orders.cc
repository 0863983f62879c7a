// Idea: a view keeps the bytes of the viewed value, and means the same elements in row-major order.
// Both hold only if the two put each element at the same place. Dimensions of one element do not
// count; of the others the sizes and their order in memory are compared:
//
//   v0 [2, 4, 4, 6]       order [0, 2, 3, 1]          channels-last
//   v1 [2, 4, 2, 2, 3, 2] order [0, 1, 2, 3, 4, 5]    reads v0's bytes as if they were row by row
//
// Invariant: a view is warned of once, whatever the paths on which it gets its bytes.
#include "properties/rules/view_orders.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/rule_names.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {
namespace {

// Of the dimensions with more than one element: their sizes, and their numbers among themselves
// from the outermost in memory to the innermost.
struct Layout {
  std::vector<int32_t> sizes;
  std::vector<size_t> order;

  [[nodiscard]] bool IsRowMajor() const { return std::ranges::is_sorted(order); }
  bool operator==(const Layout&) const = default;
};

Layout LayoutOf(const Method& method, const Tensor& tensor) {
  Layout layout;
  std::vector<size_t> number;  // by dimension
  for (const int32_t size : method.Ints(tensor.sizes)) {
    number.push_back(layout.sizes.size());
    if (size != 1) layout.sizes.push_back(size);
  }
  for (const int32_t dim : method.Ints(tensor.dim_order)) {
    const auto d = static_cast<size_t>(dim);
    if (method.Ints(tensor.sizes)[d] != 1) layout.order.push_back(number[d]);
  }
  return layout;
}

bool PutAlike(const Method& method, const Tensor& viewed, const Tensor& view) {
  const Layout from = LayoutOf(method, viewed);
  const Layout to = LayoutOf(method, view);
  return (from.IsRowMajor() && to.IsRowMajor()) || from == to;
}

bool IsMove(const MethodFlow& flow, const Transfer& t) {
  return t.dynamic && t.instruction < flow.instruction_count() &&
         flow.method.instructions[static_cast<size_t>(t.instruction)].kind ==
             InstructionKind::kMove;
}

// The value whose bytes, all of them, a transfer gives to another one; -1: it is none such.
int32_t ViewedBy(const MethodFlow& flow, const Transfer& t) {
  const auto sources = flow.aliases.SourcesOf(t);
  if (sources.size() != 1 || IsMove(flow, t)) return -1;
  const int32_t from = sources.front();
  if (from >= flow.value_count() || t.to >= flow.value_count()) return -1;
  const Tensor* viewed = flow.method.TensorOf(from);
  const Tensor* view = flow.method.TensorOf(t.to);
  if (viewed == nullptr || view == nullptr || viewed->nbytes != view->nbytes) return -1;
  if (ElementSize(viewed->dtype) != ElementSize(view->dtype)) return -1;
  return t.dynamic || flow.PlaceOf(from) == flow.PlaceOf(t.to) ? from : -1;
}

std::string OrderWords(const Method& method, int32_t v) {
  return fmt::format("{} with the dim order [{}]", ValueWords(method, v),
                     fmt::join(method.Ints(method.TensorOf(v)->dim_order), ", "));
}

}  // namespace

bool IsRowMajor(const Method& method, const Tensor& tensor) {
  return LayoutOf(method, tensor).IsRowMajor();
}

std::vector<Finding> CheckViewOrders(const MethodFlow& flow) {
  std::vector<Finding> findings;
  std::vector<bool> told(static_cast<size_t>(flow.value_count()), false);
  const Method& method = flow.method;
  const auto is_default = [&](const Tensor& t) {
    return std::ranges::is_sorted(method.Ints(t.dim_order));
  };
  if (std::ranges::all_of(method.tensors, is_default)) return findings;
  for (const Transfer& t : flow.aliases.transfers) {
    const int32_t from = ViewedBy(flow, t);
    if (from < 0 || told[static_cast<size_t>(t.to)]) continue;
    if (PutAlike(method, *method.TensorOf(from), *method.TensorOf(t.to))) continue;
    told[static_cast<size_t>(t.to)] = true;
    Finding finding = FindingAt(rule::kDimOrderMismatch, Severity::kWarning, method, -1, {t.to},
                                flow.PlaceOf(t.to));
    finding.values.push_back(from);
    finding.explanation = fmt::format(
        "{} is a view of {}.\nA view keeps the bytes, and these orders put elements at other "
        "places.\nElements can end up in wrong places.",
        OrderWords(method, t.to), OrderWords(method, from));
    finding.fix = "Convert the viewed tensor to the default order in the model.";
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace pteproof::checks
