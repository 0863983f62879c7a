// Which of the three kinds of file some bytes claim to be. Says nothing about whether they are well
// formed.
#ifndef PTEPROOF_RUNTIME_FILE_KIND_H_
#define PTEPROOF_RUNTIME_FILE_KIND_H_

#include <cstdint>
#include <string_view>

#include "pteproof/program.h"

namespace pteproof {

enum class FileKind : uint8_t {
  kUnknown,
  kProgram,  // .pte, "ET12"
  kData,     // .ptd, "FT01"
  kBundle,   // .bpte, "BP08"
};

// The kind that the identifier in bytes 4 to 7 names: ET12, FT01 or BP08.
[[nodiscard]] FileKind Sniff(Bytes file);

// For messages: "a program (.pte)".
[[nodiscard]] std::string_view Describe(FileKind kind);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_FILE_KIND_H_
