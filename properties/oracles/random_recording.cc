#include "properties/oracles/random_recording.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "meaning/effects.h"
#include "properties/oracles/call_walk.h"
#include "properties/oracles/random_inputs.h"

namespace pteproof {

namespace {

// Of the methods that may come next the one that was called least.
int32_t LeastCalled(const std::vector<int32_t>& next, const std::vector<int>& calls) {
  return *std::ranges::min_element(next, {},
                                   [&](int32_t m) { return calls[static_cast<size_t>(m)]; });
}

}  // namespace

Recording RandomRecording(const Program& program, uint64_t seed, Policy policy,
                          const Manifest* manifest) {
  Random random(seed);
  RecordedSequence sequence;
  sequence.name = "random";
  sequence.policy = policy;
  CallWalk walk(program, manifest);
  std::vector<int> calls(program.methods.size(), 0);
  for (size_t c = 0; c < 2 * program.methods.size(); ++c) {
    const std::vector<int32_t> next = walk.Next();
    if (next.empty()) break;
    const int32_t m = LeastCalled(next, calls);
    walk.Call(m);
    ++calls[static_cast<size_t>(m)];
    const Method& method = program.methods[static_cast<size_t>(m)];
    RecordedCall call;
    call.method = method.name;
    call.inputs = RandomInputs(method, random, meaning::StatedOf(manifest, method));
    call.truth = Truth::kSkip;
    sequence.calls.push_back(std::move(call));
  }
  Recording recording;
  recording.made_up = true;
  recording.sequences.push_back(std::move(sequence));
  return recording;
}

}  // namespace pteproof
