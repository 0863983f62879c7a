// Files and recordings that ask for what they must not get, in the verbs that run: each ends by
// itself with an exit code for files, and says why if it does not agree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/cli/run_command.h"
#include "tests/support/safety_examples.h"

namespace pteproof {
namespace {

using testing::AnyOf;
using testing::Eq;
using testing::IsEmpty;
using testing::Not;

class SafetyKindInVerbs : public testing::TestWithParam<SafetyExample> {};

TEST_P(SafetyKindInVerbs, EndsWithAnExitCodeForFiles) {
  RecordProperty("slow", "some run until the limit on work");
  const std::string file = SafetyKindsFolder() + GetParam().name + ".pte";
  const std::vector<std::vector<std::string>> calls = {
      {"run", file},
      {"run", file, "--semantics", "hash"},
      {"run", file, "--mode", "tagged"},
      {"diff", file, "--sequences", "4", "--policy", "private"},
      {"check", file}};
  for (const std::vector<std::string>& words : calls) {
    const CommandResult result = RunCommand(words);
    EXPECT_THAT(result.exit_code, AnyOf(Eq(0), Eq(1), Eq(3))) << words[0] << result.err;
    if (result.exit_code != 0) EXPECT_THAT(result.out + result.err, Not(IsEmpty())) << words[0];
  }
}

std::string NameOfKindInVerbs(const testing::TestParamInfo<SafetyExample>& info) {
  std::string name = info.param.name;
  std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Own, SafetyKindInVerbs, testing::ValuesIn(ShortSafetyExamples()),
                         NameOfKindInVerbs);

std::string RecordingWith(const std::string& inputs) {
  return R"({"program": "x", "sequences": [{"calls": [{"method": "forward", "inputs": [)" + inputs +
         "]}]}]}";
}

std::string TensorWith(const std::string& sizes, const std::string& nbytes,
                       const std::string& offset = "0", const std::string& dtype = "float32") {
  return R"({"kind": "tensor", "dtype": ")" + dtype + R"(", "sizes": )" + sizes +
         R"(, "nbytes": )" + nbytes + R"(, "offset": )" + offset + "}";
}

std::string Nested(const std::string& open, const std::string& close, size_t depth) {
  std::string text;
  for (size_t i = 0; i < depth; ++i) text += open;
  for (size_t i = 0; i < depth; ++i) text += close;
  return text;
}

// The program takes one tensor, float32[2, 3].
TEST(SafetyRecordings, EndWithAMessage) {
  constexpr size_t kDeep = 200'000;
  const std::vector<std::string> recordings = {
      RecordingWith(TensorWith("[6]", "24")),
      RecordingWith(TensorWith("[1, 2, 3]", "24")),
      RecordingWith(TensorWith("[2, -3]", "24")),
      RecordingWith(TensorWith("[2, 9223372036854775807]", "24")),
      RecordingWith(TensorWith("[2, 3]", "18446744073709551615")),
      RecordingWith(TensorWith("[2, 3]", "24", "18446744073709551600")),
      RecordingWith(TensorWith("[2, 3]", "24", "-24")),
      RecordingWith(TensorWith("[2, 3]", "23")),
      RecordingWith(TensorWith("[2, 3]", "48", "0", "complex64")),
      RecordingWith(TensorWith("[2, 3]", "24", "0", "float33")),
      RecordingWith(TensorWith(Nested("[", "]", kDeep), "24")),
      RecordingWith(Nested(R"({"kind": )", "}", kDeep)),
      RecordingWith(Nested("[", "", kDeep)),
      RecordingWith(R"({"kind": "int", "value": 1e400})"),
      RecordingWith(TensorWith("[2, 3]", "24") + ", " + TensorWith("[2, 3]", "24")),
      RecordingWith(""),
      R"({"program": "x", "sequences": )" + Nested(R"([{"calls": )", "}]", kDeep) + "}",
      "\xff\xfe{}",
  };
  const std::string folder = testing::TempDir() + "safety-recordings/";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "calls.bin", std::ios::binary) << std::string(24, '\0');
  for (size_t i = 0; i < recordings.size(); ++i) {
    std::ofstream(folder + "calls.json") << recordings[i];
    for (const char* verb : {"run", "eval"}) {
      const CommandResult result = RunCommand(
          {verb, PTEPROOF_CORPUS_DIR "/safety/order_in.pte", "--inputs", folder + "calls.json"});
      EXPECT_THAT(result.exit_code, AnyOf(Eq(3), Eq(66), Eq(70))) << verb << " of recording " << i;
      EXPECT_THAT(result.out + result.err, Not(IsEmpty())) << verb << " of recording " << i;
    }
  }
}

}  // namespace
}  // namespace pteproof
