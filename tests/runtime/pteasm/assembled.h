// Texts of programs for tests: read, or refused.
#ifndef PTEPROOF_TESTS_RUNTIME_PTEASM_ASSEMBLED_H_
#define PTEPROOF_TESTS_RUNTIME_PTEASM_ASSEMBLED_H_

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "runtime/pteasm/assemble.h"
#include "runtime/pteasm/print.h"
#include "runtime/same_program.h"

namespace pteproof::pteasm {

// Bytes 0, 1, 2, ... for each reference.
inline Result<std::optional<TensorBytes>, std::string> CountingData(const text::DataRef& ref) {
  std::vector<std::byte> bytes;
  for (int64_t i = 0; i < ref.bytes; ++i) bytes.push_back(static_cast<std::byte>(i));
  return std::optional(TensorBytes(std::move(bytes)));
}

// A program of one method with these lines, which the first `return` ends.
inline std::string MethodOf(std::string_view inputs, std::string_view lines) {
  return "program\nmethod forward(" + std::string(inputs) + ") {\n" + std::string(lines) + "\n}\n";
}

// "3:5: file-text: why"; empty: the text is a program.
inline std::string ErrorOf(std::string_view text) {
  const auto made = Assemble(text, CountingData);
  if (made.ok()) return "";
  const TextError& error = made.error().front();
  return std::to_string(error.line) + ":" + std::to_string(error.column) + ": " +
         std::string(error.rule) + ": " + error.message;
}

// What the text makes; a text that is refused is a test failure.
inline Assembled MadeOf(std::string_view text) {
  auto made = Assemble(text, CountingData);
  if (made.ok()) return std::move(made).value();
  ADD_FAILURE() << ErrorOf(text) << "\n" << text;
  return {};
}

// Printed, read and printed again it is the same.
inline void ExpectReadsBack(const Program& program, const std::string& what = {}) {
  const std::string text = Print(program);
  const auto made = Assemble(text, text::NoData);
  ASSERT_TRUE(made.ok()) << what << ": " << ErrorOf(text);
  EXPECT_EQ(ProgramDifference(program, made.value().text.program), "") << what;
  EXPECT_EQ(Print(made.value().text.program), text) << what;
}

}  // namespace pteproof::pteasm

#endif  // PTEPROOF_TESTS_RUNTIME_PTEASM_ASSEMBLED_H_
