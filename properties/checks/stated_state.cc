#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "base/rule_names.h"
#include "properties/checks/manifest_rules.h"
#include "properties/checks/state_names.h"
#include "properties/checks/wording.h"

namespace pteproof::checks {
namespace {

class StatedState {
 public:
  explicit StatedState(const ProgramFacts& facts) : facts_(facts) {
    for (const auto& [name, method] : facts.options.manifest->methods) {
      if (method.reads.has_value()) read_.insert(method.reads->begin(), method.reads->end());
      reads_stated_ = reads_stated_ && method.reads.has_value();
      if (!method.mutates.has_value()) continue;
      for (const std::string& buffer : *method.mutates) mutated_by_.try_emplace(buffer, name);
    }
  }

  std::vector<Finding> Run() && {
    for (size_t m = 0; m < facts_.methods.size(); ++m) {
      const ManifestMethod* stated = facts_.methods[m].stated;
      if (stated == nullptr) continue;
      if (stated->mutates.has_value()) {
        for (const std::string& buffer : *stated->mutates) Stores(m, buffer);
      }
      if (stated->reads.has_value()) {
        for (const std::string& buffer : *stated->reads) Reads(m, buffer);
      }
    }
    return std::move(findings_);
  }

 private:
  const StateInstance* Find(size_t m, const std::string& buffer) const {
    for (const StateKey& key : facts_.states.keys) {
      if (key.name != buffer) continue;
      for (const StateInstance& i : key.instances) {
        if (i.method == static_cast<int32_t>(m)) return &i;
      }
    }
    return nullptr;
  }

  // Whether the file or the manifest names this method's state at all: else nothing can be missed
  // by name.
  bool HasNames(size_t m) const {
    const MethodCheck& check = facts_.methods[m];
    return !check.stated->values.empty() ||
           std::ranges::any_of(check.method->tensors,
                               [](const Tensor& t) { return t.name.count > 0 && !t.external; });
  }

  void Stores(size_t m, const std::string& buffer) {
    const MethodCheck& check = facts_.methods[m];
    const StateInstance* instance = Find(m, buffer);
    if (instance != nullptr && instance->writes) return;
    if (instance == nullptr && !HasNames(m) && MissingStores(m) == 0) return;
    const bool observed = IsObserved(m, buffer, instance);
    Finding finding = FindingAt(
        rule::kWriteBackMissing, observed ? Severity::kError : Severity::kWarning, *check.method,
        check.captured_store, {}, instance == nullptr ? Place{} : instance->place);
    if (instance != nullptr) finding.values = {instance->value};
    finding.story = fmt::format(
        "The model's '{}' stores to buffer '{}'; no instruction of the program does{}.\n"
        "{}",
        check.method->name, buffer,
        instance == nullptr ? ", nor has the method such a buffer"
                            : fmt::format(" ({})", ValueWords(*check.method, instance->value)),
        observed ? "Later calls read the old value."
                 : "No method reads the buffer, so no output shows it.");
    const bool onto_itself =
        instance != nullptr && check.self_copied[static_cast<size_t>(instance->state)];
    if (onto_itself && observed) {
      finding.severity = Severity::kNote;
      finding.undecided = true;
      finding.story +=
          "\nIt is stored onto itself, which is right only if the model does that too.";
    }
    findings_.push_back(std::move(finding));
  }

  // A buffer that no method reads can hold anything: its lost store shows in no output. Without
  // names it is not known whose store is missing; the unread buffers' may be.
  bool IsObserved(size_t m, const std::string& buffer, const StateInstance* instance) const {
    if (!reads_stated_) return true;
    if (!read_.contains(buffer)) return false;
    if (instance != nullptr || HasNames(m)) return true;
    const auto& mutated = *facts_.methods[m].stated->mutates;
    const auto unread = static_cast<size_t>(std::ranges::count_if(
        mutated, [&](const std::string& name) { return !read_.contains(name); }));
    return MissingStores(m) > unread;
  }

  // How many fewer buffers the method stores to than its model.
  size_t MissingStores(size_t m) const {
    const MethodCheck& check = facts_.methods[m];
    const auto stored = static_cast<size_t>(std::ranges::count(check.state_written, true));
    const size_t stated = check.stated->mutates->size();
    return stored < stated ? stated - stored : 0;
  }

  // Without names, fewer planned buffers than the model's method uses mean that one is a constant.
  bool LacksState(size_t m) const {
    const MethodCheck& check = facts_.methods[m];
    return check.roles.states.size() < StatedBuffers(*check.stated).size();
  }

  void Reads(size_t m, const std::string& buffer) {
    const MethodCheck& check = facts_.methods[m];
    const auto writer = mutated_by_.find(buffer);
    if (writer == mutated_by_.end()) return;
    const int32_t constant = ConstantNamed(check, buffer);
    if (constant < 0 && (Find(m, buffer) != nullptr || !(HasNames(m) || LacksState(m)))) return;
    Finding finding =
        FindingAt(rule::kMutabilityMismatch, Severity::kError, *check.method, -1, {}, {});
    if (constant >= 0) finding.values = {constant};
    finding.story = fmt::format(
        "The model's '{}' reads buffer '{}', which '{}' mutates.\n"
        "The program holds it {}, so '{}' goes on seeing the value of export time.\n"
        "Export the methods so that the buffer is planned memory in all of them.",
        check.method->name, buffer, writer->second,
        constant >= 0 ? "as constant " + ValueWords(*check.method, constant)
                      : "nowhere in planned memory",
        check.method->name);
    findings_.push_back(std::move(finding));
  }

  // The value that the manifest calls by this name, when it is a constant; -1: none is.
  static int32_t ConstantNamed(const MethodCheck& check, const std::string& buffer) {
    for (const auto& [value, name] : check.stated->values) {
      const bool known = static_cast<size_t>(value) < check.roles.of.size();
      if (name == buffer && known && check.roles.of[static_cast<size_t>(value)] == Role::kConstant)
        return value;
    }
    return -1;
  }

  const ProgramFacts& facts_;
  std::map<std::string, std::string> mutated_by_;  // buffer to the first method that mutates it
  std::set<std::string> read_;                     // buffers that some method reads
  bool reads_stated_ = true;                       // by all methods
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> CheckStatedState(const ProgramFacts& facts) {
  return StatedState(facts).Run();
}

}  // namespace pteproof::checks
