#include "cli/verbs/place_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/io/json_text.h"
#include "cli/io/output.h"
#include "cli/io/progress.h"
#include "cli/io/quote.h"
#include "cli/io/store_file.h"
#include "cli/load/known_file.h"
#include "cli/load/lifetime_table.h"
#include "cli/render/bank_report.h"
#include "cli/verbs/verify_places.h"
#include "planner/placement/algorithms.h"
#include "planner/placement/banks.h"
#include "planner/placement/load.h"
#include "planner/placement/validate.h"

namespace pteproof {
namespace {

// How far the peak may lie above the smallest possible one, in words.
std::string QualityOf(const placement::Outcome& outcome) {
  if (outcome.optimal()) return "optimal";
  const auto above = static_cast<double>(outcome.layout.peak - outcome.lower_bound);
  const double percent = 100.0 * above / static_cast<double>(outcome.lower_bound);
  return fmt::format("at most {:.1f} % above the best", std::ceil(percent * 10.0) / 10.0);
}

void TellQuality(const LifetimeBank& bank, const placement::Outcome& outcome, int64_t live) {
  const double ratio =
      live == 0 ? 1.0 : static_cast<double>(outcome.layout.peak) / static_cast<double>(live);
  fmt::print(stderr, "{}peak {} bytes, peak live bytes {}, ratio {:.3f}, {}\n", BankPrefix(bank),
             outcome.layout.peak, live, ratio, QualityOf(outcome));
}

std::string PlacedJson(const PlaceRequest& request, const LifetimeBank& bank,
                       const placement::Outcome& outcome) {
  nlohmann::ordered_json json = BankJson(request.file, bank);
  json["peak"] = outcome.layout.peak;
  json["at_least"] = outcome.lower_bound;
  for (size_t i = 0; i < bank.ids.size(); ++i) {
    json["offsets"][bank.ids[i]] = outcome.layout.offsets[i];
  }
  return JsonText(json) + "\n";
}

std::string FullJson(const PlaceRequest& request, const LifetimeBank& bank,
                     const placement::BankError& error) {
  nlohmann::ordered_json json = BankJson(request.file, bank);
  json["verdict"] = "does-not-fit";
  for (const int32_t item : error.items) {
    json["too_many"].push_back(bank.ids[static_cast<size_t>(item)]);
  }
  return JsonText(json) + "\n";
}

void TellFull(const LifetimeBank& bank, const placement::BankError& error, int64_t capacity) {
  constexpr size_t kMostNamed = 20;
  std::string names;
  for (size_t i = 0; i < std::min(error.items.size(), kMostNamed); ++i) {
    names += fmt::format("{}{}", i == 0 ? "" : ", ",
                         Quote(bank.ids[static_cast<size_t>(error.items[i])]));
  }
  if (error.items.size() > kMostNamed) names += " ...";
  Complain(fmt::format("{}{} storages do not fit {} bytes together: {}", BankPrefix(bank),
                       error.items.size(), capacity, names));
}

// Only offsets that the table fixes can be at odds.
ExitCode Explain(const LifetimeBank& bank, const placement::Mistake& mistake) {
  const auto is_fixed = [&](int32_t item) {
    return item >= 0 && bank.items[static_cast<size_t>(item)].fixed;
  };
  if (!is_fixed(mistake.first) || !is_fixed(mistake.second)) {
    Complain(fmt::format("a bug in pteproof, please report it: {}{}", BankPrefix(bank),
                         placement::TextOf(mistake)));
    return ExitCode::kInternal;
  }
  Complain(fmt::format("{}'{}' and '{}' are fixed in the same bytes [{}, {}) at point {}",
                       BankPrefix(bank), Quote(bank.ids[static_cast<size_t>(mistake.first)]),
                       Quote(bank.ids[static_cast<size_t>(mistake.second)]), mistake.lo, mistake.hi,
                       mistake.point));
  return ExitCode::kMalformed;
}

class Placing {
 public:
  Placing(const PlaceRequest& request, size_t banks)
      : request_(request),
        algorithm_(request.algorithm),
        banks_left_(banks),
        progress_(banks, "banks placed") {}

  ExitCode Run(const LifetimeBank& bank) {
    placement::Outcome outcome = placement::Place(bank.items, algorithm_, NextEffort());
    if (request_.capacity && outcome.layout.peak > *request_.capacity &&
        !Squeeze(bank, outcome.layout)) {
      return ExitCode::kUnsafe;
    }
    if (const auto mistake = placement::MistakeIn(bank.items, outcome.layout)) {
      return Explain(bank, *mistake);
    }
    progress_.Clear();
    if (request_.json) {
      WriteOutput(PlacedJson(request_, bank, outcome));
    } else {
      TellQuality(bank, outcome, placement::LoadOf(bank.items));
    }
    progress_.Advance();
    offsets.push_back(std::move(outcome.layout.offsets));
    return ExitCode::kSafe;
  }

  std::vector<std::vector<int64_t>> offsets;  // per bank

 private:
  // Either another layout that fits the capacity after all, or the storages that do not.
  bool Squeeze(const LifetimeBank& bank, placement::Layout<int64_t>& layout) {
    constexpr int64_t kStepsOfOneTry = 5'000'000;  // and there are many, one per set of storages
    const placement::Bank whole{bank.name, *request_.capacity, 1};
    const auto placed = placement::PlaceInBanks(
        bank.items, {&whole, 1}, {},
        placement::PlacerOf(algorithm_, {.steps = kStepsOfOneTry, .threads = request_.jobs}));
    if (!placed) {
      progress_.Clear();
      if (request_.json) WriteOutput(FullJson(request_, bank, placed.error()));
      TellFull(bank, placed.error(), *request_.capacity);
      return false;
    }
    layout = {placed.value().offsets, placed.value().peaks.front()};
    return true;
  }

  // An equal part of the time that is left.
  placement::Effort NextEffort() {
    placement::Effort effort = placement::DefaultEffort(algorithm_);
    effort.threads = request_.jobs;
    if (!request_.seconds) return effort;
    const double spent = std::chrono::duration<double>(Clock::now() - started_).count();
    const double left = std::max(0.0, *request_.seconds - spent);
    effort.steps = std::numeric_limits<int64_t>::max();
    effort.seconds = left / static_cast<double>(banks_left_--);
    return effort;
  }

  using Clock = std::chrono::steady_clock;

  const PlaceRequest& request_;
  placement::Algorithm algorithm_;
  size_t banks_left_;
  Clock::time_point started_ = Clock::now();
  Progress progress_;
};

}  // namespace

ExitCode RunPlace(const PlaceRequest& request) {
  if (request.json && request.output == kStandardOutput) {
    Complain("place: standard output takes one form: name a file with -o, or leave --json");
    return ExitCode::kUsage;
  }
  const auto text = LoadText(request.file);
  if (!text) return ExitCode::kUnreadable;
  const auto table = ParseLifetimes(
      *text, request.alignment, request.verify ? GivenOffsets::kToVerify : GivenOffsets::kFixed);
  if (!table) {
    if (const auto known = KnownFileOf(std::as_bytes(std::span(*text)))) {
      Complain(fmt::format("{}: {}", QuotePath(request.file), SentencesOf(*known)));
      return ExitCode::kMalformed;
    }
    Complain(
        fmt::format("{}:{}: {}", QuotePath(request.file), table.error().line, table.error().why));
    return ExitCode::kMalformed;
  }
  if (request.verify) return VerifyPlaces(request, table.value());
  Placing placing(request, table.value().banks.size());
  ExitCode code = ExitCode::kSafe;
  for (const LifetimeBank& bank : table.value().banks) code = Worse(code, placing.Run(bank));
  if (code != ExitCode::kSafe || (request.json && request.output.empty())) return code;
  return StoreFile(request.output, WithOffsets(table.value(), placing.offsets));
}

}  // namespace pteproof
