#include "tests/structure/source_rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

namespace pteproof {
namespace {

using std::string_view_literals::operator""sv;

constexpr int kDoor = 6;
constexpr size_t kMaxLines = 600;
constexpr ptrdiff_t kMaxColumns = 100;

constexpr auto kFloors = std::to_array<std::pair<std::string_view, int>>({
    {"base", 0},
    {"reference", 1},
    {"runtime", 2},
    {"meaning", 3},
    {"planner", 4},
    {"properties", 5},
    {"api", kDoor},
    {"fuzz", kDoor},
    {"cli", kDoor},
    {"capi", kDoor},
    {"web", kDoor},
    {"bench", kDoor},
    {"tests", kDoor},
});

// The public headers: each belongs to the floor that implements it.
constexpr std::string_view kPublicHeaders = "include/";
constexpr auto kPublicFloors = std::to_array<std::pair<std::string_view, int>>({
    {"pteproof/finding.h", 0},
    {"pteproof/pteproof.h", 0},
    {"pteproof/result.h", 0},
    {"pteproof/version.h", 0},
    {"pteproof/datum.h", 1},
    {"pteproof/scalar_type.h", 1},
    {"pteproof/program.h", 2},
    {"pteproof/read.h", 2},
    {"pteproof/run.h", 2},
    {"pteproof/write.h", 2},
    {"pteproof/manifest.h", 3},
    {"pteproof/place.h", 4},
    {"pteproof/check.h", 5},
    {"pteproof/plan.h", 5},
    {"pteproof/prove.h", 5},
    {"pteproof/report.h", 5},
    {"pteproof/rules.h", 5},
});

// Folders whose parts stand on each other: a part includes from its own level and from those below.
// What lies in the folder itself is on top.
struct Levels {
  std::string_view folder;
  std::vector<std::vector<std::string_view>> parts;
};

const std::vector<Levels>& InnerLevels() {
  static const std::vector<Levels> levels = {
      {"cli/",
       {{"io"}, {"load"}, {"standard"}, {"render"}, {"map"}, {"forms"}, {"verbs"}, {"arguments"}}},
      {"properties/compare/", {{"terms"}, {"run"}}},
      {"properties/proofs/", {{"terms"}, {"facts"}, {"sizes"}, {"rules", "solver"}, {"planner"}}},
      {"runtime/kernels/",
       {{"wide"},
        {"base"},
        {"elementwise"},
        {"reduction", "product", "image", "movement", "indexing", "quantized", "language",
         "hash"}}},
  };
  return levels;
}

// All that the runtime may know of the reference: names, signatures and words of text, no meaning.
constexpr auto kVocabulary = std::to_array<std::string_view>(
    {"reference/tensor_type.h", "reference/kept_operand.h", "reference/op_schema.h",
     "reference/op_signature.h", "reference/operator_list.h", "reference/op_movement.h",
     "reference/tensor_value.h", "reference/text/lexer.h", "reference/text/names.h",
     "reference/text/literals.h", "reference/text/elements.h", "reference/text/data_ref.h",
     "reference/text/token_reader.h"});

// The ways to check a plan. They share what a file means and the rules that no place decides, but
// neither conclusions nor the planner's analysis.
constexpr auto kWays = std::to_array<std::string_view>(
    {"properties/checks/", "properties/proofs/", "properties/oracles/"});

// The twin of the certificate's checker shares nothing with what it checks.
constexpr std::string_view kTwin = "checker/twin/";

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
  if (path.starts_with(kPublicHeaders)) path.remove_prefix(kPublicHeaders.size());
  const auto* const header =
      std::ranges::find(kPublicFloors, path, [](const auto& f) { return f.first; });
  if (header != kPublicFloors.end()) return header->second;
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

// The number of a path's level in a folder, counted from below; nothing outside of the folder and
// in parts that the table does not name.
std::optional<size_t> LevelIn(const Levels& levels, std::string_view path) {
  if (!path.starts_with(levels.folder)) return std::nullopt;
  path.remove_prefix(levels.folder.size());
  if (path.find('/') == std::string_view::npos) return levels.parts.size();
  for (size_t level = 0; level < levels.parts.size(); ++level) {
    const auto& parts = levels.parts[level];
    if (std::ranges::find(parts, TopFolder(path)) != parts.end()) return level;
  }
  return std::nullopt;
}

bool IsAboveWithinItsFolder(std::string_view from, std::string_view to) {
  return std::ranges::any_of(InnerLevels(), [&](const Levels& levels) {
    const auto own = LevelIn(levels, from);
    const auto other = LevelIn(levels, to);
    return own && other && *other > *own;
  });
}

// Why `from` must not include `to`, or nothing.
std::optional<std::string_view> WhyForbidden(std::string_view from, std::string_view to) {
  if (from.starts_with(kTwin) && !to.starts_with(kTwin))
    return "gives the twin what others share"sv;
  const auto from_floor = FloorOf(from);
  const auto to_floor = FloorOf(to);
  if (!from_floor || !to_floor) return std::nullopt;
  if (*to_floor > *from_floor) return "points upwards"sv;
  // Tests go through all doors; the C interface and the page call the command.
  const bool calls_command = TopFolder(from) == "capi" || TopFolder(from) == "web";
  const bool may_pass = TopFolder(from) == TopFolder(to) || TopFolder(from) == "tests" ||
                        (calls_command && TopFolder(to) == "cli");
  if (*to_floor == kDoor && !may_pass) {
    return "points from one door to another"sv;
  }
  if (TopFolder(from) == "runtime" && TopFolder(to) == "reference" &&
      std::ranges::find(kVocabulary, to) == kVocabulary.end()) {
    return "gives the runtime more of the reference than its vocabulary"sv;
  }
  if (IsAboveWithinItsFolder(from, to)) return "points upwards within its folder"sv;
  const auto way = WayOf(from);
  const bool proves_planner = from.starts_with(kPlannerProofs);
  if (way && !proves_planner && (TopFolder(to) == "planner" || to.starts_with(kPlannerProofs))) {
    return "lets a check share the planner's analysis"sv;
  }
  if (way && WayOf(to) && WayOf(to) != way)
    return "lets one way of checking share another's conclusions"sv;
  return std::nullopt;
}

struct Include {
  size_t line = 0;  // from 1
  std::string target;
};

std::vector<Include> IncludesOf(const SourceFile& file) {
  static const std::regex include(R"re(^\s*#\s*include\s*"([^"]+)")re");
  std::vector<Include> includes;
  for (const Line& line : LinesOf(file)) {
    std::smatch match;
    if (line.text.find('#') == std::string::npos) continue;
    if (std::regex_search(line.text, match, include)) includes.push_back({line.number, match[1]});
  }
  return includes;
}

// Which folder includes from which other one beside it.
using FolderArrows = std::map<std::string, std::set<std::string>, std::less<>>;

// From the file's folder to the target's, at the level where the two part: "a/b/x.cc" to "a/c/y.h"
// is "a/b" to "a/c". Files above a folder and below it do not count: a folder's own files may both
// use its parts and be used by them.
void NoteArrow(FolderArrows& arrows, std::string_view from, std::string_view to) {
  size_t begin = 0;
  while (true) {
    const size_t own_end = from.find('/', begin);
    const size_t other_end = to.find('/', begin);
    if (own_end == std::string_view::npos || other_end == std::string_view::npos) return;
    if (from.substr(0, own_end) != to.substr(0, other_end)) {
      arrows[std::string(from.substr(0, own_end))].emplace(to.substr(0, other_end));
      return;
    }
    begin = own_end + 1;
  }
}

bool Reaches(const FolderArrows& arrows, const std::string& from, const std::string& to) {
  std::set<std::string> seen;
  std::vector<std::string> open = {from};
  while (!open.empty()) {
    const std::string folder = open.back();
    open.pop_back();
    const auto found = arrows.find(folder);
    if (found == arrows.end()) continue;
    if (found->second.contains(to)) return true;
    for (const std::string& next : found->second) {
      if (seen.insert(next).second) open.push_back(next);
    }
  }
  return false;
}

bool IsOfTheLibrary(const SourceFile& file) {
  constexpr auto kLibrary = std::to_array<std::string_view>(
      {"base", "reference", "runtime", "meaning", "planner", "properties", "api", "cli", "capi"});
  return std::ranges::find(kLibrary, TopFolder(file.path)) != kLibrary.end();
}

// Lines with one of `words` in which the pattern is found: the words alone are found much faster.
std::vector<std::string> LinesMatching(const SourceFile& file,
                                       const std::vector<std::string>& words,
                                       const std::regex& pattern, std::string_view what) {
  std::vector<std::string> violations;
  for (const Line& line : LinesOf(file)) {
    const bool may_match = std::ranges::any_of(
        words, [&](const std::string& word) { return line.text.find(word) != std::string::npos; });
    if (!may_match || !std::regex_search(line.text, pattern)) continue;
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
  std::vector<std::string> violations;
  for (const Include& include : IncludesOf(file)) {
    const auto why = WhyForbidden(file.path, include.target);
    if (!why) continue;
    violations.push_back(
        fmt::format("{}:{}: \"{}\" {}", file.path, include.line, include.target, *why));
  }
  return violations;
}

std::vector<std::string> PublicHeaderViolations(const SourceFile& file) {
  std::vector<std::string> violations;
  if (!file.path.starts_with(kPublicHeaders)) return violations;
  const bool is_known = std::ranges::any_of(kPublicFloors, [&](const auto& each) {
    return std::string_view(file.path).substr(kPublicHeaders.size()) == each.first;
  });
  if (!is_known) {
    violations.push_back(file.path + ": no floor is known of this public header");
  }
  for (const Include& include : IncludesOf(file)) {
    if (include.target.starts_with("pteproof/")) continue;
    violations.push_back(
        fmt::format("{}:{}: \"{}\" is private", file.path, include.line, include.target));
  }
  return violations;
}

std::vector<std::string> CircleViolations(const std::vector<SourceFile>& files) {
  FolderArrows arrows;
  for (const SourceFile& file : files) {
    for (const Include& include : IncludesOf(file)) NoteArrow(arrows, file.path, include.target);
  }
  std::vector<std::string> violations;
  for (const auto& [from, targets] : arrows) {
    for (const std::string& to : targets) {
      if (from < to && Reaches(arrows, from, to) && Reaches(arrows, to, from))
        violations.push_back(fmt::format("{} and {} include each other", from, to));
    }
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
  static const std::vector<std::string> words = {std::string("TO") + "DO",
                                                 std::string("FIX") + "ME", std::string("XX") + "X",
                                                 std::string("HA") + "CK"};
  static const std::regex left_over("\\b(" + fmt::format("{}", fmt::join(words, "|")) + ")\\b");
  return LinesMatching(file, words, left_over, "left over");
}

std::vector<std::string> PathViolations(const SourceFile& file) {
  static const std::vector<std::string> folders = {"home", "root", "work", "Users", "mnt", "srv"};
  static const std::regex path(
      fmt::format(R"((^|[^A-Za-z0-9_./}}!-])/({})/[A-Za-z0-9_.])", fmt::join(folders, "|")));
  static const std::vector<std::string> words = [] {
    std::vector<std::string> all;
    for (const std::string& folder : folders) all.push_back("/" + folder + "/");
    return all;
  }();
  return LinesMatching(file, words, path, "absolute path");
}

std::vector<std::string> MemoryViolations(const SourceFile& file) {
  const bool in_kernels = file.path.starts_with("runtime/kernels/");
  const bool knows_memory = file.path.starts_with("runtime/kernels/base/");
  const bool binds = knows_memory || file.path.starts_with("runtime/execute/") ||
                     file.path == "runtime/kernels/movement/row_kernels.cc";
  std::vector<std::string> violations;
  if (!binds && !file.path.starts_with("tests/")) {
    static const std::vector<std::string> words = {"SetHome", "GoHome", "LieIn", "LieOver"};
    static const std::regex gives("\\b(SetHome|GoHome|LieIn|LieOver)\\(");
    violations = LinesMatching(file, words, gives, "gives a tensor memory");
  }
  if (in_kernels && !knows_memory) {
    static const std::vector<std::string> words = {"_cast"};
    static const std::regex casts("const_cast|reinterpret_cast<(const )?std::byte");
    for (std::string& each : LinesMatching(file, words, casts, "makes bytes by a cast")) {
      violations.push_back(std::move(each));
    }
  }
  return violations;
}

std::vector<std::string> SystemViolations(const SourceFile& file) {
  constexpr std::string_view kChild = "properties/proofs/solver/child_process";
  const bool knows = file.path.starts_with("runtime/os/") || file.path.starts_with(kChild);
  if (knows || !IsOfTheLibrary(file)) return {};
  static const std::regex header(
      "#include <(sys/\\w+|unistd|fcntl|dlfcn|fnmatch|io|poll|pthread|signal|spawn|windows)\\.h>");
  return LinesMatching(file, {"#include <"}, header, "is a system's header");
}

std::vector<std::string> FileNameViolations(const SourceFile& file) {
  const bool knows = file.path == "base/file_name.h" || file.path.starts_with("runtime/os/");
  if (knows || !IsOfTheLibrary(file)) return {};
  static const std::regex letters(
      R"re((\.|->)(generic_)?string\(\)|\b(fs|filesystem)::path\([^)"])re");
  return LinesMatching(file, {"string()", "::path("}, letters, "a name in the system's letters");
}

}  // namespace pteproof
