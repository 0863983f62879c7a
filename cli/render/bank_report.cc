#include "cli/render/bank_report.h"

#include <fmt/format.h>

#include "cli/io/quote.h"
#include "planner/placement/load.h"

namespace pteproof {

std::string BankPrefix(const LifetimeBank& bank) {
  return bank.name.empty() ? "" : fmt::format("bank {}: ", Quote(bank.name));
}

nlohmann::ordered_json BankJson(const std::string& file, const LifetimeBank& bank) {
  return {{"file", file},
          {"bank",
           bank.name.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(bank.name)},
          {"verdict", "placed"},
          {"peak", nullptr},
          {"load", placement::LoadOf(bank.items)},
          {"at_least", nullptr},
          {"offsets", nlohmann::ordered_json::object()},
          {"too_many", nlohmann::ordered_json::array()},
          {"mistake", nullptr}};
}

}  // namespace pteproof
