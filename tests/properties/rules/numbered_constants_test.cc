// Constants that have the number of another method's buffer: the exporter makes a buffer that a
// method only reads a constant of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "pteproof/manifest.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::HasSubstr;

// Adds an input to the buffer, which is value 1 behind a parameter.
Method Step(std::string_view name = {}, uint32_t bank = 1) {
  MethodBuilder b("step");
  const int32_t weight = b.Constant(1, {4});
  const int32_t buffer = b.Planned(bank, 160, {4}, name);
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t y = b.Planned(1, 32, {4});
  b.Mul(weight, x, y);
  const int32_t z = b.Planned(1, 64, {4});
  b.Add(buffer, y, z);
  b.Copy(buffer, z);
  b.Output(z);
  return b.Build();
}

// Parameters hold ones, and constant 2 zeros, as buffers have them first.
Program WithZeros(std::vector<Method> methods) {
  static constexpr std::array<std::byte, 32> kZeros = {};
  static constexpr std::array<float, 16> kOnes = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  Program program = ProgramOf(std::move(methods));
  program.constants.assign(4, std::as_bytes(std::span(kOnes)));
  program.constants[2] = kZeros;
  return program;
}

struct Look {
  uint32_t parameter = 1;  // index of its data
  int32_t elements = 4;    // of the constant in the buffer's place
  bool reads = true;
  bool has_input = true;
  bool has_own = false;    // a constant of its own, which comes last, or first without an input
  bool has_more = false;   // a parameter ahead that the other method does not use
  bool has_common = true;  // the parameter ahead of the buffer
};

// Reads the constant behind the parameter.
Method Peek(const Look& look) {
  MethodBuilder b("peek");
  const auto own = [&] { return b.Constant(3, {4}); };
  int32_t other = -1;
  if (look.has_own && !look.has_input) other = own();
  if (look.has_more) b.Constant(3, {4, 4});
  const int32_t weight = b.Constant(look.parameter, {look.has_common ? 4 : 1});
  const int32_t constant = b.Constant(2, {look.elements});
  if (look.has_own && look.has_input) other = own();
  int32_t x = other < 0 ? weight : other;
  if (look.has_input) {
    x = b.Planned(1, 0, {4});
    b.Input(x);
  }
  const int32_t y = b.Planned(1, 32, {4});
  b.Mul(weight, x, y);
  const int32_t z = b.Planned(1, 64, {4});
  b.Add(look.reads && look.elements == 4 ? constant : weight, y, z);
  const int32_t sum = b.Planned(1, 96, {4});
  b.Add(y, z, sum);
  if (look.elements != 4) b.Copy(b.Planned(1, 128, {look.elements}), constant);
  b.Output(sum);
  return b.Build();
}

TEST(NumberedConstants, AreABufferOrAParameter) {
  for (const std::string_view name : {"", "total"}) {
    const Program program = WithZeros({Step(name), Peek({})});
    EXPECT_EQ(AgreedRow(program), "undecided undecided undecided") << name;
    const Report report = Check(program);
    const std::string explanation = ExplanationOf(report, rule::kMutabilityMismatch);
    EXPECT_THAT(explanation, HasSubstr("'step' stores to the buffer v1"));
    EXPECT_THAT(explanation, HasSubstr("'peek' always reads the value of the time of export"));
  }
}

TEST(NumberedConstants, MayComeBehindTheMethodsOwnWithoutInputs) {
  EXPECT_EQ(AgreedRow(WithZeros({Step(), Peek({.has_input = false, .has_own = true})})),
            "undecided undecided undecided");
}

TEST(NumberedConstants, MayHaveTheMethodsOwnBehindThem) {
  EXPECT_EQ(AgreedRow(WithZeros({Step(), Peek({.has_own = true})})),
            "undecided undecided undecided");
}

// The exporter leaves out the parameters that a method does not use.
TEST(NumberedConstants, MayComeBehindOtherParameters) {
  EXPECT_EQ(AgreedRow(WithZeros({Step(), Peek({.has_more = true})})),
            "undecided undecided undecided");
  EXPECT_EQ(AgreedRow(WithZeros({Step(), Peek({.has_more = true, .has_common = false})})),
            "undecided undecided undecided");
  EXPECT_EQ(AgreedRow(WithZeros({Step(), Peek({.parameter = 3})})),
            "undecided undecided undecided");
}

TEST(NumberedConstants, AreParametersIfTheirSizesDiffer) {
  EXPECT_EQ(AgreedRow(WithZeros({Step(), Peek({.elements = 8})})), "safe safe safe");
}

TEST(NumberedConstants, AreNotAskedAboutIfTheMethodReadsThemNot) {
  EXPECT_EQ(AgreedRow(WithZeros({Step(), Peek({.reads = false})})), "safe safe safe");
}

TEST(NumberedConstants, AreNotAskedAboutIfNoMethodStoresToTheBuffer) {
  Method second = Peek({});
  second.name = "again";
  EXPECT_EQ(AgreedRow(WithZeros({Peek({}), second})), "safe safe safe");
}

// Parameters that a method does not use are left out of it, so that others take their numbers.
TEST(NumberedConstants, AreParametersIfTheyHoldAnotherValueThanTheBuffersFirst) {
  Program program = WithZeros({Step(), Peek({})});
  const std::array<float, 4> twos = {2, 2, 2, 2};
  program.constants[2] = std::as_bytes(std::span(twos));
  EXPECT_EQ(AgreedRow(program), "safe safe safe");
  // The file says what the buffer starts with.
  const auto buffer = static_cast<size_t>(program.methods.front().values[1].tensor);
  program.methods.front().tensors[buffer].data_index = 1;
  program.initial_values = {{}, std::as_bytes(std::span(twos))};
  EXPECT_EQ(AgreedRow(program), "undecided undecided undecided");
  const std::array<float, 4> zeros = {};
  program.constants[2] = std::as_bytes(std::span(zeros));
  EXPECT_EQ(AgreedRow(program), "safe safe safe");
}

// That plan was made for buffers that methods share: the other method would have it as state.
TEST(NumberedConstants, AreParametersBesideABankForState) {
  EXPECT_EQ(AgreedRow(WithZeros({Step({}, 2), Peek({})})), "safe safe safe");
}

TEST(NumberedConstants, AreSettledByAManifest) {
  const Program program = WithZeros({Step("total"), Peek({})});
  Manifest manifest;
  ManifestBuffer shared;
  shared.shared = true;
  manifest.buffers = {{"total", shared}};
  manifest.methods["step"].reads = {"total"};
  manifest.methods["step"].mutates = {"total"};
  manifest.methods["peek"].reads = std::vector<std::string>();
  EXPECT_EQ(VerdictRow(Check(program, {.manifest = &manifest})), "safe safe safe");
  EXPECT_EQ(ProvedRow(program, &manifest), "safe safe safe");
  manifest.methods["peek"].reads = {"total"};
  EXPECT_EQ(VerdictRow(Check(program, {.manifest = &manifest})), "unsafe unsafe unsafe");
  EXPECT_EQ(ProvedRow(program, &manifest), "unsafe unsafe unsafe");
}

}  // namespace
}  // namespace pteproof
