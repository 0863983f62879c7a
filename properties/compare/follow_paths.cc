#include "properties/compare/follow_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "properties/compare/induction.h"

namespace pteproof::compare {
namespace {

void JudgePair(TermTable& table, const Trace& a, const Trace& b, bool assumed_open_sizes,
               bool declared, MethodComparison& answer) {
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
  if (a.refused && b.refused) {
    ++answer.refused_paths;
    return;
  }
  if ((a.refused || b.refused) && answer.sizes > 1 && !declared) {
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
  if (answer.sizes > 1 && !declared) {  // inputs of such sizes need not fit together
    return Open(answer,
                fmt::format("at smaller sizes than the bounds {} differs", difference->where),
                true);
  }
  answer.answer = Answer::kDiffers;
  answer.difference = std::move(difference);
}

// A jump that is met so often with an open condition is that of a loop.
constexpr int64_t kMostAssumedJumps = 6;
// After so many rounds a loop is tried to be proved by induction, and after each further one until
// it has failed so often.
constexpr int64_t kRoundsBeforeProof = 2;
constexpr int kMostFailures = 3;

class PathFollower {
 public:
  PathFollower(TermTable& table, const PathRunners& runners, int64_t most_paths,
               MethodComparison& answer)
      : table_(table), runners_(runners), most_paths_(most_paths), answer_(answer) {}

  void Follow(const Assumptions& assumed) {
    open_.push_back({assumed, {}, {}});
    while (!open_.empty() && answer_.answer == Answer::kSame) {
      const Path path = std::move(open_.front());
      open_.pop_front();
      if (++runs_ > most_paths_) {
        return Open(answer_, "a loop, or more branches than can be followed one by one", true);
      }
      Step(path);
    }
  }

 private:
  void Step(const Path& path) {
    const Trace old_trace = RunOld(runners_, path);
    const Trace new_trace = RunNew(runners_, path);
    answer_.instructions += new_trace.steps;
    if (old_trace.open || new_trace.open) return Divide(path, old_trace, new_trace);
    ++answer_.paths;
    if (const int32_t doubt = std::max(old_trace.doubt, new_trace.doubt); doubt >= 0) {
      answer_.assumed.insert(fmt::format("{} {}", kResultsAreTold, doubt));
    }
    for (const Trace* trace : {&old_trace, &new_trace}) {
      answer_.assumed.insert(trace->assumed.begin(), trace->assumed.end());
    }
    const bool both =
        !old_trace.stopped && !new_trace.stopped && !old_trace.refused && !new_trace.refused;
    if (both && runners_.ended) runners_.ended(old_trace, new_trace);
    const bool is_read_so = !old_trace.reads_unmade && !new_trace.reads_unmade;
    if (runners_.other_reading && !is_read_so) return;
    MethodComparison judged = answer_;
    JudgePair(table_, old_trace, new_trace, path.assumed.open_sizes, runners_.declared, judged);
    // Terms may differ for what is equal in each round, so rounds are followed one by one instead.
    if (judged.answer != Answer::kSame && path.before != nullptr) return FollowRounds(*path.before);
    answer_ = std::move(judged);
  }

  void FollowRounds(const Path& path) {
    const Trace trace = RunOld(runners_, path);
    failures_[trace.open_at] = kMostFailures;
    Split(path, *trace.open);
  }

  void Split(const Path& path, const Condition& condition) {
    for (const bool holds : {false, true}) {
      open_.push_back(path);
      open_.back().assumed.holds[condition] = holds;
    }
  }

  // Both ways at an open condition, or the way behind a loop.
  void Divide(const Path& path, const Trace& old_trace, const Trace& new_trace) {
    const Trace& at = old_trace.open ? old_trace : new_trace;
    if (MayProve(old_trace, new_trace)) {
      if (auto after = AfterLoop(table_, runners_, path, at.open_before)) {
        ++answer_.loops;
        after->before = std::make_shared<const Path>(path);
        open_.push_back(*std::move(after));
        return;
      }
      ++failures_[at.open_at];
    }
    if (static_cast<int64_t>(path.assumed.holds.size()) >= kMostAssumedJumps &&
        at.open_jumps > kMostAssumedJumps) {
      return Open(answer_, "a loop whose condition depends on data", true);
    }
    Split(path, *at.open);
  }

  [[nodiscard]] bool MayProve(const Trace& old_trace, const Trace& new_trace) const {
    const bool both = old_trace.open && new_trace.open && *old_trace.open == *new_trace.open;
    if (!both || old_trace.open_jumps < kRoundsBeforeProof ||
        new_trace.open_jumps < kRoundsBeforeProof) {
      return false;
    }
    const auto tried = failures_.find(old_trace.open_at);
    return tried == failures_.end() || tried->second < kMostFailures;
  }

  TermTable& table_;
  const PathRunners& runners_;
  int64_t most_paths_;
  MethodComparison& answer_;
  std::deque<Path> open_;  // ways with fewer open conditions come first
  int64_t runs_ = 0;
  std::map<int32_t, int> failures_;  // of proofs, by jump
};

}  // namespace

void FollowPaths(TermTable& table, const PathRunners& runners, const Assumptions& assumed,
                 int64_t most_paths, MethodComparison& answer) {
  PathFollower(table, runners, most_paths, answer).Follow(assumed);
}

void Open(MethodComparison& answer, std::string why, bool can_run) {
  answer.answer = Answer::kOpen;
  answer.can_run = can_run;
  answer.reason = std::move(why);
}

}  // namespace pteproof::compare
