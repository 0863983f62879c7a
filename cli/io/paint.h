// Colours on a terminal: bold words for what matters, nothing at all where colours are off.
#ifndef PTEPROOF_CLI_IO_PAINT_H_
#define PTEPROOF_CLI_IO_PAINT_H_

#include <string>
#include <string_view>

namespace pteproof {

enum class Colour { kRed, kYellow, kGreen, kBlue };

struct Paint {
  bool enabled = false;

  [[nodiscard]] std::string operator()(Colour colour, std::string_view text) const;

  // In the colour of what the word means: safe, unsafe, error, note ....
  [[nodiscard]] std::string Word(std::string_view word) const;
};

// "auto", "always" or "never", over what the environment's NO_COLOR and FORCE_COLOR say: it changes
// them, for this process and those that it starts.
void ChooseColours(std::string_view when);

// Whether standard output gets colours: not with NO_COLOR, else with FORCE_COLOR (unless it is 0),
// else if it is a terminal that knows colours. A variable that is empty says nothing.
[[nodiscard]] Paint PaintForStandardOutput();

}  // namespace pteproof

#endif  // PTEPROOF_CLI_IO_PAINT_H_
