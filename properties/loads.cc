// Idea: a method is loaded as a whole. Each operator that an instruction calls is looked up, each
// delegate is asked whether it is registered, each external tensor is looked up in the data, though
// no call may ever come to it. The first failure refuses the method.
//
// What is not known of the runtime decides nothing: an operator that Python registers after an
// import, or on another platform, is a note, and the answer is open.
#include "properties/loads.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "base/rule_names.h"
#include "properties/loaders.h"
#include "reference/op_wheel.h"
#include "runtime/delegates/opened_blob.h"

namespace pteproof {
namespace {

constexpr size_t kNamesShown = 5;

// What a method needs, each once, with the first instruction that calls it.
struct Need {
  std::string_view name;
  int32_t instruction = -1;
};

class Needs {
 public:
  void Add(std::string_view name, int32_t instruction = -1) {
    if (seen_.insert(name).second) needs_.push_back({name, instruction});
  }
  [[nodiscard]] std::vector<Need> Take() && { return std::move(needs_); }

 private:
  std::vector<Need> needs_;
  std::set<std::string_view> seen_;
};

std::string NamesOf(const std::vector<Need>& needs) {
  std::vector<std::string_view> names;
  for (const Need& need : needs) names.push_back(need.name);
  const size_t shown = std::min(names.size(), kNamesShown);
  const std::string list = fmt::format("{}", fmt::join(std::span(names).first(shown), ", "));
  return shown == names.size() ? list : fmt::format("{} and {} more", list, names.size() - shown);
}

std::string_view Plural(const std::vector<Need>& needs, std::string_view one,
                        std::string_view many) {
  return needs.size() == 1 ? one : many;
}

// "aten::relu_", "aten::add_.Tensor".
bool IsInPlace(const Need& need) {
  return need.name.substr(0, need.name.find('.')).ends_with('_');
}

std::string FixOf(const std::vector<Need>& missing, bool operators) {
  const std::string_view it = Plural(missing, "it", "them");
  if (!operators) return fmt::format("Lower without {0}, or link {0} into the runtime.", it);
  constexpr const char* kList = " into the runtime and list its operators (`--operators-of FILE`).";
  if (std::ranges::all_of(missing, IsInPlace)) {
    return fmt::format("Take {} out of the in-place rewrite at export, or link {}{}", it, it,
                       kList);
  }
  return fmt::format("Export without {0}, or link {0}{1}", it, kList);
}

class LoadCheck {
 public:
  LoadCheck(const Program& program, const TargetRuntime& runtime)
      : program_(program), runtime_(runtime), is_named_(!runtime.loader.empty()) {}

  Loads Run() && {
    for (const Method& method : program_.methods) {
      CheckOperators(method);
      CheckNamedData(method);
      if (!is_named_) continue;
      CheckDelegates(method);
      CheckDevices(method);
    }
    CheckData();
    if (runtime_.is_wheel && is_named_) CheckForms();
    if (!is_named_) return std::move(loads_);
    if (refused_ || !open_) loads_.answer = !refused_;
    return std::move(loads_);
  }

 private:
  struct Place {
    const Method* method = nullptr;  // null: the whole file
    int32_t instruction = -1;
  };

  Finding& Tell(Place place, std::string explanation, std::string fix) {
    Finding finding;
    finding.rule = rule::kLoadFails;
    finding.severity = Severity::kNote;
    if (place.method != nullptr) finding.method = place.method->name;
    finding.instruction = place.instruction;
    finding.explanation = std::move(explanation);
    finding.fix = std::move(fix);
    return loads_.findings.emplace_back(std::move(finding));
  }

  void Refuse(Place place, std::string explanation, std::string fix) {
    Finding& finding = Tell(place, std::move(explanation), std::move(fix));
    if (is_named_) finding.severity = Severity::kError;
    refused_ = true;
  }

  void LeaveOpen(Place place, std::string explanation, std::string fix) {
    Tell(place, std::move(explanation), std::move(fix));
    open_ = true;
  }

  void CheckOperators(const Method& method) {
    Needs called;
    for (size_t i = 0; i < method.instructions.size(); ++i) {
      const Instruction& at = method.instructions[i];
      if (at.kind != InstructionKind::kKernelCall) continue;
      called.Add(method.operators[static_cast<size_t>(at.target)].name, static_cast<int32_t>(i));
    }
    const std::vector<Need> needs = std::move(called).Take();
    if (runtime_.name.empty()) return CompareWithWheel(method, needs);
    TellMissing(method, "operator", "0x14, operator missing", Missing(needs, runtime_.operators));
  }

  // The runtime may be another one.
  void CompareWithWheel(const Method& method, std::vector<Need> needs) {
    open_ = true;
    std::erase_if(needs, [](const Need& need) { return !ConditionInWheel(need.name).empty(); });
    const std::vector<Need> missing = Missing(needs, OperatorsOfWheel());
    if (missing.empty()) return;
    LeaveOpen({&method, missing.front().instruction},
              fmt::format("Method '{}' calls {}.\nExecuTorch's wheel {} does not register {}. A "
                          "runtime without {} refuses to load the method.",
                          method.name, NamesOf(missing), ReleaseOfWheel(),
                          Plural(missing, "this operator", "these operators"),
                          Plural(missing, "it", "them")),
              is_named_ ? "Name the runtime's operators (`--operators-of FILE`)."
                        : "Name the loader (`--loader`), or the runtime's operators "
                          "(`--operators-of FILE`).");
  }

  static std::vector<Need> Missing(const std::vector<Need>& needs, const auto& registered) {
    std::vector<Need> missing;
    for (const Need& need : needs) {
      if (!std::ranges::binary_search(registered, need.name, std::less<>())) {
        missing.push_back(need);
      }
    }
    return missing;
  }

  // Of operators or delegates that the runtime is known not to register.
  void TellMissing(const Method& method, std::string_view kind, std::string_view error,
                   std::vector<Need> missing) {
    while (!missing.empty()) {
      const std::string when = runtime_.is_wheel ? ConditionInWheel(missing.front().name) : "";
      std::vector<Need> alike;
      std::erase_if(missing, [&](const Need& need) {
        const bool is_alike =
            (runtime_.is_wheel ? ConditionInWheel(need.name) : std::string()) == when;
        if (is_alike) alike.push_back(need);
        return is_alike;
      });
      const std::string needs = fmt::format(
          "Method '{}' needs the {} {}.", method.name,
          alike.size() == 1 ? std::string(kind) : fmt::format("{}s", kind), NamesOf(alike));
      const std::string_view it = Plural(alike, "it", "them");
      const Place place = {&method, alike.front().instruction};
      if (when.empty()) {
        Refuse(place,
               fmt::format("{}\n{} does not register {}.\nThe load of the method fails ({}).",
                           needs, runtime_.name, it, error),
               FixOf(alike, kind == "operator"));
      } else {
        LeaveOpen(place, fmt::format("{}\nThe wheel has {} only {}.", needs, it, when),
                  "Make sure of this before the load.");
      }
    }
  }

  void CheckDelegates(const Method& method) {
    Needs lowered;
    for (const Delegate& delegate : method.delegates) lowered.Add(delegate.id);
    const std::vector<Need> needs = std::move(lowered).Take();
    if (needs.empty()) return;
    open_ = open_ || !runtime_.is_wheel;
    if (!runtime_.is_wheel) return;
    std::vector<Need> missing = Missing(needs, DelegatesOfWheel());
    for (const Need& need : needs) {  // registered, and not usable everywhere
      const bool is_missing = std::ranges::find(missing, need.name, &Need::name) != missing.end();
      if (!is_missing && !ConditionInWheel(need.name).empty()) missing.push_back(need);
    }
    TellMissing(method, "delegate", "0x20, not found", std::move(missing));
  }

  // Recorded from the wheel, with XNNPACK.
  void CheckNamedData(const Method& method) {
    for (size_t d = 0; d < method.delegates.size(); ++d) {
      const delegates::OpenedBlob* opened = method.delegates[d].opened.get();
      if (opened == nullptr || !judged_.insert(opened).second) continue;
      Needs named;
      for (const std::string& key : opened->data_keys) {
        if (!IsThere(key)) named.Add(key);
      }
      const std::vector<Need> missing = std::move(named).Take();
      if (missing.empty()) continue;
      Refuse({&method},
             fmt::format(
                 "The {} blob of delegate {} is loaded with named data: {}.\nNeither the "
                 "program nor a data file has {}.\nThe load of the method fails (0x20, not found).",
                 opened->backend, d, NamesOf(missing), Plural(missing, "it", "them")),
             runtime_.has_data ? "Name the data file that the program was exported with (`--data`)."
                               : "Name the data file (`--data FILE.ptd`).");
    }
  }

  [[nodiscard]] bool IsThere(std::string_view key) {
    if (keys_.empty()) {
      keys_.insert(runtime_.data_keys.begin(), runtime_.data_keys.end());
      for (const NamedBlob& named : program_.named_data) keys_.insert(named.key);
    }
    return keys_.contains(key);
  }

  // Device memory comes from an allocator that is linked into the runtime. Recorded from the wheel.
  void CheckDevices(const Method& method) {
    if (method.bank_devices.empty()) return;
    if (!runtime_.is_wheel) {
      open_ = true;
      return;
    }
    Refuse(
        {&method},
        fmt::format("Bank {} of method '{}' lies on a device.\n{} has no allocator for memory of "
                    "devices.\nThe load of the method fails (0x20, not found).",
                    method.bank_devices.front().bank, method.name, runtime_.name),
        "Export without device memory, or load with a runtime that the device's allocator is "
        "linked into.");
  }

  // Recorded from the wheel.
  void CheckForms() {
    if (runtime_.forms.inline_constants) {
      Refuse(
          {},
          fmt::format("The file has no table of constants in a segment, as files before 0.4.\n{} "
                      "is built without the way to read it.\nThe load fails (0x23, invalid "
                      "program).",
                      runtime_.name),
          "Export the program again.");
    } else if (runtime_.forms.short_header) {
      LeaveOpen({},
                "The header of the file does not give the size of the segments, as files up to 0.6."
                "\nThe runtime takes the next bytes of the file for it, and may find the file too "
                "short.",
                "Export the program again.");
    }
  }

  void CheckData() {
    if (runtime_.has_data) return;
    const DataNeeded needed = DataNeededBy(program_);
    if (!needed.text.empty()) Refuse({}, needed.text, needed.fix);
  }

  const Program& program_;
  const TargetRuntime& runtime_;
  const bool is_named_;
  bool refused_ = false;
  bool open_ = false;
  std::set<std::string_view> keys_;                // of named data; empty: not yet asked, or none
  std::set<const delegates::OpenedBlob*> judged_;  // methods may share a blob
  Loads loads_;
};

}  // namespace

DataNeeded DataNeededBy(const Program& program) {
  Needs outside;
  for (const Method& method : program.methods) {
    for (const Tensor& tensor : method.tensors) {
      if (tensor.external) outside.Add(method.Text(tensor.name));
    }
  }
  const std::vector<Need> needs = std::move(outside).Take();
  if (needs.empty()) return {};
  return {fmt::format("The program needs {} {} from outside: {}.\nNo data file is given. Without "
                      "{} the load of a method fails (0x2, invalid state).",
                      needs.size(), Plural(needs, "tensor", "tensors"), NamesOf(needs),
                      Plural(needs, "it", "them")),
          "Name the data file (`--data FILE.ptd`)."};
}

void GiveData(std::span<const DataFile> files, TargetRuntime& runtime) {
  runtime.has_data = !files.empty();
  for (const DataFile& file : files) {
    for (const DataEntry& entry : file.entries) runtime.data_keys.push_back(entry.key);
  }
}

TargetRuntime RuntimeOfLoader(const std::string& loader) {
  TargetRuntime runtime;
  runtime.loader = loader;
  if (loader.empty() || !IsOfWheel(loader)) return runtime;
  const auto operators = OperatorsOfWheel();
  runtime.name = loader;
  runtime.operators.assign(operators.begin(), operators.end());
  runtime.is_wheel = true;
  return runtime;
}

Loads LoadsOf(const Program& program, const TargetRuntime& runtime) {
  return LoadCheck(program, runtime).Run();
}

bool IsRefusal(const Finding& finding) {
  return finding.rule == rule::kLoadFails && finding.severity == Severity::kError;
}

}  // namespace pteproof
