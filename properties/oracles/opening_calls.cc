#include "properties/oracles/opening_calls.h"

#include <algorithm>
#include <utility>

#include "properties/oracles/call_walk.h"

namespace pteproof {

std::vector<std::string> OpeningCalls(const Program& program, const Manifest* manifest) {
  std::vector<std::string> opening;
  if (manifest == nullptr || !manifest->calls) return opening;
  CallWalk walk(program, manifest);
  for (;;) {
    const std::vector<int32_t> next = walk.Next();
    if (next.size() != 1) return opening;
    const Method& method = program.methods[static_cast<size_t>(next.front())];
    const bool known = std::ranges::find(opening, method.name) != opening.end();
    if (known || !method.inputs.empty() || !method.outputs.empty()) return opening;
    opening.push_back(method.name);
    walk.Call(next.front());
  }
}

void AddOpeningCalls(const Program& program, const Manifest* manifest, Recording& recording) {
  const std::vector<std::string> opening = OpeningCalls(program, manifest);
  if (opening.empty()) return;
  for (RecordedSequence& sequence : recording.sequences) {
    if (!sequence.calls.empty() && sequence.calls.front().method == opening.front()) continue;
    std::vector<RecordedCall> calls;
    for (const std::string& method : opening) {
      RecordedCall& call = calls.emplace_back();
      call.method = method;
      call.truth = Truth::kSkip;
    }
    std::ranges::move(sequence.calls, std::back_inserter(calls));
    sequence.calls = std::move(calls);
  }
}

}  // namespace pteproof
