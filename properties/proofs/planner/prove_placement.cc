#include "properties/proofs/planner/prove_placement.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "planner/placement/load.h"
#include "properties/proofs/planner/path_explorer.h"
#include "properties/proofs/planner/placement_goals.h"

namespace pteproof::proofs {
namespace {

using PlacementClock = std::chrono::steady_clock;

constexpr int64_t kLargestAlignment = 64;  // of those that are tried as numbers

// Nothing is fixed or tied.
bool IsPlain(const PlacementCase& of) {
  return !of.fixed && !of.tied && !of.in_place;
}

PeakBound BoundOf(const PlacementSubject& subject, const PlacementCase& of) {
  if (!IsPlain(of)) return PeakBound::kNone;
  if (of.kind != AlignmentKind::kEachItsOwn) return PeakBound::kRounded;
  return subject.all_to_largest ? PeakBound::kPaddedToLargest : PeakBound::kPadded;
}

std::string AlignmentText(const PlacementCase& of) {
  switch (of.kind) {
    case AlignmentKind::kOneForAll:
      return "any alignment for all";
    case AlignmentKind::kEachItsOwn:
      return "any alignment for each";
    case AlignmentKind::kNumbers:
      return "every mix of alignments 1 to 64";
  }
  return {};
}

std::string_view TieText(const PlacementCase& of) {
  if (of.in_place) return ", one in place of another";
  return of.tied ? ", one tied" : "";
}

// What numbers come to: "" where they are placed rightly, or are not what placement takes.
std::string Replayed(const PlacementSubject& subject, const PlacementCase& of,
                     const NumberItems& items) {
  if (!placement::Placeable(items)) return "";
  const placement::Layout<int64_t> layout = subject.concrete(items);
  if (const auto mistake = MistakeIn(items, layout, IsPlain(of))) {
    return fmt::format("{}: {}", TextOf(items), *mistake);
  }
  if (!of.all_orders) return "";
  for (const std::vector<size_t>& order : AllOrders(items.size())) {
    const auto reordered = subject.concrete(ReorderedItems(items, order));
    bool same = reordered.peak == layout.peak;
    const std::vector<size_t> counterparts = CounterpartsOf(items, order);
    for (size_t i = 0; i < items.size(); ++i) {
      same = same && reordered.offsets[counterparts[i]] == layout.offsets[i];
    }
    if (!same) {
      return fmt::format("{}: the order {} changes the layout", TextOf(items),
                         fmt::join(order, " "));
    }
  }
  return "";
}

// 1, 2, 4 to 64 for each.
std::vector<std::vector<int64_t>> AllMixes(size_t storages) {
  std::vector<std::vector<int64_t>> mixes = {{}};
  for (size_t i = 0; i < storages; ++i) {
    std::vector<std::vector<int64_t>> longer;
    for (const std::vector<int64_t>& mix : mixes) {
      for (int64_t alignment = 1; alignment <= kLargestAlignment; alignment *= 2) {
        longer.push_back(mix);
        longer.back().push_back(alignment);
      }
    }
    mixes = std::move(longer);
  }
  return mixes;
}

class PlacementProver {
 public:
  PlacementProver(const PlacementSubject& subject, double seconds)
      : subject_(subject), begin_(PlacementClock::now()), path_(seconds) {}

  PlannerProof Go(const PlacementCase& of) {
    const bool labelled = subject_.labelled || of.ascending || !IsPlain(of);
    std::vector<Lives> classes = OverlapClasses(of.storages, subject_.overlap, labelled);
    // The operand lives until the result does.
    if (of.in_place) {
      std::erase_if(classes, [](const Lives& lives) {
        return !TrueOverlap({lives.front(), lives.back()})[1];
      });
    }
    Name(of, classes.size(), labelled);
    proof_.answer = Answer::kProved;
    for (const Lives& lives : classes) {
      if (Try(of, lives) != Answer::kProved) break;
    }
    proof_.seconds = Seconds();
    return std::move(proof_);
  }

  PlannerProof GoThroughMixes(size_t storages) {
    PlacementCase of{.storages = storages, .kind = AlignmentKind::kNumbers};
    const std::vector<Lives> classes =
        OverlapClasses(storages, subject_.overlap, subject_.labelled);
    Name(of, classes.size(), subject_.labelled);
    proof_.answer = Answer::kProved;
    for (const std::vector<int64_t>& mix : AllMixes(storages)) {
      of.alignments = mix;
      for (const Lives& lives : classes) {
        if (proof_.answer == Answer::kProved) Try(of, lives);
      }
    }
    proof_.seconds = Seconds();
    return std::move(proof_);
  }

 private:
  void Name(const PlacementCase& of, size_t classes, bool labelled) {
    proof_.name =
        fmt::format("{}, {} storages{}{}{}, {}, {}all {}{} overlaps", subject_.name, of.storages,
                    of.fixed ? ", one fixed" : "", TieText(of),
                    of.all_orders ? " in every order" : "", AlignmentText(of),
                    of.ascending ? "ascending sizes, " : "", classes, labelled ? " labelled" : "");
    proof_.what = GoalsText(of, BoundOf(subject_, of));
  }

  [[nodiscard]] double Seconds() const {
    return std::chrono::duration<double>(PlacementClock::now() - begin_).count();
  }

  Answer Try(const PlacementCase& of, const Lives& lives) {
    SymbolicItems items;
    const PathReport report = path_.Explore([&] {
      items = SymbolicItemsOf(of, lives, path_);
      const auto layout = subject_.symbolic(items);
      std::vector<PathGoal> goals = GoalsOf(items, layout, BoundOf(subject_, of));
      if (of.all_orders) AddOrders(items, layout, goals);
      path_.Require(goals);
    });
    proof_.paths += report.paths;
    proof_.queries += report.queries;
    if (report.answer == Answer::kProved) return Answer::kProved;
    if (report.answer == Answer::kRefuted) return Judge(of, lives, items, report);
    proof_.cut = true;
    proof_.why = report.why;
    return proof_.answer = Answer::kUnknown;
  }

  void AddOrders(const SymbolicItems& items, const placement::Layout<SymbolicInt>& layout,
                 std::vector<PathGoal>& goals) {
    for (const std::vector<size_t>& order : AllOrders(items.size())) {
      const SymbolicItems reordered = ReorderedItems(items, order);
      const std::vector<PathGoal> more =
          SameLayoutGoals(layout, subject_.symbolic(reordered), CounterpartsOf(items, order));
      goals.insert(goals.end(), more.begin(), more.end());
    }
  }

  // Of what a model refutes.
  Answer Judge(const PlacementCase& of, const Lives& lives, const SymbolicItems& items,
               const PathReport& report) {
    std::string text = Replayed(subject_, of, NumberItemsOf(items, report.values));
    if (!text.empty()) {
      proof_.counterexample = fmt::format("{}: {}", report.property, text);
      proof_.cut = false;
      proof_.why.clear();
      return proof_.answer = Answer::kRefuted;
    }
    if (of.kind != AlignmentKind::kNumbers) {
      PlacementCase numbers = of;
      numbers.kind = AlignmentKind::kNumbers;
      for (int64_t alignment = 1; alignment <= kLargestAlignment; alignment *= 2) {
        numbers.alignments.assign(of.storages, alignment);
        if (Try(numbers, lives) == Answer::kRefuted) return Answer::kRefuted;
        if (proof_.cut) return proof_.answer;
      }
    }
    proof_.why =
        fmt::format("{}: a model of abstract rounding that no numbers confirm", report.property);
    return proof_.answer = Answer::kUnknown;
  }

  const PlacementSubject& subject_;
  PlacementClock::time_point begin_;
  PathExplorer path_;
  PlannerProof proof_;
};

}  // namespace

PlannerProof ProvePlacement(const PlacementSubject& subject, const PlacementCase& of,
                            double seconds) {
  return PlacementProver(subject, seconds).Go(of);
}

PlannerProof ProveMixes(const PlacementSubject& subject, size_t storages, double seconds) {
  return PlacementProver(subject, seconds).GoThroughMixes(storages);
}

}  // namespace pteproof::proofs
