// Files that ask for what they must not get, through the public functions: each ends, with outputs
// or with words. The files are those of tests/support/safety_examples.cc; PTEPROOF_UPDATE_DOCS=1
// writes them anew.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pteproof/check.h"
#include "pteproof/prove.h"
#include "pteproof/read.h"
#include "pteproof/run.h"
#include "pteproof/write.h"
#include "tests/support/counts.h"
#include "tests/support/files.h"
#include "tests/support/safety_examples.h"

namespace pteproof {
namespace {

using testing::IsEmpty;
using testing::Not;

std::vector<Datum> ZerosFor(const Method& method) {
  std::vector<Datum> inputs;
  for (const int32_t v : method.inputs) {
    const Tensor& tensor = *method.TensorOf(v);
    const auto sizes = method.Ints(tensor.sizes);
    inputs.emplace_back(Zeros(tensor.dtype, {sizes.begin(), sizes.end()}));
  }
  return inputs;
}

class SafetyKind : public testing::TestWithParam<SafetyExample> {};

// The instruction is named where there is one; a call without memory or inputs has none.
TEST_P(SafetyKind, EndsInEveryPublicFunction) {
  RecordProperty("slow", "some run until the limit on work");
  const auto file = ReadProgramFile(SafetyKindsFolder() + GetParam().name + ".pte");
  ASSERT_TRUE(file.ok());
  const Program& program = file.value().program;
  for (const bool mix : {false, true}) {
    auto runner = Runner::Load(program, {.mix = mix});
    if (!runner.ok()) {
      EXPECT_THAT(runner.error().explanation, Not(IsEmpty()));
      continue;
    }
    for (int call = 0; call < 2; ++call) {
      const auto outputs = runner.value().Call("forward", ZerosFor(program.methods[0]));
      if (!outputs.ok()) EXPECT_THAT(outputs.error().explanation, Not(IsEmpty()));
    }
  }
  const auto difference = DiffPlan(program);
  if (!difference.ok()) EXPECT_THAT(difference.error().explanation, Not(IsEmpty()));
  EXPECT_FALSE(Check(program).verdicts.empty());
}

std::string NameOfKind(const testing::TestParamInfo<SafetyExample>& info) {
  std::string name = info.param.name;
  std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Own, SafetyKind,
                         testing::ValuesIn(IsCampaign() ? SafetyExamples() : ShortSafetyExamples()),
                         NameOfKind);

TEST(SafetyExamples, AreTheFilesOfTheCorpusAndTenOfAKind) {
  std::map<std::string, int> kinds;
  for (const SafetyExample& example : SafetyExamples()) {
    const std::string path = SafetyKindsFolder() + example.name + ".pte";
    const auto written = WriteProgram(example.program);
    ASSERT_TRUE(written.ok()) << example.name << ": " << written.error();
    if (std::getenv("PTEPROOF_UPDATE_DOCS") != nullptr) {
      std::ofstream(path, std::ios::binary)
          .write(reinterpret_cast<const char*>(written.value().data()),
                 static_cast<std::streamsize>(written.value().size()));
    }
    EXPECT_EQ(ReadBytes(path), written.value()) << example.name;
    ++kinds[example.kind];
  }
  EXPECT_EQ(kinds.size(), 7U);
  for (const auto& [kind, count] : kinds) EXPECT_GE(count, 10) << kind;
}

}  // namespace
}  // namespace pteproof
