// Idea: methods exchange a value through a buffer only from a store in one method to a read at
// entry in another. Each such pair is judged under each policy by the banks that the policy shares:
//
//   share-1-2         put                get
//   'a'               bank 1 [0,16)      bank 1 [16,32)    shared, two places: shared-layout
//   'b'               bank 3 [0,16)      bank 3 [0,16)     private: state-split
//
// Under one name a method has one buffer. If it stores to one place and reads another, no read sees
// the store, whatever the loader shares: shared-layout as well.
//
// state-split is an error if the model means one buffer: a manifest says so, or the buffer has a
// name and one place in all methods, in banks that hold only state. A buffer without a name that is
// laid out so, or is one by its number, has two readings: methods of other models may have buffers
// of their own there. Otherwise it is a warning.
//
// Invariant: a buffer has at most one finding per rule for pairs of methods, whose policies are the
// ones under which some pair breaks it, and one for pairs within a method.
//
// Cost: O(methods^2) per buffer.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "base/rule_names.h"
#include "properties/rules/fix_words.h"
#include "properties/rules/histories.h"
#include "properties/rules/numbered_buffers.h"
#include "properties/rules/shared_state.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {
namespace {

constexpr std::array kPolicies = {Policy::kPrivate, Policy::kShare12, Policy::kShareAll};

// A store of one method that another method's read means to see.
struct Flow {
  const StateInstance* writer = nullptr;
  const StateInstance* reader = nullptr;
};

class LayoutCheck {
 public:
  explicit LayoutCheck(const ProgramFacts& facts) : facts_(facts) {}

  std::vector<Finding> Run() && {
    for (const StateKey& key : facts_.states.keys) {
      if (key.instances.size() > 1 && key.read_somewhere) Key(key);
    }
    return std::move(findings_);
  }

 private:
  void Key(const StateKey& key) {
    Twice(key);
    if (facts_.SharingOf(key) == Sharing::kApart) return;
    Layout(key);
    if (key.written_somewhere) Split(key);
  }

  // Store and read in different methods, as the test says; the first such pair.
  template <class Test>
  static std::optional<Flow> FindFlow(const StateKey& key, Test test) {
    return FindFlowFrom(key, &StateInstance::writes, test);
  }

  template <class Source, class Test>
  static std::optional<Flow> FindFlowFrom(const StateKey& key, Source source, Test test) {
    for (const StateInstance& writer : key.instances) {
      if (!std::invoke(source, writer)) continue;
      for (const StateInstance& reader : key.instances) {
        if (reader.reads && reader.method != writer.method && test(writer, reader))
          return Flow{&writer, &reader};
      }
    }
    return std::nullopt;
  }

  // Two places in one method.
  void Twice(const StateKey& key) {
    for (const StateInstance& writer : key.instances) {
      if (!writer.writes || key.name.empty() || writer.place.empty()) continue;
      const auto reader = std::ranges::find_if(key.instances, [&](const StateInstance& other) {
        return other.method == writer.method && other.reads && !other.place.empty() &&
               other.place != writer.place;
      });
      if (reader == key.instances.end()) continue;
      Finding finding =
          Tell(rule::kSharedLayout, Severity::kError, PolicySet::All(), {&writer, &*reader});
      finding.explanation = fmt::format(
          "{} stores {} in {} and reads it from {}.\nNo read finds the value that was stored.",
          NameOf(writer), Called(key), Where(writer), Where(*reader));
      finding.fix = "Give the buffer one place in the method.";
      findings_.push_back(std::move(finding));
      return;
    }
  }

  void Layout(const StateKey& key) {
    const StateInstance& first = key.instances.front();
    if (std::ranges::all_of(key.instances,
                            [&](const StateInstance& i) { return i.SameLayout(first); }))
      return;
    PolicySet policies = PolicySet::None();
    std::optional<Flow> flow;
    for (const Policy policy : {Policy::kShare12, Policy::kShareAll}) {
      const auto unlike = [&](const StateInstance& a, const StateInstance& b) {
        return !a.SameLayout(b) && !a.place.empty() && !b.place.empty() &&
               IsShared(policy, a.place.bank) && IsShared(policy, b.place.bank);
      };
      auto found = FindFlow(key, [&](const auto& a, const auto& b) {
        return unlike(a, b) && StoreReaches(facts_, key, a, b);
      });
      if (!found.has_value()) {
        found = FindFlowFrom(key, &StateInstance::initialised, [&](const auto& a, const auto& b) {
          return unlike(a, b) && ReachesByLoad(a, b) && LoadReaches(facts_, key, a, b);
        });
      }
      if (!found.has_value()) continue;
      policies.Add(policy);
      flow = found;
    }
    if (flow.has_value()) findings_.push_back(TellLayout(key, policies, *flow));
  }

  // Whether the reader gets what the load of the other method puts there: it has no load of its
  // own, or the loads lie over each other.
  static bool ReachesByLoad(const StateInstance& loaded, const StateInstance& reader) {
    return !reader.initialised() || loaded.place.Meets(reader.place);
  }

  Finding TellLayout(const StateKey& key, PolicySet policies, const Flow& flow) const {
    Finding finding = Tell(rule::kSharedLayout, Severity::kError, policies, flow);
    const bool stored = flow.writer->writes;
    finding.explanation = fmt::format(
        "{} {} {} in {}.\n{} reads the buffer from {}.\n"
        "Under a loader that shares these banks, {} does not find the value that {} {}.",
        NameOf(*flow.writer), stored ? "stores" : "loads", Called(key), Where(*flow.writer),
        NameOf(*flow.reader), Where(*flow.reader), NameOf(*flow.reader), NameOf(*flow.writer),
        stored ? "stored" : "loaded");
    const StateInstance& one = *flow.writer;
    const StateInstance& other = *flow.reader;
    finding.fix = FixOf(OtherLayout{
        .has_other_type = one.dtype != other.dtype ||
                          one.place.hi - one.place.lo != other.place.hi - other.place.lo,
        .is_for_sharing = IsForSharing(facts_, one) && IsForSharing(facts_, other)});
    return finding;
  }

  void Split(const StateKey& key) {
    PolicySet policies = PolicySet::None();
    std::optional<Flow> flow;
    for (const Policy policy : kPolicies) {
      const auto shared = [&](const StateInstance& i) { return IsShared(policy, i.place.bank); };
      if (std::ranges::all_of(key.instances, shared)) continue;
      const auto found = FindFlow(key, [&](const StateInstance& a, const StateInstance& b) {
        return (!shared(a) || !shared(b)) && StoreReaches(facts_, key, a, b);
      });
      if (!found.has_value()) continue;
      policies.Add(policy);
      flow = found;
    }
    if (!flow.has_value() || flow->writer->place.bank == 0) return;
    findings_.push_back(TellSplit(key, policies, *flow));
  }

  Finding TellSplit(const StateKey& key, PolicySet policies, const Flow& flow) const {
    const bool for_sharing = LaidOutForSharing(key);
    const bool meant = facts_.SharingOf(key) == Sharing::kOne || (!key.name.empty() && for_sharing);
    const bool undecided = !meant && (for_sharing || !key.name.empty() ||
                                      AreNumberedAlike(facts_, *flow.writer, *flow.reader));
    const Severity severity = meant       ? Severity::kError
                              : undecided ? Severity::kNote
                                          : Severity::kWarning;
    Finding finding = Tell(rule::kStateSplit, severity, policies, flow);
    finding.undecided = undecided;
    finding.explanation = fmt::format(
        "{} stores {} in {}.\n"
        "{} reads {}. If bank {} is private, each method has a bank of its own.\n"
        "{}{} does not see the stored value.",
        NameOf(*flow.writer), Called(key), Where(*flow.writer), NameOf(*flow.reader),
        Where(*flow.reader), flow.reader->place.bank,
        meant ? "" : "If both are one buffer of the model, ", NameOf(*flow.reader));
    finding.fix =
        meant               ? "Load the file with a policy that shares this bank."
        : !key.name.empty() ? "One buffer or two? Say in a manifest whether the buffer is `shared`."
        : undecided ? "One buffer or two? Export with names (`emit_mutable_buffer_names`), or say "
                      "in a manifest whether the buffer is `shared`."
                    : "Load the file with a policy that shares this bank, or state in a manifest "
                      "that the buffers are separate.";
    return finding;
  }

  // One placement in all methods, in a bank that holds nothing but state.
  bool LaidOutForSharing(const StateKey& key) const {
    const StateInstance& first = key.instances.front();
    return std::ranges::all_of(key.instances, [&](const StateInstance& i) {
      return i.SameLayout(first) && HoldsStateOnly(i.method, i.place.bank);
    });
  }

  bool HoldsStateOnly(int32_t method, uint32_t bank) const {
    const auto [known, fresh] = state_only_.try_emplace({method, bank}, false);
    if (fresh) {
      known->second = checks::HoldsStateOnly(facts_.methods[static_cast<size_t>(method)], bank);
    }
    return known->second;
  }

  static std::string Called(const StateKey& key) {
    return key.name.empty() ? std::string("a buffer without a name")
                            : fmt::format("buffer '{}'", key.name);
  }
  std::string NameOf(const StateInstance& i) const {
    return fmt::format("'{}'", facts_.MethodAt(i.method).name);
  }
  std::string Where(const StateInstance& i) const {
    return fmt::format("v{} {} ({})", i.value, Words(i.place), Name(i.dtype));
  }

  Finding Tell(std::string_view rule, Severity severity, PolicySet policies,
               const Flow& flow) const {
    Finding finding = FindingAt(rule, severity, facts_.MethodAt(flow.reader->method), -1,
                                {flow.reader->value}, flow.reader->place);
    finding.policies = policies;
    finding.other_method = facts_.MethodAt(flow.writer->method).name;
    finding.other_bank = flow.writer->place.bank;
    return finding;
  }

  const ProgramFacts& facts_;
  mutable std::map<std::pair<int32_t, uint32_t>, bool> state_only_;
  std::vector<Finding> findings_;
};

}  // namespace

const ManifestBuffer* ProgramFacts::Stated(std::string_view name) const {
  if (options.manifest == nullptr || !options.manifest->buffers.has_value() || name.empty())
    return nullptr;
  const auto it = options.manifest->buffers->find(std::string(name));
  return it == options.manifest->buffers->end() ? nullptr : &it->second;
}

Sharing ProgramFacts::SharingOf(const StateKey& key) const {
  const auto word = [&](std::string_view name) {
    const ManifestBuffer* stated = Stated(name);
    if (stated == nullptr || !stated->shared.has_value()) return Sharing::kUnknown;
    return *stated->shared ? Sharing::kOne : Sharing::kApart;
  };
  if (!key.name.empty()) return word(key.name);
  const auto& first = key.instances.front().possible;
  if (first.empty()) return Sharing::kUnknown;
  const auto is_everywhere = [&](std::string_view name) {
    return std::ranges::all_of(key.instances, [&](const StateInstance& i) {
      return std::ranges::binary_search(i.possible, name);
    });
  };
  std::optional<Sharing> all;
  for (const std::string_view name : first) {
    if (!is_everywhere(name)) continue;
    if (all.has_value() && *all != word(name)) return Sharing::kUnknown;
    all = word(name);
  }
  return all.value_or(Sharing::kUnknown);
}

std::vector<Finding> CheckStateLayout(const ProgramFacts& facts) {
  return LayoutCheck(facts).Run();
}

}  // namespace pteproof::checks
