// What a file is that a verb cannot take: known by its first bytes, whatever its name. Every verb
// says it in the same words, which name the verb or tool that takes the file.
#ifndef PTEPROOF_CLI_LOAD_KNOWN_FILE_H_
#define PTEPROOF_CLI_LOAD_KNOWN_FILE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pteproof/program.h"

namespace pteproof {

enum class KnownKind : uint8_t {
  kProgram,   // .pte or .bpte
  kData,      // .ptd
  kModule,    // a program as text, before it is planned
  kAssembly,  // a planned program as text (.pteasm)
  kManifest,  // JSON that describes a program
  kForeign,   // nothing that any verb reads
};

struct KnownFile {
  KnownKind kind = KnownKind::kForeign;
  std::string_view what;    // "a PNG picture"
  std::string_view advice;  // a sentence without its full stop: what to do with such a file
};

// Nothing: the bytes are none of those that are known.
[[nodiscard]] std::optional<KnownFile> KnownFileOf(Bytes file);

// "This is a PNG picture."
[[nodiscard]] std::string ExplanationOf(const KnownFile& file);
// "Name an ExecuTorch program (.pte), as to_executorch() writes it."
[[nodiscard]] std::string FixOf(const KnownFile& file);
// Both.
[[nodiscard]] std::string SentencesOf(const KnownFile& file);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_KNOWN_FILE_H_
