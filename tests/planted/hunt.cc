#include "tests/planted/hunt.h"

#include <fmt/format.h>

#include "properties/explain/explain.h"
#include "properties/explain/words.h"
#include "properties/generators/draw.h"
#include "properties/generators/shrink.h"
#include "properties/generators/statistics.h"
#include "reference/graph/print.h"
#include "reference/graph/validate.h"

namespace pteproof {
namespace {

size_t NodesIn(const generators::RandomCase& c) {
  generators::Statistics one;
  one.Add(c, true);
  return generators::Statistics::Median(one.nodes);
}

struct SmallCase {
  generators::RandomCase random;
  uint64_t draw = 0;  // of the damage
};

// What a defect damages is drawn by position, so that a step may move the damage to a place that
// nobody reads, and the shrinking ends early. Other draws go on from there.
SmallCase Smallest(const DefectRow& defect, uint64_t seed, const Setting& setting) {
  constexpr uint64_t kDraws = 8;
  generators::CaseDraft small = generators::DrawCase(seed);
  uint64_t used = seed;
  for (uint64_t draw = seed; draw < seed + kDraws; ++draw) {
    const auto fails = [&](const generators::CaseDraft& draft) {
      const auto c = generators::BuildCase(draft);
      return graph::Validate(c.module).empty() &&
             IsAny(SeenBy(defect, c, setting, draw, kQuickCheckers));
    };
    if (!fails(small)) continue;
    small = generators::Shrunk(small, fails);
    used = draw;
  }
  return {generators::BuildCase(small), used};
}

std::string ExplanationOf(const generators::RandomCase& small, const Setting& setting,
                          uint64_t seed) {
  std::string calls;
  for (const auto& call : small.calls) calls += " " + small.module.methods[call.method].name;
  return fmt::format("seed {} ({})\ncalls:{}\n{}", seed, setting.name, calls,
                     graph::Print(small.module));
}

}  // namespace

std::optional<Find> Hunt(const DefectRow& defect, uint64_t seed, uint64_t most) {
  for (uint64_t n = 0; n < most; ++n) {
    const auto drawn = CaseOf(seed + n);
    if (!drawn) continue;
    const Checkers checkers =
        SeenBy(defect, drawn->random, drawn->setting, seed + n, kQuickCheckers);
    if (!IsAny(checkers)) continue;
    const auto [small, draw] = Smallest(defect, seed + n, drawn->setting);
    return Find{.cases = n + 1,
                .checkers = checkers,
                .nodes = NodesIn(small),
                .calls = small.calls.size(),
                .explanation = ExplanationOf(small, drawn->setting, seed + n),
                .small = small,
                .seed = seed + n,
                .draw = draw};
  }
  return std::nullopt;
}

std::string ExplainedText(const DefectRow& defect, const Find& find) {
  const Setting setting = SettingOf(find.seed);
  const auto seen_by = [&](const generators::RandomCase& c) {
    const Checkers checkers = SeenBy(defect, c, setting, find.draw, kQuickCheckers);
    std::vector<std::string_view> names;
    for (size_t w = 0; w < kCheckerCount; ++w) {
      if (checkers[w]) names.push_back(NameOf(static_cast<Checker>(w)));
    }
    return fmt::format("{}", fmt::join(names, ", "));
  };
  const auto explanation = explain::Explain(find.small, seen_by);
  return fmt::format("{}, seed {} ({}), seen by: {}\n{}\n{}", defect.name, find.seed, setting.name,
                     explanation.kind, explain::SummaryOf(find.small, explanation),
                     graph::Print(find.small.module, explain::NotesOf(find.small, explanation)));
}

}  // namespace pteproof
