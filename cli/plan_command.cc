#include "cli/plan_command.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/output.h"
#include "cli/quote.h"
#include "cli/store_file.h"
#include "planner/plan.h"
#include "reference/graph/parse.h"
#include "runtime/write_program.h"

namespace pteproof {
namespace {

std::optional<int64_t> NumberOf(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

// NAME:SIZE[:ALIGN].
std::optional<placement::Bank> BankOf(std::string_view text) {
  const size_t name_end = text.find(':');
  if (name_end == 0 || name_end == std::string_view::npos) return std::nullopt;
  std::string_view numbers = text.substr(name_end + 1);
  const size_t size_end = numbers.find(':');
  const auto size = NumberOf(numbers.substr(0, size_end));
  const auto alignment = size_end == std::string_view::npos
                             ? std::optional<int64_t>(1)
                             : NumberOf(numbers.substr(size_end + 1));
  if (!size || !alignment || *alignment < 1 || (*alignment & (*alignment - 1)) != 0) {
    return std::nullopt;
  }
  return placement::Bank{std::string(text.substr(0, name_end)), *size, *alignment};
}

// The first one is memory id 1; 2 and 3 hold state, so that the others count from 4.
bool AddBanks(PlanRequest& request) {
  for (const std::string& text : request.banks) {
    const auto bank = BankOf(text);
    if (!bank) {
      Complain(
          fmt::format("--bank {}: a bank is NAME:SIZE or NAME:SIZE:ALIGN, in bytes, the "
                      "alignment a power of two",
                      Quote(text)));
      return false;
    }
    const auto count = static_cast<int32_t>(request.options.banks.size());
    const int32_t id = count == 0 ? planner::kActivationBank : planner::kPrivateBank + count;
    request.options.banks.push_back({*bank, id});
  }
  return true;
}

ExitCode NoPlan(const PlanRequest& request, const planner::PlanError& error) {
  const std::string method =
      error.method.empty() ? "" : fmt::format("method '{}': ", Quote(error.method));
  Complain(fmt::format("{}: {}{}", Quote(request.file), method, error.what));
  return ExitCode::kUnsafe;
}

std::string ReportOf(const planner::Planned& planned) {
  std::string text;
  for (const planner::BankReport& bank : planned.report) {
    const double ratio =
        bank.load == 0 ? 1.0 : static_cast<double>(bank.peak) / static_cast<double>(bank.load);
    text += fmt::format("{} bank {}: peak {} bytes, load {}, ratio {:.3f}, without sharing {}\n",
                        Quote(bank.method), bank.bank, bank.peak, bank.load, ratio, bank.naive);
  }
  return text;
}

ExitCode Write(const PlanRequest& request, const planner::Planned& planned) {
  const auto bytes = WriteProgram(planned.program);
  if (!bytes.ok()) return NoPlan(request, {"", bytes.error()});
  const ExitCode stored = StoreFile(request.output, bytes.value());
  if (stored != ExitCode::kSafe) return stored;
  if (request.report) WriteOutput(ReportOf(planned));
  return ExitCode::kSafe;
}

}  // namespace

ExitCode RunPlan(PlanRequest request) {
  if (!AddBanks(request)) return ExitCode::kUsage;
  const auto text = LoadText(request.file);
  if (!text) return ExitCode::kUnreadable;
  const auto module = graph::Parse(*text);
  if (!module.ok()) {
    const graph::ParseError& error = module.error();
    fmt::print(stderr, "{}:{}:{}: {}\n", Quote(request.file), error.line, error.column,
               Quote(error.message, kLongestLine));
    return ExitCode::kMalformed;
  }
  const auto planned = planner::Plan(module.value(), request.options);
  if (!planned.ok()) return NoPlan(request, planned.error());
  for (const std::string& warning : planned.value().warnings) Complain("warning: " + warning);
  return Write(request, planned.value());
}

}  // namespace pteproof
