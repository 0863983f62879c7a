#include "properties/manifest/linked.h"

#include <algorithm>
#include <set>
#include <utility>

#include "planner/state/module_init.h"
#include "properties/manifest/calls.h"
#include "runtime/sha256.h"

namespace pteproof {
namespace {

using planner::Linked;

// The names of a method's buffers in the linked program.
class NewNames {
 public:
  NewNames(const Linked& linked, std::string method)
      : linked_(linked), method_(std::move(method)) {}

  [[nodiscard]] std::string New(const std::string& buffer) const {
    const auto renamed = linked_.renamed.find({method_, buffer});
    return renamed == linked_.renamed.end() ? buffer : renamed->second;
  }
  [[nodiscard]] bool IsConstant(const std::string& buffer) const {
    return linked_.constants.contains({method_, buffer});
  }

  void Rename(std::optional<std::vector<std::string>>& buffers) const {
    if (!buffers) return;
    std::erase_if(*buffers, [&](const std::string& buffer) { return IsConstant(buffer); });
    for (std::string& buffer : *buffers) buffer = New(buffer);
  }

 private:
  const Linked& linked_;
  std::string method_;
};

// A buffer of the method that is a constant in it is none of its state.
ManifestMethod Renamed(const ManifestMethod& method, const NewNames& names) {
  ManifestMethod renamed = method;
  names.Rename(renamed.reads);
  names.Rename(renamed.mutates);
  std::erase_if(renamed.values, [&](const auto& each) { return names.IsConstant(each.second); });
  for (auto& [value, buffer] : renamed.values) buffer = names.New(buffer);
  if (!renamed.outputs) return renamed;
  for (ManifestOutput& output : *renamed.outputs) {
    if (output.of_buffer.empty()) continue;
    if (names.IsConstant(output.of_buffer)) {
      output.is_entry = false;
      output.of_buffer.clear();
    } else {
      output.of_buffer = names.New(output.of_buffer);
    }
  }
  return renamed;
}

std::vector<std::string> StatedBuffers(const ManifestMethod& method) {
  std::vector<std::string> buffers;
  for (const auto* list : {&method.reads, &method.mutates}) {
    if (*list) buffers.insert(buffers.end(), (*list)->begin(), (*list)->end());
  }
  for (const auto& [value, buffer] : method.values) buffers.push_back(buffer);
  if (method.outputs) {
    for (const ManifestOutput& output : *method.outputs) {
      if (!output.of_buffer.empty()) buffers.push_back(output.of_buffer);
    }
  }
  return buffers;
}

// A buffer of which each method has one of its own is stated for each.
void RenameBuffers(const Linked& linked, Manifest& manifest) {
  if (!manifest.buffers) return;
  for (const auto& [key, name] : linked.renamed) {
    const auto old = manifest.buffers->find(key.second);
    if (old == manifest.buffers->end() || !manifest.methods.contains(key.first)) continue;
    manifest.buffers->emplace(name, old->second);
  }
  std::set<std::string> used;
  for (const auto& [name, method] : manifest.methods) {
    for (std::string& buffer : StatedBuffers(method)) used.insert(std::move(buffer));
  }
  std::erase_if(*manifest.buffers, [&](const auto& each) {
    const bool was_renamed = std::ranges::any_of(
        linked.renamed, [&](const auto& renamed) { return renamed.first.second == each.first; });
    const bool is_constant = std::ranges::any_of(linked.constants, [&](const auto& constant) {
      return constant.second == each.first && manifest.methods.contains(constant.first);
    });
    return (was_renamed || is_constant) && !used.contains(each.first);
  });
}

ManifestBuffer SharedStatement(const planner::SharedBuffer& shared, bool set_by_method) {
  ManifestBuffer stated;
  stated.dtype = shared.form.dtype;
  stated.sizes = {shared.form.sizes.begin(), shared.form.sizes.end()};
  stated.shared = true;
  if (set_by_method) {
    stated.initial = InitialValue::kAny;
  } else if (shared.form.initial.empty()) {
    stated.initial = InitialValue::kZero;
  } else {
    stated.initial = InitialValue::kStored;
    stated.initial_sha256 = Sha256Hex(shared.form.initial);
  }
  return stated;
}

void Join(Manifest manifest, Manifest& into) {
  if (manifest.buffers) {
    if (!into.buffers) into.buffers.emplace();
    into.buffers->merge(*manifest.buffers);
  }
  into.methods.merge(manifest.methods);
  for (std::string& signature : manifest.operators) {
    if (std::ranges::find(into.operators, signature) == into.operators.end()) {
      into.operators.push_back(std::move(signature));
    }
  }
  for (Suppression& each : manifest.suppress) into.suppress.push_back(std::move(each));
  if (manifest.all_first.value_or(false)) into.all_first = true;
}

}  // namespace

std::string FileToLink::NewName(const std::string& method) const {
  const auto renamed = renames.find(method);
  return renamed == renames.end() ? method : renamed->second;
}

planner::LinkedFile LinkedFileOf(const FileToLink& file) {
  planner::LinkedFile linked = {file.name, file.program, {}, {}, file.manifest};
  const Manifest* manifest = file.manifest;
  for (const Method& method : file.program->methods) {
    planner::LinkedMethod& out = linked.methods.emplace_back();
    out.name = file.NewName(method.name);
    if (manifest == nullptr) continue;
    const auto stated = manifest->methods.find(method.name);
    if (stated == manifest->methods.end()) continue;
    out.values = stated->second.values;
    for (const auto* list : {&stated->second.reads, &stated->second.mutates}) {
      if (*list) out.reads.insert(out.reads.end(), (*list)->begin(), (*list)->end());
    }
  }
  if (manifest == nullptr || !manifest->buffers) return linked;
  for (const auto& [name, buffer] : *manifest->buffers) {
    if (buffer.shared.value_or(false)) linked.shared.insert(name);
  }
  return linked;
}

Manifest RenamedManifest(const FileToLink& file, const Linked& linked) {
  if (file.manifest == nullptr) return {};
  Manifest manifest = *file.manifest;
  manifest.program_sha256.clear();
  manifest.calls.reset();
  manifest.methods.clear();
  for (const auto& [name, method] : file.manifest->methods) {
    const std::string new_name = file.NewName(name);
    manifest.methods[new_name] = Renamed(method, NewNames(linked, new_name));
  }
  RenameBuffers(linked, manifest);
  if (manifest.buffers) {
    for (auto& [key, buffer] : *manifest.buffers) {
      for (const auto& [method, names] : std::exchange(buffer.names, {})) {
        buffer.names.emplace(file.NewName(method), names);
      }
    }
  }
  manifest.suppress.clear();
  for (const Suppression& each : file.manifest->suppress) {
    for (const Method& method : file.program->methods) {
      if (!each.method.empty() && each.method != method.name) continue;
      manifest.suppress.push_back({each.rule, file.NewName(method.name), each.reason});
    }
  }
  return manifest;
}

Manifest LinkedManifest(std::span<const FileToLink> files, const Linked& linked,
                        std::optional<Policy> policy) {
  Manifest manifest;
  for (const FileToLink& file : files) {
    Manifest renamed = RenamedManifest(file, linked);
    renamed.methods.erase(planner::kModuleInit);
    if (!manifest.policy && renamed.policy != Policy::kPrivate) manifest.policy = renamed.policy;
    Join(std::move(renamed), manifest);
  }
  manifest.policy = policy ? *policy : manifest.policy.value_or(Policy::kShare12);
  for (const planner::SharedBuffer& shared : linked.shared) {
    if (!manifest.buffers) manifest.buffers.emplace();
    (*manifest.buffers)[shared.name] = SharedStatement(shared, linked.init);
    const bool stored = !linked.init && !shared.form.initial.empty();
    if (stored && shared.users > 1) manifest.all_first = true;
  }
  if (linked.init) {
    ManifestMethod& init = manifest.methods[planner::kModuleInit];
    init.reads.emplace();
    init.mutates.emplace();
    init.inputs.emplace();
    init.outputs.emplace();
    for (const planner::SharedBuffer& shared : linked.shared) init.mutates->push_back(shared.name);
    manifest.calls = InitialProtocol(linked.program);
  }
  return manifest;
}

std::optional<CallProtocol> InitialProtocol(const Program& program) {
  std::string choice;
  for (const Method& method : program.methods) {
    if (method.name == planner::kModuleInit) continue;
    choice += (choice.empty() ? "" : " | ") + method.name;
  }
  const std::string text =
      std::string(planner::kModuleInit) + (choice.empty() ? "" : " (" + choice + ")*");
  auto pattern = ParseCalls(text);
  if (!pattern.ok()) return std::nullopt;
  const size_t expected = program.methods.size();
  if (CallsOf(pattern.value()).size() != expected) return std::nullopt;
  return CallProtocol{text, std::move(pattern).value()};
}

Manifest SplitManifest(const Manifest* manifest, const planner::SplitProgram& made) {
  const Program& part = made.program;
  Manifest split;
  if (manifest != nullptr) split = *manifest;
  split.program_sha256.clear();
  const auto has = [&](const std::string& method) {
    return std::ranges::find(part.methods, method, &Method::name) != part.methods.end();
  };
  std::erase_if(split.methods, [&](const auto& each) { return !has(each.first); });
  std::erase_if(split.suppress,
                [&](const Suppression& each) { return !each.method.empty() && !has(each.method); });
  std::set<std::string> named;
  for (const Method& method : part.methods) {
    for (size_t v = 0; v < method.values.size(); ++v) {
      named.emplace(method.NameOf(static_cast<int32_t>(v)));
    }
  }
  if (const auto init = split.methods.find(planner::kModuleInit); init != split.methods.end()) {
    auto& mutates = init->second.mutates;
    if (mutates)
      std::erase_if(*mutates, [&](const auto& buffer) { return !named.contains(buffer); });
  }
  if (split.buffers) {
    for (auto& [key, buffer] : *split.buffers) {
      std::erase_if(buffer.names, [&](const auto& each) { return !has(each.first); });
    }
  }
  std::set<std::string> used = named;
  for (const auto& [name, method] : split.methods) {
    for (std::string& buffer : StatedBuffers(method)) used.insert(std::move(buffer));
  }
  if (split.buffers) {
    std::erase_if(*split.buffers, [&](const auto& each) { return !used.contains(each.first); });
  }
  for (const planner::SplitConstant& constant : made.constants) {
    split.methods[constant.method].values[constant.value] = constant.buffer;
    if (!split.buffers) split.buffers.emplace();
    split.buffers->try_emplace(constant.buffer,
                               SharedStatement({constant.buffer, constant.form}, false));
  }
  split.calls = has(planner::kModuleInit) ? InitialProtocol(part) : std::nullopt;
  return split;
}

}  // namespace pteproof
