#include "properties/rules/one_tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/rule_names.h"

namespace pteproof::checks {
namespace {

constexpr std::array kAboutOneBuffer = {rule::kSharedLayout, rule::kStateSplit,
                                        rule::kMutabilityMismatch, rule::kWriteBackMissing,
                                        rule::kInitialisedTwice};

// "'m.cross' of 'encode' and 'model.cross' of 'decode'"; empty if all methods have one name.
std::string NamesOf(const ManifestBuffer& stated) {
  std::vector<std::string> names;
  for (const auto& [method, own] : stated.names) {
    for (const std::string& name : own) names.push_back(fmt::format("'{}' of '{}'", name, method));
  }
  if (names.size() < 2) return {};
  const std::string last = std::move(names.back());
  names.pop_back();
  return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

// What the manifest calls a value.
std::string_view KeyOf(const ProgramFacts& facts, const std::string& method, int32_t value) {
  const auto& methods = facts.options.manifest->methods;
  if (const auto stated = methods.find(method); stated != methods.end()) {
    const auto key = stated->second.values.find(value);
    if (key != stated->second.values.end()) return key->second;
  }
  const auto in_file = std::ranges::find(facts.program.methods, method, &Method::name);
  return in_file == facts.program.methods.end() ? std::string_view() : in_file->NameOf(value);
}

}  // namespace

void NameOneTensor(const ProgramFacts& facts, std::vector<Finding>& findings) {
  if (facts.options.manifest == nullptr) return;
  for (Finding& finding : findings) {
    if (finding.values.empty() ||
        std::ranges::find(kAboutOneBuffer, finding.rule) == kAboutOneBuffer.end())
      continue;
    const ManifestBuffer* stated =
        facts.Stated(KeyOf(facts, finding.method, finding.values.front()));
    if (stated == nullptr) continue;
    const std::string names = NamesOf(*stated);
    if (names.empty()) continue;
    finding.fix = fmt::format(
        "In the model {} are one tensor, and the exporter goes by names: hold it under one name in "
        "all modules that are exported, or plan the program with pteproof (planner=\"pteproof\").",
        names);
  }
}

}  // namespace pteproof::checks
