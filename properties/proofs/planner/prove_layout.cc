#include "properties/proofs/planner/prove_layout.h"

#include <fmt/format.h>

#include <bit>
#include <chrono>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "properties/proofs/planner/layout_goals.h"
#include "properties/proofs/planner/path_explorer.h"

namespace pteproof::proofs {
namespace {

using LayoutClock = std::chrono::steady_clock;
using planner::StateDemand;

// Without sizes: who has what.
template <class Int>
StateDemand<Int> DemandOf(size_t methods, const std::vector<uint64_t>& users, uint64_t shared,
                          bool meet) {
  StateDemand<Int> demand;
  demand.state.assign(methods, std::vector<bool>(users.size()));
  demand.order.resize(methods);
  std::iota(demand.order.begin(), demand.order.end(), size_t{0});
  demand.private_banks_meet = meet;
  for (size_t b = 0; b < users.size(); ++b) {
    demand.buffers.emplace_back().shared = (shared >> b & 1) != 0;
    for (size_t m = 0; m < methods; ++m) demand.state[m][b] = (users[b] >> m & 1) != 0;
  }
  return demand;
}

// "buffer 0: 3 bytes, shared, of methods 0 2; ..."
std::string DemandText(const StateDemand<int64_t>& demand) {
  std::string text;
  for (size_t b = 0; b < demand.buffers.size(); ++b) {
    const auto& buffer = demand.buffers[b];
    std::string methods;
    for (size_t m = 0; m < demand.state.size(); ++m) {
      if (demand.state[m][b]) methods += fmt::format(" {}", m);
    }
    text +=
        fmt::format("{}buffer {}: {} bytes, alignment {}, {}, of methods{}", b > 0 ? "; " : "", b,
                    buffer.nbytes, buffer.alignment, buffer.shared ? "shared" : "private", methods);
  }
  return text;
}

class LayoutProver {
 public:
  LayoutProver(const LayoutSubject& subject, size_t methods, size_t buffers, double seconds)
      : subject_(subject),
        methods_(methods),
        users_(buffers),
        begin_(LayoutClock::now()),
        path_(seconds) {}

  PlannerProof Go() {
    proof_.name = fmt::format("{}, {} methods, {} buffers, any alignment, every use", subject_.name,
                              methods_, users_.size());
    proof_.what =
        "one place for one key in all methods, distinct keys disjoint, contained, aligned";
    proof_.answer = Answer::kProved;
    TryFrom(0);
    proof_.seconds = Seconds();
    return std::move(proof_);
  }

 private:
  [[nodiscard]] double Seconds() const {
    return std::chrono::duration<double>(LayoutClock::now() - begin_).count();
  }

  // All sets of methods for the buffers from `buffer` on.
  void TryFrom(size_t buffer) {
    if (buffer == users_.size()) return TryUse();
    for (uint64_t set = 0; set < uint64_t{1} << methods_; ++set) {
      if (proof_.answer != Answer::kProved) return;
      users_[buffer] = set;
      TryFrom(buffer + 1);
    }
  }

  void TryUse() {
    for (uint64_t shared = 0; shared < uint64_t{1} << users_.size(); ++shared) {
      for (const bool meet : {false, true}) {
        if (proof_.answer == Answer::kProved) Try(shared, meet);
      }
    }
  }

  void Try(uint64_t shared, bool meet) {
    StateDemand<SymbolicInt> demand;
    const PathReport report = path_.Explore([&] {
      demand = DemandOf<SymbolicInt>(methods_, users_, shared, meet);
      const SymbolicInt alignment = path_.Variable(1);
      for (auto& buffer : demand.buffers) {
        buffer.nbytes = path_.Variable(0);
        buffer.alignment = alignment;
      }
      path_.Require(PathGoals(demand));
    });
    proof_.paths += report.paths;
    proof_.queries += report.queries;
    if (report.answer == Answer::kProved) return;
    proof_.answer = Answer::kUnknown;
    proof_.cut = report.answer == Answer::kUnknown;
    proof_.why = report.why;
    if (!proof_.cut) Replay(demand, report);
  }

  std::vector<PathGoal> PathGoals(const StateDemand<SymbolicInt>& demand) const {
    std::vector<PathGoal> goals;
    for (const auto& goal : LayoutGoalsOf(demand, subject_.symbolic(demand))) {
      PathGoal& path_goal = goals.emplace_back(PathGoal{goal.property, {}});
      for (const SymbolicInt& difference : goal.at_most_zero) {
        path_goal.any_of.push_back({difference.sum, SumSign::kAtMostZero});
      }
    }
    return goals;
  }

  void Replay(const StateDemand<SymbolicInt>& symbolic, const PathReport& report) {
    StateDemand<int64_t> demand;
    demand.state = symbolic.state;
    demand.order = symbolic.order;
    demand.private_banks_meet = symbolic.private_banks_meet;
    for (const auto& buffer : symbolic.buffers) {
      // A power of two that is at least the model's alignment breaks no less.
      const auto alignment = static_cast<uint64_t>(ValueOf(buffer.alignment.sum, report.values));
      demand.buffers.push_back({.nbytes = ValueOf(buffer.nbytes.sum, report.values),
                                .alignment = static_cast<int64_t>(std::bit_ceil(alignment)),
                                .shared = buffer.shared});
    }
    for (const auto& goal : LayoutGoalsOf(demand, subject_.concrete(demand))) {
      bool holds = false;
      for (const int64_t difference : goal.at_most_zero) holds = holds || difference <= 0;
      if (holds) continue;
      proof_.answer = Answer::kRefuted;
      proof_.counterexample = fmt::format("{}: {}", goal.property, DemandText(demand));
      return;
    }
    proof_.why =
        fmt::format("{}: a model of abstract rounding that no numbers confirm", report.property);
  }

  const LayoutSubject& subject_;
  size_t methods_;
  std::vector<uint64_t> users_;  // by buffer: a set of methods
  LayoutClock::time_point begin_;
  PathExplorer path_;
  PlannerProof proof_;
};

}  // namespace

LayoutSubject ShippedLayout() {
  return {"state layout", planner::PlaceState<SymbolicInt>, planner::PlaceState<int64_t>};
}

PlannerProof ProveLayout(const LayoutSubject& subject, size_t methods, size_t buffers,
                         double seconds) {
  return LayoutProver(subject, methods, buffers, seconds).Go();
}

}  // namespace pteproof::proofs
