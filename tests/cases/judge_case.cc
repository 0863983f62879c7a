#include "tests/cases/judge_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <iterator>
#include <utility>

#include "properties/group_findings.h"
#include "properties/proofs/prove.h"
#include "pteproof/check.h"
#include "runtime/pteasm/assemble.h"
#include "tests/cases/ways.h"
#include "tests/support/report_queries.h"

namespace pteproof::cases {
namespace {

CaseError ErrorOf(const pteasm::TextError& error) {
  return {error.line, error.column, fmt::format("{}: {}", error.rule, error.message)};
}

// A misspelled operator would be one that nobody knows, of which a verdict assumes a lot.
std::vector<CaseError> UnknownOperators(const pteasm::ProgramText& text) {
  std::vector<CaseError> errors;
  for (size_t m = 0; m < text.program.methods.size(); ++m) {
    const Method& method = text.program.methods[m];
    for (size_t i = 0; i < method.instructions.size(); ++i) {
      const Instruction& at = method.instructions[i];
      if (at.kind != InstructionKind::kKernelCall) continue;
      const Operator& op = method.operators[static_cast<size_t>(at.target)];
      if (op.schema != nullptr || !op.name.starts_with("aten::")) continue;
      const text::Position& place = text.places[m].instructions[i];
      errors.push_back({place.line, place.column,
                        fmt::format("'{}' is not a known operator. If that is meant, give it a "
                                    "name outside of aten::",
                                    op.name)});
    }
  }
  return errors;
}

// A program that no file can hold is read as far as its text goes, if the case says so.
Result<pteasm::ProgramText, std::vector<CaseError>> ReadProgramOf(const Case& given) {
  const bool no_file =
      std::ranges::find(given.otherwise, "file", &Otherwise::way) != given.otherwise.end();
  if (no_file) {
    auto text = pteasm::ParseText(given.program, text::NoData);
    if (!text.ok()) return std::vector{ErrorOf(text.error())};
    return std::move(text).value();
  }
  auto made = pteasm::Assemble(given.program, text::NoData);
  if (made.ok()) return std::move(std::move(made).value().text);
  std::vector<CaseError> errors;
  for (const pteasm::TextError& error : made.error()) errors.push_back(ErrorOf(error));
  return errors;
}

// A manifest may be written as its members alone. Places stay what they are, but for the columns of
// the first line.
std::string ManifestText(const std::string& written) {
  const size_t first = written.find_first_not_of(" \n");
  if (first != written.npos && written[first] == '{') return written;
  return "{\"pteproof\": 1, " + written + "}";
}

std::vector<CaseError> ErrorsOf(const std::vector<ManifestError>& refused, int first_line) {
  std::vector<CaseError> errors;
  for (const ManifestError& error : refused) {
    int line = 1;
    int column = 1;
    const bool placed = std::sscanf(error.where.c_str(), "line %d column %d", &line, &column) == 2;
    errors.push_back({first_line + line - 1, column,
                      placed ? error.what : fmt::format("{}: {}", error.where, error.what)});
  }
  return errors;
}

bool Lists(const Case& given, std::string_view what) {
  return std::ranges::find(given.lists, what) != given.lists.end() ||
         std::ranges::find(given.lists, "all") != given.lists.end();
}

// The words of the text for values; literals have their numbers.
std::string WordOf(const pteasm::MethodPlaces* places, int32_t value) {
  const auto v = static_cast<size_t>(value);
  if (places == nullptr || v >= places->names.size() || places->names[v].empty()) {
    return fmt::format("%{}", value);
  }
  return places->names[v];
}

class OutcomeMaker {
 public:
  OutcomeMaker(const Subject& subject, const Case& given) : subject_(subject), given_(given) {}

  [[nodiscard]] Outcome Make() const {
    Outcome outcome;
    const Report& report = subject_.check;
    outcome.verdict = ShortRow(report.verdicts);
    for (const Finding& finding : UngroupFindings(report.findings)) {
      const bool decides = finding.severity == Severity::kError || finding.undecided;
      if (!decides && !Lists(given_, finding.rule)) continue;
      outcome.lines.push_back(
          {Line(finding), finding.explanation + '\n' + finding.fix, ValuesAround(finding.method)});
    }
    if (Lists(given_, "banks")) AddBanks(outcome);
    if (Lists(given_, "overlays")) AddOverlays(outcome);
    if (std::ranges::find(given_.lists, "orders") != given_.lists.end()) AddOrders(outcome);
    if (Lists(given_, "assumptions")) {
      for (const std::string& assumption : report.assumptions) {
        outcome.lines.push_back({"assumes " + assumption, assumption});
      }
    }
    return outcome;
  }

 private:
  [[nodiscard]] const pteasm::MethodPlaces* PlacesOf(std::string_view method) const {
    const auto& methods = subject_.program().methods;
    const auto found = std::ranges::find(methods, method, &Method::name);
    const auto m = static_cast<size_t>(found - methods.begin());
    return found == methods.end() ? nullptr : &subject_.text.places[m];
  }

  [[nodiscard]] std::map<std::string, int32_t> ValuesAround(std::string_view method) const {
    std::map<std::string, int32_t> values;
    const auto add = [&](const pteasm::MethodPlaces& places) {
      for (size_t v = 0; v < places.names.size(); ++v) {
        if (!places.names[v].empty()) values.emplace(places.names[v], static_cast<int32_t>(v));
      }
    };
    if (const auto* places = PlacesOf(method)) add(*places);
    std::ranges::for_each(subject_.text.places, add);
    return values;
  }

  [[nodiscard]] std::string Line(const Finding& finding) const {
    const pteasm::MethodPlaces* places = PlacesOf(finding.method);
    return LineOf(finding, [&](int32_t value) { return WordOf(places, value); });
  }

  void AddBanks(Outcome& outcome) const {
    for (const BankUse& use : subject_.check.banks) {
      std::string line = fmt::format("bank {} {}: size {} peak {} load {}", use.method, use.bank,
                                     use.size, use.peak, use.load);
      if (use.phantom != 0) line += fmt::format(" phantom {}", use.phantom);
      for (const ByteRange& bytes : use.phantoms) {
        line += fmt::format(" [{},{})", bytes.lo, bytes.hi);
      }
      if (use.guard != 0) line += fmt::format(" guard {}", use.guard);
      if (use.early_stores != 0) line += fmt::format(" early-stores {}", use.early_stores);
      outcome.lines.push_back({line});
    }
  }

  // What the proof says of other orders than the listed one.
  void AddOrders(Outcome& outcome) const {
    using proofs::Order;
    for (const auto& [order, name] : {std::pair(Order::kAny, "any"), {Order::kStrict, "strict"}}) {
      const auto proof = proofs::Prove(
          subject_.program(),
          {.manifest = subject_.stated(), .all_first = subject_.all_first, .order = order});
      outcome.lines.push_back({fmt::format("order {}: {}", name, ShortRow(proof.verdicts))});
    }
  }

  void AddOverlays(Outcome& outcome) const {
    for (const IoOverlay& overlay : subject_.check.overlays) {
      const pteasm::MethodPlaces* places = PlacesOf(overlay.method);
      outcome.lines.push_back({
          fmt::format("overlay {} {} over {}", overlay.method, WordOf(places, overlay.output),
                      WordOf(places, overlay.input)),
      });
    }
  }

  const Subject& subject_;
  const Case& given_;
};

// The text with values as findings name them: "v4" for "%view".
bool IsSaid(std::string_view text, const OutcomeLine& line) {
  std::string expected;
  for (size_t i = 0; i < text.size(); ++i) {
    size_t end = i + 1;
    while (text[i] == '%' && end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) {
      ++end;
    }
    const auto value = line.values.find(std::string(text.substr(i, end - i)));
    if (value == line.values.end()) {
      expected += text[i];
    } else {
      expected += fmt::format("v{}", value->second);
      i = end - 1;
    }
  }
  return line.says.find(expected) != line.says.npos;
}

void CompareSays(const ExpectedLine& expected, const OutcomeLine& line,
                 std::vector<CaseError>& errors) {
  for (const Says& says : expected.says) {
    if (IsSaid(says.text, line)) continue;
    errors.push_back(
        {says.line, 1, fmt::format("not said by {}. It says:\n{}", line.text, line.says)});
  }
}

// The expectation of one revision as lines of a file, from what came out and from what it was.
std::string Written(const Outcome& outcome, const Expectation* before,
                    std::vector<CaseError>& told) {
  std::string text = ": " + outcome.verdict + "\n";
  std::vector<ExpectedLine> old = before == nullptr ? std::vector<ExpectedLine>{} : before->lines;
  std::vector<Says> loose = before == nullptr ? std::vector<Says>{} : before->loose;
  // Texts of findings that are gone may be said by others now.
  std::erase_if(old, [&](const ExpectedLine& e) {
    const bool is_there = std::ranges::any_of(
        outcome.lines, [&](const OutcomeLine& line) { return Matches(e.text, line.text); });
    if (!is_there) loose.insert(loose.end(), e.says.begin(), e.says.end());
    return !is_there;
  });
  for (const OutcomeLine& line : outcome.lines) {
    const auto same = std::ranges::find_if(
        old, [&](const ExpectedLine& e) { return Matches(e.text, line.text); });
    std::vector<Says> says;
    text += (same == old.end() ? line.text : same->text) + "\n";
    if (same != old.end()) {
      says = same->says;
      old.erase(same);
    }
    const auto holds = [&](const Says& s) { return IsSaid(s.text, line); };
    for (const Says& s : says) {
      if (!holds(s)) loose.push_back(s);
    }
    std::erase_if(says, [&](const Says& s) { return !holds(s); });
    std::ranges::copy_if(loose, std::back_inserter(says), holds);
    std::erase_if(loose, holds);
    for (const Says& s : says) text += fmt::format("  says \"{}\"\n", s.text);
  }
  for (const ExpectedLine& gone : old)
    loose.insert(loose.end(), gone.says.begin(), gone.says.end());
  for (const Says& s : loose)
    told.push_back({s.line, 1, "removed, as no finding says it: " + s.text});
  return text;
}

// Where the outcome is not as expected.
std::vector<CaseError> Unexpected(const Expectation& expected, const Outcome& outcome) {
  std::vector<CaseError> errors;
  if (expected.verdict_line == 0) {
    return {{expected.line, 1, "No verdict is expected of it. scripts/cases --update writes it."}};
  }
  std::string row = expected.verdict;
  if (row != outcome.verdict) {
    errors.push_back({expected.verdict_line, 1,
                      fmt::format("the verdict is {}, expected: {}", outcome.verdict, row)});
  }
  for (const Says& says : expected.loose) {
    errors.push_back({says.line, 1, "a text belongs below the finding that says it"});
  }
  std::vector<ExpectedLine> left = expected.lines;
  std::vector<std::string> surplus;
  for (const OutcomeLine& line : outcome.lines) {
    const auto found = std::ranges::find_if(
        left, [&](const ExpectedLine& e) { return Matches(e.text, line.text); });
    if (found == left.end()) {
      surplus.push_back("not expected: " + line.text);
      continue;
    }
    CompareSays(*found, line, errors);
    left.erase(found);
  }
  for (const ExpectedLine& e : left) errors.push_back({e.line, 1, "not found: " + e.text});
  for (const std::string& s : surplus) errors.push_back({expected.line, 1, s});
  return errors;
}

// The file with these outcomes of its revisions as expectations.
std::string WithOutcomes(const CaseFile& file, const std::vector<Outcome>& outcomes,
                         std::vector<CaseError>& told) {
  struct Block {
    std::string heading;
    std::string lines;
  };
  std::vector<Block> blocks;
  for (size_t r = 0; r < file.revisions.size(); ++r) {
    const std::string& name = file.revisions[r].name;
    const auto before = std::ranges::find_if(file.expectations, [&](const Expectation& e) {
      return name.empty() || std::ranges::find(e.revisions, name) != e.revisions.end();
    });
    std::string lines =
        Written(outcomes[r], before == file.expectations.end() ? nullptr : &*before, told);
    const auto same = std::ranges::find(blocks, lines, &Block::lines);
    const std::string word = name.empty() ? "" : " " + name;
    if (same != blocks.end()) {
      same->heading += word;
    } else {
      blocks.push_back({"expect" + word, std::move(lines)});
    }
  }
  std::vector<std::string> kept(file.lines.begin(),
                                file.lines.begin() + static_cast<long>(file.expectations_begin));
  while (!kept.empty() && kept.back().empty()) kept.pop_back();
  std::string text = fmt::format("{}\n", fmt::join(kept, "\n"));
  text += "\n";
  for (const Block& block : blocks) text += block.heading + block.lines;
  return text;
}

}  // namespace

Result<JudgedCase, std::vector<CaseError>> JudgeCase(const Case& given) {
  auto text = ReadProgramOf(given);
  if (!text.ok()) return text.error();
  if (auto unknown = UnknownOperators(text.value()); !unknown.empty()) return unknown;
  Subject subject = {std::move(text).value(), std::nullopt, given.all_first, given.use, {}};
  if (given.manifest) {
    auto manifest = ParseManifest(ManifestText(*given.manifest));
    if (!manifest.ok()) return ErrorsOf(manifest.error(), given.manifest_line);
    subject.manifest = std::move(manifest).value();
  }
  subject.check =
      Check(subject.program(),
            {.manifest = subject.stated(), .all_first = subject.all_first, .use = subject.use});
  return JudgedCase{OutcomeMaker(subject, given).Make(), DisagreementsOf(subject, given)};
}

std::vector<std::string> FailuresOf(std::string_view text, size_t revision, std::string_view file) {
  const auto read = ReadCaseFile(text);
  if (!read.ok()) return {TextOf(read.error(), file)};
  const auto given = CaseOf(read.value(), revision);
  if (!given.ok()) return {TextOf(given.error(), file)};
  const auto judged = JudgeCase(given.value());
  const std::vector<CaseError> errors =
      judged.ok() ? Unexpected(given.value().expectation, judged.value().outcome) : judged.error();
  std::vector<std::string> failures;
  for (const CaseError& error : errors) failures.push_back(TextOf(error, file));
  if (!judged.ok()) return failures;
  for (const std::string& why : judged.value().disagreements) {
    failures.push_back(fmt::format("{}: {}", file, why));
  }
  return failures;
}

std::optional<std::string> Updated(std::string_view text, std::vector<CaseError>& told) {
  const auto file = ReadCaseFile(text);
  if (!file.ok()) told.push_back(file.error());
  if (!file.ok()) return std::nullopt;
  std::vector<Outcome> outcomes;
  for (size_t r = 0; r < file.value().revisions.size(); ++r) {
    const auto given = CaseOf(file.value(), r);
    if (!given.ok()) told.push_back(given.error());
    if (!given.ok()) return std::nullopt;
    const auto judged = JudgeCase(given.value());
    if (!judged.ok()) told.insert(told.end(), judged.error().begin(), judged.error().end());
    if (!judged.ok()) return std::nullopt;
    outcomes.push_back(judged.value().outcome);
  }
  return WithOutcomes(file.value(), outcomes, told);
}

}  // namespace pteproof::cases
