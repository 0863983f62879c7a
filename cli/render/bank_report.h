// The parts that all reports on the storages of one bank have.
#ifndef PTEPROOF_CLI_RENDER_BANK_REPORT_H_
#define PTEPROOF_CLI_RENDER_BANK_REPORT_H_

#include <nlohmann/json.hpp>
#include <string>

#include "cli/load/lifetime_table.h"

namespace pteproof {

// "bank NAME: ", or nothing of a table without banks.
[[nodiscard]] std::string BankPrefix(const LifetimeBank& bank);

// The keys of a bank, which are the same whatever is said of it.
[[nodiscard]] nlohmann::ordered_json BankJson(const std::string& file, const LifetimeBank& bank);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_BANK_REPORT_H_
