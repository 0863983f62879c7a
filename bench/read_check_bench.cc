// How fast programs are read and checked: as files a second, and as a multiple of what FlatBuffers'
// own verifier takes for the same bytes (which reads no more than the framing). Prints, never
// judges.
#include <benchmark/benchmark.h>
#include <flatbuffers/flatbuffers.h>
#include <fmt/core.h>

#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "bench/synthetic_program.h"
#include "program_generated.h"
#include "pteproof/check.h"
#include "pteproof/read.h"

namespace pteproof {
namespace {

constexpr uint32_t kManyStorages = 100'000;

using File = std::vector<std::byte>;

File AddModel() {
  std::ifstream stream(PTEPROOF_CORPUS_DIR "/public/add_model.pte", std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(stream), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

bool Verify(const File& file) {
  // The default limit of one million tables is for files of unknown origin; these are our own.
  flatbuffers::Verifier verifier(reinterpret_cast<const uint8_t*>(file.data()), file.size(), 64,
                                 UINT32_MAX);
  return schema::VerifyProgramBuffer(verifier);
}

bool Read(const File& file) {
  return ReadProgram(file).ok();
}

bool ReadAndCheck(const File& file) {
  const auto program = ReadProgram(file);
  return program.ok() && Check(program.value()).verdicts[0] == Verdict::kSafe;
}

// Remembers each benchmark's time, and prints what it is in units of the verifier's when all have
// run.
class MultipleReporter : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration || run.error_occurred) continue;
      seconds_[run.benchmark_name()] =
          run.real_accumulated_time / static_cast<double>(run.iterations);
    }
  }

  void Finalize() override {
    for (const auto& [name, seconds] : seconds_) {
      const auto verifier = seconds_.find(name.substr(0, name.find('/')) + "/flatbuffers_verifier");
      if (verifier == seconds_.end() || verifier->second <= 0) continue;
      fmt::print("{:<40} {:8.1f} x the verifier's time\n", name, seconds / verifier->second);
    }
  }

 private:
  std::map<std::string, double> seconds_;
};

void Register(const std::string& name, const File& file, bool (*run)(const File&)) {
  benchmark::RegisterBenchmark(name.c_str(), [&file, run](benchmark::State& state) {
    for (auto _ : state) {
      if (!run(file)) {
        state.SkipWithError("the file is not sound");
        break;
      }
    }
    state.SetItemsProcessed(state.iterations());
    state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(file.size()));
  });
}

void RegisterAll(const std::string& subject, const File& file) {
  Register(subject + "/flatbuffers_verifier", file, Verify);
  Register(subject + "/read", file, Read);
  Register(subject + "/read_and_check", file, ReadAndCheck);
}

}  // namespace
}  // namespace pteproof

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return EXIT_FAILURE;
  const auto add_model = pteproof::AddModel();
  const auto synthetic = pteproof::SyntheticProgram(pteproof::kManyStorages);
  pteproof::RegisterAll("add_model", add_model);
  pteproof::RegisterAll("synthetic_100000", synthetic);
  pteproof::MultipleReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return EXIT_SUCCESS;
}
