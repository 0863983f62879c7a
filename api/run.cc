#include "pteproof/run.h"

#include <algorithm>
#include <utility>

#include "base/within_memory.h"
#include "properties/oracles/diff_program.h"
#include "properties/oracles/planned_run.h"
#include "pteproof/read.h"
#include "runtime/read_data.h"

namespace pteproof {
namespace {

RunFault RefusedCall(std::string_view method, std::string why) {
  return {RunFault::Kind::kRefused, std::string(method), -1, "", std::move(why)};
}

Result<std::optional<DataFile>, RunFault> DataIn(Bytes bytes) {
  if (bytes.empty()) return std::optional<DataFile>();
  auto file = ReadDataFile(bytes);
  if (file.ok()) return std::optional<DataFile>(std::move(file).value());
  if (RanOutOfMemory(file.error())) return OutOfMemory("");
  const Finding& first = file.error().front();
  return RefusedCall(
      "", "the data are malformed (" + std::string(first.rule) + "): " + first.explanation);
}

const DataFile* PointerTo(const std::optional<DataFile>& data) {
  return data ? &*data : nullptr;
}

// A tensor that holds more or fewer bytes than its sizes say.
bool IsTorn(const Datum& datum) {
  const auto* tensor = std::get_if<TensorValue>(&datum);
  if (tensor == nullptr) return false;
  if (std::ranges::any_of(tensor->sizes, [](int64_t size) { return size < 0; })) return true;
  const uint64_t element = ElementSize(tensor->dtype);
  return tensor->bytes.size() % element != 0 ||
         tensor->bytes.size() / element != static_cast<uint64_t>(ElementCount(*tensor));
}

}  // namespace

// The run points to the data: they stay where they are.
struct Runner::Loaded {
  const Program* program = nullptr;
  std::optional<DataFile> data;
  std::optional<PlannedRun> run;
};

Runner::Runner(std::unique_ptr<Loaded> loaded) : loaded_(std::move(loaded)) {}
Runner::Runner(Runner&& other) noexcept = default;
Runner& Runner::operator=(Runner&& other) noexcept = default;
Runner::~Runner() = default;

Result<Runner, RunFault> Runner::Load(const Program& program, const RunnerOptions& options) {
  const auto load = [&]() -> Result<Runner, RunFault> {
    auto data = DataIn(options.data);
    if (!data.ok()) return data.error();
    auto loaded = std::make_unique<Loaded>();
    loaded->program = &program;
    loaded->data = std::move(data).value();
    PlannedRunOptions asked;
    asked.policy = options.policy;
    asked.semantics = options.mix ? Semantics::kHash : Semantics::kReal;
    asked.apply = options.each_load ? ApplyState::kEachLoad : ApplyState::kOnce;
    asked.lazy = options.lazy;
    asked.data = PointerTo(loaded->data);
    asked.fuel = options.fuel;
    asked.limits = {options.memory, options.work};
    auto run = PlannedRun::Load(program, asked);
    if (!run.ok()) return run.error();
    loaded->run.emplace(std::move(run).value());
    return Runner(std::move(loaded));
  };
  return WithinMemory(load, []() -> Result<Runner, RunFault> { return OutOfMemory(""); });
}

Result<std::vector<Datum>, RunFault> Runner::Call(std::string_view method,
                                                  std::span<const Datum> inputs) {
  const auto call = [&]() -> Result<std::vector<Datum>, RunFault> {
    const auto& methods = loaded_->program->methods;
    const auto found = std::ranges::find(methods, method, &Method::name);
    if (found == methods.end()) {
      std::string names;
      for (const Method& each : methods) names += (names.empty() ? "" : ", ") + each.name;
      return RefusedCall(method, "the method does not exist; the program has " + names);
    }
    const auto torn = std::ranges::find_if(inputs, IsTorn);
    if (torn != inputs.end()) {
      return RefusedCall(method, "input " + std::to_string(torn - inputs.begin()) +
                                     " needs as many bytes as its sizes and type say");
    }
    return loaded_->run->Call(static_cast<int32_t>(found - methods.begin()), inputs);
  };
  return WithinMemory(
      call, [&]() -> Result<std::vector<Datum>, RunFault> { return OutOfMemory(method); });
}

namespace {

LostByte ToLostByte(const Disagreement& disagreement) {
  LostByte lost;
  lost.methods = disagreement.methods;
  lost.output = disagreement.what;
  if (!disagreement.wrong_read) return lost;
  lost.method = disagreement.wrong_read->method;
  lost.instruction = disagreement.wrong_read->instruction;
  lost.value = disagreement.wrong_read->value;
  lost.explanation = disagreement.wrong_read->explanation;
  return lost;
}

Result<PlanDiff, RunFault> Diff(const Program& program, const PlanDiffOptions& options) {
  const auto data = DataIn(options.data);
  if (!data.ok()) return data.error();
  DiffOptions asked;
  asked.policy = options.policy;
  asked.seed = options.seed;
  asked.sequences = options.sequences;
  asked.longest = options.longest;
  asked.fuel = options.fuel;
  asked.data = PointerTo(data.value());
  asked.manifest = options.manifest;
  DiffReport report = DiffProgram(program, asked);
  if (report.out_of_memory && report.out_of_memory->empty()) return OutOfMemory("");
  PlanDiff diff{report.compared, std::move(report.not_compared), {}};
  if (report.disagreement) diff.lost = ToLostByte(*report.disagreement);
  return diff;
}

}  // namespace

Result<PlanDiff, RunFault> DiffPlan(const Program& program, const PlanDiffOptions& options) {
  return WithinMemory([&] { return Diff(program, options); },
                      []() -> Result<PlanDiff, RunFault> { return OutOfMemory(""); });
}

}  // namespace pteproof
