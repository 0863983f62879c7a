// Files for tests: which lie below a folder, and what is in them. Failures to read are test
// failures.
#ifndef PTEPROOF_TESTS_SUPPORT_FILES_H_
#define PTEPROOF_TESTS_SUPPORT_FILES_H_

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace pteproof {

// All regular files below `folder`, sorted by path; none when the folder is not there.
[[nodiscard]] std::vector<std::filesystem::path> FilesBelow(const std::filesystem::path& folder);

// The file's bytes in a block of exactly its size, so that a sanitizer sees a read one byte too
// far.
[[nodiscard]] std::vector<std::byte> ReadBytes(const std::filesystem::path& file);

[[nodiscard]] std::string ReadText(const std::filesystem::path& file);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_SUPPORT_FILES_H_
