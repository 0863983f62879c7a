// An output in planned memory is valid until another method that shares its bank writes there: one
// note a method for the banks that the same loaders share.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rule_names.h"
#include "properties/rules/foreign_writes.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {
namespace {

// So many are looked for: of ten thousand methods that share a bank, each writes over all others.
constexpr size_t kMostWriters = 64;

struct OverwrittenOutput {
  size_t output = 0;  // position
  int32_t value = 0;
  std::set<int32_t> writers;  // methods
};

class OverwrittenOutputs {
 public:
  OverwrittenOutputs(const ProgramFacts& facts, const std::map<uint32_t, BankWrites>& banks)
      : facts_(facts), banks_(banks) {}

  std::vector<Finding> Run() && {
    for (size_t m = 0; m < facts_.methods.size(); ++m) OfMethod(static_cast<int32_t>(m));
    return std::move(findings_);
  }

 private:
  void OfMethod(int32_t m) {
    const MethodMeaning& meant = facts_.methods[static_cast<size_t>(m)];
    std::map<uint8_t, std::vector<OverwrittenOutput>> overwritten;  // by the policies that share it
    for (size_t k = 0; k < meant.method->outputs.size(); ++k) {
      const int32_t v = meant.method->outputs[k];
      const Place& place = meant.roles.place[static_cast<size_t>(v)];
      if (meant.roles.of[static_cast<size_t>(v)] != Role::kLocal || place.empty()) continue;
      OverwrittenOutput output = {k, v, WritersOver(place, m)};
      if (output.writers.empty()) continue;
      overwritten[PoliciesSharing(place.bank).bits].push_back(std::move(output));
    }
    for (const auto& [policies, outputs] : overwritten) Tell(meant, {policies}, outputs);
  }

  [[nodiscard]] bool IsLater(int32_t writer, int32_t method) const {
    return writer != method && (facts_.calls.IsAny() || facts_.calls.Has({{method}, {writer}}));
  }

  // Of the other methods that may be called after it; at most kMostWriters.
  [[nodiscard]] std::set<int32_t> WritersOver(const Place& place, int32_t method) const {
    std::set<int32_t> writers;
    const auto bank = banks_.find(place.bank);
    if (bank == banks_.end() || PoliciesSharing(place.bank) == PolicySet::None()) return writers;
    const size_t most = std::min(kMostWriters, facts_.methods.size() - 1);
    (void)bank->second.Find(place, [&](const ForeignWrite& w) {
      if (!writers.contains(w.method) && IsLater(w.method, method)) writers.insert(w.method);
      return writers.size() == most;
    });
    return writers;
  }

  // "'a', 'b' and 'c'", with `last` before the last one; of more than `most`, the number of the
  // rest, if it is known.
  [[nodiscard]] std::string NamesOf(const std::set<int32_t>& methods, std::string_view last,
                                    size_t most) const {
    std::string names;
    size_t named = 0;
    for (const int32_t m : methods) {
      const bool ends = ++named == methods.size();
      if (named > most && methods.size() >= kMostWriters)
        return fmt::format("{}{}others", names, last);
      if (named > most) return fmt::format("{}{}{} more", names, last, methods.size() - most);
      names += fmt::format("{}'{}'", named == 1 ? "" : ends ? last : ", ", facts_.MethodAt(m).name);
    }
    return names;
  }

  // "output 0 (v7 bank 1 [0,64)) by 'decode'; ...": as many as fit a line, one at least.
  [[nodiscard]] std::string WordsOf(const Method& method,
                                    const std::vector<OverwrittenOutput>& outputs) const {
    constexpr size_t kLine = 180;
    constexpr size_t kMostNamed = 4;
    std::string words;
    for (size_t o = 0; o < outputs.size(); ++o) {
      const std::string next = fmt::format("output {} ({}) by {}", outputs[o].output,
                                           ValueWords(method, outputs[o].value),
                                           NamesOf(outputs[o].writers, " and ", kMostNamed));
      if (o > 0 && words.size() + next.size() > kLine) {
        return words + fmt::format("; and {} more", outputs.size() - o);
      }
      words += (o == 0 ? "" : "; ") + next;
    }
    return words;
  }

  void Tell(const MethodMeaning& meant, PolicySet policies,
            const std::vector<OverwrittenOutput>& outputs) {
    constexpr size_t kMostToCall = 8;
    std::vector<int32_t> values;
    std::set<int32_t> writers;
    for (const OverwrittenOutput& output : outputs) {
      values.push_back(output.value);
      writers.insert(output.writers.begin(), output.writers.end());
    }
    const Place& first = meant.flow().PlaceOf(outputs.front().value);
    Finding finding = FindingAt(rule::kOutputInvalidated, Severity::kNote, *meant.method, -1,
                                std::move(values), first);
    finding.policies = policies;
    finding.explanation = fmt::format(
        "Under a loader that shares their banks, later calls write over outputs of '{}':\n{}.\n"
        "Each output is valid until the first such call.",
        meant.method->name, Capital(WordsOf(*meant.method, outputs)));
    finding.fix = fmt::format("Copy the outputs that you still need before you call {}.",
                              NamesOf(writers, " or ", kMostToCall));
    findings_.push_back(std::move(finding));
  }

  const ProgramFacts& facts_;
  const std::map<uint32_t, BankWrites>& banks_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> CheckOverwrittenOutputs(const ProgramFacts& facts,
                                             const std::map<uint32_t, BankWrites>& banks) {
  return OverwrittenOutputs(facts, banks).Run();
}

}  // namespace pteproof::checks
