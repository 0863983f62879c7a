// How small a bank could be: the file's own storages, placed anew.
#ifndef PTEPROOF_CLI_LOAD_BANK_OPTIMUM_H_
#define PTEPROOF_CLI_LOAD_BANK_OPTIMUM_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pteproof/program.h"
#include "pteproof/report.h"

namespace pteproof {

// Bytes, rounded up as BankUse::peak: no plan in which these storages keep apart ends below
// `at_least`, and one ends at `at_most`. Both 0 where the control flow is beyond the check's limit
// on work.
struct BankOptimum {
  uint64_t at_least = 0;
  uint64_t at_most = 0;
};

enum class OptimumSearch : uint8_t {
  kNone,
  kQuick,  // about 40 ms of search, for up to 4,000 storages of a file
  kFull,
};

// One for each of `banks`, which are of this program and of a sound plan: with little work, equal
// on every machine.
[[nodiscard]] std::vector<BankOptimum> QuickOptimaOf(const Program& program,
                                                     std::span<const BankUse> banks);

// One for each of `banks`, which are of this program. `is_sound`: in its plan no value is lost, so
// that no optimum is above it. Searches each bank for so many seconds; without them with equal work
// on every machine, up to two seconds.
[[nodiscard]] std::vector<BankOptimum> OptimaOf(const Program& program,
                                                std::span<const BankUse> banks, bool is_sound,
                                                std::optional<double> seconds);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_BANK_OPTIMUM_H_
