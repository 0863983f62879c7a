#include "cli/arguments/man_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "pteproof/version.h"

namespace pteproof {
namespace {

// Text that begins no request and keeps its characters.
std::string Plain(std::string_view text) {
  std::string plain;
  if (text.starts_with('.') || text.starts_with('\'')) plain += "\\&";
  for (const char c : text) {
    switch (c) {
      case '\\':
        plain += "\\e";
        break;
      case '-':
        plain += "\\-";
        break;
      case '\'':
        plain += "\\(aq";
        break;
      case '|':
        plain += "|\\:";  // a line may end here
        break;
      default:
        plain += c;
    }
  }
  return plain;
}

std::string Bold(std::string_view text) {
  return "\\fB" + Plain(text) + "\\fR";
}

std::string Slanted(std::string_view text) {
  return "\\fI" + Plain(text) + "\\fR";
}

std::string Sentence(const std::string& text) {
  return Plain(text) + (text.ends_with('.') ? "\n" : ".\n");
}

std::string ManFlag(const ArgumentInfo& flag) {
  std::vector<std::string> names;
  for (const std::string& name : flag.names) names.push_back(Bold(name));
  const std::string value = flag.value.empty() ? "" : " " + Slanted(flag.value);
  return fmt::format(".TP\n{}{}\n{}", fmt::join(names, ", "), value, Sentence(flag.text));
}

std::string ManSynopsis(const VerbInfo& verb) {
  std::string line = Bold("pteproof " + verb.name) + " [" + Slanted("OPTIONS") + "]";
  for (const ArgumentInfo& value : verb.values) {
    const std::string name = Slanted(value.names.front()) + (value.repeated ? "..." : "");
    line += value.required ? " " + name : " [" + name + "]";
  }
  return line + "\n";
}

std::string ManVerb(const VerbInfo& verb) {
  std::string text =
      fmt::format(".SS {}\n{}.PP\n{}", Plain(verb.name), Sentence(verb.text), ManSynopsis(verb));
  for (const ArgumentInfo& value : verb.values) {
    text += fmt::format(".TP\n{}\n{}", Slanted(value.names.front()), Sentence(value.text));
  }
  for (const ArgumentInfo& flag : verb.flags) text += ManFlag(flag);
  if (!verb.exit_codes.empty()) text += ".PP\nExit codes: " + Sentence(verb.exit_codes);
  for (const std::string& example : verb.examples) {
    text += fmt::format(".PP\n.RS\n{}\n.RE\n", Plain(example));
  }
  return text;
}

constexpr std::string_view kExitStatus = R"(.SH EXIT STATUS
.TP
0
safe, or done
.TP
1
unsafe, refuted, or different
.TP
2
malformed
.TP
3
undecided, unknown, or dependent on the loader
.TP
64
wrong usage, or a manifest that is wrong or of another program
.TP
66
a file that cannot be read or written
.TP
70
out of memory, or a bug in pteproof
.TP
130, 143
ended by SIGINT or SIGTERM; the output so far is whole
)";

constexpr std::string_view kEnvironment = R"(.SH ENVIRONMENT
.TP
.B NO_COLOR
If it is not empty, there are no colours. It counts before
.BR FORCE_COLOR .
.TP
.B FORCE_COLOR
If it is neither empty nor 0, there are colours, even if the output is not a terminal.
.TP
.B COLUMNS
The width that tables and help texts have at most.
.TP
.B PTEPROOF_PLAIN
If it is set, kernels run loops for any processor, without AVX2.
)";

}  // namespace

std::string ManPage(const CommandInfo& command) {
  std::string page = fmt::format(
      ".TH PTEPROOF 1 \"\" \"pteproof {}\" \"User Commands\"\n.ad l\n.nh\n"
      ".SH NAME\npteproof \\- verification of the memory plans of ExecuTorch programs\n"
      ".SH SYNOPSIS\n{} {} [{}] ...\n"
      ".SH DESCRIPTION\n{}\n"
      "A .pte file holds a memory plan; each verb answers a question about it.\n"
      ".SH OPTIONS\n",
      Version(), Bold("pteproof"), Slanted("VERB"), Slanted("OPTIONS"),
      Plain(command.command.text));
  for (const ArgumentInfo& flag : command.command.flags) page += ManFlag(flag);
  page += ".SH VERBS\n";
  for (const VerbInfo& verb : command.verbs) page += ManVerb(verb);
  page += kExitStatus;
  page += kEnvironment;
  return page;
}

}  // namespace pteproof
