// The twin of the certificate's checker: the same rules as pteproof_checker.py, written a second
// time, in C++, for fuzzers. It confirms what a certificate says of a memory plan, or refuses.
//
// It includes nothing of the other folders: two readers that share a mistake would agree on it. The
// rules (M1 to M5, R1 to R6, B) are stated at the top of pteproof_checker.py.
//
//   const Answer answer = Judge(file, certificate, ReviewedOperators());
//   return answer.exit == Exit::kConfirmed ? 0 : 1;
#ifndef PTEPROOF_CHECKER_TWIN_TWIN_H_
#define PTEPROOF_CHECKER_TWIN_TWIN_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pteproof_twin {

// As the exit codes of the Python file.
enum class Exit : uint8_t { kConfirmed = 0, kRefuted = 1, kMalformed = 2, kInPart = 3 };

struct Answer {
  Exit exit = Exit::kMalformed;
  std::vector<std::string> confirmed, trusted, unchecked;  // trusted: sorted, each line once
  std::string why;      // it was refuted, is malformed, or took too much work; else empty
  std::string version;  // SHA-256 of the operators' table
};

using File = std::span<const std::byte>;

// `operators` is the text of operators.tsv, `data` the .ptd files in their order. Total: any bytes
// give an answer. At most 200 steps for each byte of program and certificate, and 200,000.
[[nodiscard]] Answer Judge(File program, std::string_view certificate, std::string_view operators,
                           const std::vector<File>& data = {});

// The text of checker/operators.tsv, as it was when this was built.
[[nodiscard]] std::string_view ReviewedOperators();

// The lines that the command prints.
[[nodiscard]] std::vector<std::string> LinesOf(const Answer& answer);

}  // namespace pteproof_twin

#endif  // PTEPROOF_CHECKER_TWIN_TWIN_H_
