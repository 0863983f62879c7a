#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/rule_names.h"
#include "properties/rules/fix_words.h"
#include "properties/rules/manifest_rules.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"
#include "runtime/sha256.h"

namespace pteproof::checks {
namespace {

constexpr std::string_view kWrongStart = "The first call starts from a wrong state.";

// Exporters that write names have looked initial values up in the wrong table.
std::string_view FixOfStart(const Method& method, int32_t value) {
  return method.NameOf(value).empty() ? "Export the initial value again, or correct the manifest."
                                      : "Export without `emit_mutable_buffer_names`, or correct "
                                        "the manifest.";
}

class StatedInitials {
 public:
  explicit StatedInitials(const ProgramFacts& facts) : facts_(facts) {}

  std::vector<Finding> Run() && {
    for (const StateKey& key : facts_.states.keys) {
      const ManifestBuffer* stated = facts_.Stated(key.name);
      if (stated == nullptr) continue;
      for (const StateInstance& instance : key.instances) {
        Registered(*stated, instance);
        if (stated->initial.has_value()) Initial(key, *stated, instance);
      }
    }
    return std::move(findings_);
  }

 private:
  // Type and bytes as registered: else the name belongs to another tensor.
  void Registered(const ManifestBuffer& stated, const StateInstance& instance) {
    if (!stated.dtype.has_value() || !stated.sizes.has_value() || instance.place.bank == 0) return;
    uint64_t bytes = ElementSize(*stated.dtype);
    for (const int64_t size : *stated.sizes) bytes *= static_cast<uint64_t>(size);
    if (*stated.dtype == instance.dtype && bytes == instance.place.hi - instance.place.lo) return;
    Tell(rule::kSharedLayout, instance, PolicySet::All(),
         fmt::format("is registered as {} with {} bytes.\n"
                     "The name belongs to another tensor, or the method gives the buffer another "
                     "type or size.\n"
                     "A method does not find the value that another one stored.",
                     Name(*stated.dtype), bytes),
         "Give the buffer one type and size in all methods.");
  }

  void Initial(const StateKey& key, const ManifestBuffer& stated, const StateInstance& instance) {
    if (*stated.initial == InitialValue::kAny) return;
    if (instance.external) return;
    if (instance.initial > 0) {
      Stored(key, stated, instance);
    } else if (*stated.initial == InitialValue::kStored && instance.reads &&
               StatedRead(key, instance)) {
      Unstored(key, instance);
    }
  }

  // Whether the model's method uses the value at entry. A method that overwrites the whole buffer
  // piece by piece does not, whatever its instructions read.
  bool StatedRead(const StateKey& key, const StateInstance& instance) const {
    const ManifestMethod* stated = facts_.methods[static_cast<size_t>(instance.method)].stated;
    return stated == nullptr || !stated->reads.has_value() ||
           std::ranges::find(*stated->reads, key.name) != stated->reads->end();
  }

  // Nobody can see a wrong value that no method reads at entry.
  void Stored(const StateKey& key, const ManifestBuffer& stated, const StateInstance& instance) {
    const std::string_view consequence =
        key.read_somewhere ? kWrongStart : "No method reads its value at entry.";
    const size_t before = findings_.size();
    Compare(stated, instance, consequence);
    if (findings_.size() > before && !key.read_somewhere) {
      findings_.back().severity = Severity::kWarning;
    }
  }

  void Compare(const ManifestBuffer& stated, const StateInstance& instance,
               std::string_view consequence) {
    const Bytes all = facts_.program.initial_values[instance.initial];
    const Bytes data =
        all.first(std::min<uint64_t>(all.size(), instance.place.hi - instance.place.lo));
    if (*stated.initial == InitialValue::kZero) {
      if (std::ranges::all_of(data, [](std::byte b) { return b == std::byte{0}; })) return;
      Tell(rule::kInitialValueWrong, instance, PolicySet::All(),
           fmt::format("starts at zero in the model.\n"
                       "The file stores another value for it (data {}).\n{}",
                       instance.initial, consequence),
           FixOfStart(facts_.MethodAt(instance.method), instance.value));
      return;
    }
    if (stated.initial_sha256.empty() || Sha256Hex(data) == stated.initial_sha256) return;
    Tell(rule::kInitialValueWrong, instance, PolicySet::All(),
         fmt::format("does not start with its registered value.\n"
                     "The file stores data {} for it, which have another SHA-256.\n{}",
                     instance.initial, consequence),
         FixOfStart(facts_.MethodAt(instance.method), instance.value));
  }

  // The registered value is not zero, and this method's load does not store it. Another method's
  // load may, where the bank is common and all methods are loaded first.
  void Unstored(const StateKey& key, const StateInstance& instance) {
    PolicySet policies = PolicySet::None();
    const auto holder = std::ranges::find_if(key.instances, &StateInstance::initialised);
    const bool all_first =
        facts_.options.all_first || facts_.options.manifest->all_first.value_or(false);
    for (const Policy policy : {Policy::kPrivate, Policy::kShare12, Policy::kShareAll}) {
      const bool by_other = all_first && IsShared(policy, instance.place.bank) &&
                            std::ranges::any_of(key.instances, [&](const StateInstance& i) {
                              return i.initialised() && i.place == instance.place;
                            });
      if (!by_other) policies.Add(policy);
    }
    Tell(rule::kReadBeforeWrite, instance, policies,
         "has a registered initial value that the file does not hold for this method.\n"
         "If the method is called first, it reads bytes that nothing has written.\n"
         "Its results are wrong from the first call on.",
         FixOfUnstored(key.name, holder == key.instances.end()
                                     ? std::string_view()
                                     : facts_.MethodAt(holder->method).name));
  }

  void Tell(std::string_view rule, const StateInstance& instance, PolicySet policies,
            const std::string& what, std::string_view fix) {
    const Method& method = facts_.MethodAt(instance.method);
    const int32_t reader = facts_.methods[static_cast<size_t>(instance.method)]
                               .state_uses[static_cast<size_t>(instance.state)]
                               .reader;
    Finding finding =
        FindingAt(rule, Severity::kError, method, reader, {instance.value}, instance.place);
    finding.policies = policies;
    finding.explanation =
        fmt::format("Buffer {} of '{}' {}", ValueWords(method, instance.value), method.name, what);
    finding.fix = fix;
    findings_.push_back(std::move(finding));
  }

  const ProgramFacts& facts_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> CheckStatedInitials(const ProgramFacts& facts) {
  return StatedInitials(facts).Run();
}

}  // namespace pteproof::checks
