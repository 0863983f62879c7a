#include "properties/compare/follow_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace pteproof::compare {
namespace {

void JudgePair(TermTable& table, const Trace& a, const Trace& b, bool assumed_open_sizes,
               MethodComparison& answer) {
  const auto stopped = [&](const Trace& trace, std::string_view side) {
    Open(
        answer,
        fmt::format("instruction {} of the {} program: {}", trace.stopped_at, side, *trace.stopped),
        true);
  };
  if (a.stopped) return stopped(a, "old");
  if (b.stopped) return stopped(b, "new");
  if (a.refused && b.refused && assumed_open_sizes) {
    return Open(answer, "no call is made at the upper bounds", true);
  }
  if (a.refused && b.refused) return;
  if ((a.refused || b.refused) && answer.sizes > 1) {
    ++answer.refused_by_one;  // sizes that no call need have
    return;
  }
  if (a.refused || b.refused) {
    Difference difference;
    difference.where = "a call that only one program makes";
    difference.old_side = {a.refused ? a.stopped_at : -1, -1, a.refused.value_or("no error")};
    difference.new_side = {b.refused ? b.stopped_at : -1, -1, b.refused.value_or("no error")};
    answer.answer = Answer::kDiffers;
    answer.difference = std::move(difference);
    return;
  }
  auto difference = DifferenceOf(table, a, b);
  if (!difference) return;
  if (const int32_t doubt = std::max(a.doubt, b.doubt); doubt >= 0) {
    return Open(
        answer,
        fmt::format("the files do not say which arguments of the call at instruction {} are "
                    "its results",
                    doubt));
  }
  if (difference->unnamed) {
    return Open(answer, fmt::format("{} depends on {}; name it in a manifest's `values`",
                                    difference->where, difference->old_side.term));
  }
  const bool as_many_calls = a.effects.size() == b.effects.size();
  if (as_many_calls && (a.sizes_by_data || b.sizes_by_data)) {
    return Open(answer,
                fmt::format("{} is of another term, of values whose sizes depend on data",
                            difference->where),
                true);
  }
  if (answer.sizes > 1) {  // inputs of such sizes need not fit together
    return Open(answer,
                fmt::format("at smaller sizes than the bounds {} differs", difference->where),
                true);
  }
  answer.answer = Answer::kDiffers;
  answer.difference = std::move(difference);
}

// A jump that is met so often with an open condition is that of a loop.
constexpr int64_t kMostAssumedJumps = 6;

}  // namespace

void FollowPaths(TermTable& table, const PathRunners& runners, const Assumptions& assumed,
                 int64_t most_paths, MethodComparison& answer) {
  std::vector<Assumptions> open = {assumed};
  int64_t runs = 0;
  while (!open.empty() && answer.answer == Answer::kSame) {
    const Assumptions path = std::move(open.back());
    open.pop_back();
    if (++runs > most_paths) {
      return Open(answer, "a loop, or more branches than can be followed one by one", true);
    }
    const Trace old_trace = runners.old_call(path);
    const Trace new_trace = runners.new_call(path);
    answer.instructions += new_trace.steps;
    if (const auto condition = old_trace.open ? old_trace.open : new_trace.open) {
      const Trace& at = old_trace.open ? old_trace : new_trace;
      if (static_cast<int64_t>(path.holds.size()) >= kMostAssumedJumps &&
          at.open_jumps > kMostAssumedJumps) {
        return Open(answer, "a loop whose condition depends on data", true);
      }
      for (const bool holds : {false, true}) {
        open.push_back(path);
        open.back().holds[*condition] = holds;
      }
      continue;
    }
    ++answer.paths;
    for (const Trace* trace : {&old_trace, &new_trace}) {
      answer.assumed.insert(trace->assumed.begin(), trace->assumed.end());
    }
    const bool both =
        !old_trace.stopped && !new_trace.stopped && !old_trace.refused && !new_trace.refused;
    if (both && runners.ended) runners.ended(old_trace, new_trace);
    JudgePair(table, old_trace, new_trace, path.open_sizes, answer);
  }
}

void Open(MethodComparison& answer, std::string why, bool can_run) {
  answer.answer = Answer::kOpen;
  answer.can_run = can_run;
  answer.reason = std::move(why);
}

}  // namespace pteproof::compare
