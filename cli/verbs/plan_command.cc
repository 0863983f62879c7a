#include "cli/verbs/plan_command.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "base/file_name.h"
#include "cli/io/json_text.h"
#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "cli/io/store_file.h"
#include "cli/load/lint_module.h"
#include "cli/load/load_module.h"
#include "planner/plan.h"
#include "properties/manifest/of_plan.h"
#include "properties/manifest/render.h"
#include "pteproof/write.h"
#include "runtime/sha256.h"

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

// METHOD:OUTPUT:INPUT.
std::optional<planner::PlanOptions::Overlay> OverlayOf(std::string_view text) {
  const size_t input_at = text.rfind(':');
  if (input_at == std::string_view::npos || input_at == 0) return std::nullopt;
  const size_t output_at = text.rfind(':', input_at - 1);
  if (output_at == std::string_view::npos) return std::nullopt;
  const auto output = NumberOf(text.substr(output_at + 1, input_at - output_at - 1));
  const auto input = NumberOf(text.substr(input_at + 1));
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (!output || !input || *output > kMost || *input > kMost) return std::nullopt;
  return planner::PlanOptions::Overlay{std::string(text.substr(0, output_at)),
                                       static_cast<int32_t>(*output), static_cast<int32_t>(*input)};
}

bool AddOverlays(PlanRequest& request) {
  for (const std::string& text : request.overlays) {
    const auto overlay = OverlayOf(text);
    if (!overlay) {
      Complain(fmt::format("--overlay {}: an overlay is METHOD:OUTPUT:INPUT, two positions from 0",
                           Quote(text)));
      return false;
    }
    request.options.overlays.push_back(*overlay);
  }
  return true;
}

ExitCode NoPlan(const PlanRequest& request, const planner::PlanError& error) {
  const std::string method =
      error.method.empty() ? "" : fmt::format("method '{}': ", Quote(error.method));
  Complain(fmt::format("{}: {}{}", QuotePath(request.file), method, error.what));
  return ExitCode::kUnsafe;
}

// The peak of the same bank of a plan for the listed order; nothing: that is the plan, or it has no
// such bank.
std::optional<int64_t> ListedPeak(const planner::Planned* listed, const planner::BankReport& bank) {
  if (listed == nullptr) return std::nullopt;
  for (const planner::BankReport& each : listed->report) {
    if (each.method == bank.method && each.bank == bank.bank) return each.peak;
  }
  return std::nullopt;
}

std::string JsonReportOf(const planner::Planned& planned, const planner::Planned* listed) {
  std::string lines;
  for (const planner::BankReport& bank : planned.report) {
    nlohmann::ordered_json line = {{"method", bank.method},
                                   {"bank", bank.bank},
                                   {"peak", bank.peak},
                                   {"load", bank.load},
                                   {"without_sharing", bank.naive}};
    if (const auto peak = ListedPeak(listed, bank)) line["listed_peak"] = *peak;
    lines += JsonText(line) + "\n";
  }
  return lines;
}

std::string ReportOf(const planner::Planned& planned, const planner::Planned* listed) {
  std::string text;
  for (const planner::BankReport& bank : planned.report) {
    const double ratio =
        bank.load == 0 ? 1.0 : static_cast<double>(bank.peak) / static_cast<double>(bank.load);
    text += fmt::format(
        "{} bank {}: peak {} bytes, peak live bytes {}, ratio {:.3f}, without sharing {}",
        Quote(bank.method), bank.bank, bank.peak, bank.load, ratio, bank.naive);
    const auto peak = ListedPeak(listed, bank);
    text += peak ? fmt::format(", in the listed order {}\n", *peak) : "\n";
  }
  return text;
}

// A plan for other orders than the listed one says what it costs.
std::optional<planner::Planned> PlanAsListed(const PlanRequest& request,
                                             const graph::Module& module) {
  planner::PlanOptions options = request.options;
  if (options.order == graph::InPlaceOrder::kListed) return std::nullopt;
  options.order = graph::InPlaceOrder::kListed;
  auto planned = planner::Plan(module, options);
  if (!planned.ok()) return std::nullopt;
  return std::move(planned).value();
}

void WritePlanReport(const PlanRequest& request, const graph::Module& module,
                     const planner::Planned& planned) {
  const auto as_listed = PlanAsListed(request, module);
  const planner::Planned* listed = as_listed ? &*as_listed : nullptr;
  const std::string report =
      request.json ? JsonReportOf(planned, listed) : ReportOf(planned, listed);
  if (request.output != kStandardOutput) return WriteOutput(report);
  std::fputs(report.c_str(), stderr);
}

ExitCode WriteManifest(const PlanRequest& request, const graph::Module& module,
                       const Program& program, Bytes written) {
  auto manifest = ManifestOfPlan(module, request.options, program);
  if (!manifest.ok()) return NoPlan(request, {"", manifest.error()});
  manifest.value().program_sha256 = Sha256Hex(written);
  const auto beside = FilePath(request.output).replace_extension(".manifest.json");
  return StoreFile(FileName(beside), RenderManifest(manifest.value()));
}

ExitCode Write(const PlanRequest& request, const graph::Module& module,
               const planner::Planned& planned) {
  const auto bytes = WriteProgram(planned.program);
  if (!bytes.ok()) return NoPlan(request, {"", bytes.error()});
  const ExitCode stored = StoreFile(request.output, bytes.value());
  if (stored != ExitCode::kSafe) return stored;
  if (request.write_manifest) {
    const ExitCode beside = WriteManifest(request, module, planned.program, bytes.value());
    if (beside != ExitCode::kSafe) return beside;
  }
  if (request.report) WritePlanReport(request, module, planned);
  return ExitCode::kSafe;
}

}  // namespace

ExitCode RunPlan(PlanRequest request) {
  if (request.output == kStandardOutput && request.write_manifest) {
    Complain("plan: --write-manifest needs a file: name one with -o");
    return ExitCode::kUsage;
  }
  if (!AddBanks(request) || !AddOverlays(request)) return ExitCode::kUsage;
  auto module = LoadModule(request.file);
  if (!module.ok()) {
    Complain(module.error().why);
    return module.error().code;
  }
  if (request.force_out_of_place) {
    for (const std::string& wish : DropWrongWishes(module.value())) Complain("warning: " + wish);
  }
  if (const auto wrong = WrongInPlace(request.file, module.value())) {
    Complain(wrong->why);
    return wrong->code;
  }
  const auto planned = planner::Plan(module.value(), request.options);
  if (!planned.ok()) return NoPlan(request, planned.error());
  for (const std::string& warning : planned.value().warnings) Complain("warning: " + warning);
  return Write(request, module.value(), planned.value());
}

}  // namespace pteproof
