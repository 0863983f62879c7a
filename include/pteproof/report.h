// The result of a check: findings, a verdict per policy, and the use of each bank.
// Sizes and ranges are bytes.
//
// Example:
//
//   using pteproof::Verdict;
//   const pteproof::Verdicts verdicts = {Verdict::kSafe, Verdict::kSafe, Verdict::kUnsafe};
//   const pteproof::Overall of_all = pteproof::OverallOf(verdicts, std::nullopt);
//   return pteproof::Name(of_all) == "depends" ? 0 : 1;
#ifndef PTEPROOF_REPORT_H_
#define PTEPROOF_REPORT_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/finding.h"

namespace pteproof {

enum class Verdict : uint8_t { kSafe, kUndecided, kUnsafe };  // worse is larger
using Verdicts = std::array<Verdict, kPolicyCount>;           // indexed by Policy

// The verdict of a file.
enum class Overall : uint8_t { kSafe, kUndecided, kDepends, kUnsafe };

// With a policy, that policy's verdict. Without one, the verdict that all policies agree on, and
// kDepends if they differ.
[[nodiscard]] Overall OverallOf(const Verdicts& verdicts, std::optional<Policy> policy);

// "safe", "undecided", "unsafe"; the second also "depends".
[[nodiscard]] std::string_view Name(Verdict verdict);
[[nodiscard]] std::string_view Name(Overall verdict);

// How well a method's plan fills one bank, in bytes.
struct BankUse {
  std::string method;
  uint32_t bank = 0;
  uint64_t size = 0;  // as the file declares it
  uint64_t peak = 0;  // the end of the highest placement, rounded up to the plan's alignment
  // The peak live bytes: most bytes live at a time point, rounded so, the method's own state at all
  // of them. No plan of the same instructions with the same shared bytes needs less.
  uint64_t load = 0;
  uint64_t phantom = 0;                  // reserved, touched by no instruction
  std::vector<ByteRange> phantoms = {};  // their places: ascending, disjoint
  uint64_t guard = 0;  // behind the highest placement, left for the method's delegates: at most 64
  // The most that the peak live bytes shrink by if each state is stored when its value is made.
  uint64_t early_stores = 0;
};

// An unplanned output whose memory the caller may lay on an unplanned input's, at every call: that
// input is dead before the output's first write, and at least as large. No two name one input.
struct IoOverlay {
  std::string method;
  int32_t output = 0;  // value index
  int32_t input = 0;   // value index
};

struct Report {
  std::vector<Finding> findings;  // errors first, then by method and instruction
  Verdicts verdicts{};
  std::vector<BankUse> banks;
  std::vector<IoOverlay> overlays;
  std::vector<std::string> assumptions;  // the standing assumptions that this verdict leans on
};

}  // namespace pteproof

#endif  // PTEPROOF_REPORT_H_
