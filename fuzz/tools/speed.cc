// fuzz_speed TARGET FILE...: how many inputs a second a target takes, by processor time, each file
// in its turn; of programs also as a multiple of what FlatBuffers' verifier takes for the same.
#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <vector>

#include "fuzz/target.h"
#include "fuzz/tools/contents.h"
#include "program_generated.h"

namespace {

using namespace pteproof;        // NOLINT: a program of its own
using namespace pteproof::fuzz;  // NOLINT

double ProcessorSeconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// Seconds that one input takes on average, of all in turn, for two seconds after one to warm up.
double SecondsEach(const std::vector<Buffer>& inputs, const std::function<void(Bytes)>& run) {
  double each = 0;
  for (const double long_enough : {1.0, 2.0}) {
    const double began = ProcessorSeconds();
    double count = 0;
    while (ProcessorSeconds() - began < long_enough) {
      for (int k = 0; k < 20; ++k) {
        for (const Buffer& input : inputs) run(input);
      }
      count += 20.0 * static_cast<double>(inputs.size());
    }
    each = (ProcessorSeconds() - began) / count;
  }
  return each;
}

bool Verify(Bytes input) {
  flatbuffers::Verifier verifier(reinterpret_cast<const uint8_t*>(input.data()), input.size(), 64,
                                 1'000'000'000);
  return schema::VerifyProgramBuffer(verifier);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kUsage = 64;
  const Target* target = argc < 3 ? nullptr : TargetNamed(argv[1]);
  if (target == nullptr) {
    fmt::print(stderr, "usage: fuzz_speed TARGET FILE...\n");
    return kUsage;
  }
  const std::vector<const char*> files(argv + 2, argv + argc);
  std::vector<Buffer> inputs(files.size());
  std::ranges::transform(files, inputs.begin(), ContentsOf);
  const double each = SecondsEach(inputs, [&](Bytes input) { target->run(input); });
  fmt::print("{}: {:.0f} a second, {} files", target->name, 1 / each, inputs.size());
  if (target->kind == "program") {
    volatile bool sound = true;
    const double verifier = SecondsEach(inputs, [&](Bytes input) { sound = Verify(input); });
    fmt::print(", {:.1f} x the time of FlatBuffers' verifier", each / verifier);
  }
  fmt::print("\n");
  return EXIT_SUCCESS;
}
