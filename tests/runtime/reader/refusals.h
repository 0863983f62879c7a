// What the reader says of a file that a test describes.
#ifndef PTEPROOF_TESTS_RUNTIME_READER_REFUSALS_H_
#define PTEPROOF_TESTS_RUNTIME_READER_REFUSALS_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string_view>
#include <vector>

#include "pteproof/read.h"
#include "runtime/file_rules.h"
#include "tests/support/wire_program.h"

namespace pteproof {

// Where the fields of the extended header lie in a file, in bytes.
inline constexpr size_t kLengthAt = 12;
inline constexpr size_t kProgramSizeAt = 16;
inline constexpr size_t kBaseAt = 24;
inline constexpr size_t kDataSizeAt = 32;

// The findings' rules, in order; empty: the file is read.
inline std::vector<std::string_view> RulesOf(Bytes file) {
  std::vector<std::string_view> rules;
  const auto read = ReadProgram(file);
  if (read.ok()) return rules;
  for (const Finding& finding : read.error()) rules.push_back(finding.rule);
  return rules;
}

inline std::vector<std::string_view> RulesOf(const wire::File& file) {
  return RulesOf(wire::Build(file));
}

// The file is refused once, and for that reason alone.
inline auto RefusedBy(std::string_view rule) {
  return testing::ElementsAre(rule);
}
inline auto Accepted() {
  return testing::IsEmpty();
}

// The only finding of a file that is refused once.
inline Finding OnlyFinding(const wire::File& file) {
  const auto bytes = wire::Build(file);
  const auto read = ReadProgram(bytes);
  if (read.ok() || read.error().size() != 1) {
    ADD_FAILURE() << "not refused exactly once";
    return {};
  }
  return read.error().front();
}

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_RUNTIME_READER_REFUSALS_H_
