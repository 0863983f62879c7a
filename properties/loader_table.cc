// Idea: ids of banks mean nothing but which of them a loader shares. share-1-2 shares ids 1 and 2,
// so a table that shares banks 3 and 5 is share-1-2 for the program in which 3 and 5 are called 1
// and 2, and all others come behind:
//
//   the file's ids   1  2  3s 4  5s        s: shared
//   ids there        3  4  1  5  2
//
// What the check says there holds in the file with the ids put back.
#include "properties/loader_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "base/rule_names.h"
#include "runtime/devices.h"

namespace pteproof {
namespace {

constexpr uint32_t kFirstPrivate = 3;  // under share-1-2

std::set<uint32_t> BanksIn(const Program& program) {
  std::set<uint32_t> banks;
  for (const Method& method : program.methods) {
    for (size_t b = 1; b < method.bank_sizes.size(); ++b) {
      if (method.bank_sizes[b] > 0) banks.insert(static_cast<uint32_t>(b));
    }
    for (const Tensor& tensor : method.tensors) {
      if (tensor.planned) banks.insert(tensor.bank);
    }
    for (const BankDevice& each : method.bank_devices) {
      banks.insert(static_cast<uint32_t>(each.bank));
    }
  }
  return banks;
}

bool IsSharedBy(const LoaderTable& table, uint32_t bank) {
  const auto row = table.banks.find(bank);
  return row != table.banks.end() && row->second.shared;
}

void Rename(Method& method, const std::map<uint32_t, uint32_t>& there, size_t count) {
  std::vector<uint64_t> sizes(count);
  for (const auto& [bank, to] : there) {
    if (bank < method.bank_sizes.size()) sizes[to] = method.bank_sizes[bank];
  }
  method.bank_sizes = std::move(sizes);
  for (Tensor& tensor : method.tensors) {
    if (tensor.planned) tensor.bank = there.at(tensor.bank);
  }
  for (BankDevice& each : method.bank_devices) {
    each.bank = static_cast<int32_t>(there.at(static_cast<uint32_t>(each.bank)));
  }
}

uint32_t OwnOf(const UnderTable& under, uint32_t bank) {
  return bank < under.own.size() && under.own[bank] > 0 ? under.own[bank] : bank;
}

Finding LoadFails(const Method& method, uint32_t bank, std::string explanation, std::string fix) {
  Finding finding;
  finding.rule = rule::kLoadFails;
  finding.method = method.name;
  finding.bank = bank;
  finding.explanation = std::move(explanation);
  finding.fix = std::move(fix);
  return finding;
}

}  // namespace

std::optional<UnderTable> Under(const LoaderTable& table, const Program& program) {
  const std::set<uint32_t> banks = BanksIn(program);
  std::vector<uint32_t> shared;
  std::ranges::copy_if(banks, std::back_inserter(shared),
                       [&](uint32_t bank) { return IsSharedBy(table, bank); });
  UnderTable under{program, table, Policy::kPrivate, {}};
  if (shared.empty()) return under;
  if (shared.size() == banks.size()) {
    under.policy = Policy::kShareAll;
    return under;
  }
  under.policy = Policy::kShare12;
  const auto is_as_named = [&](uint32_t bank) {
    return IsSharedBy(table, bank) == (bank < kFirstPrivate);
  };
  if (std::ranges::all_of(banks, is_as_named)) return under;
  if (shared.size() >= kFirstPrivate) return std::nullopt;
  std::map<uint32_t, uint32_t> there;
  uint32_t next_shared = 1;
  uint32_t next_private = kFirstPrivate;
  for (const uint32_t bank : banks) {
    there[bank] = IsSharedBy(table, bank) ? next_shared++ : next_private++;
  }
  under.own.resize(next_private);
  for (const auto& [bank, to] : there) under.own[to] = bank;
  for (Method& method : under.program.methods) Rename(method, there, next_private);
  under.table.banks.clear();
  for (const auto& [bank, row] : table.banks) {
    if (const auto to = there.find(bank); to != there.end()) under.table.banks[to->second] = row;
  }
  return under;
}

std::string NoPolicyFor(const LoaderTable& table) {
  return fmt::format(
      "{} shares more than two of the program's banks, and not all of them: a loader of this kind "
      "cannot be judged",
      table.name);
}

std::string InOwnBanks(const std::string& text, const UnderTable& under) {
  constexpr std::string_view kWord = "ank ";
  const auto is_digit = [&](size_t at) { return at < text.size() && std::isdigit(text[at]) != 0; };
  std::string out;
  size_t done = 0;
  for (size_t at = text.find(kWord); at != std::string::npos; at = text.find(kWord, at + 1)) {
    const size_t first = at + kWord.size();
    size_t end = first;
    while (is_digit(end) && end - first < 9) ++end;
    const bool is_bank = at > 0 && (text[at - 1] == 'b' || text[at - 1] == 'B');
    if (!is_bank || end == first || is_digit(end)) continue;
    const auto bank = static_cast<uint32_t>(std::stoul(text.substr(first, end - first)));
    out += text.substr(done, first - done) + fmt::format("{}", OwnOf(under, bank));
    done = end;
  }
  return out + text.substr(done);
}

Finding InOwnBanks(Finding finding, const UnderTable& under) {
  finding.policies = PolicySet::All();
  finding.bank = OwnOf(under, finding.bank);
  finding.other_bank = OwnOf(under, finding.other_bank);
  finding.explanation = InOwnBanks(finding.explanation, under);
  finding.fix = InOwnBanks(finding.fix, under);
  for (FindingInstance& each : finding.instances) {
    each.bank = OwnOf(under, each.bank);
    each.explanation = InOwnBanks(each.explanation, under);
  }
  return finding;
}

std::vector<BankUse> InOwnBanks(std::vector<BankUse> banks, const UnderTable& under) {
  for (BankUse& use : banks) use.bank = OwnOf(under, use.bank);
  for (auto first = banks.begin(); first != banks.end();) {
    const auto last = std::find_if(first, banks.end(),
                                   [&](const BankUse& use) { return use.method != first->method; });
    std::sort(first, last, [](const BankUse& a, const BankUse& b) { return a.bank < b.bank; });
    first = last;
  }
  return banks;
}

std::vector<Finding> RefusalsBy(const LoaderTable& table, const Program& program) {
  std::vector<Finding> findings;
  for (const Method& method : program.methods) {
    for (const auto& [bank, row] : table.banks) {
      const uint64_t need = bank < method.bank_sizes.size() ? method.bank_sizes[bank] : 0;
      if (row.size && need > *row.size) {
        findings.push_back(LoadFails(
            method, bank,
            fmt::format("Method '{}' needs bank {} with {} bytes.\n{} gives it {}.", method.name,
                        bank, need, table.name, *row.size),
            "Plan the method again within the sizes of the banks, or correct the table."));
      }
      const Device device = DeviceOfBank(method, bank);
      if (row.has_device && need > 0 && device.type != row.device_type) {
        findings.push_back(LoadFails(
            method, bank,
            fmt::format("Bank {} of method '{}' lies on {}.\n{} has it on {}.", bank, method.name,
                        Words(device), table.name, Words(Device{row.device_type, 0})),
            "Export for the devices of the loader, or correct the table."));
      }
    }
  }
  return findings;
}

}  // namespace pteproof
