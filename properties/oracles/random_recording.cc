#include "properties/oracles/random_recording.h"

#include <utility>

#include "properties/oracles/random_inputs.h"

namespace pteproof {

Recording RandomRecording(const Program& program, uint64_t seed, Policy policy,
                          const Manifest* manifest) {
  Random random(seed);
  RecordedSequence sequence;
  sequence.name = "random";
  sequence.policy = policy;
  for (int round = 0; round < 2; ++round) {
    for (const Method& method : program.methods) {
      const ManifestMethod* stated = StatedOf(manifest, method);
      RecordedCall call;
      call.method = method.name;
      call.inputs = RandomInputs(method, random, stated);
      call.truth = Truth::kSkip;
      sequence.calls.push_back(std::move(call));
    }
  }
  Recording recording;
  recording.made_up = true;
  recording.sequences.push_back(std::move(sequence));
  return recording;
}

}  // namespace pteproof
