#include <fmt/format.h>

#include <set>
#include <utility>

#include "base/rule_names.h"
#include "properties/proofs/rules/rules.h"

namespace pteproof::proofs {
namespace {

using Ends = std::set<std::pair<uint32_t, uint64_t>>;  // bank and byte

Ends EndsOfValues(const Method& method) {
  Ends ends;
  for (const Tensor& t : method.tensors) {
    if (t.planned && t.nbytes > 0) ends.insert({t.bank, t.offset + t.nbytes});
  }
  return ends;
}

}  // namespace

void ObligePlacements(Obliger& obliger, int32_t method, bool packed) {
  const Method& at = obliger.facts().MethodAt(method);
  const Ends ends = packed ? EndsOfValues(at) : Ends();
  for (int32_t v = 0; v < static_cast<int32_t>(at.values.size()); ++v) {
    const Tensor* tensor = at.TensorOf(v);
    if (tensor == nullptr || !tensor->planned) continue;
    const PlacedBytes span = obliger.BytesOf(method, v);
    const uint64_t bank = at.bank_sizes[tensor->bank];
    Obligation within = AboutMethod(at, rule::kPlanBounds, -1, {v});
    // At the largest admitted size: a loader looks at that.
    within.goal = {{span.start + ByteCount(tensor->nbytes), Relation::kLessEqual, ByteCount(bank)}};
    within.refuted = fmt::format("{} reaches past the end of bank {}, which has {} bytes.",
                                 ValueText(at, v), tensor->bank, bank);
    obliger.Add(std::move(within));

    if (const auto size = obliger.SizeOverDims(method, v)) {
      Obligation bounded = AboutMethod(at, rule::kBoundTooSmall, -1, {v});
      bounded.goal = {{*size, Relation::kLessEqual, ByteCount(tensor->nbytes)}};
      bounded.refuted =
          fmt::format("{} has {} bytes and may need more.", ValueText(at, v), tensor->nbytes);
      obliger.Add(std::move(bounded));
    }

    const int64_t element = ElementSize(tensor->dtype);
    Obligation aligned = AboutMethod(at, rule::kPlanAlignment, -1, {v});
    aligned.goal = Equal(Mod(span.start, SizeExpr(element)), SizeExpr(0));
    // Packed without gaps: slow on some processors, and no mistake of the plan.
    if (ends.contains({tensor->bank, tensor->offset})) {
      aligned.goal.push_back({span.start, Relation::kEqual, span.start});
    }
    aligned.refuted =
        fmt::format("{} starts at an offset that is not a multiple of its element size, {} bytes.",
                    ValueText(at, v), element);
    obliger.Add(std::move(aligned));
  }
}

}  // namespace pteproof::proofs
