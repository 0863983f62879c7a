// A loader that is not one of ExecuTorch's own: a table of the banks that it shares, of their sizes
// and devices. A program is judged under it as under the policy that does the same, with other
// memory ids.
#ifndef PTEPROOF_PROPERTIES_LOADER_TABLE_H_
#define PTEPROOF_PROPERTIES_LOADER_TABLE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pteproof/finding.h"
#include "pteproof/program.h"
#include "pteproof/report.h"

namespace pteproof {

struct LoaderBank {
  bool shared = false;           // all methods have one
  std::optional<uint64_t> size;  // the most that it has, in bytes; none: as much as is asked for
  uint8_t device_type = 0;       // 0: the host
  bool has_device = false;       // else it is not said
};

// Banks that are not in it are private and unbounded.
struct LoaderTable {
  std::string name;  // of its file
  std::map<uint32_t, LoaderBank> banks;
};

// A program whose banks have other ids, so that a policy shares those that the table shares.
struct UnderTable {
  Program program;
  LoaderTable table;  // with the ids there
  Policy policy = Policy::kPrivate;
  std::vector<uint32_t> own;  // by id there: the file's; empty: they are the same
};

// Nothing: the table shares more than two of the program's banks, and not all of them, which no
// policy does.
[[nodiscard]] std::optional<UnderTable> Under(const LoaderTable& table, const Program& program);

// Why there is none.
[[nodiscard]] std::string NoPolicyFor(const LoaderTable& table);

// "Bank 2 [0,8)" with the file's id in place of the one there.
[[nodiscard]] std::string InOwnBanks(const std::string& text, const UnderTable& under);
// All that a finding says of banks.
[[nodiscard]] Finding InOwnBanks(Finding finding, const UnderTable& under);
// Uses of banks, those of a method in the order of the file's ids.
[[nodiscard]] std::vector<BankUse> InOwnBanks(std::vector<BankUse> banks, const UnderTable& under);

// Findings of load-fails: banks that need more than the table gives them, or another device.
[[nodiscard]] std::vector<Finding> RefusalsBy(const LoaderTable& table, const Program& program);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_LOADER_TABLE_H_
