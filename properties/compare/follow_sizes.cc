// Idea: sizes that vary are left open first. A tensor then is the whole of its term, movements are
// terms like all else, and bytes are compared at the upper bounds, where all placements are
// largest. If that does not close, calls are followed byte by byte at each choice of sizes.
//
// Invariant: kSame is left only if sizes were left open, or all choices were followed. Cost: one
// pass over the paths, or one for each choice.
#include "properties/compare/follow_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace pteproof::compare {

SizeChoices ChoicesOf(const Method& method, int64_t most) {
  SizeChoices choices;
  std::vector<Sizes> bounds;
  std::vector<std::pair<size_t, size_t>> open;  // input and dim
  int64_t count = 1;
  for (const int32_t v : method.inputs) {
    const Tensor* tensor = method.TensorOf(v);
    Sizes sizes;
    if (tensor != nullptr) {
      const auto ints = method.Ints(tensor->sizes);
      sizes.assign(ints.begin(), ints.end());
    }
    if (tensor != nullptr && tensor->dynamism == Dynamism::kBounded) {
      choices.vary = true;
      for (size_t d = 0; d < sizes.size(); ++d) {
        if (sizes[d] < 2) continue;
        open.emplace_back(bounds.size(), d);
        if (__builtin_mul_overflow(count, sizes[d], &count)) count = INT64_MAX;
      }
    }
    bounds.push_back(std::move(sizes));
  }
  choices.all.push_back(bounds);
  choices.complete = count <= most;
  if (!choices.complete) {  // the least and some between
    for (const int64_t part : {0, 1, 2, 3}) {
      std::vector<Sizes> sizes = bounds;
      for (const auto& [input, dim] : open) {
        int64_t& size = sizes[input][dim];
        size = std::max<int64_t>(1, size * part / 4);
      }
      choices.all.push_back(std::move(sizes));
    }
    return choices;
  }
  std::vector<Sizes> sizes = bounds;
  for (int64_t n = 1; n < count; ++n) {
    for (const auto& [input, dim] : open) {
      int64_t& size = sizes[input][dim];
      if (--size > 0) break;
      size = bounds[input][dim];
    }
    choices.all.push_back(sizes);
  }
  return choices;
}

void FollowSizes(TermTable& table, const PathRunners& runners, const SizeChoices& choices,
                 const ComputationOptions& options, MethodComparison& answer) {
  answer.sizes_vary = choices.vary;
  if (choices.vary) {
    MethodComparison open = answer;
    FollowPaths(table, runners, {choices.all.front(), {}, true}, options.most_paths, open);
    if (open.answer == Answer::kSame) {
      answer = std::move(open);
      return;
    }
  }
  for (const std::vector<Sizes>& sizes : choices.all) {
    ++answer.sizes;
    FollowPaths(table, runners, {sizes, {}, false}, options.most_paths, answer);
    if (answer.answer != Answer::kSame) return;
  }
  if (answer.refused_paths > 0 && answer.refused_paths == answer.paths) {
    return Open(answer, "neither program makes a call");
  }
  if (choices.vary) answer.assumed.insert("no size of an input is 0, or above its bound");
  if (!choices.complete) Open(answer, "not all sizes of inputs were followed", true);
  if (answer.refused_by_one > 0) {
    Open(answer,
         fmt::format("{} of the calls at {} choices of sizes are made by one program only",
                     answer.refused_by_one, answer.sizes),
         true);
  }
}

}  // namespace pteproof::compare
