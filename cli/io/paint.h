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

// Whether standard output is a terminal that wants colours (the environment's NO_COLOR is empty).
[[nodiscard]] Paint PaintForStandardOutput();

}  // namespace pteproof

#endif  // PTEPROOF_CLI_IO_PAINT_H_
