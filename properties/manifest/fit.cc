#include "properties/manifest/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/counted.h"
#include "meaning/method_meaning.h"
#include "properties/manifest/buffer_keys.h"
#include "properties/manifest/calls.h"
#include "properties/manifest/errors.h"

namespace pteproof {
namespace {

// The first few names of a range, in quotes; "none" of an empty one.
template <class Names>
std::string Some(const Names& names) {
  constexpr size_t kMost = 8;
  std::string out;
  size_t listed = 0;
  for (const std::string_view name : names) {
    if (listed == kMost) return fmt::format("{} and {} more", out, names.size() - kMost);
    out += (listed++ == 0 ? "" : ", ") + Quoted(name);
  }
  return out.empty() ? "none" : out;
}

// A method of a manifest beside the program's.
class MethodFit {
 public:
  MethodFit(const ManifestMethod& stated, const Method& method, std::string pointer,
            ManifestErrors& errors)
      : stated_(stated), method_(method), pointer_(std::move(pointer)), errors_(errors) {}

  void Run() {
    Inputs();
    Written("mutates_inputs", stated_.mutates_inputs);
    Written("in_place_inputs", stated_.in_place_inputs);
    Outputs();
    Delegates();
    Values();
  }

 private:
  void Inputs() {
    if (!stated_.inputs) return;
    const size_t count = stated_.inputs->size();
    if (count != method_.inputs.size()) {
      errors_.Add(PointerTo(pointer_, "inputs"),
                  fmt::format("{}; the program's method has {}: list each, in order",
                              Counted(count, "input"), method_.inputs.size()));
      return;
    }
    for (size_t k = 0; k < count; ++k) {
      if (!(*stated_.inputs)[k].sizes || method_.TensorOf(method_.inputs[k]) != nullptr) continue;
      errors_.Add(PointerTo(PointerTo(pointer_, "inputs", k), "sizes"),
                  fmt::format("the program's input {} is not a tensor: leave its sizes out", k));
    }
  }

  bool HasInput(int32_t position, std::string where) {
    if (static_cast<size_t>(position) < method_.inputs.size()) return true;
    errors_.Add(
        std::move(where),
        fmt::format("is {}; the program's method has {}, and positions count from 0: correct or "
                    "drop it",
                    position, Counted(method_.inputs.size(), "input")));
    return false;
  }

  void Written(std::string_view list, const std::optional<std::vector<int32_t>>& positions) {
    if (!positions) return;
    for (size_t i = 0; i < positions->size(); ++i) {
      const int32_t position = (*positions)[i];
      if (!HasInput(position, PointerTo(pointer_, list, i))) continue;
      if (method_.TensorOf(method_.inputs[static_cast<size_t>(position)]) != nullptr) continue;
      errors_.Add(PointerTo(pointer_, list, i),
                  fmt::format("is {}; this input of the program is not a tensor, so no instruction "
                              "writes it: leave it out",
                              position));
    }
  }

  // The program returns these and the inputs that the method mutates. Where the manifest says how
  // many those are, another number is the checks' to judge.
  void Outputs() {
    if (!stated_.outputs) return;
    const size_t count = stated_.outputs->size();
    const size_t returned = method_.outputs.size();
    const bool too_few = !stated_.mutates_inputs && returned > count + method_.inputs.size();
    if (count > returned || too_few) {
      errors_.Add(PointerTo(pointer_, "outputs"),
                  fmt::format("{}; the program's method returns {}: list each, in order, without "
                              "those that return mutated inputs",
                              Counted(count, "output"), returned));
    }
    for (size_t k = 0; k < count; ++k) {
      const auto& of_input = (*stated_.outputs)[k].of_input;
      if (!of_input) continue;
      (void)HasInput(*of_input, PointerTo(PointerTo(pointer_, "outputs", k), "of_input"));
    }
  }

  void Delegates() {
    if (stated_.delegates.empty()) return;
    std::vector<uint32_t> arguments;  // per delegate call, how many
    for (const Instruction& at : method_.instructions) {
      if (at.kind == InstructionKind::kDelegateCall) arguments.push_back(at.args.count);
    }
    for (size_t i = 0; i < stated_.delegates.size(); ++i) {
      const ManifestDelegate& call = stated_.delegates[i];
      const std::string where = PointerTo(pointer_, "delegates", i);
      const auto index = static_cast<size_t>(call.index);
      if (index >= arguments.size()) {
        errors_.Add(
            PointerTo(where, "index"),
            fmt::format("is {}; the program's method has {}, and indices count from 0: correct or "
                        "drop it",
                        index, Counted(arguments.size(), "delegate call")));
      } else if (static_cast<uint32_t>(call.outputs) > arguments[index]) {
        errors_.Add(PointerTo(where, "outputs"),
                    fmt::format("is {}; the program's call has {}, and its outputs are the last "
                                "of them: correct the number",
                                call.outputs, Counted(arguments[index], "argument")));
      } else if (call.updates) {
        Updates(call, arguments[index], where);
      }
    }
  }

  // What a call updates is among its operands, which stand before its outputs.
  void Updates(const ManifestDelegate& call, uint32_t arguments, const std::string& where) {
    const uint32_t operands = arguments - static_cast<uint32_t>(call.outputs);
    for (size_t u = 0; u < call.updates->size(); ++u) {
      const int32_t position = (*call.updates)[u];
      if (static_cast<uint32_t>(position) < operands) continue;
      errors_.Add(PointerTo(where, "updates", u),
                  fmt::format("is {}; the program's call has {} before its outputs, and positions "
                              "count from 0: correct or drop it",
                              position, Counted(operands, "operand")));
    }
  }

  void Values() {
    for (const auto& [value, unused] : stated_.values) {
      const auto index = static_cast<size_t>(value);
      if (index >= method_.values.size()) {
        errors_.Add(PointerTo(pointer_, "values", index),
                    fmt::format("the program's method has {}, and indices count from 0: correct or "
                                "drop it",
                                Counted(method_.values.size(), "value")));
      } else if (method_.TensorOf(value) == nullptr) {
        errors_.Add(PointerTo(pointer_, "values", index),
                    "this value of the program is not a tensor, and a buffer is a tensor: correct "
                    "or drop it");
      }
    }
  }

  const ManifestMethod& stated_;
  const Method& method_;
  std::string pointer_;
  ManifestErrors& errors_;
};

// A buffer's name, and where the manifest speaks of it.
struct Mention {
  std::string_view name;
  std::string where;
};

// The buffers of which the manifest does not say who mutates them. With `buffers`, each name stands
// there.
std::vector<Mention> MentionsWithoutWriter(const Manifest& manifest) {
  std::set<std::string_view> mutated;
  for (const auto& [unused, method] : manifest.methods) {
    if (method.mutates) mutated.insert(method.mutates->begin(), method.mutates->end());
  }
  std::vector<Mention> mentions;
  const auto mention = [&](const std::string& name, std::string where) {
    if (!mutated.contains(name)) mentions.push_back({name, std::move(where)});
  };
  if (manifest.buffers) {
    for (const auto& [name, unused] : *manifest.buffers) mention(name, PointerTo("/buffers", name));
    return mentions;
  }
  for (const auto& [method_name, method] : manifest.methods) {
    const std::string pointer = PointerTo("/methods", method_name);
    for (size_t i = 0; method.reads && i < method.reads->size(); ++i) {
      mention((*method.reads)[i], PointerTo(pointer, "reads", i));
    }
    for (size_t k = 0; method.outputs && k < method.outputs->size(); ++k) {
      const std::string& of = (*method.outputs)[k].of_buffer;
      if (!of.empty()) mention(of, PointerTo(PointerTo(pointer, "outputs", k), "of"));
    }
  }
  return mentions;
}

// The names that the program gives its tensors, and that the manifest gives them for it.
std::set<std::string_view> BufferNames(const Manifest& manifest, const Program& program) {
  std::set<std::string_view> names;
  const auto keys = BufferKeys(manifest);
  for (const Method& method : program.methods) {
    for (const Tensor& tensor : method.tensors) {
      if (tensor.name.count == 0) continue;
      const std::string_view name = method.Text(tensor.name);
      const auto key = keys.find({method.name, name});
      names.insert(key == keys.end() ? name : key->second);
    }
  }
  for (const auto& [unused, method] : manifest.methods) {
    for (const auto& [value, name] : method.values) names.insert(name);
  }
  return names;
}

// Whether a method may keep a buffer that has no name in the file: planned, in memory that the
// caller brings, or inside a delegate.
bool MayKeepUnnamedState(const Method& method) {
  if (!method.delegates.empty()) return true;
  const meaning::MethodMeaning meant = meaning::MeaningOf(method, nullptr);
  const auto unnamed = [](const meaning::StateSlot& slot) { return slot.key.empty(); };
  if (std::ranges::any_of(meant.roles.states, unnamed)) return true;
  for (size_t v = 0; v < method.values.size(); ++v) {
    if (meant.roles.of[v] == meaning::Role::kCaller && !meant.roles.usage[v].is_output) return true;
  }
  return false;
}

void CheckBuffers(const Manifest& manifest, const Program& program, ManifestErrors& errors) {
  std::vector<Mention> mentions = MentionsWithoutWriter(manifest);
  if (mentions.empty()) return;
  const std::set<std::string_view> names = BufferNames(manifest, program);
  std::erase_if(mentions, [&](const Mention& mention) { return names.contains(mention.name); });
  if (mentions.empty() || std::ranges::any_of(program.methods, MayKeepUnnamedState)) return;
  const std::string has = Some(names);
  for (Mention& mention : mentions) {
    errors.Add(std::move(mention.where),
               fmt::format("the program has no buffer {} (it has {}): correct the name, or leave "
                           "it out if no method mutates it",
                           Quoted(mention.name), has));
  }
}

}  // namespace

std::vector<ManifestError> CheckFit(const Manifest& manifest, const Program& program) {
  ManifestErrors errors;
  std::map<std::string_view, const Method*> methods;
  std::vector<std::string_view> names;
  for (const Method& method : program.methods) {
    methods.emplace(method.name, &method);
    names.emplace_back(method.name);
  }
  const auto find = [&](const std::string& name, std::string where) -> const Method* {
    if (const auto it = methods.find(name); it != methods.end()) return it->second;
    errors.Add(std::move(where),
               fmt::format("the program has no method {} (it has {}): correct the name, or leave "
                           "the entry out",
                           Quoted(name), Some(names)));
    return nullptr;
  };
  for (const auto& [name, stated] : manifest.methods) {
    std::string pointer = PointerTo("/methods", name);
    const Method* method = find(name, pointer);
    if (method != nullptr) MethodFit(stated, *method, std::move(pointer), errors).Run();
  }
  if (manifest.calls) {
    for (const CallPattern* call : CallsOf(manifest.calls->pattern)) {
      if (methods.contains(call->method)) continue;
      errors.Add("/calls", fmt::format("column {}: the program has no method {} (it has {}): "
                                       "correct the name",
                                       call->at + 1, Quoted(call->method), Some(names)));
    }
  }
  CheckBuffers(manifest, program, errors);
  for (size_t i = 0; i < manifest.suppress.size(); ++i) {
    const std::string& name = manifest.suppress[i].method;
    if (!name.empty()) (void)find(name, PointerTo(PointerTo("", "suppress", i), "method"));
  }
  return errors.Take();
}

}  // namespace pteproof
