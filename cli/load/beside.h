// Files that lie beside a program and say something of it.
#ifndef PTEPROOF_CLI_LOAD_BESIDE_H_
#define PTEPROOF_CLI_LOAD_BESIDE_H_

#include <string>
#include <string_view>

namespace pteproof {

inline constexpr std::string_view kManifestSuffix = ".manifest.json";
inline constexpr std::string_view kSourceSuffix = ".source.json";

// NAME and the suffix for NAME.pte, whether it is there or not.
[[nodiscard]] std::string NameBeside(const std::string& file, std::string_view suffix);

// NAME and the suffix beside NAME.pte; empty if nothing is there. Beside a program in the caller's
// memory (cli/io/hosted.h) only files in memory lie.
[[nodiscard]] std::string Beside(const std::string& file, std::string_view suffix);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_BESIDE_H_
