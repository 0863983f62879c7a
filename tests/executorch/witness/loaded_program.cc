#include "tests/executorch/witness/loaded_program.h"

#include <executorch/extension/memory_allocator/malloc_memory_allocator.h>
#include <executorch/runtime/executor/method.h>

#include <algorithm>
#include <utility>

#include "tests/executorch/witness/runtime_error.h"
#include "tests/executorch/witness/runtime_value.h"

namespace pteproof::witness {

using executorch::runtime::Error;
using executorch::runtime::MethodMeta;
using Bank = executorch::runtime::Span<uint8_t>;

// Keeps the sizes that it is asked for, up to each reset: the runtime resets it after each
// instruction.
class TemporaryMemory : public executorch::extension::MallocMemoryAllocator {
 public:
  void* allocate(size_t size, size_t alignment) override {
    sizes_.push_back(size);
    return MallocMemoryAllocator::allocate(size, alignment);
  }
  void reset() override {
    if (!sizes_.empty()) groups_.push_back(std::exchange(sizes_, {}));
    MallocMemoryAllocator::reset();
  }

  void Forget() {
    groups_.clear();
    sizes_.clear();
  }
  [[nodiscard]] std::vector<Datum> Told() {
    reset();
    std::vector<Datum> told;
    for (const std::vector<size_t>& group : groups_) {
      told.emplace_back(static_cast<int64_t>(group.size()));
      for (const size_t size : group) told.emplace_back(static_cast<int64_t>(size));
    }
    return told;
  }

 private:
  std::vector<size_t> sizes_;
  std::vector<std::vector<size_t>> groups_;
};

struct LoadedMethod {
  std::vector<std::vector<uint8_t>> own_banks;
  std::vector<Bank> banks;
  std::optional<executorch::runtime::HierarchicalAllocator> planned_memory;
  executorch::extension::MallocMemoryAllocator method_memory;
  TemporaryMemory temp_memory;
  std::optional<executorch::runtime::MemoryManager> manager;
  std::optional<executorch::runtime::Method> method;
  std::vector<std::vector<uint8_t>> outputs;  // memory of those that have no place in a bank
  std::vector<std::unique_ptr<RuntimeInput>> inputs;
};

namespace {

std::vector<uint64_t> BankSizes(const MethodMeta& meta) {
  std::vector<uint64_t> sizes;
  for (size_t i = 0; i < meta.num_memory_planned_buffers(); ++i)
    sizes.push_back(static_cast<uint64_t>(meta.memory_planned_buffer_size(i).get()));
  return sizes;
}

// Gives memory to the outputs that lie in no bank.
std::string BindOutputs(LoadedMethod& loaded) {
  const MethodMeta meta = loaded.method->method_meta();
  for (size_t i = 0; i < meta.num_outputs(); ++i) {
    const auto tag = meta.output_tag(i);
    if (!tag.ok() || *tag != executorch::runtime::Tag::Tensor) continue;
    const auto info = meta.output_tensor_meta(i);
    if (!info.ok()) return SayError("output", info.error());
    if (info->is_memory_planned()) continue;
    std::vector<uint8_t>& memory = loaded.outputs.emplace_back(std::max<size_t>(info->nbytes(), 1));
    const Error error = loaded.method->set_output_data_ptr(memory.data(), info->nbytes(), i);
    if (error != Error::Ok) return SayError("set_output_data_ptr", error);
  }
  return {};
}

std::vector<uint8_t> DimOrder(const MethodMeta& meta, size_t input) {
  const auto tag = meta.input_tag(input);
  if (!tag.ok() || *tag != executorch::runtime::Tag::Tensor) return {};
  const auto info = meta.input_tensor_meta(input);
  if (!info.ok()) return {};
  return {info->dim_order().begin(), info->dim_order().end()};
}

std::string SetInputs(LoadedMethod& loaded, const std::vector<Datum>& inputs) {
  const MethodMeta meta = loaded.method->method_meta();
  if (inputs.size() != meta.num_inputs()) return "the method has another number of inputs";
  loaded.inputs.clear();
  for (size_t i = 0; i < inputs.size(); ++i) {
    loaded.inputs.push_back(MakeInput(inputs[i], DimOrder(meta, i)));
    const Error error = loaded.method->set_input(loaded.inputs.back()->value, i);
    if (error != Error::Ok) return SayError("set_input", error);
  }
  return {};
}

Outcome CopyOutputs(const LoadedMethod& loaded) {
  Outcome outcome;
  for (size_t i = 0; i < loaded.method->outputs_size(); ++i) {
    auto output = CopyOutput(loaded.method->get_output(i));
    if (!output.ok()) return {{}, output.error()};
    outcome.outputs.push_back(std::move(output).value());
  }
  return outcome;
}

}  // namespace

LoadedProgram::LoadedProgram(const Job& job)
    : job_(job),
      program_loader_(job.program.data(), job.program.size()),
      data_loader_(job.data.data(), job.data.size()) {}

LoadedProgram::~LoadedProgram() = default;

std::string LoadedProgram::LoadData() {
  if (job_.data.empty()) return {};
  auto data = executorch::extension::FlatTensorDataMap::load(&data_loader_);
  if (!data.ok()) return SayError("data", data.error());
  data_.emplace(std::move(*data));
  return {};
}

std::string LoadedProgram::Load() {
  using executorch::runtime::Program;
  auto program = Program::load(&program_loader_, Program::Verification::InternalConsistency);
  if (!program.ok()) return SayError("load", program.error());
  program_.emplace(std::move(*program));
  std::string fault = LoadData();
  if (!fault.empty()) return fault;
  MakeSharedBanks();
  if (!job_.loads_all_first) return {};
  for (const std::string& name : MethodNames()) {
    fault = LoadMethod(name);
    if (!fault.empty()) return fault;
  }
  return {};
}

std::vector<std::string> LoadedProgram::MethodNames() const {
  std::vector<std::string> names;
  for (size_t i = 0; i < program_->num_methods(); ++i)
    names.emplace_back(program_->get_method_name(i).get());
  std::ranges::sort(names);
  return names;
}

bool LoadedProgram::IsShared(size_t bank) const {
  return job_.banks == Policy::kShareAll || (job_.banks == Policy::kShare12 && bank < 2);
}

void LoadedProgram::MakeSharedBanks() {
  for (const std::string& name : MethodNames()) {
    const auto meta = program_->method_meta(name.c_str());
    if (!meta.ok()) continue;
    const auto sizes = BankSizes(*meta);
    if (sizes.size() > shared_banks_.size()) shared_banks_.resize(sizes.size());
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (IsShared(i) && sizes[i] > shared_banks_[i].size()) shared_banks_[i].resize(sizes[i]);
    }
  }
}

std::string LoadedProgram::LoadMethod(const std::string& name) {
  const auto meta = program_->method_meta(name.c_str());
  if (!meta.ok()) return SayError("method_meta", meta.error());
  auto loaded = std::make_unique<LoadedMethod>();
  const auto sizes = BankSizes(*meta);
  loaded->own_banks.resize(sizes.size());
  for (size_t i = 0; i < sizes.size(); ++i) {
    std::vector<uint8_t>& bank = IsShared(i) ? shared_banks_[i] : loaded->own_banks[i];
    if (!IsShared(i)) bank.resize(sizes[i]);
    loaded->banks.emplace_back(bank.data(), bank.size());
  }
  loaded->planned_memory.emplace(
      executorch::runtime::Span<Bank>(loaded->banks.data(), loaded->banks.size()));
  loaded->manager.emplace(&loaded->method_memory, &*loaded->planned_memory, &loaded->temp_memory);
  auto method = program_->load_method(name.c_str(), &*loaded->manager, nullptr,
                                      data_.has_value() ? &*data_ : nullptr);
  if (!method.ok()) return SayError("load_method", method.error());
  loaded->method.emplace(std::move(*method));
  std::string fault = BindOutputs(*loaded);
  if (fault.empty()) methods_[name] = std::move(loaded);
  return fault;
}

Outcome LoadedProgram::Run(const Call& call) {
  std::string fault = methods_.contains(call.method) ? "" : LoadMethod(call.method);
  if (!fault.empty()) return {{}, fault};
  LoadedMethod& loaded = *methods_[call.method];
  fault = SetInputs(loaded, call.inputs);
  if (!fault.empty()) return {{}, fault};
  loaded.temp_memory.Forget();
  const Error error = loaded.method->execute();
  if (error != Error::Ok) return {{}, SayError("execute", error)};
  if (job_.count == CountOf::kTemporary) return {loaded.temp_memory.Told(), {}};
  return CopyOutputs(loaded);
}

}  // namespace pteproof::witness
