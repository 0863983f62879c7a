#include "cli/io/output.h"

#include <fmt/format.h>

#include <cstdio>

#include "cli/io/interruption.h"
#include "cli/io/quote.h"

namespace pteproof {

void WriteOutput(std::string_view text) {
  if (Hosted* host = HostOfThread()) {
    host->output += text;
    return;
  }
  const WholeWrite whole;
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void Complain(std::string_view text) {
  const std::string line = fmt::format("pteproof: {}\n", Harmless(text));
  if (Hosted* host = HostOfThread()) {
    host->complaints += line;
    return;
  }
  std::fputs(line.c_str(), stderr);
}

bool FlushOutput() {
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

}  // namespace pteproof
