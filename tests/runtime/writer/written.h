// Programs written and read again.
#ifndef PTEPROOF_TESTS_RUNTIME_WRITER_WRITTEN_H_
#define PTEPROOF_TESTS_RUNTIME_WRITER_WRITTEN_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "program_generated.h"
#include "pteproof/read.h"
#include "pteproof/write.h"
#include "runtime/same_program.h"

namespace pteproof {

// The file's bytes; a program that cannot be written is a test failure.
inline std::vector<std::byte> Written(const Program& program) {
  auto bytes = WriteProgram(program);
  if (bytes.ok()) return std::move(bytes).value();
  ADD_FAILURE() << bytes.error();
  return {};
}

// The program in a file; one that is refused is a test failure.
inline Program ReadBack(Bytes file) {
  auto read = ReadProgram(file);
  if (read.ok()) return std::move(read).value();
  for (const Finding& finding : read.error())
    ADD_FAILURE() << finding.rule << ": " << finding.explanation;
  return {};
}

// Writing loses nothing, and what was written is written the same again.
inline void ExpectSurvives(const Program& program, std::string_view what = {}) {
  const auto bytes = Written(program);
  if (bytes.empty()) return;
  const Program back = ReadBack(bytes);
  EXPECT_EQ(ProgramDifference(program, back), "") << what;
  EXPECT_TRUE(Written(program) == bytes) << what;
  EXPECT_TRUE(Written(back) == bytes) << what;
}

// The root table of a written file.
inline const schema::Program& Tables(Bytes file) {
  return *schema::GetProgram(file.data());
}

inline Bytes TextBytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

inline std::string_view TextOf(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_RUNTIME_WRITER_WRITTEN_H_
