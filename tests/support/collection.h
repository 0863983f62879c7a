// The collection of real files outside the repository. Tests of it are instantiated with the prefix
// `Collection`: tests/CMakeLists.txt gives them to CTest only while PTEPROOF_COLLECTION is set.
#ifndef PTEPROOF_TESTS_SUPPORT_COLLECTION_H_
#define PTEPROOF_TESTS_SUPPORT_COLLECTION_H_

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pteproof {

// The folder `below` the one that PTEPROOF_COLLECTION names, whether or not it exists; none while
// the variable is not set. For testing::ValuesIn.
[[nodiscard]] std::vector<std::filesystem::path> InCollection(std::string_view below);

// The last part of the folder's path as a part of a test's name.
[[nodiscard]] std::string NameOfFolder(const testing::TestParamInfo<std::filesystem::path>& info);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_SUPPORT_COLLECTION_H_
