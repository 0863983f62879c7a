#include "cli/map/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace pteproof {
namespace {

constexpr std::array<std::string_view, 7> kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
constexpr double kKibi = 1024;

// "4,352".
std::string Grouped(uint64_t number) {
  std::string digits = fmt::to_string(number);
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

}  // namespace

std::string BytesText(uint64_t bytes) {
  auto number = static_cast<double>(bytes);
  size_t unit = 0;
  while (number >= kKibi && unit + 1 < kUnits.size()) {
    number /= kKibi;
    ++unit;
  }
  std::string text = fmt::format("{:.2f}", number);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return fmt::format("{} {}", text, kUnits[unit]);
}

std::string ExactBytesText(uint64_t bytes) {
  if (bytes == 1) return "1 byte";
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  return fmt::format("{} ({} bytes)", BytesText(bytes), Grouped(bytes));
}

std::vector<uint64_t> ByteTicks(uint64_t extent, int64_t most) {
  const auto parts = static_cast<uint64_t>(std::max<int64_t>(most, 1));
  uint64_t step = 1;
  while (extent / step > parts && step < (uint64_t{1} << 62)) step *= 2;
  std::vector<uint64_t> ticks = {0};
  while (extent - ticks.back() >= step) ticks.push_back(ticks.back() + step);
  return ticks;
}

int64_t TickStep(double least) {
  for (int64_t power = 1; power < int64_t{1} << 40; power *= 10) {
    for (const int64_t step : {power, 2 * power, 5 * power}) {
      if (static_cast<double>(step) >= least) return step;
    }
  }
  return int64_t{1} << 40;
}

std::string LifeText(const PointSpan& span, const picture::MethodAxis& axis) {
  const std::string first = span.lower < 0 ? "entry"
                            : span.lower / 2 >= axis.instructions()
                                ? "end"
                                : fmt::to_string(span.lower / 2);
  const int64_t last = (span.upper - 1) / 2;
  if (span.upper <= 0) return first;
  const std::string until = last >= axis.instructions() ? "end" : fmt::to_string(last);
  return first == until ? first : fmt::format("{}..{}", first, until);
}

}  // namespace pteproof
