#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "bench/engines/engine.h"
#include "properties/oracles/run_values.h"
#include "pteproof/read.h"
#include "runtime/execute/instance.h"
#include "runtime/read_data.h"

namespace pteproof::bench {
namespace {

constexpr int64_t kFuel = 100'000'000;

class OwnEngine : public Engine {
 public:
  [[nodiscard]] std::string Load(const EngineJob& job) {
    auto read = ReadProgram(job.program);
    if (!read.ok()) return read.error().front().explanation;
    program_ = std::move(read).value();
    InstanceOptions options;
    if (!job.data.empty()) {
      auto data = ReadDataFile(job.data);
      if (!data.ok()) return data.error().front().explanation;
      data_.emplace(std::move(data).value());
      options.data = &*data_;
    }
    auto loaded = Instance::Load(program_, options);
    if (!loaded.ok()) return loaded.error().explanation;
    instance_ = std::move(loaded).value();
    for (const EngineCall& call : job.calls) {
      if (std::string why = Add(call); !why.empty()) return why;
    }
    return "";
  }

  [[nodiscard]] std::string Call(size_t n) override {
    const ReadyCall& call = calls_[n];
    for (size_t i = 0; i < call.inputs.size(); ++i) {
      if (const auto fault = call.method->SetInput(i, call.inputs[i])) return fault->explanation;
    }
    if (const auto fault = call.method->Execute(kFuel)) return fault->explanation;
    return "";
  }

  [[nodiscard]] std::vector<std::vector<float>> Outputs(size_t n) override {
    std::vector<std::vector<float>> outputs;
    LoadedMethod& method = *calls_[n].method;
    for (size_t o = 0; o < method.method().outputs.size(); ++o) {
      const Datum datum = DatumOf(method.Output(o));
      const auto* tensor = std::get_if<TensorValue>(&datum);
      if (tensor == nullptr || tensor->dtype != ScalarType::kFloat32) continue;
      auto& numbers = outputs.emplace_back();
      for (int64_t i = 0; i < ElementCount(*tensor); ++i) {
        numbers.push_back(static_cast<float>(RealAt(*tensor, i)));
      }
    }
    return outputs;
  }

 private:
  struct ReadyCall {
    LoadedMethod* method = nullptr;
    std::vector<RunInput> inputs;
  };

  [[nodiscard]] std::string Add(const EngineCall& call) {
    const auto found = std::ranges::find(program_.methods, call.method, &Method::name);
    if (found == program_.methods.end()) return "there is no method " + call.method;
    if (found->inputs.size() != call.inputs.size()) return "the number of inputs is another";
    const auto loaded = instance_->MethodAt(static_cast<size_t>(found - program_.methods.begin()));
    if (!loaded.ok()) return loaded.error().explanation;
    ReadyCall& ready = calls_.emplace_back(loaded.value());
    for (size_t i = 0; i < call.inputs.size(); ++i) {
      ready.inputs.push_back(InputFor(*found, i, call.inputs[i], memory_));
    }
    return GiveOutputs(*found, *ready.method);
  }

  // Memory for the outputs that the program has no place for.
  [[nodiscard]] std::string GiveOutputs(const Method& method, LoadedMethod& loaded) {
    for (size_t n = 0; n < method.outputs.size(); ++n) {
      const int32_t v = method.outputs[n];
      const Tensor* tensor = method.TensorOf(v);
      const bool placed = tensor == nullptr || tensor->planned || tensor->data_index > 0 ||
                          tensor->external || std::ranges::count(method.inputs, v) > 0;
      if (placed) continue;
      if (const auto fault = loaded.SetOutput(n, memory_.emplace_back(tensor->nbytes))) {
        return fault->explanation;
      }
    }
    return "";
  }

  Program program_;
  std::optional<DataFile> data_;
  std::unique_ptr<Instance> instance_;
  std::vector<ReadyCall> calls_;
  std::deque<std::vector<std::byte>> memory_;
};

}  // namespace

LoadedEngine LoadOwnEngine(const EngineJob& job) {
  auto engine = std::make_unique<OwnEngine>();
  if (std::string why = engine->Load(job); !why.empty()) return why;
  return std::unique_ptr<Engine>(std::move(engine));
}

}  // namespace pteproof::bench
