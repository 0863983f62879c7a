// ExecuTorch's own runtime, from its wheel, with one thread.
#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/extension/flat_tensor/flat_tensor_data_map.h>
#include <executorch/extension/memory_allocator/malloc_memory_allocator.h>
#include <executorch/runtime/executor/method.h>
#include <executorch/runtime/executor/program.h>
#include <executorch/runtime/platform/platform.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <numeric>
#include <optional>

#include "bench/engines/engine.h"

// The wheel has this class, but not its header.
namespace executorch::extension::threadpool {
class ThreadPool {
 public:
  bool _unsafe_reset_threadpool(uint32_t new_thread_count);
};
ThreadPool* get_threadpool();
}  // namespace executorch::extension::threadpool

namespace pteproof::bench {
namespace {

namespace et = executorch::runtime;
using TensorImpl = et::etensor::TensorImpl;

// What a call was refused for is said once, by us.
void BeSilent() {
  const auto drop = [](et_timestamp_t, et_pal_log_level_t, const char*, const char*, size_t,
                       const char*, size_t) {};
  et::register_pal(et::PalImpl::create(drop, __FILE__));
}

std::string Say(const char* step, et::Error error) {
  if (error == et::Error::Ok) return "";
  return std::string(step) + ": error " + std::to_string(static_cast<uint32_t>(error));
}

// Copies elements between row-major order and the order of the dims that a tensor has.
template <class Each>
void ForEachPlace(std::span<const int32_t> sizes, std::span<const int32_t> strides,
                  const Each& each) {
  size_t count = 1;
  for (const int32_t size : sizes) count *= static_cast<size_t>(size);
  for (size_t i = 0; i < count; ++i) {
    size_t rest = i;
    size_t place = 0;
    for (size_t d = sizes.size(); d-- > 0; rest /= static_cast<size_t>(sizes[d])) {
      place += rest % static_cast<size_t>(sizes[d]) * static_cast<size_t>(strides[d]);
    }
    each(i, place);
  }
}

// An input with what it points into.
struct Input {
  std::vector<int32_t> sizes;
  std::vector<int32_t> strides;
  std::vector<uint8_t> dim_order;
  std::vector<std::byte> bytes;
  std::optional<TensorImpl> tensor;
  std::optional<executorch::runtime::ArrayRef<char>> text;
  et::EValue value;
};

void FillTensor(const TensorValue& from, Input& to) {
  to.sizes.assign(from.sizes.begin(), from.sizes.end());
  if (to.dim_order.size() != to.sizes.size()) {
    to.dim_order.resize(to.sizes.size());
    std::iota(to.dim_order.begin(), to.dim_order.end(), uint8_t{0});
  }
  to.strides.resize(to.sizes.size());
  int32_t stride = 1;
  for (size_t d = to.sizes.size(); d-- > 0;) {
    to.strides[to.dim_order[d]] = stride;
    stride *= std::max(to.sizes[to.dim_order[d]], 1);
  }
  to.bytes.resize(from.bytes.size());
  const size_t size = ElementSize(from.dtype);
  ForEachPlace(to.sizes, to.strides, [&](size_t i, size_t place) {
    std::memcpy(&to.bytes[place * size], &from.bytes[i * size], size);
  });
  to.tensor.emplace(static_cast<et::etensor::ScalarType>(from.dtype),
                    static_cast<ssize_t>(to.sizes.size()), to.sizes.data(), to.bytes.data(),
                    to.dim_order.data(), to.strides.data());
  to.value = et::EValue(et::etensor::Tensor(&*to.tensor));
}

void Fill(const Datum& datum, Input& to) {
  if (const auto* tensor = std::get_if<TensorValue>(&datum)) FillTensor(*tensor, to);
  if (const auto* integer = std::get_if<int64_t>(&datum)) to.value = et::EValue(*integer);
  if (const auto* flag = std::get_if<bool>(&datum)) to.value = et::EValue(*flag);
  if (const auto* real = std::get_if<double>(&datum)) to.value = et::EValue(*real);
  if (const auto* text = std::get_if<std::string>(&datum)) {
    to.text.emplace(text->data(), text->size());
    to.value = et::EValue(&*to.text);
  }
}

struct LoadedByName {
  std::vector<std::vector<uint8_t>> memory;
  std::vector<et::Span<uint8_t>> banks;
  std::optional<et::HierarchicalAllocator> planned;
  executorch::extension::MallocMemoryAllocator runtime_memory;
  executorch::extension::MallocMemoryAllocator kernel_memory;
  std::optional<et::MemoryManager> manager;
  std::optional<et::Method> method;
};

class ExecutorchEngine : public Engine {
 public:
  explicit ExecutorchEngine(const EngineJob& job)
      : program_loader_(job.program.data(), job.program.size()),
        data_loader_(job.data.data(), job.data.size()) {}

  [[nodiscard]] std::string Load(const EngineJob& job) {
    auto program =
        et::Program::load(&program_loader_, et::Program::Verification::InternalConsistency);
    if (!program.ok()) return Say("load", program.error());
    program_.emplace(std::move(*program));
    if (!job.data.empty()) {
      auto data = executorch::extension::FlatTensorDataMap::load(&data_loader_);
      if (!data.ok()) return Say("data", data.error());
      data_.emplace(std::move(*data));
    }
    for (size_t m = 0; m < program_->num_methods(); ++m) {
      std::string why = LoadMethod(program_->get_method_name(m).get());
      if (!why.empty()) return why;
    }
    for (const EngineCall& call : job.calls) {
      if (std::string why = Add(call); !why.empty()) return why;
    }
    return "";
  }

  [[nodiscard]] std::string Call(size_t n) override {
    const ReadyCall& call = calls_[n];
    for (size_t i = 0; i < call.inputs.size(); ++i) {
      const et::Error error = call.method->set_input(call.inputs[i]->value, i);
      if (error != et::Error::Ok) return Say("set_input", error);
    }
    return Say("execute", call.method->execute());
  }

  [[nodiscard]] std::vector<std::vector<float>> Outputs(size_t n) override {
    std::vector<std::vector<float>> outputs;
    const et::Method& method = *calls_[n].method;
    for (size_t o = 0; o < method.outputs_size(); ++o) {
      const et::EValue& value = method.get_output(o);
      if (!value.isTensor()) continue;
      const et::etensor::Tensor tensor = value.toTensor();
      if (tensor.scalar_type() != et::etensor::ScalarType::Float) continue;
      auto& numbers = outputs.emplace_back(static_cast<size_t>(tensor.numel()));
      const std::span sizes(tensor.sizes().data(), tensor.sizes().size());
      const std::span strides(tensor.strides().data(), tensor.strides().size());
      const auto* from = tensor.const_data_ptr<float>();
      ForEachPlace(sizes, strides, [&](size_t i, size_t place) { numbers[i] = from[place]; });
    }
    return outputs;
  }

 private:
  struct ReadyCall {
    et::Method* method = nullptr;
    std::vector<std::unique_ptr<Input>> inputs;
  };

  [[nodiscard]] std::string LoadMethod(const std::string& name) {
    const auto meta = program_->method_meta(name.c_str());
    if (!meta.ok()) return Say("method_meta", meta.error());
    LoadedByName& loaded = methods_[name];
    for (size_t i = 0; i < meta->num_memory_planned_buffers(); ++i) {
      loaded.memory.emplace_back(static_cast<size_t>(meta->memory_planned_buffer_size(i).get()));
    }
    for (auto& bank : loaded.memory) loaded.banks.emplace_back(bank.data(), bank.size());
    loaded.planned.emplace(et::Span<et::Span<uint8_t>>(loaded.banks.data(), loaded.banks.size()));
    loaded.manager.emplace(&loaded.runtime_memory, &*loaded.planned, &loaded.kernel_memory);
    auto method = program_->load_method(name.c_str(), &*loaded.manager, nullptr,
                                        data_.has_value() ? &*data_ : nullptr);
    if (!method.ok()) return Say("load_method", method.error());
    loaded.method.emplace(std::move(*method));
    return GiveOutputs(*loaded.method);
  }

  [[nodiscard]] std::string GiveOutputs(et::Method& method) {
    const et::MethodMeta meta = method.method_meta();
    for (size_t i = 0; i < meta.num_outputs(); ++i) {
      const auto tag = meta.output_tag(i);
      if (!tag.ok() || *tag != et::Tag::Tensor) continue;
      const auto info = meta.output_tensor_meta(i);
      if (!info.ok()) return Say("output", info.error());
      if (info->is_memory_planned()) continue;
      auto& memory = outputs_.emplace_back(std::max<size_t>(info->nbytes(), 1));
      const et::Error error = method.set_output_data_ptr(memory.data(), info->nbytes(), i);
      if (error != et::Error::Ok) return Say("set_output_data_ptr", error);
    }
    return "";
  }

  [[nodiscard]] std::string Add(const EngineCall& call) {
    const auto found = methods_.find(call.method);
    if (found == methods_.end()) return "there is no method " + call.method;
    ReadyCall& ready = calls_.emplace_back();
    ready.method = &*found->second.method;
    const et::MethodMeta meta = ready.method->method_meta();
    if (meta.num_inputs() != call.inputs.size()) return "the number of inputs is another";
    for (size_t i = 0; i < call.inputs.size(); ++i) {
      Input& input = *ready.inputs.emplace_back(std::make_unique<Input>());
      const auto tag = meta.input_tag(i);
      if (tag.ok() && *tag == et::Tag::Tensor) {
        const auto info = meta.input_tensor_meta(i);
        if (info.ok()) input.dim_order.assign(info->dim_order().begin(), info->dim_order().end());
      }
      Fill(call.inputs[i], input);
    }
    return "";
  }

  executorch::extension::BufferDataLoader program_loader_;
  executorch::extension::BufferDataLoader data_loader_;
  std::optional<et::Program> program_;
  std::optional<executorch::extension::FlatTensorDataMap> data_;
  std::map<std::string, LoadedByName> methods_;
  std::vector<ReadyCall> calls_;
  std::deque<std::vector<uint8_t>> outputs_;
};

}  // namespace

LoadedEngine LoadExecutorch(const EngineJob& job) {
  static const bool kIsReady = [] {
    BeSilent();
    return executorch::extension::threadpool::get_threadpool()->_unsafe_reset_threadpool(1);
  }();
  if (!kIsReady) return std::string("ExecuTorch's threads cannot be set to one");
  auto engine = std::make_unique<ExecutorchEngine>(job);
  if (std::string why = engine->Load(job); !why.empty()) return why;
  return std::unique_ptr<Engine>(std::move(engine));
}

bool HasExecutorch() {
  return true;
}

}  // namespace pteproof::bench
