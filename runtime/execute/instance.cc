#include "runtime/execute/instance.h"

#include <algorithm>
#include <new>
#include <string>

#include "base/within_memory.h"
#include "runtime/execute/written_constants.h"

namespace pteproof {
namespace {

constexpr std::align_val_t kBankAlignment{64};
constexpr std::byte kPoison{0xDB};

void Free(std::byte* memory) {
  ::operator delete(memory, kBankAlignment);
}

const BankDevice* DeviceOf(const Method& method, uint32_t memory_id) {
  const auto found =
      std::ranges::find(method.bank_devices, static_cast<int32_t>(memory_id), &BankDevice::bank);
  return found == method.bank_devices.end() ? nullptr : &*found;
}

}  // namespace

bool IsCommon(Policy policy, uint32_t memory_id) {
  return policy == Policy::kShareAll || (policy == Policy::kShare12 && memory_id <= 2);
}

Result<std::unique_ptr<Instance>, RunFault> Instance::Load(const Program& program,
                                                           const InstanceOptions& options) {
  return WithinMemory([&] { return Make(program, options); }, [] { return OutOfMemory(""); });
}

Result<std::unique_ptr<Instance>, RunFault> Instance::Make(const Program& program,
                                                           const InstanceOptions& options) {
  auto instance = std::unique_ptr<Instance>(new Instance(program, options));
  if (auto fault = instance->MakeBanks()) return *std::move(fault);
  if (options.unequal == UnequalBanks::kRefuse) {
    if (auto fault = instance->CheckCommonState()) return *std::move(fault);
  }
  if (auto fault = instance->TakeOutputs()) return *std::move(fault);
  if (options.writable_constants) {
    if (auto fault = instance->CopyWrittenConstants()) return *std::move(fault);
  }
  for (size_t m = 0; m < program.methods.size() && !options.lazy; ++m) {
    const auto loaded = instance->MethodAt(m);
    if (!loaded.ok()) return loaded.error();
  }
  return instance;
}

std::optional<RunFault> Instance::Take(std::string_view method, std::string_view what,
                                       uint64_t nbytes) {
  if (nbytes <= limits_.memory - memory_) {
    memory_ += nbytes;
    return std::nullopt;
  }
  return RunFault{RunFault::Kind::kMemory, std::string(method), -1, "",
                  std::string(what) + " would take " + std::to_string(nbytes) +
                      " bytes beyond the " + std::to_string(memory_) +
                      " bytes of other banks and results; the limit for all is " +
                      std::to_string(limits_.memory)};
}

// The caller will bring memory for those of a call that have no place: as much as the file says.
std::optional<RunFault> Instance::TakeOutputs() {
  const uint64_t before = memory_;
  uint64_t most = before;
  for (const Method& method : program_.methods) {
    memory_ = before;
    for (const int32_t v : method.outputs) {
      const Tensor* tensor = method.TensorOf(v);
      if (tensor == nullptr || tensor->planned) continue;
      if (auto fault = Take(method.name, "an output", tensor->nbytes)) return fault;
    }
    most = std::max(most, memory_);
  }
  memory_ = most;
  return std::nullopt;
}

std::optional<RunFault> Instance::CopyWrittenConstants() {
  for (const uint64_t nbytes : WrittenConstantBytes(program_, options_.opaque_calls)) {
    if (auto fault = Take("", "the copy of a constant", nbytes)) return fault;
    constants_.emplace_back(nbytes);
  }
  ResetConstants();
  return std::nullopt;
}

void Instance::ResetConstants() {
  for (size_t c = 0; c < constants_.size(); ++c) {
    std::vector<std::byte>& copy = constants_[c];
    const Bytes blob =
        program_.constants[c].first(std::min(program_.constants[c].size(), copy.size()));
    const auto rest = std::ranges::copy(blob, copy.begin()).out;
    std::fill(rest, copy.end(), std::byte{0});
  }
}

BankRequest Instance::RequestOf(const Method& method, uint32_t memory_id, uint64_t nbytes) const {
  BankRequest request = {.memory_id = memory_id, .nbytes = nbytes};
  if (const BankDevice* device = DeviceOf(method, memory_id)) {
    request.device_type = device->device_type;
    request.device_index = device->device_index;
  }
  return request;
}

std::optional<RunFault> Instance::MakeBank(const Method& method, uint32_t memory_id,
                                           uint64_t nbytes, Owned& owned) {
  const auto refuse = [&](const std::string& why) {
    return RunFault{RunFault::Kind::kRefused, method.name, -1, "",
                    "bank " + std::to_string(memory_id) + ": " + why};
  };
  owned.nbytes = nbytes;
  const BankRequest request = RequestOf(method, memory_id, nbytes);
  if (options_.provide) {
    if (auto bank = options_.provide(request)) {
      if (bank->bytes.size() < nbytes) return refuse("the memory of the caller is too small");
      owned.bank = *std::move(bank);
      return std::nullopt;
    }
  }
  if (request.device_type != 0 && !options_.devices_on_host) {
    return refuse("the bank lies on another device, and the caller provides no memory");
  }
  auto too_much = Take(method.name, "bank " + std::to_string(memory_id), nbytes);
  if (too_much) return too_much;
  auto* memory = static_cast<std::byte*>(
      ::operator new(std::max<size_t>(nbytes, 1), kBankAlignment, std::nothrow));
  if (memory == nullptr) return OutOfMemory(method.name);
  owned.memory = {memory, Free};
  owned.bank.bytes = {memory, nbytes};
  return std::nullopt;
}

std::optional<RunFault> Instance::MakeBanks() {
  std::map<uint32_t, uint64_t> largest;  // of common banks
  std::map<uint32_t, Owned*> common;
  for (const Method& method : program_.methods) {
    for (uint32_t id = 1; id < method.bank_sizes.size(); ++id) {
      if (!IsCommon(options_.policy, id)) continue;
      const uint64_t nbytes = method.bank_sizes[id];
      const auto [known, is_new] = largest.try_emplace(id, nbytes);
      if (!is_new && known->second != nbytes && options_.unequal == UnequalBanks::kRefuse) {
        return RunFault{RunFault::Kind::kRefused, method.name, -1, "",
                        "bank " + std::to_string(id) + " is common to all methods. It has " +
                            std::to_string(nbytes) + " bytes here and " +
                            std::to_string(known->second) + " in another method"};
      }
      known->second = std::max(known->second, nbytes);
    }
  }
  for (const Method& method : program_.methods) {
    auto& banks = banks_.emplace_back(method.bank_sizes.size(), nullptr);
    for (uint32_t id = 1; id < banks.size(); ++id) {
      const bool is_common = IsCommon(options_.policy, id);
      if (is_common && common.contains(id)) {
        banks[id] = common[id];
        continue;
      }
      Owned& owned = *owned_.emplace_back(std::make_unique<Owned>());
      const uint64_t nbytes = is_common ? largest[id] : method.bank_sizes[id];
      if (auto fault = MakeBank(method, id, nbytes, owned)) return fault;
      banks[id] = &owned;
      if (is_common) common[id] = &owned;
    }
  }
  ResetState();
  return std::nullopt;
}

// Buffers of one name in a common bank lie in one place.
std::optional<RunFault> Instance::CheckCommonState() const {
  std::map<std::pair<uint32_t, std::string_view>, const Tensor*> places;
  for (const Method& method : program_.methods) {
    for (const Tensor& tensor : method.tensors) {
      if (!tensor.planned || tensor.name.count == 0) continue;
      if (!IsCommon(options_.policy, tensor.bank)) continue;
      const std::string_view name = method.Text(tensor.name);
      const auto [known, is_new] = places.try_emplace({tensor.bank, name}, &tensor);
      const Tensor& other = *known->second;
      if (is_new || (other.offset == tensor.offset && other.nbytes == tensor.nbytes &&
                     other.dtype == tensor.dtype)) {
        continue;
      }
      return RunFault{RunFault::Kind::kRefused, method.name, -1, "",
                      "buffer '" + std::string(name) +
                          "' has another place, size or type in "
                          "bank " +
                          std::to_string(tensor.bank) + " than in another method"};
    }
  }
  return std::nullopt;
}

Result<LoadedMethod*, RunFault> Instance::MethodAt(size_t method) {
  if (methods_[method] != nullptr) return methods_[method].get();
  return WithinMemory([&] { return LoadMethod(method); },
                      [&] { return OutOfMemory(program_.methods[method].name); });
}

Result<LoadedMethod*, RunFault> Instance::LoadMethod(size_t method) {
  MethodMemory memory;
  memory.data = options_.data;
  for (const Owned* owned : banks_[method]) {
    memory.banks.push_back(owned == nullptr ? std::span<std::byte>() : owned->bank.bytes);
  }
  memory.constants.assign(constants_.begin(), constants_.end());
  memory.limits = limits_;
  const auto& given = options_.opaque_calls;
  const OpaqueCalls none;
  const OpaqueCalls& opaque = given != nullptr && method < given->size() ? (*given)[method] : none;
  auto loaded =
      LoadedMethod::Load(program_, method, memory, options_.kernels, options_.delegates, opaque);
  if (!loaded.ok()) return loaded.error();
  // What takes memory comes first: a method is loaded with its state, or not at all.
  ForEachStored(method, [&](Owned& owned, const Tensor& tensor, Bytes) {
    applied_.try_emplace({&owned, tensor.offset}, 0);
  });
  methods_[method] = std::move(loaded).value();
  ApplyInitialState(method);
  return methods_[method].get();
}

Bank* Instance::BankOf(size_t method, uint32_t memory_id) {
  const auto& banks = banks_[method];
  return memory_id < banks.size() && banks[memory_id] != nullptr ? &banks[memory_id]->bank
                                                                 : nullptr;
}

Bytes Instance::StoredValue(const Method& method, const Tensor& tensor) const {
  if (tensor.external && options_.data != nullptr) {
    const DataEntry* found = options_.data->Find(method.Text(tensor.name));
    return found == nullptr ? Bytes() : found->blob;
  }
  const auto& stored = program_.initial_values;
  return tensor.data_index > 0 && tensor.data_index < stored.size() ? stored[tensor.data_index]
                                                                    : Bytes();
}

// Calls each(bank, tensor, value) for the buffers that have a stored value.
template <class Each>
void Instance::ForEachStored(size_t method, const Each& each) {
  const Method& source = program_.methods[method];
  for (const Tensor& tensor : source.tensors) {
    if (!tensor.planned) continue;
    const Bytes value = StoredValue(source, tensor);
    const size_t count = std::min<size_t>(value.size(), tensor.nbytes);
    if (count > 0) each(*banks_[method][tensor.bank], tensor, value.first(count));
  }
}

void Instance::ApplyInitialState(size_t method) {
  ForEachStored(method, [&](Owned& owned, const Tensor& tensor, Bytes value) {
    uint64_t& applied = applied_.find({&owned, tensor.offset})->second;
    if (applied >= value.size() && options_.apply == ApplyState::kOnce) return;
    applied = std::max<uint64_t>(applied, value.size());
    owned.bank.copy_in(owned.bank.bytes.data() + tensor.offset, value.data(), value.size());
  });
}

void Instance::ResetState() {
  ResetConstants();
  for (auto& [place, bytes] : applied_) bytes = 0;
  for (const auto& owned : owned_) {
    if (owned->nbytes == 0) continue;
    const std::byte value = options_.fill == StateFill::kZero ? std::byte{0} : kPoison;
    owned->bank.fill(owned->bank.bytes.data(), value, owned->nbytes);
  }
  for (size_t m = 0; m < methods_.size(); ++m) {
    if (methods_[m] != nullptr) ApplyInitialState(m);
  }
}

}  // namespace pteproof
