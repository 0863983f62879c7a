// Real program files for tests: read, with the manifest beside them, and where they lie. Judges
// nothing.
#ifndef PTEPROOF_TESTS_SUPPORT_REAL_FILE_H_
#define PTEPROOF_TESTS_SUPPORT_REAL_FILE_H_

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pteproof/finding.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"
#include "pteproof/report.h"

namespace pteproof {

struct RealFile {
  std::string name;                // path below its root, with forward slashes
  std::vector<std::byte> bytes;    // what `program` points into
  std::optional<Program> program;  // empty: refused, for the reasons in `refusals`
  std::vector<Finding> refusals;
  std::optional<Manifest> manifest;  // of NAME.manifest.json, where there is one
};

// Reads a `.pte`, or the program inside a `.bpte`. A manifest that does not parse is a test
// failure.
[[nodiscard]] std::unique_ptr<const RealFile> ReadReal(const std::filesystem::path& root,
                                                       const std::filesystem::path& file);

// Every file below `root` with that extension, sorted by path. No folder at `root` is a test
// failure.
[[nodiscard]] std::vector<std::unique_ptr<const RealFile>> ReadAllReal(
    const std::filesystem::path& root, const std::string& extension = ".pte");

// The verdict and findings of the file, with its manifest (also on when methods load) or without.
[[nodiscard]] Report CheckReal(const RealFile& file, bool with_manifest);

// Whether a method hands work to a delegate, which nobody here computes.
[[nodiscard]] bool HasDelegate(const Program& program);

// The project's own real files.
[[nodiscard]] std::filesystem::path OwnRealRoot();

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_SUPPORT_REAL_FILE_H_
