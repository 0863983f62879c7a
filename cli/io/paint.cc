#include "cli/io/paint.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

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

Paint PaintForStandardOutput() {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool wanted = no_colour == nullptr || *no_colour == '\0';
  const bool capable = terminal != nullptr && std::string_view(terminal) != "dumb";
  return {wanted && capable && isatty(STDOUT_FILENO) == 1};
}

}  // namespace pteproof
