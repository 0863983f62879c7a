#include "properties/oracles/planned_run.h"

#include <algorithm>

#include "base/within_memory.h"
#include "meaning/opaque_calls.h"
#include "properties/oracles/run_values.h"

namespace pteproof {

int64_t LongestPass(const Program& program) {
  size_t longest = 0;
  for (const Method& method : program.methods) {
    longest = std::max(longest, method.instructions.size());
  }
  return static_cast<int64_t>(longest);
}

Result<PlannedRun, RunFault> PlannedRun::Load(const Program& program,
                                              const PlannedRunOptions& options) {
  return WithinMemory([&] { return Make(program, options); }, [] { return OutOfMemory(""); });
}

Result<PlannedRun, RunFault> PlannedRun::Make(const Program& program,
                                              const PlannedRunOptions& options) {
  InstanceOptions loading;
  loading.policy = options.policy;
  loading.kernels = options.semantics == Semantics::kHash ? KernelSet::kHash : KernelSet::kReal;
  loading.apply = options.apply;
  loading.fill = options.fill;
  loading.lazy = options.lazy;
  loading.writable_constants = options.writable_constants;
  loading.devices_on_host = options.devices_on_host;
  loading.data = options.data;
  loading.limits = options.limits;
  loading.opaque_calls = options.meaning != nullptr ? meaning::OpaqueCallsOf(*options.meaning)
                                                    : meaning::OpaqueCallsOf(program, nullptr);
  auto instance = Instance::Load(program, loading);
  if (!instance.ok()) return instance.error();
  PlannedRun run(program, options, std::move(instance).value());
  if (options.poison) run.FindGaps();
  return run;
}

void PlannedRun::FindGaps() {
  std::map<const Bank*, std::vector<Gap>> state;
  auto known = options_.meaning;
  if (known == nullptr) {
    known = std::make_shared<const meaning::ProgramMeaning>(meaning::MeaningOf(*program_, nullptr));
  }
  for (size_t m = 0; m < program_->methods.size(); ++m) {
    const Method& method = program_->methods[m];
    for (uint32_t id = 1; id < method.bank_sizes.size(); ++id) state[instance_->BankOf(m, id)];
    for (const meaning::StateSlot& slot : known->methods[m].roles.states) {
      const meaning::Place& place = slot.place;
      if (place.bank > 0) state[instance_->BankOf(m, place.bank)].push_back({place.lo, place.hi});
    }
  }
  for (auto& [bank, kept] : state) {
    std::ranges::sort(kept, {}, &Gap::first);
    uint64_t at = 0;
    std::vector<Gap>& gaps = gaps_[bank];
    for (const Gap& range : kept) {
      // A method that is never called may keep its state where the bank has ended.
      const uint64_t end = std::min<uint64_t>(range.first, bank->bytes.size());
      if (end > at) gaps.push_back({at, end});
      at = std::max(at, range.end);
    }
    if (at < bank->bytes.size()) gaps.push_back({at, bank->bytes.size()});
  }
}

void PlannedRun::Poison(size_t method) {
  pattern_ = static_cast<uint8_t>(pattern_ * 5 + 0x35);
  for (uint32_t id = 1; id < program_->methods[method].bank_sizes.size(); ++id) {
    const Bank* bank = instance_->BankOf(method, id);
    for (const Gap& gap : gaps_[bank]) {
      bank->fill(bank->bytes.data() + gap.first, std::byte{pattern_}, gap.end - gap.first);
    }
  }
}

Result<std::vector<Datum>, RunFault> PlannedRun::Call(int32_t method,
                                                      std::span<const Datum> inputs) {
  return WithinMemory(
      [&] { return MakeCall(method, inputs); },
      [&] { return OutOfMemory(program_->methods[static_cast<size_t>(method)].name); });
}

void PlannedRun::StartOver() {
  instance_->ResetState();
  pattern_ = 0;
}

std::optional<RunFault> PlannedRun::LoadMethod(int32_t method) {
  const auto load = [&]() -> std::optional<RunFault> {
    auto loaded = instance_->MethodAt(static_cast<size_t>(method));
    return loaded.ok() ? std::nullopt : std::optional(loaded.error());
  };
  return WithinMemory(load, [&]() -> std::optional<RunFault> {
    return OutOfMemory(program_->methods[static_cast<size_t>(method)].name);
  });
}

Result<std::vector<Datum>, RunFault> PlannedRun::MakeCall(int32_t method,
                                                          std::span<const Datum> inputs) {
  const auto m = static_cast<size_t>(method);
  const Method& source = program_->methods[m];
  auto loaded = instance_->MethodAt(m);
  if (!loaded.ok()) return loaded.error();
  LoadedMethod& run = *loaded.value();
  if (options_.poison) Poison(m);
  if (inputs.size() != source.inputs.size()) {
    return RunFault{RunFault::Kind::kRefused, source.name, -1, "",
                    "the method takes " + std::to_string(source.inputs.size()) + " inputs, and " +
                        std::to_string(inputs.size()) + " were given"};
  }
  std::vector<bool> is_input(source.values.size());
  for (const int32_t v : source.inputs) is_input[static_cast<size_t>(v)] = true;
  memory_ = std::make_unique<std::deque<std::vector<std::byte>>>();
  for (size_t n = 0; n < inputs.size(); ++n) {
    if (auto fault = run.SetInput(n, InputFor(source, n, inputs[n], *memory_))) return *fault;
  }
  for (size_t n = 0; n < source.outputs.size(); ++n) {
    const int32_t v = source.outputs[n];
    const Tensor* tensor = source.TensorOf(v);
    const bool ours = tensor != nullptr && !tensor->planned && tensor->data_index == 0 &&
                      !tensor->external && !is_input[static_cast<size_t>(v)];
    if (!ours) continue;
    auto& bytes = memory_->emplace_back(tensor->nbytes, std::byte{pattern_});
    if (auto fault = run.SetOutput(n, bytes)) return *fault;
  }
  if (auto fault = run.Execute(options_.fuel)) return *fault;
  std::vector<Datum> outputs;
  for (size_t n = 0; n < source.outputs.size(); ++n) {
    outputs.push_back(DatumOf(run.Output(n), options_.lends_outputs));
  }
  return outputs;
}

}  // namespace pteproof
