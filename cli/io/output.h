// Where the command writes: text to standard output, complaints to standard error.
#ifndef PTEPROOF_CLI_IO_OUTPUT_H_
#define PTEPROOF_CLI_IO_OUTPUT_H_

#include <string_view>

namespace pteproof {

// Writes and flushes; what cannot be written shows in FlushOutput.
void WriteOutput(std::string_view text);

// "pteproof: TEXT" and a newline, on standard error.
void Complain(std::string_view text);

// Whether all output so far was written.
[[nodiscard]] bool FlushOutput();

}  // namespace pteproof

#endif  // PTEPROOF_CLI_IO_OUTPUT_H_
