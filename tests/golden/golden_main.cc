// The golden dump of folders and of random plans; see scripts/golden.
//
//   golden [--plans N] [--seed S] [--jobs J] FOLDER...
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tests/golden/golden_lines.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

struct GoldenRequest {
  std::vector<std::string> folders;
  uint64_t plans = 0;
  uint64_t seed = 1;
  unsigned jobs = 1;
};

// Subjects in their order, whichever thread is first.
void PrintEach(size_t count, unsigned jobs,
               const std::function<std::vector<std::string>(size_t)>& lines_of) {
  constexpr size_t kAtOnce = 4096;  // bounds what is kept
  for (size_t first = 0; first < count; first += kAtOnce) {
    std::vector<std::vector<std::string>> lines(std::min(kAtOnce, count - first));
    std::atomic<size_t> next = 0;
    {
      std::vector<std::jthread> threads;
      for (unsigned t = 0; t < jobs; ++t) {
        threads.emplace_back([&] {
          for (size_t k = next++; k < lines.size(); k = next++) lines[k] = lines_of(first + k);
        });
      }
    }
    for (const auto& some : lines) {
      for (const std::string& line : some) fmt::print("{}\n", line);
    }
  }
}

void Dump(const GoldenRequest& request) {
  for (const fs::path root : request.folders) {
    std::vector<fs::path> files;
    for (const fs::path& file : FilesBelow(root)) {
      if (file.extension() == ".pte" || file.extension() == ".bpte") files.push_back(file);
    }
    PrintEach(files.size(), request.jobs,
              [&](size_t k) { return GoldenLinesOfFile(root, files[k]); });
  }
  for (const auto line_of : {GoldenLineOfSound, GoldenLineOfDamaged}) {
    PrintEach(request.plans, request.jobs, [&](size_t k) {
      auto line = line_of(request.seed + k);
      return line ? std::vector{*std::move(line)} : std::vector<std::string>();
    });
  }
}

}  // namespace
}  // namespace pteproof

int main(int argc, char** argv) {
  pteproof::GoldenRequest request;
  request.jobs = std::max(1U, std::thread::hardware_concurrency());
  CLI::App app("What pteproof says of programs, one line each", "golden");
  app.add_option("FOLDER", request.folders, "Folders of programs");
  app.add_option("--plans", request.plans, "So many sound plans, and as many damaged ones");
  app.add_option("--seed", request.seed, "Of the first plan");
  app.add_option("-j,--jobs", request.jobs, "Threads");
  CLI11_PARSE(app, argc, argv);
  pteproof::Dump(request);
  return 0;
}
