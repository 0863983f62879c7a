// How fast programs are written: a small one (10 values, 3 instructions), one with a constant (11
// values, 3 instructions) and a large one. Prints, never judges.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "bench/synthetic_program.h"
#include "pteproof/read.h"
#include "pteproof/write.h"

namespace pteproof {
namespace {

constexpr uint32_t kManyStorages = 100'000;

using File = std::vector<std::byte>;

File FromCorpus(const std::string& path) {
  std::ifstream stream(PTEPROOF_CORPUS_DIR "/" + path, std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(stream), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

void Register(const std::string& name, const File& file) {
  benchmark::RegisterBenchmark(name.c_str(), [&file](benchmark::State& state) {
    const auto program = ReadProgram(file);
    if (!program.ok()) return state.SkipWithError("the file is not sound");
    size_t size = 0;
    for (auto _ : state) {
      const auto written = WriteProgram(program.value());
      if (!written.ok()) return state.SkipWithError("the program cannot be written");
      size = written.value().size();
    }
    state.SetItemsProcessed(state.iterations());
    state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(size));
  });
}

}  // namespace
}  // namespace pteproof

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return EXIT_FAILURE;
  const auto small = pteproof::FromCorpus("real/bugs/in-place-flip/in-place-flip.pte");
  const auto constant = pteproof::FromCorpus("real/models/delay_line/delay_line.pte");
  const auto large = pteproof::SyntheticProgram(pteproof::kManyStorages);
  pteproof::Register("write/10_values", small);
  pteproof::Register("write/11_values_and_a_constant", constant);
  pteproof::Register("write/100000_storages", large);
  benchmark::RunSpecifiedBenchmarks();
  return EXIT_SUCCESS;
}
