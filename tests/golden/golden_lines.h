// What pteproof says of programs, one line each: the golden dump, by which two versions of it are
// compared (scripts/golden).
#ifndef PTEPROOF_TESTS_GOLDEN_GOLDEN_LINES_H_
#define PTEPROOF_TESTS_GOLDEN_GOLDEN_LINES_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof {

// Columns, with tabs between them: the subject; the check's verdicts by policy; its findings; the
// proof's verdicts by policy, and how much is proved, refuted and unknown. A finding is severity,
// rule, policies, method, instruction, values, bank and bytes, without its words.
[[nodiscard]] std::string GoldenLine(std::string_view subject, const Program& program,
                                     const Manifest* manifest);

// Of a `.pte` or `.bpte`: alone and, if NAME.manifest.json lies beside it, with that. A file that
// is refused has the rules in the place of verdicts.
[[nodiscard]] std::vector<std::string> GoldenLinesOfFile(const std::filesystem::path& root,
                                                         const std::filesystem::path& file);

// Of a random plan, sound or damaged; nothing if the seed draws none.
[[nodiscard]] std::optional<std::string> GoldenLineOfSound(uint64_t seed);
[[nodiscard]] std::optional<std::string> GoldenLineOfDamaged(uint64_t seed);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_GOLDEN_GOLDEN_LINES_H_
