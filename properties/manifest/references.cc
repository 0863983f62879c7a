#include "properties/manifest/references.h"

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pteproof {
namespace {

// One method of a manifest, with the pointer to it.
struct MethodPlace {
  const Manifest& manifest;
  const ManifestMethod& method;
  std::string pointer;
  ManifestErrors& errors;

  [[nodiscard]] std::string At(std::string_view list, size_t index) const {
    return PointerTo(pointer, list, index);
  }
};

void CheckBuffer(const MethodPlace& at, const std::string& name, std::string where) {
  const auto& buffers = at.manifest.buffers;
  if (!buffers || buffers->contains(name)) return;
  at.errors.Add(std::move(where),
                fmt::format("/buffers has no buffer {}; correct the name, add the buffer, or "
                            "leave it out here if no method mutates it",
                            Quoted(name)));
}

void CheckInput(const MethodPlace& at, int32_t position, std::string where) {
  const auto& inputs = at.method.inputs;
  if (!inputs || static_cast<size_t>(position) < inputs->size()) return;
  at.errors.Add(std::move(where),
                fmt::format("is {}; this method has {} inputs, and positions count from 0",
                            position, inputs->size()));
}

void CheckBuffers(const MethodPlace& at, std::string_view list,
                  const std::optional<std::vector<std::string>>& names) {
  if (!names) return;
  for (size_t i = 0; i < names->size(); ++i) CheckBuffer(at, (*names)[i], at.At(list, i));
}

void CheckInputs(const MethodPlace& at, std::string_view list,
                 const std::optional<std::vector<int32_t>>& positions) {
  if (!positions) return;
  std::set<int32_t> seen;
  for (size_t i = 0; i < positions->size(); ++i) {
    const int32_t position = (*positions)[i];
    if (seen.insert(position).second) {
      CheckInput(at, position, at.At(list, i));
    } else {
      at.errors.Add(at.At(list, i), fmt::format("is {} again; name each input once", position));
    }
  }
}

// Of outputs that are one value, each names the first.
void CheckSame(const MethodPlace& at, size_t i) {
  const std::vector<ManifestOutput>& outputs = *at.method.outputs;
  const auto first = static_cast<size_t>(*outputs[i].same_as);
  const std::string where = PointerTo(at.At("outputs", i), "same_as");
  if (first > i) {
    at.errors.Add(where, fmt::format("is {}; the output itself is {}, and the first of equal "
                                     "outputs is not behind it",
                                     first, i));
  } else if (outputs[first].same_as && static_cast<size_t>(*outputs[first].same_as) != first) {
    at.errors.Add(where, fmt::format("is {}, which is the same as output {} itself: name that one",
                                     first, *outputs[first].same_as));
  }
}

void CheckOutputs(const MethodPlace& at) {
  if (!at.method.outputs) return;
  for (size_t i = 0; i < at.method.outputs->size(); ++i) {
    const ManifestOutput& output = (*at.method.outputs)[i];
    const std::string where = at.At("outputs", i);
    if (!output.of_buffer.empty()) CheckBuffer(at, output.of_buffer, PointerTo(where, "of"));
    if (output.of_input) CheckInput(at, *output.of_input, PointerTo(where, "of_input"));
    if (output.same_as) CheckSame(at, i);
  }
}

void CheckDelegates(const MethodPlace& at) {
  std::set<int32_t> seen;
  for (size_t i = 0; i < at.method.delegates.size(); ++i) {
    const int32_t index = at.method.delegates[i].index;
    if (seen.insert(index).second) continue;
    at.errors.Add(PointerTo(at.At("delegates", i), "index"),
                  fmt::format("delegate call {} is described twice; keep one of them", index));
  }
}

// A method has each of its names for one buffer.
void CheckNames(const Manifest& manifest, ManifestErrors& errors) {
  if (!manifest.buffers) return;
  std::map<std::pair<std::string_view, std::string_view>, std::string_view> keys;
  for (const auto& [key, buffer] : *manifest.buffers) {
    const std::string at = PointerTo(PointerTo("/buffers", key), "names");
    for (const auto& [method, names] : buffer.names) {
      const std::string pointer = PointerTo(at, method);
      if (!manifest.methods.empty() && !manifest.methods.contains(method)) {
        errors.Add(pointer, fmt::format("/methods has no method {}; correct the name, or add the "
                                        "method",
                                        Quoted(method)));
      }
      for (const std::string& name : names) {
        const auto [known, fresh] = keys.try_emplace({method, name}, key);
        if (fresh) continue;
        errors.Add(pointer,
                   fmt::format("{} is a name of {} already; a method has it for one buffer",
                               Quoted(name), Quoted(known->second)));
      }
    }
  }
}

}  // namespace

void CheckReferences(const Manifest& manifest, ManifestErrors& errors) {
  CheckNames(manifest, errors);
  for (const auto& [name, method] : manifest.methods) {
    const MethodPlace at{manifest, method, PointerTo("/methods", name), errors};
    CheckBuffers(at, "reads", method.reads);
    CheckBuffers(at, "mutates", method.mutates);
    CheckInputs(at, "mutates_inputs", method.mutates_inputs);
    CheckInputs(at, "in_place_inputs", method.in_place_inputs);
    CheckOutputs(at);
    CheckDelegates(at);
    for (const auto& [value, buffer] : method.values) {
      CheckBuffer(at, buffer, at.At("values", static_cast<size_t>(value)));
    }
  }
}

}  // namespace pteproof
