// What follows a verdict: how many findings are accepted, and what a manifest that is not trusted
// would make of it.
#ifndef PTEPROOF_CLI_RENDER_TRUST_WORDS_H_
#define PTEPROOF_CLI_RENDER_TRUST_WORDS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "cli/load/file_report.h"

namespace pteproof {

// After the word `verdict`:
//   ", 2 accepted"
//   "; safe according to NAME.manifest.json: name it with --manifest"
//   ", 2 accepted according to NAME.manifest.json: name it with --manifest"
// or, of a check that reads a config,
//   "; safe according to NAME.manifest.json, which settles state-split and the loader: pteproof
//    trust NAME.pte"
// Empty if nothing is accepted and nothing would be better. `by_word` is the verdict's word if the
// manifest were trusted, if it would better the verdict or the exit code.
[[nodiscard]] std::string TrustWords(std::string_view verdict, size_t accepted,
                                     std::optional<std::string_view> by_word,
                                     const std::string& manifest);
[[nodiscard]] std::string TrustWords(const FileReport& report);

// "according to NAME.manifest.json: name it with --manifest".
[[nodiscard]] std::string ByTheWordOf(const std::string& manifest);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_TRUST_WORDS_H_
