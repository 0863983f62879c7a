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

#include "cli/io/output.h"
#include "cli/io/progress.h"
#include "cli/io/quote.h"
#include "cli/io/store_file.h"
#include "cli/load/known_file.h"
#include "cli/load/lifetime_table.h"
#include "planner/placement/algorithms.h"
#include "planner/placement/banks.h"
#include "planner/placement/load.h"
#include "planner/placement/validate.h"

namespace pteproof {
namespace {

std::string PrefixOf(const LifetimeBank& bank) {
  return bank.name.empty() ? "" : fmt::format("bank {}: ", Quote(bank.name));
}

// How far the peak may lie above the smallest possible one, in words.
std::string QualityOf(const placement::Outcome& outcome) {
  if (outcome.optimal()) return "optimal";
  const auto above = static_cast<double>(outcome.layout.peak - outcome.lower_bound);
  const double percent = 100.0 * above / static_cast<double>(outcome.lower_bound);
  return fmt::format("at most {:.1f} % above the best", std::ceil(percent * 10.0) / 10.0);
}

void TellQuality(const LifetimeBank& bank, const placement::Outcome& outcome, int64_t load) {
  const double ratio =
      load == 0 ? 1.0 : static_cast<double>(outcome.layout.peak) / static_cast<double>(load);
  fmt::print(stderr, "{}peak {} bytes, load {}, ratio {:.3f}, {}\n", PrefixOf(bank),
             outcome.layout.peak, load, ratio, QualityOf(outcome));
}

void TellFull(const LifetimeBank& bank, const placement::BankError& error, int64_t capacity) {
  constexpr size_t kMostNamed = 20;
  std::string names;
  for (size_t i = 0; i < std::min(error.items.size(), kMostNamed); ++i) {
    names += fmt::format("{}{}", i == 0 ? "" : ", ",
                         Quote(bank.ids[static_cast<size_t>(error.items[i])]));
  }
  if (error.items.size() > kMostNamed) names += " ...";
  Complain(fmt::format("{}{} storages do not fit {} bytes together: {}", PrefixOf(bank),
                       error.items.size(), capacity, names));
}

// Only offsets that the table fixes can be at odds.
ExitCode Explain(const LifetimeBank& bank, const placement::Mistake& mistake) {
  const auto is_fixed = [&](int32_t item) {
    return item >= 0 && bank.items[static_cast<size_t>(item)].fixed;
  };
  if (!is_fixed(mistake.first) || !is_fixed(mistake.second)) {
    Complain(fmt::format("a mistake of pteproof itself, please report it: {}{}", PrefixOf(bank),
                         placement::TextOf(mistake)));
    return ExitCode::kInternal;
  }
  Complain(fmt::format("{}'{}' and '{}' are fixed in the same bytes [{}, {}) at point {}",
                       PrefixOf(bank), Quote(bank.ids[static_cast<size_t>(mistake.first)]),
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
    TellQuality(bank, outcome, placement::LoadOf(bank.items));
    progress_.Advance();
    offsets.push_back(std::move(outcome.layout.offsets));
    return ExitCode::kSafe;
  }

  std::vector<std::vector<int64_t>> offsets;  // per bank

 private:
  // Either another layout that fits the capacity after all, or the storages that do not.
  bool Squeeze(const LifetimeBank& bank, placement::Layout<int64_t>& layout) {
    const placement::Bank whole{bank.name, *request_.capacity, 1};
    const auto placed = placement::PlaceInBanks(
        bank.items, {&whole, 1}, {},
        placement::PlacerOf(algorithm_, placement::DefaultEffort(placement::Algorithm::kBest)));
    if (!placed) {
      TellFull(bank, placed.error(), *request_.capacity);
      return false;
    }
    layout = {placed.value().offsets, placed.value().peaks.front()};
    return true;
  }

  // An equal part of the time that is left.
  placement::Effort NextEffort() {
    if (!request_.seconds) return placement::DefaultEffort(algorithm_);
    const double spent = std::chrono::duration<double>(Clock::now() - started_).count();
    const double left = std::max(0.0, *request_.seconds - spent);
    return {std::numeric_limits<int64_t>::max(), left / static_cast<double>(banks_left_--)};
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
  if (request.alignment <= 0 || (request.alignment & (request.alignment - 1)) != 0) {
    Complain(fmt::format("alignment {} is not a power of two", request.alignment));
    return ExitCode::kUsage;
  }
  const auto text = LoadText(request.file);
  if (!text) return ExitCode::kUnreadable;
  const auto table = ParseLifetimes(*text, request.alignment);
  if (!table) {
    if (const auto known = KnownFileOf(std::as_bytes(std::span(*text)))) {
      Complain(fmt::format("{}: {}", QuotePath(request.file), SentencesOf(*known)));
      return ExitCode::kMalformed;
    }
    Complain(
        fmt::format("{}:{}: {}", QuotePath(request.file), table.error().line, table.error().why));
    return ExitCode::kMalformed;
  }
  Placing placing(request, table.value().banks.size());
  ExitCode code = ExitCode::kSafe;
  for (const LifetimeBank& bank : table.value().banks) code = Worse(code, placing.Run(bank));
  if (code != ExitCode::kSafe) return code;
  return StoreFile(request.output, WithOffsets(table.value(), placing.offsets));
}

}  // namespace pteproof
