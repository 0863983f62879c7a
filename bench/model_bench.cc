// model_bench [--load] [FOLDER...]: how long recorded models take, here and in ExecuTorch's own
// runtime, from the same files and with the same inputs, in turns. A row is one sequence of calls:
// a pass through them, inputs set; with --load what reading the file and loading its methods takes.
// The ratio is ExecuTorch's time over ours. Without a FOLDER it takes the project's own models, or
// those of the collection that PTEPROOF_COLLECTION names.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "bench/engines/engine.h"
#include "bench/in_child.h"
#include "bench/race.h"
#include "properties/oracles/recorded_calls.h"
#include "pteproof/read.h"

namespace pteproof::bench {
namespace {

namespace fs = std::filesystem;

struct Model {
  std::string name;
  std::vector<std::byte> program;
  std::vector<std::byte> data;
  EngineJob job;
};

struct Row {
  RaceTimes times;     // ours, ExecuTorch's; the latter 0 without it
  char why[160] = {};  // there are no times
};

std::vector<std::byte> FileBytes(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(stream), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

// The calls of the first sequence that ExecuTorch made.
std::vector<EngineCall> CallsOf(const Recording& recording) {
  std::vector<EngineCall> calls;
  for (const RecordedSequence& sequence : recording.sequences) {
    for (const RecordedCall& call : sequence.calls) {
      if (call.executorch.has_value()) calls.push_back({call.method, call.inputs});
    }
    if (!calls.empty()) break;
  }
  return calls;
}

std::optional<Model> ReadModel(const fs::path& folder) {
  const auto recording = ReadRecording(folder / "calls.json");
  if (!recording.ok()) return std::nullopt;
  Model model = {folder.filename().string(), FileBytes(folder / recording.value().program), {}, {}};
  if (recording.value().data) model.data = FileBytes(folder / *recording.value().data);
  model.job = {model.program, model.data, CallsOf(recording.value())};
  return model;
}

Row Fault(std::string_view who, const std::string& why) {
  Row row;
  const std::string text = fmt::format("{}: {}", who, why);
  std::strncpy(row.why, text.c_str(), sizeof row.why - 1);
  return row;
}

// One pass through the calls. Empty; or why it could not be made.
std::string Pass(Engine& engine, size_t calls) {
  for (size_t n = 0; n < calls; ++n) {
    if (std::string why = engine.Call(n); !why.empty()) return why;
  }
  return "";
}

Row RaceCalls(const EngineJob& job) {
  if (job.calls.empty()) return Fault("recording", "no call was made");
  auto own = LoadOwnEngine(job);
  if (!own.ok()) return Fault("ours", own.error());
  auto other = LoadExecutorch(job);
  if (HasExecutorch() && !other.ok()) return Fault("ExecuTorch", other.error());
  const auto pass = [&](Engine& engine) { return Pass(engine, job.calls.size()); };
  if (std::string why = pass(*own.value()); !why.empty()) return Fault("ours", why);
  if (!HasExecutorch()) {
    const auto run = [&] { (void)pass(*own.value()); };
    Row row;
    row.times = Race({}, run, [] {});
    row.times.second = 0;
    return row;
  }
  if (std::string why = pass(*other.value()); !why.empty()) return Fault("ExecuTorch", why);
  Row row;
  row.times = Race({}, [&] { (void)pass(*own.value()); }, [&] { (void)pass(*other.value()); });
  return row;
}

Row RaceLoads(const EngineJob& whole) {
  const EngineJob job = {whole.program, whole.data, {}};
  if (const auto own = LoadOwnEngine(job); !own.ok()) return Fault("ours", own.error());
  const auto other = LoadExecutorch(job);
  if (HasExecutorch() && !other.ok()) return Fault("ExecuTorch", other.error());
  Row row;
  row.times = Race({}, [&] { (void)LoadOwnEngine(job); }, [&] { (void)LoadExecutorch(job); });
  if (!HasExecutorch()) row.times.second = 0;
  return row;
}

struct Tally {
  int raced = 0;
  int at_least_as_fast = 0;
  std::vector<std::pair<double, std::string>> slower;
};

size_t PartsOf(const Model& model) {
  const auto program = ReadProgram(model.program);
  size_t parts = 0;
  for (const Method& method : program.value().methods) {
    parts += method.values.size() + method.instructions.size();
  }
  return parts;
}

void Print(const Model& model, const std::optional<Row>& row, Tally& tally) {
  if (!row || row->why[0] != '\0') {
    fmt::print("{:<28} {}\n", model.name, row ? row->why : "the process ended");
    return;
  }
  const auto& [own, other] = row->times;
  fmt::print("{:<28} {:>7} {:>12.2f} {:>12.2f} {:>8.2f}\n", model.name, PartsOf(model), own * 1e6,
             other * 1e6, other / own);
  if (other == 0) return;
  ++tally.raced;
  if (other >= own) {
    ++tally.at_least_as_fast;
  } else {
    tally.slower.emplace_back(other / own, model.name);
  }
}

std::vector<fs::path> FoldersBelow(const fs::path& root) {
  std::vector<fs::path> folders;
  if (fs::exists(root / "calls.json")) folders.push_back(root);
  if (!fs::exists(root)) return folders;
  for (const auto& entry : fs::directory_iterator(root)) {
    if (fs::exists(entry.path() / "calls.json")) folders.push_back(entry.path());
  }
  std::ranges::sort(folders);
  return folders;
}

int Main(std::vector<std::string> arguments) {
  const bool loads = !arguments.empty() && arguments.front() == "--load";
  if (loads) arguments.erase(arguments.begin());
  if (arguments.empty()) {
    const char* const collection = std::getenv("PTEPROOF_COLLECTION");
    arguments.push_back(collection != nullptr ? std::string(collection) + "/corpus/exported/models"
                                              : PTEPROOF_CORPUS_DIR "/real/models");
  }
  if (!HasExecutorch()) fmt::print("{}\n", LoadExecutorch({}).error());
  fmt::print("{:<28} {:>7} {:>12} {:>12} {:>8}\n", "model", "parts", "ours, us", "theirs, us",
             "ratio");
  Tally tally;
  for (const std::string& root : arguments) {
    for (const fs::path& folder : FoldersBelow(root)) {
      const auto model = ReadModel(folder);
      if (!model) continue;
      std::fflush(stdout);
      const auto row =
          InChild([&] { return loads ? RaceLoads(model->job) : RaceCalls(model->job); });
      Print(*model, row, tally);
    }
  }
  fmt::print("\n{} of {} at least as fast", tally.at_least_as_fast, tally.raced);
  std::ranges::sort(tally.slower);
  for (const auto& [ratio, name] : tally.slower) fmt::print("\n  {:.2f} {}", ratio, name);
  fmt::print("\n");
  return 0;
}

}  // namespace
}  // namespace pteproof::bench

int main(int argc, char** argv) {
  return pteproof::bench::Main({argv + 1, argv + argc});
}
