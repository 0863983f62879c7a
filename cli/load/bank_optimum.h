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

// One for each of `banks`, which are of this program. Searches each bank for so
// many seconds; without them with equal work on every machine, up to two seconds.
[[nodiscard]] std::vector<BankOptimum> OptimaOf(const Program& program,
                                                std::span<const BankUse> banks,
                                                std::optional<double> seconds);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_BANK_OPTIMUM_H_
