#include "cli/standard/limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <utility>

#include "cli/io/quote.h"
#include "properties/bank_waste.h"

namespace pteproof {
namespace {

template <class Number>
std::optional<Number> WholeNumber(std::string_view text) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  return number;
}

struct SizeUnit {
  std::string_view name;
  unsigned shift;
};
constexpr auto kSizeUnits = std::to_array<SizeUnit>({{"KiB", 10}, {"MiB", 20}, {"GiB", 30}});

std::optional<uint64_t> SizeOf(std::string_view text) {
  unsigned shift = 0;
  for (const SizeUnit& unit : kSizeUnits) {
    if (!text.ends_with(unit.name)) continue;
    text.remove_suffix(unit.name.size());
    shift = unit.shift;
    break;
  }
  while (shift > 0 && text.ends_with(' ')) text.remove_suffix(1);
  const auto number = WholeNumber<uint64_t>(text);
  if (!number || *number > std::numeric_limits<uint64_t>::max() >> shift) return std::nullopt;
  return *number << shift;
}

bool ReadSize(std::string_view text, bool takes_percent, Limit& limit) {
  constexpr uint64_t kWhole = 100;
  std::optional<uint64_t> size;
  limit.percent = takes_percent && text.ends_with('%');
  if (limit.percent) {
    text.remove_suffix(1);
    size = WholeNumber<uint64_t>(text);
    if (size && *size > kWhole) size.reset();
  } else {
    size = SizeOf(text);
  }
  limit.most = size.value_or(0);
  return size.has_value();
}

// "METHOD", "METHOD:BANK" or ":BANK".
bool ReadSubject(std::string_view text, Limit& limit) {
  const size_t colon = text.rfind(':');
  if (colon != std::string_view::npos) {
    const auto bank = WholeNumber<uint32_t>(text.substr(colon + 1));
    if (!bank || *bank == 0) return false;
    limit.bank = *bank;
    text = text.substr(0, colon);
  }
  limit.method = text;
  return !limit.IsOfAll();
}

bool Fits(const Limit& limit, const BankUse& use) {
  return (limit.method.empty() || limit.method == use.method) &&
         (limit.bank == 0 || limit.bank == use.bank);
}

bool IsShared(uint32_t bank, Policy policy) {
  constexpr uint32_t kLastOfShare12 = 2;
  return policy == Policy::kShareAll || (policy == Policy::kShare12 && bank <= kLastOfShare12);
}

std::string NameOf(const BankUse& use) {
  return fmt::format("bank {} of {}", use.bank, Quote(use.method));
}

std::string TooMany(std::string_view subject, uint64_t bytes, const Limit& limit) {
  return fmt::format("{} has {} bytes, and max-bytes is {}", subject, bytes, Quote(limit.text));
}

}  // namespace

Result<Limit, std::string> ParseLimit(std::string_view text, bool takes_percent) {
  Limit limit;
  limit.text = text;
  const size_t equals = text.rfind('=');
  const bool has_subject = equals != std::string_view::npos;
  const std::string_view size = has_subject ? text.substr(equals + 1) : text;
  if (has_subject && !ReadSubject(text.substr(0, equals), limit)) {
    return fmt::format(
        "'{}' does not name memory: in front of '=' write METHOD, METHOD:BANK or :BANK, with a "
        "bank "
        "from 1",
        Quote(text));
  }
  if (!ReadSize(size, takes_percent, limit)) {
    return fmt::format("'{}' is not a size: write bytes, as 4096, 64KiB, 2MiB or 1GiB{}",
                       Quote(text), takes_percent ? ", or a percentage from 0% to 100%" : "");
  }
  return limit;
}

uint64_t TotalBytes(std::span<const BankUse> banks, std::optional<Policy> policy) {
  std::map<uint32_t, uint64_t> shared;
  uint64_t total = 0;
  for (const BankUse& use : banks) {
    if (IsShared(use.bank, policy.value_or(Policy::kPrivate))) {
      shared[use.bank] = std::max(shared[use.bank], use.size);
    } else {
      total += use.size;
    }
  }
  for (const auto& [bank, size] : shared) total += size;
  return total;
}

bool Applies(const Limit& limit, std::span<const BankUse> banks) {
  return limit.IsOfAll() ||
         std::ranges::any_of(banks, [&](const BankUse& use) { return Fits(limit, use); });
}

std::vector<std::string> OverBytes(const Limit& limit, std::span<const BankUse> banks,
                                   std::optional<Policy> policy) {
  std::vector<std::string> over;
  uint64_t sum = 0;
  for (const BankUse& use : banks) {
    if (!Fits(limit, use)) continue;
    sum += use.size;
    if (limit.bank > 0 && use.size > limit.most) {
      over.push_back(TooMany(NameOf(use), use.size, limit));
    }
  }
  if (limit.bank > 0) return over;
  if (limit.method.empty()) sum = TotalBytes(banks, policy);
  if (sum > limit.most) {
    const std::string subject =
        limit.method.empty() ? "the program" : "method " + Quote(limit.method);
    over.push_back(TooMany(subject, sum, limit));
  }
  return over;
}

std::vector<std::string> OverWaste(const Limit& limit, std::span<const BankUse> banks) {
  constexpr double kPercent = 0.01;
  std::vector<std::string> over;
  for (const BankUse& use : banks) {
    if (!Fits(limit, use)) continue;
    const auto most = static_cast<double>(limit.most);
    const double allowed = limit.percent ? most * kPercent * static_cast<double>(use.size) : most;
    if (static_cast<double>(WasteOf(use)) <= allowed) continue;
    over.push_back(fmt::format("{} has {} bytes, {} of them waste, and max-waste is {}",
                               NameOf(use), use.size, WasteOf(use), Quote(limit.text)));
  }
  return over;
}

}  // namespace pteproof
