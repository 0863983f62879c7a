// Where the command writes: text to standard output, complaints to standard error; both to the
// caller's memory if it is called from within a program (hosted.h).
#ifndef PTEPROOF_CLI_IO_OUTPUT_H_
#define PTEPROOF_CLI_IO_OUTPUT_H_

#include <string_view>

#include "cli/io/hosted.h"

namespace pteproof {

// Writes and flushes; what cannot be written shows in FlushOutput.
void WriteOutput(std::string_view text);

// "pteproof: TEXT" and a newline, on standard error.
void Complain(std::string_view text);

// A report in one of its two forms, as it is asked for. A caller that asks for JSON gets the other
// form too.
template <class Json, class Text>
void WriteReport(bool json, const Json& as_json, const Text& as_text) {
  Hosted* const host = HostOfThread();
  if (json && host != nullptr) host->text += as_text();
  WriteOutput(json ? as_json() : as_text());
}

// Whether all output so far was written.
[[nodiscard]] bool FlushOutput();

}  // namespace pteproof

#endif  // PTEPROOF_CLI_IO_OUTPUT_H_
