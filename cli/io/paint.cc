#include "cli/io/paint.h"

#include <fmt/format.h>

#include <cstdlib>

#include "cli/io/hosted.h"
#include "runtime/os/os.h"

namespace pteproof {
namespace {

int AnsiCode(Colour colour) {
  switch (colour) {
    case Colour::kRed:
      return 31;
    case Colour::kYellow:
      return 33;
    case Colour::kGreen:
      return 32;
    case Colour::kBlue:
      return 34;
  }
  return 0;
}

// Empty where it is not set.
std::string_view Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::string Paint::operator()(Colour colour, std::string_view text) const {
  if (!enabled) return std::string(text);
  return fmt::format("\x1b[1;{}m{}\x1b[0m", AnsiCode(colour), text);
}

std::string Paint::Word(std::string_view word) const {
  if (word == "safe") return (*this)(Colour::kGreen, word);
  if (word == "undecided" || word == "depends" || word == "warning") {
    return (*this)(Colour::kYellow, word);
  }
  if (word == "note") return (*this)(Colour::kBlue, word);
  return (*this)(Colour::kRed, word);
}

void ChooseColours(std::string_view when) {
  os::SetVariable("NO_COLOR", when == "never" ? "1" : nullptr);
  os::SetVariable("FORCE_COLOR", when == "always" ? "1" : nullptr);
}

Paint PaintForStandardOutput() {
  if (HostOfThread() != nullptr) return {false};
  if (!Environment("NO_COLOR").empty()) return {false};
  if (const auto force = Environment("FORCE_COLOR"); !force.empty()) return {force != "0"};
  const std::string_view terminal = Environment("TERM");
  return {!terminal.empty() && terminal != "dumb" && os::IsTerminal(os::kOutput)};
}

}  // namespace pteproof
