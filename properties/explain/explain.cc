#include "properties/explain/explain.h"

#include <algorithm>
#include <chrono>
#include <random>

#include "properties/explain/vary.h"

namespace pteproof::explain {
namespace {

using generators::RandomCase;
using Clock = std::chrono::steady_clock;

class Explainer {
 public:
  Explainer(const RandomCase& failing, const KindOf& kind_of, const Effort& effort)
      : failing_(failing),
        kind_of_(kind_of),
        effort_(effort),
        end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(effort.seconds))) {}

  Explanation Run() && {
    made_.kind = kind_of_(failing_);
    if (made_.kind.empty()) return std::move(made_);
    for (const Part& part : PartsOf(failing_)) {
      Try(part);
      if (made_.parts.back().standing == Standing::kMatters) TryElements(part);
    }
    TryTogether();
    return std::move(made_);
  }

 private:
  [[nodiscard]] bool IsLate() {
    made_.cut_short = made_.cut_short || Clock::now() > end_;
    return made_.cut_short;
  }

  [[nodiscard]] bool StillFails(const RandomCase& c) {
    ++made_.tried;
    return kind_of_(c) == made_.kind;
  }

  void Try(const Part& part) {
    PartStanding& found = made_.parts.emplace_back(PartStanding{.part = part});
    for (int t = 0; t < effort_.tries; ++t) {
      if (IsLate()) {
        found.standing = Standing::kUntried;
        return;
      }
      RandomCase other = failing_;
      const Change change = Vary(other, part, random_);
      if (change == Change::kNone) continue;
      found.other_operators = found.other_operators || change == Change::kOperator;
      if (!StillFails(other)) {
        found.standing = Standing::kMatters;
        if (change == Change::kOperator) {
          found.not_with = NodesOf(other.module.methods[part.of])[part.at]->op;
        }
        return;
      }
      found.standing = Standing::kAnything;
    }
  }

  void TryElements(const Part& part) {
    const auto contents = ContentsOf(failing_, part);
    const int64_t count = contents ? ElementCount(*contents) : 0;
    if (count < 2 || count > effort_.most_elements) return;
    for (int64_t element = 0; element < count; ++element) {
      Part one = part;
      one.element = element;
      Try(one);
    }
  }

  // Until all that is free stays so, or goes although no part of it alone does.
  void TryTogether() {
    for (int t = 0; t < effort_.tries;) {
      const auto free =
          std::ranges::count(made_.parts, Standing::kAnything, &PartStanding::standing);
      // One part alone has been tried already.
      if (free < 2) made_.together = Together::kNotTried;
      if (free < 2 || IsLate()) return;
      RandomCase other = failing_;
      for (const PartStanding& each : made_.parts) {
        if (each.standing == Standing::kAnything) (void)Vary(other, each.part, random_);
      }
      made_.together = StillFails(other) ? Together::kStays : Together::kGoes;
      if (made_.together == Together::kStays) {
        ++t;
      } else if (FindCulprits(other)) {
        t = 0;
      } else {
        return;
      }
    }
  }

  // Parts with which alone, as they are in a case that does not fail so, the failure goes, although
  // it stayed whenever they were tried before.
  [[nodiscard]] bool FindCulprits(const RandomCase& other) {
    bool found = false;
    for (PartStanding& each : made_.parts) {
      if (each.standing != Standing::kAnything || IsLate()) continue;
      RandomCase alone = failing_;
      Transplant(other, each.part, alone);
      if (StillFails(alone)) continue;
      found = true;
      each.standing = Standing::kMatters;
      if (each.part.kind != PartKind::kNode) continue;
      const std::string& op = NodesOf(alone.module.methods[each.part.of])[each.part.at]->op;
      if (op != NodesOf(failing_.module.methods[each.part.of])[each.part.at]->op)
        each.not_with = op;
    }
    return found;
  }

  const RandomCase& failing_;
  const KindOf& kind_of_;
  const Effort& effort_;
  Clock::time_point end_;
  std::mt19937_64 random_{1};  // the same numbers for every case
  Explanation made_;
};

}  // namespace

Explanation Explain(const RandomCase& failing, const KindOf& kind_of, const Effort& effort) {
  return Explainer(failing, kind_of, effort).Run();
}

}  // namespace pteproof::explain
