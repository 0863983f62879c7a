#include "cli/patch/unified_diff.h"

#include <fmt/format.h>

#include <algorithm>

namespace pteproof {
namespace {

constexpr size_t kContext = 3;

// Lines [first, last) of the old text, with the edits in them.
struct Hunk {
  size_t first = 0;
  size_t last = 0;
  size_t removed = 0;
  size_t added = 0;
  std::string lines;
};

// The edits whose context meets lie in one hunk.
std::vector<Hunk> HunksOf(const LineEdits& edits, size_t line_count) {
  std::vector<Hunk> hunks;
  for (const auto& [line, edit] : edits) {
    const size_t first = line - std::min(line, kContext);
    const size_t last = std::min(line + kContext + 1, line_count);
    if (hunks.empty() || hunks.back().last < first) {
      hunks.push_back({.first = first, .last = last, .lines = {}});
    } else {
      hunks.back().last = last;
    }
  }
  return hunks;
}

class DiffWriter {
 public:
  DiffWriter(std::string_view text, const LineEdits& edits)
      : lines_(LinesOf(text)), edits_(edits), ends_(text.ends_with('\n')) {}

  std::string Hunks() const {
    std::string all;
    size_t shift = 0;  // lines that were added ahead
    for (Hunk& hunk : HunksOf(edits_, lines_.size())) {
      for (size_t line = hunk.first; line < hunk.last; ++line) Write(line, hunk);
      const size_t old_count = hunk.last - hunk.first;
      const size_t new_count = old_count - hunk.removed + hunk.added;
      all += fmt::format("@@ -{},{} +{},{} @@\n{}", hunk.first + 1, old_count,
                         hunk.first + 1 + shift, new_count, hunk.lines);
      shift += hunk.added - hunk.removed;
    }
    return all;
  }

 private:
  void Write(size_t line, Hunk& hunk) const {
    const bool is_last = line + 1 == lines_.size() && !ends_;
    const auto found = edits_.find(line);
    const LineEdit none;
    const LineEdit& edit = found == edits_.end() ? none : found->second;
    // A line without an end gets one if others follow, which is a change.
    const bool gets_end = is_last && !edit.added.empty();
    if (edit.replaced || gets_end) {
      Put('-', lines_[line], is_last, hunk);
      Put('+', edit.replaced ? std::string_view(*edit.replaced) : lines_[line],
          is_last && !gets_end, hunk);
      ++hunk.removed;
      ++hunk.added;
    } else {
      Put(' ', lines_[line], is_last, hunk);
    }
    Added(edit, is_last, hunk);
  }

  static void Added(const LineEdit& edit, bool is_last, Hunk& hunk) {
    for (size_t k = 0; k < edit.added.size(); ++k) {
      Put('+', edit.added[k], is_last && k + 1 == edit.added.size(), hunk);
      ++hunk.added;
    }
  }

  static void Put(char mark, std::string_view line, bool without_end, Hunk& hunk) {
    hunk.lines += fmt::format("{}{}\n", mark, line);
    if (without_end) hunk.lines += "\\ No newline at end of file\n";
  }

  std::vector<std::string_view> lines_;
  const LineEdits& edits_;
  bool ends_;
};

}  // namespace

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string UnifiedDiff(std::string_view file, std::string_view text, const LineEdits& edits) {
  if (edits.empty()) return "";
  return fmt::format("--- {0}\n+++ {0}\n{1}", file, DiffWriter(text, edits).Hunks());
}

}  // namespace pteproof
