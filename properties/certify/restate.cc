#include "properties/certify/restate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "meaning/program_meaning.h"
#include "planner/lift/touches.h"
#include "planner/repair/method_editor.h"
#include "runtime/sha256.h"

namespace pteproof::certify {
namespace {

using planner::IndexOf;
using planner::MethodEditor;
using planner::Touch;

// The name of a value by the file, or by the manifest.
std::string_view NameIn(const Method& method, const ManifestMethod& stated, int32_t v) {
  const std::string_view name = method.NameOf(v);
  if (!name.empty()) return name;
  const auto found = stated.values.find(v);
  return found == stated.values.end() ? std::string_view() : std::string_view(found->second);
}

bool Holds(const std::vector<int32_t>& all, int32_t one) {
  return std::ranges::find(all, one) != all.end();
}

class Restater {
 public:
  Restater(const Program& program, const Manifest& manifest)
      : manifest_(manifest), restated_{program, {}} {}

  Restated Go() {
    for (Method& method : restated_.program.methods) {
      const auto stated = manifest_.methods.find(method.name);
      if (stated == manifest_.methods.end()) continue;
      NameConstants(method, stated->second);
      Redirect(method, stated->second);
      SetInitialValues(method, stated->second);
    }
    return std::move(restated_);
  }

 private:
  template <class... Parts>
  void Note(fmt::format_string<Parts...> text, Parts&&... parts) {
    restated_.changes.push_back(fmt::format(text, std::forward<Parts>(parts)...));
  }

  // --- A store to an argument that the model does not change, for want of one to a buffer.

  void Redirect(Method& method, const ManifestMethod& stated) {
    if (!stated.mutates || !stated.mutates_inputs) return;
    const auto store = CapturedStore(method, *stated.mutates_inputs);
    if (!store) return;
    const auto buffer = BufferWithoutStore(method, stated);
    if (!buffer) return;
    MethodEditor editor(method);
    const size_t slot = method.Ints(method.instructions[IndexOf(*store)].args).size() - 1;
    editor.SetArgument(*store, 0, *buffer);
    editor.SetArgument(*store, slot, *buffer);
    Note("'{}': the store of instruction {} goes to buffer '{}' (v{}) in place of an argument",
         method.name, *store, NameIn(method, stated, *buffer), *buffer);
    method = editor.Take();
  }

  // The only one of the method.
  static std::optional<int32_t> CapturedStore(const Method& method,
                                              const std::vector<int32_t>& mutated_inputs) {
    std::optional<int32_t> captured;
    for (size_t i = 0; i < method.instructions.size(); ++i) {
      const Instruction& call = method.instructions[i];
      if (call.kind != InstructionKind::kKernelCall) continue;
      if (method.operators[IndexOf(call.target)].name != "aten::copy_") continue;
      const auto input = std::ranges::find(method.inputs, method.Ints(call.args).front());
      if (input == method.inputs.end()) continue;
      if (Holds(mutated_inputs, static_cast<int32_t>(input - method.inputs.begin()))) continue;
      if (captured) return std::nullopt;
      captured = static_cast<int32_t>(i);
    }
    return captured;
  }

  // The only buffer that the model stores to and the method does not.
  [[nodiscard]] std::optional<int32_t> BufferWithoutStore(const Method& method,
                                                          const ManifestMethod& stated) const {
    const auto meant = meaning::MeaningOf(restated_.program, &manifest_);
    const auto m = static_cast<size_t>(&method - restated_.program.methods.data());
    std::vector<bool> written(method.values.size());
    for (const Touch& touch : planner::TouchesOf(meant.methods[m]).of_instruction) {
      for (const int32_t v : touch.fills) written[IndexOf(v)] = true;
      for (const int32_t v : touch.updates) written[IndexOf(v)] = true;
    }
    std::optional<int32_t> lost;
    for (const std::string& name : *stated.mutates) {
      std::optional<int32_t> first;
      bool is_written = false;
      for (size_t v = 0; v < method.values.size(); ++v) {
        const auto value = static_cast<int32_t>(v);
        const Tensor* tensor = method.TensorOf(value);
        if (tensor == nullptr || !tensor->planned || Holds(method.inputs, value)) continue;
        if (NameIn(method, stated, value) != name) continue;
        if (!first) first = value;
        is_written = is_written || written[v];
      }
      if (is_written) continue;
      if (!first || lost) return std::nullopt;
      lost = first;
    }
    return lost;
  }

  // --- A constant that the model has as a buffer, at the place where other methods have it.

  void NameConstants(Method& method, const ManifestMethod& stated) {
    for (const auto& [v, name] : stated.values) {
      const Tensor* constant = IsValue(method, v) ? method.TensorOf(v) : nullptr;
      if (constant == nullptr || constant->planned || constant->data_index == 0) continue;
      const Tensor* buffer = PlacedBuffer(name);
      const bool is_zero = StartsAtZero(name);
      if (buffer == nullptr || !is_zero || buffer->nbytes != constant->nbytes) continue;
      Tensor& tensor = method.tensors[method.values[IndexOf(v)].tensor];
      tensor.planned = true;
      tensor.data_index = 0;
      tensor.bank = buffer->bank;
      tensor.offset = buffer->offset;
      std::vector<uint64_t>& sizes = method.bank_sizes;
      sizes.resize(std::max(sizes.size(), size_t{buffer->bank} + 1));
      sizes[buffer->bank] = std::max(sizes[buffer->bank], buffer->offset + buffer->nbytes);
      tensor.name = {static_cast<uint32_t>(method.text.size()), static_cast<uint32_t>(name.size())};
      method.text += name;
      Note("'{}': constant v{} is buffer '{}'", method.name, v, name);
    }
  }

  static bool IsValue(const Method& method, int32_t v) {
    return v >= 0 && IndexOf(v) < method.values.size();
  }

  [[nodiscard]] const Tensor* PlacedBuffer(const std::string& name) const {
    for (const Method& method : restated_.program.methods) {
      const auto stated = manifest_.methods.find(method.name);
      if (stated == manifest_.methods.end()) continue;
      for (size_t v = 0; v < method.values.size(); ++v) {
        const Tensor* tensor = method.TensorOf(static_cast<int32_t>(v));
        if (tensor == nullptr || !tensor->planned) continue;
        if (NameIn(method, stated->second, static_cast<int32_t>(v)) == name) return tensor;
      }
    }
    return nullptr;
  }

  [[nodiscard]] bool StartsAtZero(const std::string& name) const {
    const ManifestBuffer* buffer = BufferOf(name);
    return buffer != nullptr && buffer->initial == InitialValue::kZero;
  }

  [[nodiscard]] const ManifestBuffer* BufferOf(std::string_view name) const {
    if (!manifest_.buffers) return nullptr;
    const auto found = manifest_.buffers->find(std::string(name));
    return found == manifest_.buffers->end() ? nullptr : &found->second;
  }

  // --- Initial values.

  void SetInitialValues(Method& method, const ManifestMethod& stated) {
    for (size_t v = 0; v < method.values.size(); ++v) {
      const auto value = static_cast<int32_t>(v);
      if (method.TensorOf(value) == nullptr || Holds(method.inputs, value)) continue;
      Tensor& tensor = method.tensors[method.values[v].tensor];
      const std::string_view name = NameIn(method, stated, value);
      const ManifestBuffer* buffer = name.empty() ? nullptr : BufferOf(name);
      if (!tensor.planned || tensor.external || buffer == nullptr) continue;
      if (buffer->initial == InitialValue::kZero && tensor.data_index > 0) {
        tensor.data_index = 0;
        Note("'{}': buffer '{}' (v{}) starts at zero", method.name, name, v);
      } else if (buffer->initial == InitialValue::kStored && !buffer->initial_sha256.empty()) {
        FindStored(method, value, *buffer, tensor);
      }
    }
  }

  // Contents with the digest that the manifest states, wherever the file has them.
  void FindStored(const Method& method, int32_t v, const ManifestBuffer& buffer, Tensor& tensor) {
    Program& program = restated_.program;
    const auto fits = [&](Bytes blob) {
      return blob.size() >= tensor.nbytes &&
             Sha256Hex(blob.first(tensor.nbytes)) == buffer.initial_sha256;
    };
    if (tensor.nbytes == 0) return;
    if (tensor.data_index > 0 && fits(program.initial_values[tensor.data_index])) return;
    for (const auto* blobs : {&program.initial_values, &program.constants}) {
      const auto found = std::ranges::find_if(*blobs, fits);
      if (found == blobs->end()) continue;
      const Bytes blob = found->first(tensor.nbytes);
      if (program.initial_values.empty()) program.initial_values.emplace_back();
      tensor.data_index = static_cast<uint32_t>(program.initial_values.size());
      program.initial_values.push_back(blob);
      Note("'{}': buffer v{} starts with contents that the file has elsewhere", method.name, v);
      return;
    }
  }

  const Manifest& manifest_;
  Restated restated_;
};

// Every loader that shares banks shares these.
constexpr uint32_t kLastCommonBank = 2;

bool IsOnDevice(const Method& method, uint32_t bank) {
  return std::ranges::any_of(method.bank_devices, [&](const BankDevice& device) {
    return static_cast<uint32_t>(device.bank) == bank;
  });
}

template <class Each>
void ForEachNamedBuffer(Program& program, const Each& each) {
  for (Method& method : program.methods) {
    for (size_t v = 0; v < method.values.size(); ++v) {
      const auto value = static_cast<int32_t>(v);
      if (method.TensorOf(value) == nullptr || Holds(method.inputs, value)) continue;
      Tensor& tensor = method.tensors[method.values[v].tensor];
      if (tensor.planned && tensor.name.count > 0) each(method, tensor);
    }
  }
}

// The one of these that the program has; 0: none, and a target may not have it either.
uint32_t CommonBankOf(const Program& program) {
  for (uint32_t bank = kLastCommonBank; bank > 0; --bank) {
    const auto has = [&](const Method& method) {
      return bank < method.bank_sizes.size() && method.bank_sizes[bank] > 0;
    };
    if (std::ranges::any_of(program.methods, has)) return bank;
  }
  return 0;
}

// Buffers of several methods, to a bank that they share under every loader that shares banks.
void BringTogether(Restated& restated) {
  Program& program = restated.program;
  const uint32_t common = CommonBankOf(program);
  if (common == 0) return;
  std::map<std::string, std::set<std::string>> holders;  // methods, by name
  uint64_t end = 0;                                      // of that bank, in all methods
  bool is_cpu = true;
  for (const Method& method : program.methods) {
    is_cpu = is_cpu && !IsOnDevice(method, common);
    for (const Tensor& tensor : method.tensors) {
      if (tensor.planned && tensor.bank == common) {
        end = std::max(end, tensor.offset + tensor.nbytes);
      }
    }
  }
  ForEachNamedBuffer(program, [&](const Method& method, const Tensor& tensor) {
    if (tensor.bank <= kLastCommonBank || IsOnDevice(method, tensor.bank)) return;
    holders[std::string(method.Text(tensor.name))].insert(method.name);
  });
  std::map<std::string, uint64_t> moved;        // new offsets
  std::set<std::pair<Method*, uint32_t>> left;  // banks that buffers came from
  ForEachNamedBuffer(program, [&](Method& method, Tensor& tensor) {
    const std::string name(method.Text(tensor.name));
    const auto held = holders.find(name);
    if (!is_cpu || held == holders.end() || held->second.size() < 2) return;
    if (tensor.bank <= kLastCommonBank || IsOnDevice(method, tensor.bank)) return;
    const auto [at, fresh] = moved.try_emplace(name, end);
    if (fresh) {
      end += (tensor.nbytes / 16 + 1) * 16;
      restated.changes.push_back(
          fmt::format("buffer '{}', which {} methods have, comes from bank {} to bank {}", name,
                      held->second.size(), tensor.bank, common));
    }
    left.emplace(&method, tensor.bank);
    tensor.bank = common;
    tensor.offset = at->second;
  });
  for (const auto& [method, bank] : left) {
    const bool is_empty = std::ranges::none_of(
        method->tensors,
        [bank = bank](const Tensor& tensor) { return tensor.planned && tensor.bank == bank; });
    if (is_empty && bank < method->bank_sizes.size()) method->bank_sizes[bank] = 0;
  }
}

}  // namespace

Restated Restate(const Program& program, const Manifest* manifest, bool any_sharing) {
  Restated restated =
      manifest == nullptr ? Restated{program, {}} : Restater(program, *manifest).Go();
  if (any_sharing) BringTogether(restated);
  return restated;
}

Manifest WithSharing(Manifest manifest) {
  if (!manifest.buffers) return manifest;
  for (auto& [name, buffer] : *manifest.buffers) {
    const auto is_among = [&name = name](const std::optional<std::vector<std::string>>& names) {
      return names && std::ranges::find(*names, name) != names->end();
    };
    int users = 0;
    bool changed = false;
    for (const auto& [method, stated] : manifest.methods) {
      const bool changes = is_among(stated.mutates);
      changed = changed || changes;
      users += changes || is_among(stated.reads) ? 1 : 0;
    }
    if (changed && users > 1 && !buffer.shared) buffer.shared = true;
  }
  return manifest;
}

}  // namespace pteproof::certify
