#include "tests/structure/source_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <regex>
#include <sstream>
#include <string_view>
#include <utility>

namespace pteproof {
namespace {

using std::string_view_literals::operator""sv;

constexpr int kDoor = 5;
constexpr size_t kMaxLines = 600;
constexpr ptrdiff_t kMaxColumns = 100;

constexpr auto kFloors = std::to_array<std::pair<std::string_view, int>>({
    {"base", 0},
    {"reference", 1},
    {"runtime", 2},
    {"planner", 3},
    {"properties", 4},
    {"fuzz", kDoor},
    {"cli", kDoor},
    {"python", kDoor},
    {"bench", kDoor},
    {"tests", kDoor},
});

// All that the runtime may know of the reference: names and signatures, no meaning.
constexpr auto kVocabulary =
    std::to_array<std::string_view>({"reference/scalar_type.h", "reference/tensor_type.h",
                                     "reference/op_schema.h", "reference/op_movement.h"});

// The ways to check a plan. They share neither conclusions nor the planner's analysis.
constexpr auto kWays = std::to_array<std::string_view>(
    {"properties/checks/", "properties/proofs/", "properties/oracles/"});

// Proofs of the planner's own code: they run what they prove. Nothing about programs may rest on
// them.
constexpr std::string_view kPlannerProofs = "properties/proofs/planner/";

struct Line {
  size_t number = 0;  // from 1
  std::string text;
};

std::vector<Line> LinesOf(const SourceFile& file) {
  std::vector<Line> lines;
  std::istringstream stream(file.text);
  for (std::string text; std::getline(stream, text);) lines.push_back({lines.size() + 1, text});
  return lines;
}

std::string_view TopFolder(std::string_view path) {
  return path.substr(0, path.find('/'));
}

std::optional<int> FloorOf(std::string_view path) {
  const auto* const found =
      std::ranges::find(kFloors, TopFolder(path), [](const auto& f) { return f.first; });
  if (found == kFloors.end()) return std::nullopt;
  return found->second;
}

std::optional<std::string_view> WayOf(std::string_view path) {
  const auto* const found =
      std::ranges::find_if(kWays, [&](std::string_view way) { return path.starts_with(way); });
  if (found == kWays.end()) return std::nullopt;
  return *found;
}

// Why `from` must not include `to`, or nothing.
std::optional<std::string_view> WhyForbidden(std::string_view from, std::string_view to) {
  const auto from_floor = FloorOf(from);
  const auto to_floor = FloorOf(to);
  if (!from_floor || !to_floor) return std::nullopt;
  if (*to_floor > *from_floor) return "points upwards"sv;
  if (*to_floor == kDoor && TopFolder(from) != TopFolder(to) && TopFolder(from) != "tests") {
    return "points from one door to another"sv;
  }
  if (TopFolder(from) == "runtime" && TopFolder(to) == "reference" &&
      std::ranges::find(kVocabulary, to) == kVocabulary.end()) {
    return "gives the runtime more of the reference than its vocabulary"sv;
  }
  const auto way = WayOf(from);
  const bool proves_planner = from.starts_with(kPlannerProofs);
  if (way && !proves_planner && (TopFolder(to) == "planner" || to.starts_with(kPlannerProofs))) {
    return "lets a check share the planner's analysis"sv;
  }
  if (way && WayOf(to) && WayOf(to) != way)
    return "lets one way of checking share another's conclusions"sv;
  return std::nullopt;
}

std::vector<std::string> LinesMatching(const SourceFile& file, const std::regex& pattern,
                                       std::string_view what) {
  std::vector<std::string> violations;
  for (const Line& line : LinesOf(file)) {
    if (!std::regex_search(line.text, pattern)) continue;
    violations.push_back(fmt::format("{}:{}: {}: {}", file.path, line.number, what, line.text));
  }
  return violations;
}

ptrdiff_t ColumnsOf(std::string_view line) {
  constexpr unsigned kContinuationMask = 0xC0;
  constexpr unsigned kContinuation = 0x80;
  return std::ranges::count_if(line, [](char c) {
    return (static_cast<unsigned char>(c) & kContinuationMask) != kContinuation;
  });
}

}  // namespace

std::vector<std::string> IncludeViolations(const SourceFile& file) {
  static const std::regex include(R"re(^\s*#\s*include\s*"([^"]+)")re");
  std::vector<std::string> violations;
  for (const Line& line : LinesOf(file)) {
    std::smatch match;
    if (!std::regex_search(line.text, match, include)) continue;
    const std::string target = match[1];
    const auto why = WhyForbidden(file.path, target);
    if (why)
      violations.push_back(fmt::format("{}:{}: \"{}\" {}", file.path, line.number, target, *why));
  }
  return violations;
}

std::vector<std::string> LengthViolations(const SourceFile& file) {
  const std::vector<Line> lines = LinesOf(file);
  std::vector<std::string> violations;
  if (lines.size() > kMaxLines) {
    violations.push_back(
        fmt::format("{}: {} lines, at most {}", file.path, lines.size(), kMaxLines));
  }
  for (const Line& line : lines) {
    const ptrdiff_t columns = ColumnsOf(line.text);
    if (columns <= kMaxColumns) continue;
    violations.push_back(
        fmt::format("{}:{}: {} columns, at most {}", file.path, line.number, columns, kMaxColumns));
  }
  return violations;
}

std::vector<std::string> LeftOverViolations(const SourceFile& file) {
  // In two halves, so that this file does not violate its own rule.
  static const std::regex left_over(R"(\b(TO)"
                                    R"(DO|FIX)"
                                    R"(ME|XX)"
                                    R"(X|HA)"
                                    R"(CK)\b)");
  return LinesMatching(file, left_over, "left over");
}

std::vector<std::string> PathViolations(const SourceFile& file) {
  static const std::regex path(
      R"((^|[^A-Za-z0-9_./}!-])/(home|root|work|Users|mnt|srv)/[A-Za-z0-9_.])");
  return LinesMatching(file, path, "absolute path");
}

}  // namespace pteproof
