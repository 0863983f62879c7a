#include "runtime/read_bundle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "pteproof/read.h"
#include "runtime/data_rules.h"
#include "tests/crafted/draft.h"
#include "tests/support/files.h"

namespace pteproof::crafted {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Names = std::set<std::string_view>;

Names NamesOf(const std::vector<Finding>& findings) {
  Names names;
  for (const Finding& finding : findings) names.insert(finding.rule);
  return names;
}

Names BundleRules(const std::string& file) {
  const auto read = ReadBundle(std::as_bytes(std::span(file)));
  return read.ok() ? Names{} : NamesOf(read.error());
}

// The rules that a readable bundle breaks against its own program.
Names MisfitsOf(const BundleDraft& draft) {
  const std::string file = FileBytes(draft);
  const auto bundle = ReadBundle(std::as_bytes(std::span(file)));
  const auto program = ReadProgram(bundle.value().program);
  return NamesOf(CheckBundle(program.value(), bundle.value()));
}

Ref Value(uint8_t tag, Ref held) {
  Ref value = Table();
  value->SetScalar(bundle::kTag, 1, tag).Set(bundle::kHeld, std::move(held));
  return value;
}

void SetInput(BundleDraft& draft, Ref value) {
  CaseAt(draft, 0, 0).Get(bundle::kInputs)->references[0] = std::move(value);
}

TEST(ReadBundle, GivesTheProgramAndItsCases) {
  const std::string file = FileBytes(BaseBundle());
  const auto read = ReadBundle(std::as_bytes(std::span(file)));
  ASSERT_TRUE(read.ok());
  const Bundle& bundle = read.value();
  EXPECT_EQ(bundle.program.size(), FileBytes(BaseProgram()).size());
  ASSERT_EQ(bundle.suites.size(), 1U);
  EXPECT_EQ(bundle.suites[0].method, "forward");
  ASSERT_EQ(bundle.suites[0].cases.size(), 1U);
  const auto& y = std::get<BundleTensor>(bundle.suites[0].cases[0].expected_outputs.at(0));
  EXPECT_THAT(y.layout.sizes, ElementsAre(2, 2));
  EXPECT_EQ(y.data[3], std::byte{0x40});
}

TEST(ReadBundle, ReadsWhatTheExporterWrote) {
  const auto bytes =
      ReadBytes(std::filesystem::path(PTEPROOF_CORPUS_DIR) / "real/models/bundled/bundled.bpte");
  const auto bundle = ReadBundle(bytes);
  ASSERT_TRUE(bundle.ok());
  ASSERT_EQ(bundle.value().suites.size(), 1U);
  EXPECT_EQ(bundle.value().suites[0].cases.size(), 3U);
  const auto program = ReadProgram(bundle.value().program);
  ASSERT_TRUE(program.ok());
  EXPECT_THAT(CheckBundle(program.value(), bundle.value()), IsEmpty());
}

TEST(ReadBundle, GivesPlainValues) {
  BundleDraft draft = BaseBundle();
  CaseAt(draft, 0, 0)
      .Set(bundle::kInputs,
           References({Value(bundle::kInt, IntTable(-7)), Value(bundle::kBool, BoolTable(1)),
                       Value(bundle::kDouble, Table())}));
  const std::string file = FileBytes(draft);
  const auto read = ReadBundle(std::as_bytes(std::span(file)));
  ASSERT_TRUE(read.ok());
  EXPECT_THAT(read.value().suites[0].cases[0].inputs.size(), 3U);
  EXPECT_EQ(std::get<int64_t>(read.value().suites[0].cases[0].inputs[0]), -7);
  EXPECT_EQ(std::get<bool>(read.value().suites[0].cases[0].inputs[1]), true);
  EXPECT_EQ(std::get<double>(read.value().suites[0].cases[0].inputs[2]), 0.0);
}

TEST(ReadBundle, RefusesFilesOfOtherKinds) {
  EXPECT_THAT(BundleRules(FileBytes(BaseProgram())), ElementsAre(rule::kBundleIdentifier));
  EXPECT_THAT(BundleRules(FileBytes(BaseData())), ElementsAre(rule::kBundleIdentifier));
  EXPECT_THAT(BundleRules("short"), ElementsAre(rule::kBundleIdentifier));
}

TEST(ReadBundle, RefusesBrokenStructure) {
  std::string file = FileBytes(BaseBundle());
  Patch32(file, 0, 0xFFFFFFFF);
  EXPECT_THAT(BundleRules(file), ElementsAre(rule::kBundleRoot));
  BundleDraft draft = BaseBundle();
  draft.root->Get(bundle::kSuites)->forged_length = 0x10000000;
  EXPECT_THAT(BundleRules(FileBytes(draft)), ElementsAre(rule::kBundleFlatbuffer));
}

TEST(ReadBundle, RefusesMissingAndUnknownValues) {
  BundleDraft draft = BaseBundle();
  SetInput(draft, Value(bundle::kTensor, nullptr));
  EXPECT_THAT(BundleRules(FileBytes(draft)), ElementsAre(rule::kBundleValue));
  SetInput(draft, Value(9, IntTable(1)));
  EXPECT_THAT(BundleRules(FileBytes(draft)), ElementsAre(rule::kBundleValue));
}

TEST(ReadBundle, RefusesTensorsOfNoShape) {
  BundleDraft draft = BaseBundle();
  Ref tensor = CaseAt(draft, 0, 0).Get(bundle::kInputs)->references[0]->Get(bundle::kHeld);
  tensor->Remove(bundle::kDimOrder);
  EXPECT_THAT(BundleRules(FileBytes(draft)), ElementsAre(rule::kBundleLayout));
}

TEST(ReadBundle, RefusesTensorsWithTooManyBytes) {
  BundleDraft draft = BaseBundle();
  SetInput(draft, BundleTensorValue({2, 2}, std::string(17, '\0')));
  EXPECT_THAT(BundleRules(FileBytes(draft)), ElementsAre(rule::kBundleDataLength));
}

TEST(ReadBundle, RefusesCasesThatShareTheirInputsByTheThousand) {
  BundleDraft draft = BaseBundle();
  std::vector<Ref>& inputs = CaseAt(draft, 0, 0).Get(bundle::kInputs)->references;
  inputs.resize(500, Value(bundle::kInt, IntTable(1)));
  std::vector<Ref>& cases = SuiteAt(draft, 0).Get(bundle::kCases)->references;
  cases.resize(500, cases[0]);
  EXPECT_THAT(BundleRules(FileBytes(draft)), testing::Contains(rule::kBundleAmplification));
}

TEST(ReadBundle, RefusesALongNameThatManySuitesHave) {
  BundleDraft draft = BaseBundle();
  SuiteAt(draft, 0).Set(bundle::kMethod, Text(std::string(20'000, 'm')));
  std::vector<Ref>& suites = draft.root->Get(bundle::kSuites)->references;
  suites.resize(200, suites[0]);
  EXPECT_THAT(BundleRules(FileBytes(draft)), testing::Contains(rule::kBundleAmplification));
}

TEST(ReadBundle, RefusesMoreSuitesThanTheFileCanHold) {
  BundleDraft draft = BaseBundle();
  std::vector<Ref>& suites = draft.root->Get(bundle::kSuites)->references;
  suites.resize(100'000, suites[0]);
  EXPECT_THAT(BundleRules(FileBytes(draft)), ElementsAre(rule::kBundleAmplification));
}

// A tensor costs more than the reference to it.
TEST(ReadBundle, RefusesATensorThatIsEveryInput) {
  BundleDraft draft = BaseBundle();
  std::vector<Ref>& inputs = CaseAt(draft, 0, 0).Get(bundle::kInputs)->references;
  inputs.resize(3000, inputs[0]);
  EXPECT_THAT(BundleRules(FileBytes(draft)), testing::Contains(rule::kBundleAmplification));
}

TEST(CheckBundle, AcceptsCasesThatFit) {
  EXPECT_THAT(MisfitsOf(BaseBundle()), IsEmpty());
}

TEST(CheckBundle, AcceptsCasesThatExpectNothing) {
  BundleDraft draft = BaseBundle();
  CaseAt(draft, 0, 0).Remove(bundle::kExpected);
  EXPECT_THAT(MisfitsOf(draft), IsEmpty());
}

TEST(CheckBundle, RejectsAnUnknownMethod) {
  BundleDraft draft = BaseBundle();
  SuiteAt(draft, 0).Set(bundle::kMethod, Text("backward"));
  EXPECT_THAT(MisfitsOf(draft), ElementsAre(rule::kBundleMethod));
}

TEST(CheckBundle, RejectsAnIntForATensor) {
  BundleDraft draft = BaseBundle();
  SetInput(draft, Value(bundle::kInt, IntTable(1)));
  EXPECT_THAT(MisfitsOf(draft), ElementsAre(rule::kBundleMismatch));
}

TEST(CheckBundle, RejectsAnotherElementType) {
  BundleDraft draft = BaseBundle();
  Ref tensor = CaseAt(draft, 0, 0).Get(bundle::kInputs)->references[0]->Get(bundle::kHeld);
  tensor->SetScalar(bundle::kType, 1, 3);
  EXPECT_THAT(MisfitsOf(draft), ElementsAre(rule::kBundleMismatch));
}

}  // namespace
}  // namespace pteproof::crafted
