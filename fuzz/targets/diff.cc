// A random Module, planned, written, read, checked and run: as planned and with a storage per value
// it gives what the reference gives.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "fuzz/byte_source.h"
#include "fuzz/envelope.h"
#include "fuzz/generated_case.h"
#include "fuzz/require.h"
#include "fuzz/runnable.h"
#include "fuzz/targets/targets.h"
#include "properties/differential/case_run.h"
#include "properties/differential/settings.h"
#include "reference/graph/parse.h"
#include "reference/graph/print.h"
#include "reference/graph/validate.h"

namespace pteproof::fuzz {
namespace {

Stage TryCase(const GeneratedCase& made) {
  Setting setting = SettingOf(made.setting);
  // A fifth of the time, and what fuzz_run and fuzz_agree do with every input.
  setting.ways.tagged &= made.setting % 4 == 0;
  const CaseVerdict verdict = RunCase(made.c, setting.options, setting.ways);
  if (!verdict.fault.empty()) {
    Fail("planned and meant are the same",
         fmt::format("{}: {}", setting.name, verdict.fault.explanation));
  }
  if (verdict.refused) return Stage::kRead;
  return verdict.calls > 0 ? Stage::kRan : Stage::kJudged;
}

// A stored Module with calls that depend on the input alone.
Stage TryModule(graph::Module module, uint64_t setting, uint64_t seed) {
  constexpr int kCalls = 4;
  GeneratedCase made{setting, {std::move(module), {}}};
  for (int c = 0; c < kCalls && !made.c.module.methods.empty(); ++c) {
    const uint64_t draw = seed >> (16 * c);
    made.c.calls.push_back(
        generators::BuildCall(made.c.module, {.method = static_cast<uint8_t>(draw),
                                              .dims = static_cast<uint8_t>(draw >> 8),
                                              .seed = static_cast<uint16_t>(draw)}));
  }
  return TryCase(made);
}

}  // namespace

Stage FuzzDiff(Bytes input) {
  const auto envelope = OpenEnvelope(input);
  const GeneratedCase made = GeneratedFrom(envelope ? envelope->choices : input);
  const Stage stage = TryCase(made);
  // The planner has asked this of what it takes.
  const bool planned = stage != Stage::kRead;
  Require(planned || graph::Validate(made.c.module).empty(), "what is generated is well-formed");
  if (!envelope || graph::Print(made.c.module) == envelope->module) return stage;
  auto stored = graph::Parse(envelope->module);
  if (!stored.ok()) return stage;
  return TryModule(std::move(stored).value(), made.setting, SeedOf(input));
}

}  // namespace pteproof::fuzz
