#include "tests/support/operator_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>
#include <string_view>

#include "properties/oracles/recorded_calls.h"
#include "reference/op_meaning.h"
#include "reference/op_schema.h"

namespace pteproof {
namespace {

constexpr std::string_view kHead =
    "# Operators\n\n"
    "What the reference interpreter knows, written by a test from the operator table and the\n"
    "recorded one-operator cases (executorch 1.5.1, torch 2.13.0). `cases` counts those compared\n"
    "by value; `types` are the operands' element types in them. `bound`: *exact* is bit for bit\n"
    "except for the sign of zero and NaN payloads; *rounded* is |a - b| <= atol + rtol * |b| with\n"
    "rtol, atol of 1e-4, 1e-5 (float32, float64), 4e-3, 1e-3 (float16), 3e-2, 1e-2 (bfloat16);\n"
    "*shape* compares sizes and types only. An operator without a meaning is accepted under the\n"
    "standing assumption, and runs under the hash semantics only. The runtime has a kernel of its\n"
    "own for every operator with a meaning.\n\n"
    "| operator | types | cases | bound | why not exact |\n|---|---|---|---|---|\n";

struct Recorded {
  int cases = 0;
  std::set<std::string_view> types;
};

bool ComparesValues(const RecordedCall& call) {
  return call.truth == Truth::kExecutorch || call.truth == Truth::kEager ||
         call.truth == Truth::kEither;
}

std::map<std::string, Recorded> Survey(const std::filesystem::path& root) {
  std::map<std::string, Recorded> by_operator;
  for (const auto& folder : std::filesystem::directory_iterator(root)) {
    const auto recording = ReadRecording(folder.path() / "calls.json");
    if (!recording.ok()) continue;
    for (const RecordedSequence& sequence : recording.value().sequences) {
      for (const RecordedCall& call : sequence.calls) {
        if (!ComparesValues(call)) continue;
        Recorded& recorded = by_operator[call.op];
        ++recorded.cases;
        for (const Datum& input : call.inputs) {
          if (const auto* t = std::get_if<TensorValue>(&input))
            recorded.types.insert(Name(t->dtype));
        }
      }
    }
  }
  return by_operator;
}

std::string_view WordFor(Closeness closeness) {
  switch (closeness) {
    case Closeness::kExact:
      return "exact";
    case Closeness::kRounded:
      return "rounded";
    case Closeness::kShape:
      return "shape";
  }
  return "";
}

}  // namespace

std::string OperatorTable(const std::filesystem::path& recordings) {
  const auto recorded = Survey(recordings);
  std::string table(kHead);
  for (const OpSchema& schema : AllOperators()) {
    const auto found = recorded.find(std::string(schema.name));
    const Recorded none;
    const Recorded& seen = found == recorded.end() ? none : found->second;
    const OpMeaning* meaning = FindMeaning(schema);
    table +=
        fmt::format("| `{}` | {} | {} | {} | {} |\n", schema.name, fmt::join(seen.types, " "),
                    seen.cases, meaning == nullptr ? "no meaning" : WordFor(meaning->closeness),
                    meaning == nullptr ? std::string_view() : meaning->reason);
  }
  return table;
}

}  // namespace pteproof
