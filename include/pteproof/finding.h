// A finding: one violated rule, with its place, an explanation in words and
// a fix. Ranges of bytes are half-open; values and instructions are
// indices in the method's listing, as `pteproof inspect` prints them.
//
// Example:
//
//   pteproof::Finding finding;
//   finding.rule = "plan-overlap";
//   finding.policies = pteproof::PolicySet::Of(pteproof::Policy::kShareAll);
//   const bool harmless_alone = !finding.policies.Has(pteproof::Policy::kPrivate);
//   const bool is_error = pteproof::Name(finding.severity) == "error";
//   return harmless_alone && is_error ? 0 : 1;
#ifndef PTEPROOF_FINDING_H_
#define PTEPROOF_FINDING_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pteproof {

enum class Severity : uint8_t {
  kNote,     // something the file does not say, or that is worth knowing; changes no verdict
  kWarning,  // wasteful or fragile, or a kernel may go wrong on it; changes no verdict
  kError,    // some run reads or loses a wrong value, or the file must not be loaded
};

// "note", "warning", "error".
[[nodiscard]] constexpr std::string_view Name(Severity severity) {
  switch (severity) {
    case Severity::kNote:
      return "note";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  return "";
}

// Which banks the methods of one program share: the loader's choice, not the file's.
enum class Policy : uint8_t {
  kPrivate,   // every method has banks of its own (C++ Module's default)
  kShare12,   // memory ids 1 and 2 are common to all methods (Module with shared arenas)
  kShareAll,  // every memory id is common (the Python Runtime)
};
inline constexpr int kPolicyCount = 3;
inline constexpr std::array<Policy, kPolicyCount> kAllPolicies = {
    Policy::kPrivate, Policy::kShare12, Policy::kShareAll};

// "private", "share-1-2", "share-all": the words of options, manifests and output.
[[nodiscard]] constexpr std::string_view Name(Policy policy) {
  switch (policy) {
    case Policy::kPrivate:
      return "private";
    case Policy::kShare12:
      return "share-1-2";
    case Policy::kShareAll:
      return "share-all";
  }
  return "";
}

// The policy of that name, if there is one.
[[nodiscard]] constexpr std::optional<Policy> PolicyNamed(std::string_view name) {
  for (const Policy policy : kAllPolicies) {
    if (Name(policy) == name) return policy;
  }
  return std::nullopt;
}

// A set of policies, one bit each.
struct PolicySet {
  uint8_t bits = 0b111;

  static constexpr PolicySet All() { return {0b111}; }
  static constexpr PolicySet None() { return {0}; }
  static constexpr PolicySet Of(Policy p) {
    return {static_cast<uint8_t>(1U << static_cast<unsigned>(p))};
  }
  [[nodiscard]] constexpr bool Has(Policy p) const { return (bits & Of(p).bits) != 0; }
  [[nodiscard]] constexpr bool HasAll(PolicySet set) const { return (set.bits & ~bits) == 0; }
  constexpr void Add(Policy p) { AddAll(Of(p)); }
  constexpr void AddAll(PolicySet set) { bits = static_cast<uint8_t>(bits | set.bits); }
  constexpr bool operator==(const PolicySet&) const = default;
};

// Bytes [lo, hi) of a bank.
struct ByteRange {
  uint64_t lo = 0;
  uint64_t hi = 0;
  constexpr bool operator==(const ByteRange&) const = default;
};

// The expression of the model that a `.clone()` mends.
enum class Clone : uint8_t {
  kNone,
  kStored,  // the value that the model's line stores to the buffer, `values[0]`
  kResult,  // the result of the branch or loop that `clone_at` belongs to
  kOther,   // a value whose expression the file does not tell
};

// One of several places at which the cause of a finding shows.
struct FindingInstance {
  int32_t instruction = -1;
  std::vector<int32_t> values;
  uint32_t bank = 0;
  std::optional<ByteRange> bytes;
  std::string explanation;
};

struct Finding {
  std::string_view rule;  // its name (rules.h), in static storage
  Severity severity = Severity::kError;
  PolicySet policies =
      PolicySet::All();            // the policies it holds under; All: does not depend on one
  bool undecided = false;          // with kNote: leaves two readings, of which one is an error
  std::string method;              // empty: the whole file
  int32_t instruction = -1;        // index in the method's listing; -1: none
  std::vector<int32_t> values;     // value indices, the one that matters most first
  uint32_t bank = 0;               // memory id; 0: none
  std::optional<ByteRange> bytes;  // of that bank, or of the file for file-* rules
  std::string explanation;         // up to three lines: the place, the wrong bytes, their reader
  std::string fix;                 // the next step, in one line
  Clone clone = Clone::kNone;      // of what a clone in the model mends the finding
  int32_t clone_at = -1;           // index of an instruction of that line; -1: see `clone`
  std::string suppressed_because;  // non-empty: known, and why; shown, but changes no verdict
  // Between two methods: whose state is lost, or which method stores or loads it; and its bank.
  std::string other_method = {};
  uint32_t other_bank = 0;
  // If one cause shows at several places: all of them, the finding's own first. Else empty.
  std::vector<FindingInstance> instances = {};
};

}  // namespace pteproof

#endif  // PTEPROOF_FINDING_H_
