#include "tests/cases/case_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

namespace pteproof::cases {
namespace {

constexpr std::array<std::string_view, 6> kHeadWords = {"revision", "all-first", "use",
                                                        "names",    "lists",     "except"};
constexpr std::array<std::string_view, 9> kWays = {
    "prove", "runs", "text", "file", "compare", "replan", "renumbered", "shuffled", "nameless"};

std::vector<std::string> LinesOfText(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

struct Word {
  std::string text;
  int column = 1;
};

// Words of a line up to a comment. `name="a b"` is one word, without the quotes, and so is
// `name='a "b"'`.
std::vector<Word> WordsOf(std::string_view line, std::string* comment = nullptr) {
  std::vector<Word> words;
  char quote = 0;
  bool inside = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == 0 && c == '#' && (i == 0 || line[i - 1] == ' ')) {
      if (comment != nullptr) *comment = line.substr(line.find_first_not_of("# ", i));
      break;
    }
    if (quote == 0 && std::isspace(static_cast<unsigned char>(c)) != 0) {
      inside = false;
      continue;
    }
    if (!inside) words.push_back({"", static_cast<int>(i) + 1});
    inside = true;
    if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (quote != 0 && c == quote) {
      quote = 0;
    } else {
      words.back().text += c;
    }
  }
  return words;
}

bool IsBlank(std::string_view line) {
  return line.find_first_not_of(" \t") == line.npos;
}

std::string_view Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

bool IsName(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '_';
  });
}

Result<Revision, CaseError> RevisionOf(std::span<const Word> words, int line) {
  Revision revision;
  revision.line = line;
  if (words.size() < 2 || !IsName(words[1].text)) {
    return CaseError{line, words.size() < 2 ? 1 : words[1].column,
                     "A revision needs a name of a-z, 0-9 and _."};
  }
  revision.name = words[1].text;
  for (const Word& word : words.subspan(2)) {
    const size_t equals = word.text.find('=');
    if (equals == word.text.npos || !IsName(word.text.substr(0, equals))) {
      return CaseError{line, word.column, "A value of a revision is written name=value."};
    }
    revision.values[word.text.substr(0, equals)] = word.text.substr(equals + 1);
  }
  return revision;
}

bool IsExpect(std::string_view line) {
  return line == "expect" || line.starts_with("expect ") || line.starts_with("expect:");
}

// Reads one `expect` and what stands below it.
class ExpectationReader {
 public:
  ExpectationReader(const CaseFile& file, size_t at) : file_(file), at_(at) {}

  Result<Expectation, CaseError> Read() {
    Expectation read;
    read.line = static_cast<int>(at_) + 1;
    read.verdict_line = 0;
    const std::string_view heading = file_.lines[at_];
    const size_t colon = std::min(heading.find(':'), heading.size());
    const std::vector<Word> words = WordsOf(heading.substr(0, colon));
    for (const Word& word : std::span(words).subspan(1)) {
      const bool known =
          std::ranges::find(file_.revisions, word.text, &Revision::name) != file_.revisions.end();
      if (!known) {
        return CaseError{read.line, word.column,
                         fmt::format("'{}' is not a revision of this file.", word.text)};
      }
      read.revisions.push_back(word.text);
    }
    if (read.revisions.empty() && !file_.revisions.front().name.empty()) {
      return CaseError{read.line, 1, "Name the revisions that this is expected of."};
    }
    if (colon < heading.size()) {
      read.verdict = Trimmed(heading.substr(colon + 1));
      read.verdict_line = read.line;
      if (auto error = VerdictError(heading, colon + 1, read.line)) return *error;
    }
    for (++at_; at_ < file_.lines.size() && !IsExpect(file_.lines[at_]); ++at_) {
      const std::string& line = file_.lines[at_];
      if (IsBlank(line) || line.starts_with('#')) continue;
      if (auto error = Add(line, read)) return *error;
    }
    return read;
  }
  [[nodiscard]] size_t end() const { return at_; }

 private:
  std::optional<CaseError> Add(std::string_view line, Expectation& read) const {
    const int number = static_cast<int>(at_) + 1;
    const std::string_view text = Trimmed(line);
    if (text.starts_with("says ")) {
      const size_t open = text.find('"');
      if (open == text.npos || text.back() != '"' || open + 1 == text.size()) {
        return CaseError{number, 1, "A text is written says \"...\"."};
      }
      const Says says = {std::string(text.substr(open + 1, text.size() - open - 2)), number};
      (read.lines.empty() ? read.loose : read.lines.back().says).push_back(says);
    } else if (line.front() == ' ') {
      return CaseError{number, 1, "Only says \"...\" is indented."};
    } else {
      read.lines.push_back({std::string(text), number, {}});
    }
    return std::nullopt;
  }

  static std::optional<CaseError> VerdictError(std::string_view heading, size_t begin, int line) {
    const std::vector<Word> words = WordsOf(heading.substr(begin));
    for (const Word& word : words) {
      const bool known = word.text == "safe" || word.text == "undecided" || word.text == "unsafe";
      if (!known) {
        return CaseError{line, static_cast<int>(begin) + word.column,
                         "A verdict is safe, undecided or unsafe: one word, or one for each of "
                         "private, share-1-2 and share-all."};
      }
    }
    if (words.size() == 1 || words.size() == 3) return std::nullopt;
    return CaseError{line, static_cast<int>(begin), "Verdicts are one word or three."};
  }

  const CaseFile& file_;
  size_t at_;
};

std::optional<CaseError> ReadRevisions(CaseFile& file) {
  for (size_t i = file.head.first; i < file.head.second; ++i) {
    const std::vector<Word> words = WordsOf(file.lines[i]);
    if (words.empty() || words.front().text.starts_with('[')) continue;
    const int line = static_cast<int>(i) + 1;
    if (std::ranges::find(kHeadWords, words.front().text) == kHeadWords.end()) {
      return CaseError{
          line, words.front().column,
          fmt::format("'{}' is not a line of a case's head. These are: {}, # comments.",
                      words.front().text, fmt::join(kHeadWords, ", "))};
    }
    if (words.front().text != "revision") continue;
    auto revision = RevisionOf(words, line);
    if (!revision.ok()) return revision.error();
    if (std::ranges::find(file.revisions, revision.value().name, &Revision::name) !=
        file.revisions.end()) {
      return CaseError{line, words[1].column, "This revision is there twice."};
    }
    file.revisions.push_back(std::move(revision).value());
  }
  if (file.revisions.empty()) file.revisions.emplace_back();
  return std::nullopt;
}

std::optional<CaseError> ReadExpectations(CaseFile& file) {
  for (size_t i = file.expectations_begin; i < file.lines.size();) {
    ExpectationReader reader(file, i);
    auto read = reader.Read();
    if (!read.ok()) return read.error();
    for (const Expectation& other : file.expectations) {
      const bool again = std::ranges::find_first_of(other.revisions, read.value().revisions) !=
                             other.revisions.end() ||
                         other.revisions.empty();
      if (again) return CaseError{read.value().line, 1, "A revision is expected twice."};
    }
    file.expectations.push_back(std::move(read).value());
    i = reader.end();
  }
  return std::nullopt;
}

// The parts of the file begin with lines that are one of these words.
std::optional<CaseError> FindSections(CaseFile& file) {
  const size_t count = file.lines.size();
  size_t manifest = count;
  size_t program = count;
  file.expectations_begin = count;
  for (size_t i = 0; i < file.expectations_begin; ++i) {
    const std::string& line = file.lines[i];
    if (line == "manifest" && manifest == count && program == count) manifest = i;
    if (line == "program" && program == count) program = i;
    if (IsExpect(line)) file.expectations_begin = i;
  }
  if (program == count) return CaseError{1, 1, "There is no program."};
  file.head = {0, std::min(manifest, program)};
  file.program = {program, file.expectations_begin};
  if (manifest < program) file.manifest = {manifest + 1, program};
  return std::nullopt;
}

// The lines of a part as one revision has them. Others become empty: places stay what they are.
class Chosen {
 public:
  Chosen(const CaseFile& file, const Revision& revision) : file_(file), revision_(revision) {}

  std::optional<CaseError> Choose(std::pair<size_t, size_t> part, std::vector<std::string>& into) {
    for (size_t i = part.first; i < part.second; ++i) {
      std::string line = file_.lines[i];
      if (auto error = Prefix(line, i)) return error;
      if (auto error = PutIn(line, i)) return error;
      into.push_back(std::move(line));
    }
    return std::nullopt;
  }

 private:
  std::optional<CaseError> Prefix(std::string& line, size_t at) const {
    const size_t end = line.find(']');
    if (!line.starts_with('[') || end == line.npos) return std::nullopt;
    const bool all_but = line.starts_with("[!");
    const size_t begin = all_but ? 2 : 1;
    bool is_named = false;
    for (const Word& word : WordsOf(std::string_view(line).substr(begin, end - begin))) {
      const bool known =
          std::ranges::find(file_.revisions, word.text, &Revision::name) != file_.revisions.end();
      if (!known) {
        return CaseError{static_cast<int>(at) + 1, word.column + static_cast<int>(begin),
                         fmt::format("'{}' is not a revision of this file.", word.text)};
      }
      is_named |= word.text == revision_.name;
    }
    line = is_named != all_but ? std::string(end + 1, ' ') + line.substr(end + 1) : "";
    return std::nullopt;
  }

  std::optional<CaseError> PutIn(std::string& line, size_t at) const {
    for (size_t i = line.find('$'); i != line.npos; i = line.find('$', i)) {
      size_t end = i + 1;
      while (end < line.size() && IsName(line.substr(end, 1))) ++end;
      const auto value = revision_.values.find(line.substr(i + 1, end - i - 1));
      if (value == revision_.values.end()) {
        return CaseError{static_cast<int>(at) + 1, static_cast<int>(i) + 1,
                         fmt::format("{} has no value in this revision.", line.substr(i, end - i))};
      }
      line.replace(i, end - i, value->second);
      i += value->second.size();
    }
    return std::nullopt;
  }

  const CaseFile& file_;
  const Revision& revision_;
};

std::optional<CaseError> ReadOtherwise(std::span<const Word> words, const std::string& reason,
                                       int line, Case& read) {
  if (words.size() < 2 || std::ranges::find(kWays, words[1].text) == kWays.end()) {
    return CaseError{line, words.size() < 2 ? 1 : words[1].column,
                     fmt::format("After 'except' comes one of: {}.", fmt::join(kWays, ", "))};
  }
  if (reason.empty()) return CaseError{line, 1, "An exception needs its reason: '# why'."};
  Otherwise otherwise = {words[1].text, "", reason, line};
  for (const Word& word : words.subspan(2)) {
    otherwise.row += (otherwise.row.empty() ? "" : " ") + word.text;
  }
  read.otherwise.push_back(std::move(otherwise));
  return std::nullopt;
}

std::optional<CaseError> ReadHead(std::span<const std::string> lines, Case& read) {
  for (size_t i = 0; i < lines.size(); ++i) {
    std::string reason;
    const std::vector<Word> words = WordsOf(lines[i], &reason);
    const int line = static_cast<int>(i) + 1;
    if (words.empty() || words[0].text == "revision") continue;
    const std::string_view text = Trimmed(std::string_view(lines[i]).substr(0, lines[i].find('#')));
    if (text == "all-first") {
      read.all_first = true;
    } else if (text == "use reload") {
      read.use = Use::kReload;
    } else if (text == "use concurrent") {
      read.use = Use::kConcurrent;
    } else if (text == "names do not matter") {
      read.names_matter = false;
    } else if (words[0].text == "lists") {
      for (const Word& word : std::span(words).subspan(1)) read.lists.push_back(word.text);
    } else if (words[0].text == "except") {
      if (auto error = ReadOtherwise(words, reason, line, read)) return error;
    } else {
      return CaseError{line, words[0].column, "This line of the head is not complete."};
    }
  }
  return std::nullopt;
}

}  // namespace

std::string TextOf(const CaseError& error, std::string_view file) {
  return fmt::format("{}:{}:{}: {}", file, error.line, error.column, error.what);
}

Result<CaseFile, CaseError> ReadCaseFile(std::string_view text) {
  CaseFile file;
  file.lines = LinesOfText(text);
  if (auto error = FindSections(file)) return *error;
  if (auto error = ReadRevisions(file)) return *error;
  if (auto error = ReadExpectations(file)) return *error;
  return file;
}

Result<Case, CaseError> CaseOf(const CaseFile& file, size_t revision) {
  const Revision& of = file.revisions[revision];
  Case read;
  Chosen chosen(file, of);
  std::vector<std::string> head;
  if (auto error = chosen.Choose(file.head, head)) return *error;
  if (auto error = ReadHead(head, read)) return *error;
  std::vector<std::string> manifest;
  if (auto error = chosen.Choose(file.manifest, manifest)) return *error;
  const bool stated = !std::ranges::all_of(manifest, IsBlank);
  if (stated) read.manifest = fmt::format("{}\n", fmt::join(manifest, "\n"));
  read.manifest_line = static_cast<int>(file.manifest.first) + 1;
  std::vector<std::string> program(file.program.first);
  if (auto error = chosen.Choose(file.program, program)) return *error;
  read.program = fmt::format("{}\n", fmt::join(program, "\n"));
  read.expectation.verdict_line = 0;
  for (const Expectation& e : file.expectations) {
    const bool is_of =
        of.name.empty() || std::ranges::find(e.revisions, of.name) != e.revisions.end();
    if (is_of) read.expectation = e;
  }
  return read;
}

bool Matches(std::string_view pattern, std::string_view text) {
  const size_t gap = pattern.find("...");
  if (gap == pattern.npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, gap))) return false;
  const std::string_view rest = pattern.substr(gap + 3);
  for (size_t at = gap; at <= text.size(); ++at) {
    if (Matches(rest, text.substr(at))) return true;
  }
  return false;
}

}  // namespace pteproof::cases
