#include "cli/patch/clone_patch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/finding_names.h"
#include "cli/io/load_file.h"
#include "cli/io/quote.h"
#include "cli/patch/python_statement.h"

namespace pteproof {
namespace {

constexpr std::string_view kNameCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
constexpr std::array<std::string_view, 4> kRegions = {"cond", "map", "scan", "while_loop"};
constexpr std::string_view kStore = ".copy_";
constexpr std::string_view kBlanks = " \t\r\n";

std::string_view Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

ClonePatch NoPatch(std::string why) {
  return {.file = {}, .edits = {}, .why_not = std::move(why)};
}

bool IsName(std::string_view text) {
  return !text.empty() && text.find_first_not_of(kNameCharacters) == std::string_view::npos;
}

// "self.b", "f(x)[0]": an expression to which `.clone()` can be put without brackets.
bool IsPrimary(std::string_view text, const PythonStatement& statement, size_t from) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto pair = std::ranges::find(statement.brackets, from + i, &BracketPair::open);
    if (pair != statement.brackets.end()) {
      i = pair->close - from;
    } else if (text[i] != '.' && kNameCharacters.find(text[i]) == std::string_view::npos) {
      return false;
    }
  }
  return true;
}

// Whether a comma, a star or a name of a parameter lies outside of inner brackets.
bool IsSeveral(std::string_view text, const PythonStatement& statement, size_t from) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto pair = std::ranges::find(statement.brackets, from + i, &BracketPair::open);
    if (pair != statement.brackets.end()) {
      i = pair->close - from;
    } else if (text[i] == ',' || text[i] == '=' || (i == 0 && text[i] == '*')) {
      return true;
    }
  }
  return false;
}

// The brackets of the only `.copy_(...)`; null: there is none, or several.
const BracketPair* OnlyStore(std::string_view text, const PythonStatement& statement) {
  const BracketPair* only = nullptr;
  for (const BracketPair& pair : statement.brackets) {
    if (!text.substr(0, pair.open).ends_with(kStore)) continue;
    if (only != nullptr) return nullptr;
    only = &pair;
  }
  return only;
}

ClonePatch PatchStore(std::string_view text, size_t line, const PythonStatement& statement) {
  const BracketPair* call = OnlyStore(text, statement);
  if (call == nullptr) return NoPatch("the statement does not store by one `copy_`");
  const std::string_view inside = text.substr(call->open + 1, call->close - call->open - 1);
  const std::string_view stored = Trimmed(inside);
  const auto from = static_cast<size_t>(stored.data() - text.data());
  if (stored.empty() || stored.find('#') != std::string_view::npos ||
      IsSeveral(stored, statement, from)) {
    return NoPatch("`copy_` has other arguments than the value that is stored");
  }
  if (stored.ends_with(".clone()")) return NoPatch("a clone is stored already");
  std::string changed(text.substr(0, statement.end));
  const bool primary = IsPrimary(stored, statement, from);
  changed.insert(from + stored.size(), primary ? ".clone()" : ").clone()");
  if (!primary) changed.insert(from, "(");
  ClonePatch patch;
  const std::string behind(
      text.substr(statement.end, text.find('\n', statement.end) - statement.end));
  changed += behind;
  const std::vector<std::string_view> old = LinesOf(text);
  const std::vector<std::string_view> now = LinesOf(changed);
  for (size_t k = 0; k < now.size(); ++k) {
    if (old[k] != now[k]) patch.edits[line + k].replaced = now[k];
  }
  return patch;
}

// The names on the left of "y = " or "a, b = "; empty: others.
std::vector<std::string_view> TargetsOf(std::string_view left) {
  std::vector<std::string_view> targets;
  while (!left.empty()) {
    const size_t comma = std::min(left.find(','), left.size());
    targets.push_back(Trimmed(left.substr(0, comma)));
    if (!IsName(targets.back())) return {};
    left.remove_prefix(std::min(comma + 1, left.size()));
  }
  return targets;
}

// "torch.cond" of "y = torch.cond(...)", if the call is all that is on the right; else empty.
std::string_view OnlyCallee(std::string_view text, size_t right, const PythonStatement& statement) {
  if (statement.brackets.empty() || statement.brackets.back().close + 1 != statement.end) return "";
  const std::string_view callee =
      Trimmed(text.substr(right, statement.brackets.back().open - right));
  const bool plain =
      callee.find_first_not_of(std::string(kNameCharacters) + ".") == std::string_view::npos;
  return plain ? callee : "";
}

ClonePatch PatchResult(std::string_view text, size_t line, const PythonStatement& statement) {
  const size_t equals = text.substr(0, statement.end).find('=');
  if (equals == std::string_view::npos) {
    return NoPatch("the statement gives the result no name");
  }
  const std::string_view left = text.substr(0, equals);
  const std::vector<std::string_view> targets = TargetsOf(Trimmed(left));
  if (targets.empty()) return NoPatch("the statement gives the result no plain name");
  const std::string_view callee = OnlyCallee(text, equals + 1, statement);
  const std::string_view last = callee.substr(callee.rfind('.') + 1);
  if (std::ranges::find(kRegions, last) == kRegions.end()) {
    return NoPatch("the statement does not assign the result of a cond, map, scan or while_loop");
  }
  const bool is_tuple = last == "scan" || last == "while_loop";
  if (targets.size() == 1 && is_tuple) {
    return NoPatch(
        fmt::format("`{}` has several results, and a clone is made of one", targets.front()));
  }
  std::string names;
  std::string clones;
  for (const std::string_view target : targets) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", target);
    clones += fmt::format("{}{}.clone()", clones.empty() ? "" : ", ", target);
  }
  const size_t blanks = left.find_first_not_of(" \t");
  const size_t line_end = std::min(text.find('\n', statement.end), text.size());
  const bool has_return = line_end > 0 && text[line_end - 1] == '\r';
  ClonePatch patch;
  patch.edits[line + statement.last_line].added.push_back(
      fmt::format("{}{} = {}{}", left.substr(0, blanks), names, clones, has_return ? "\r" : ""));
  return patch;
}

// The line of which a finding's clone is, as the source file has it.
std::optional<SourceLine> LineOfClone(const Finding& finding, const SourceLines& lines) {
  const auto method = lines.methods.find(finding.method);
  if (method == lines.methods.end()) return std::nullopt;
  const MethodSource& known = method->second;
  if (const auto made = known.instructions.find(finding.clone_at);
      made != known.instructions.end()) {
    return made->second;
  }
  const auto named =
      finding.values.empty() ? known.values.end() : known.values.find(finding.values.front());
  return named == known.values.end() ? std::nullopt : named->second.line;
}

// Whether a path can stand in the header of a diff as it is.
bool IsPlainPath(std::string_view file) {
  return std::ranges::all_of(file, [](char c) { return static_cast<unsigned char>(c) >= ' '; });
}

ClonePatch PatchLine(const SourceLine& line, Clone clone, SourceTexts& texts) {
  const std::string* text = IsPlainPath(line.file) ? texts.Read(line.file) : nullptr;
  if (text == nullptr) return NoPatch(fmt::format("{} cannot be read as a text", line.file));
  const std::vector<std::string_view> all = LinesOf(*text);
  const auto index = static_cast<size_t>(line.line - 1);
  if (line.line < 1 || index >= all.size() || Trimmed(all[index]) != line.text) {
    return NoPatch(
        fmt::format("line {} of {} is not the one that was exported", line.line, line.file));
  }
  const auto from = static_cast<size_t>(all[index].data() - text->data());
  ClonePatch patch = PatchStatement(std::string_view(*text).substr(from), index, clone);
  patch.file = line.file;
  if (!patch.why_not.empty()) {
    patch.why_not = fmt::format("{}:{}: {}", line.file, line.line, patch.why_not);
  }
  return patch;
}

// What both want of one line: one change, if they want the same.
void Merge(const LineEdits& edits, LineEdits& into) {
  for (const auto& [line, edit] : edits) into.try_emplace(line, edit);
}

}  // namespace

ClonePatch PatchStatement(std::string_view text, size_t line, Clone clone) {
  const auto statement = ReadStatement(text);
  if (!statement) return NoPatch("its statement cannot be found");
  return clone == Clone::kStored ? PatchStore(text, line, *statement)
                                 : PatchResult(text, line, *statement);
}

const std::string* SourceTexts::Read(const std::string& file) {
  const auto known = texts_.find(file);
  if (known != texts_.end()) return &known->second;
  const auto bytes = LoadFile(file);
  if (!bytes) return nullptr;
  std::string text(reinterpret_cast<const char*>((*bytes.value()).data()), bytes.value()->size());
  const auto is_control = [](char c) {
    return static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t' && c != '\r';
  };
  if (std::ranges::any_of(text, is_control)) return nullptr;
  return &texts_.emplace(file, std::move(text)).first->second;
}

ClonePatch PatchOf(const Finding& finding, const SourceLines& lines, SourceTexts& texts) {
  if (finding.clone == Clone::kOther) {
    return NoPatch("the file does not tell which expression of the model holds the old value");
  }
  const auto line = LineOfClone(finding, lines);
  if (!line) return NoPatch("no line of the model is known");
  ClonePatch patch = PatchLine(*line, finding.clone, texts);
  // A branch may be a function of its own: the statement is then one of those that led to it.
  for (const SourceLine& above : CallersOf(*line, lines)) {
    if (patch.why_not.empty()) break;
    ClonePatch other = PatchLine(above, finding.clone, texts);
    if (other.why_not.empty()) patch = std::move(other);
  }
  return patch;
}

std::string DiffOf(const ClonePatch& patch, SourceTexts& texts) {
  const std::string* text = patch.why_not.empty() ? texts.Read(patch.file) : nullptr;
  return text == nullptr ? "" : UnifiedDiff(patch.file, *text, patch.edits);
}

void PatchSet::Add(const FileReport& report) {
  for (const Finding& finding : report.report.findings) {
    if (!IsMendedByClone(finding)) continue;
    if (report.policy && !finding.policies.Has(*report.policy)) continue;
    const ClonePatch patch = PatchOf(finding, report.source, texts_);
    if (patch.why_not.empty()) {
      Merge(patch.edits, edits_[patch.file]);
    } else {
      without_.push_back(fmt::format("{}: no patch for {} in method {}: {}",
                                     QuotePath(report.file, kLongestLine), finding.rule,
                                     Quote(finding.method), Quote(patch.why_not, kLongestLine)));
    }
  }
}

std::string PatchSet::Text() {
  std::string text;
  for (const auto& [file, edits] : edits_) {
    if (const std::string* old = texts_.Read(file)) text += UnifiedDiff(file, *old, edits);
  }
  return text;
}

}  // namespace pteproof
