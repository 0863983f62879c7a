// Budgets of memory: "64KiB" of a program, "forward=64KiB" of a method, "forward:1=4096" of a bank.
#ifndef PTEPROOF_CLI_STANDARD_LIMIT_H_
#define PTEPROOF_CLI_STANDARD_LIMIT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/finding.h"
#include "pteproof/report.h"
#include "pteproof/result.h"

namespace pteproof {

struct Limit {
  std::string method;  // empty: all
  uint32_t bank = 0;   // 0: all
  uint64_t most = 0;   // bytes, or percent of the bank's size
  bool percent = false;
  std::string text;  // as it was written

  [[nodiscard]] bool IsOfAll() const { return method.empty() && bank == 0; }
};

// "[METHOD][:BANK]=SIZE", or "SIZE" alone. A size is bytes, a number with KiB, MiB or GiB, or, if
// `takes_percent`, a percentage. An error says what may stand there.
[[nodiscard]] Result<Limit, std::string> ParseLimit(std::string_view text, bool takes_percent);

// What a loader reserves for all banks of a program: banks that methods share count once, with the
// largest size. Without a policy nothing is shared.
[[nodiscard]] uint64_t TotalBytes(std::span<const BankUse> banks, std::optional<Policy> policy);

// Whether the program has what the limit is about.
[[nodiscard]] bool Applies(const Limit& limit, std::span<const BankUse> banks);

// One sentence for each excess. max-bytes: of the program, of a method's banks together, or of a
// bank. max-waste: of each bank.
[[nodiscard]] std::vector<std::string> OverBytes(const Limit& limit, std::span<const BankUse> banks,
                                                 std::optional<Policy> policy);
[[nodiscard]] std::vector<std::string> OverWaste(const Limit& limit,
                                                 std::span<const BankUse> banks);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_STANDARD_LIMIT_H_
