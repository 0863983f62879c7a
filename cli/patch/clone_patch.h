// The `.clone()` that mends a finding, as a change of the model's source. Nothing is written: the
// file of the line is read, and if it is still the one that was exported, the statement there is
// changed in memory.
#ifndef PTEPROOF_CLI_PATCH_CLONE_PATCH_H_
#define PTEPROOF_CLI_PATCH_CLONE_PATCH_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/load/file_report.h"
#include "cli/patch/unified_diff.h"

namespace pteproof {

// A change of one file, or the reason for none.
struct ClonePatch {
  std::string file;
  LineEdits edits;
  std::string why_not;  // not empty: there is no change
};

// Whether the fix of a finding is a clone.
[[nodiscard]] inline bool IsMendedByClone(const Finding& finding) {
  return finding.clone != Clone::kNone;
}

// Of a statement at the beginning of `text`, whose last component and targets are plain:
// kStored: `self.a.copy_(self.b)` becomes `self.a.copy_(self.b.clone())`; kResult: behind
// `y = torch.cond(...)` comes `y = y.clone()`. `line` is the statement's index in its file.
[[nodiscard]] ClonePatch PatchStatement(std::string_view text, size_t line, Clone clone);

// Texts of source files by path; each is read once.
class SourceTexts {
 public:
  // Null: it cannot be read, or is not a text that a diff can show.
  [[nodiscard]] const std::string* Read(const std::string& file);

 private:
  std::map<std::string, std::string> texts_;
};

// The change for a finding whose fix is a clone.
[[nodiscard]] ClonePatch PatchOf(const Finding& finding, const SourceLines& lines,
                                 SourceTexts& texts);

// The change alone as a diff; empty if there is none.
[[nodiscard]] std::string DiffOf(const ClonePatch& patch, SourceTexts& texts);

// The changes of many findings, each once, a diff for each file.
class PatchSet {
 public:
  void Add(const FileReport& report);

  [[nodiscard]] std::string Text();
  // One sentence for each finding that a clone mends and that has no change.
  [[nodiscard]] const std::vector<std::string>& without() const { return without_; }

 private:
  SourceTexts texts_;
  std::map<std::string, LineEdits> edits_;
  std::vector<std::string> without_;
};

}  // namespace pteproof

#endif  // PTEPROOF_CLI_PATCH_CLONE_PATCH_H_
