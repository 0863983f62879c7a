#include "runtime/file_kind.h"

#include <array>
#include <cstring>

namespace pteproof {

FileKind Sniff(Bytes file) {
  if (file.size() < 8) return FileKind::kUnknown;
  std::array<char, 4> identifier{};
  std::memcpy(identifier.data(), file.data() + 4, identifier.size());
  const std::string_view text(identifier.data(), identifier.size());
  if (text == "ET12") return FileKind::kProgram;
  if (text == "FT01") return FileKind::kData;
  if (text == "BP08") return FileKind::kBundle;
  return FileKind::kUnknown;
}

std::string_view Describe(FileKind kind) {
  switch (kind) {
    case FileKind::kProgram:
      return "a program (.pte)";
    case FileKind::kData:
      return "external data (.ptd)";
    case FileKind::kBundle:
      return "a bundled program (.bpte)";
    case FileKind::kUnknown:
      break;
  }
  return "not a file of ExecuTorch";
}

}  // namespace pteproof
