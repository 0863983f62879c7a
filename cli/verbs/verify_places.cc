#include "cli/verbs/verify_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "base/checked_math.h"
#include "cli/io/json_text.h"
#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "cli/render/bank_report.h"
#include "planner/placement/load.h"
#include "planner/placement/validate.h"

namespace pteproof {
namespace {

// A bank's offsets as a layout; nothing: `missing` has none.
struct GivenLayout {
  placement::Layout<int64_t> layout;
  std::optional<size_t> missing;
};

GivenLayout LayoutGivenBy(const LifetimeBank& bank) {
  GivenLayout given;
  for (size_t i = 0; i < bank.items.size(); ++i) {
    const placement::Item<int64_t>& item = bank.items[i];
    if (!bank.offsets[i]) return {.layout = {}, .missing = i};
    given.layout.offsets.push_back(*bank.offsets[i]);
    const auto end = CheckedAdd(*bank.offsets[i], item.size);
    if (end && item.size > 0 && !item.live.empty()) {
      given.layout.peak = std::max(given.layout.peak, *end);
    }
  }
  return given;
}

std::string WordsOf(const LifetimeBank& bank, const placement::Mistake& mistake) {
  const auto name = [&](int32_t item) {
    return fmt::format("'{}'", Quote(bank.ids[static_cast<size_t>(item)]));
  };
  const auto offset = [&](int32_t item) { return *bank.offsets[static_cast<size_t>(item)]; };
  using Kind = placement::Mistake::Kind;
  switch (mistake.kind) {
    case Kind::kOffset:
      return fmt::format("{} lies at {}, which is below 0 or beyond the numbers of 63 bits",
                         name(mistake.first), offset(mistake.first));
    case Kind::kAlignment:
      return fmt::format("{} lies at {}, which is not a multiple of {}", name(mistake.first),
                         offset(mistake.first),
                         bank.items[static_cast<size_t>(mistake.first)].alignment);
    case Kind::kOverlap:
      return fmt::format("{} and {} share bytes [{}, {}) at point {}", name(mistake.first),
                         name(mistake.second), mistake.lo, mistake.hi, mistake.point);
    default:
      return placement::TextOf(mistake);
  }
}

// What is wrong with a layout; nothing: it is right.
std::optional<std::string> MistakeOf(const LifetimeBank& bank, const GivenLayout& given,
                                     const std::optional<int64_t>& capacity) {
  if (given.missing) return fmt::format("'{}' has no offset", Quote(bank.ids[*given.missing]));
  if (const auto mistake = placement::MistakeIn(bank.items, given.layout)) {
    return WordsOf(bank, *mistake);
  }
  if (capacity && given.layout.peak > *capacity) {
    return fmt::format("the peak is {} bytes, above the capacity of {} bytes", given.layout.peak,
                       *capacity);
  }
  return std::nullopt;
}

nlohmann::ordered_json VerifiedJson(const PlaceRequest& request, const LifetimeBank& bank,
                                    const GivenLayout& given,
                                    const std::optional<std::string>& mistake) {
  nlohmann::ordered_json json = BankJson(request.file, bank);
  json["verdict"] = mistake ? "wrong" : "right";
  for (size_t i = 0; i < bank.ids.size(); ++i) {
    if (bank.offsets[i]) json["offsets"][bank.ids[i]] = *bank.offsets[i];
  }
  if (mistake) {
    json["mistake"] = *mistake;
  } else {
    json["peak"] = given.layout.peak;
  }
  return json;
}

std::string VerifiedText(const PlaceRequest& request, const LifetimeBank& bank,
                         const GivenLayout& given, const std::optional<std::string>& mistake) {
  const std::string place = fmt::format("{}: {}", QuotePath(request.file), BankPrefix(bank));
  if (mistake) return fmt::format("{}wrong: {}\n", place, *mistake);
  return fmt::format("{}right, peak {} bytes, peak live bytes {}\n", place, given.layout.peak,
                     placement::LoadOf(bank.items));
}

}  // namespace

ExitCode VerifyPlaces(const PlaceRequest& request, const LifetimeTable& table) {
  ExitCode code = ExitCode::kSafe;
  for (const LifetimeBank& bank : table.banks) {
    const GivenLayout given = LayoutGivenBy(bank);
    const auto mistake = MistakeOf(bank, given, request.capacity);
    WriteOutput(request.json ? JsonText(VerifiedJson(request, bank, given, mistake)) + "\n"
                             : VerifiedText(request, bank, given, mistake));
    if (mistake) code = Worse(code, ExitCode::kUnsafe);
  }
  return code;
}

}  // namespace pteproof
