#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/rule_names.h"
#include "properties/rules/fix_words.h"
#include "properties/rules/manifest_rules.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {
namespace {

class StatedReads {
 public:
  explicit StatedReads(const ProgramFacts& facts) : facts_(facts) {
    for (const auto& [name, method] : facts.options.manifest->methods) {
      if (!method.mutates.has_value()) continue;
      for (const std::string& buffer : *method.mutates) mutated_by_.try_emplace(buffer, name);
    }
    for (const StateKey& key : facts.states.keys) {
      if (key.name.empty()) continue;
      for (const StateInstance& i : key.instances) held_.insert({i.method, key.name});
    }
  }

  std::vector<Finding> Run() && {
    for (size_t m = 0; m < facts_.methods.size(); ++m) {
      const ManifestMethod* stated = facts_.methods[m].stated;
      if (stated == nullptr || !stated->reads.has_value()) continue;
      unnamed_.clear();
      for (const std::string& buffer : *stated->reads) Reads(m, buffer);
      if (unnamed_.size() == 1) Tell(facts_.methods[m], unnamed_.front(), -1);
      if (unnamed_.size() > 1) TellUnnamed(facts_.methods[m]);
    }
    return std::move(findings_);
  }

 private:
  // Without names, fewer planned buffers than the model's method uses mean that one is a constant.
  static bool LacksState(const MethodMeaning& meant) {
    return meant.roles.states.size() < StatedBuffers(*meant.stated).size();
  }

  void Reads(size_t m, const std::string& buffer) {
    const MethodMeaning& meant = facts_.methods[m];
    if (!mutated_by_.contains(buffer)) return;
    const int32_t constant = ConstantNamed(meant, buffer);
    const bool planned = held_.contains({static_cast<int32_t>(m), buffer});
    if (constant >= 0 || (!planned && HasStateNames(*meant.method, *meant.stated))) {
      Tell(meant, buffer, constant);
    } else if (!planned && LacksState(meant)) {
      unnamed_.push_back(buffer);
    }
  }

  void Tell(const MethodMeaning& meant, const std::string& buffer, int32_t constant) {
    Finding finding =
        FindingAt(rule::kMutabilityMismatch, Severity::kError, *meant.method, -1, {}, {});
    if (constant >= 0) finding.values = {constant};
    finding.explanation = fmt::format(
        "The model's '{}' reads buffer '{}', which '{}' mutates.\n"
        "The program holds the buffer {}.\n"
        "'{}' always reads the value of the time of export.",
        meant.method->name, buffer, mutated_by_.at(buffer),
        constant >= 0 ? "as constant " + ValueWords(*meant.method, constant)
                      : "nowhere in planned memory",
        meant.method->name);
    finding.fix = FixOf(CopyOf(buffer));
    findings_.push_back(std::move(finding));
  }

  // Which of them the program lacks is not known: one finding for the method.
  void TellUnnamed(const MethodMeaning& meant) {
    Finding finding =
        FindingAt(rule::kMutabilityMismatch, Severity::kError, *meant.method, -1, {}, {});
    finding.explanation = fmt::format(
        "The model's '{}' reads {} buffers that methods mutate, '{}' among them.\n"
        "The program plans only {} of the {} buffers that the method uses.\n"
        "'{}' always reads a value of the time of export.",
        meant.method->name, unnamed_.size(), unnamed_.front(), meant.roles.states.size(),
        StatedBuffers(*meant.stated).size(), meant.method->name);
    finding.fix = FixOf(CopyOf(unnamed_.front()));
    findings_.push_back(std::move(finding));
  }

  // How the buffer was exported where it is stored.
  ReadOnlyCopy CopyOf(const std::string& buffer) const {
    ReadOnlyCopy copy{.has_writer = false};
    for (const MethodMeaning& meant : facts_.methods) {
      if (meant.method->name != mutated_by_.at(buffer)) continue;
      copy.has_writer = true;
      // Without names it is not known which of the method's buffers it is: all count.
      copy.is_planned_there = !meant.roles.states.empty();
    }
    for (const StateKey& key : facts_.states.keys) {
      if (!key.name.empty() && key.name != buffer) continue;
      for (const StateInstance& i : key.instances) {
        copy.is_for_sharing = copy.is_for_sharing || (i.writes && IsForSharing(facts_, i));
      }
    }
    return copy;
  }

  // The value that the manifest calls by this name, when it is a constant; -1: none is.
  static int32_t ConstantNamed(const MethodMeaning& meant, const std::string& buffer) {
    for (const auto& [value, name] : meant.stated->values) {
      const bool known = static_cast<size_t>(value) < meant.roles.of.size();
      if (name == buffer && known && meant.roles.of[static_cast<size_t>(value)] == Role::kConstant)
        return value;
    }
    return -1;
  }

  const ProgramFacts& facts_;
  std::map<std::string, std::string> mutated_by_;  // buffer to the first method that mutates it
  std::set<std::pair<int32_t, std::string_view>> held_;  // method and name of planned buffers
  std::vector<std::string> unnamed_;                     // of one method: buffers that it may lack
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> CheckStatedReads(const ProgramFacts& facts) {
  return StatedReads(facts).Run();
}

}  // namespace pteproof::checks
