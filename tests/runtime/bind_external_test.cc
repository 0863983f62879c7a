#include "runtime/bind_external.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "pteproof/read.h"
#include "runtime/data_rules.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// One method with one external tensor "w", float32 [2, 3].
Program NeedsW() {
  Tensor w;
  w.dtype = ScalarType::kFloat32;
  w.external = true;
  w.nbytes = 24;
  w.sizes = {0, 2};
  w.dim_order = {2, 2};
  w.name = {0, 1};
  Method method;
  method.name = "forward";
  method.ints = {2, 3, 0, 1};
  method.text = "w";
  method.tensors = {w};
  method.values.resize(2);
  method.values[1].kind = ValueKind::kTensor;
  Program program;
  program.methods = {method};
  return program;
}

DataFile Holds(std::string key, ScalarType dtype, std::vector<int32_t> sizes,
               std::vector<uint8_t> dim_order) {
  static const std::vector<std::byte> bytes(1024);
  DataEntry entry;
  entry.key = std::move(key);
  entry.layout = DenseLayout{dtype, std::move(sizes), std::move(dim_order), 24};
  entry.blob = Bytes(bytes).first(24);
  return {{entry}, {}};
}

DataFile HoldsW() {
  return Holds("w", ScalarType::kFloat32, {2, 3}, {0, 1});
}

std::set<std::string_view> RulesOfBinding(const Program& program,
                                          const std::vector<DataFile>& files) {
  std::set<std::string_view> rules;
  for (const Finding& finding : BindExternal(program, files)) rules.insert(finding.rule);
  return rules;
}

TEST(BindExternal, AcceptsDataThatFit) {
  EXPECT_THAT(RulesOfBinding(NeedsW(), {HoldsW()}), IsEmpty());
  EXPECT_THAT(RulesOfBinding(NeedsW(), {Holds("unused", ScalarType::kInt8, {24}, {0}), HoldsW()}),
              IsEmpty());
}

TEST(BindExternal, AcceptsWhatTheExporterWrote) {
  const auto models = std::filesystem::path(PTEPROOF_CORPUS_DIR) / "real/models";
  for (const std::string name : {"external_some", "external_weights"}) {
    const auto program_bytes = ReadBytes(models / name / (name + ".pte"));
    const auto data_bytes = ReadBytes(models / name / (name + ".ptd"));
    const auto program = ReadProgram(program_bytes);
    const auto data = ReadDataFile(data_bytes);
    ASSERT_TRUE(program.ok() && data.ok()) << name;
    EXPECT_THAT(RulesOfBinding(program.value(), {data.value()}), IsEmpty()) << name;
    EXPECT_THAT(RulesOfBinding(program.value(), {}), ElementsAre(rule::kDataMissing)) << name;
  }
}

TEST(BindExternal, RejectsAMissingEntryAndSaysWhichValueWantsIt) {
  const auto findings = BindExternal(NeedsW(), {});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, rule::kDataMissing);
  EXPECT_EQ(findings[0].method, "forward");
  EXPECT_THAT(findings[0].values, ElementsAre(1));
}

TEST(BindExternal, RejectsAnotherDtypeSizesOrOrder) {
  const Program program = NeedsW();
  const auto mismatch = ElementsAre(rule::kDataMismatch);
  EXPECT_THAT(RulesOfBinding(program, {Holds("w", ScalarType::kInt32, {2, 3}, {0, 1})}), mismatch);
  EXPECT_THAT(RulesOfBinding(program, {Holds("w", ScalarType::kFloat32, {3, 2}, {0, 1})}),
              mismatch);
  EXPECT_THAT(RulesOfBinding(program, {Holds("w", ScalarType::kFloat32, {6}, {0})}), mismatch);
  EXPECT_THAT(RulesOfBinding(program, {Holds("w", ScalarType::kFloat32, {2, 3}, {1, 0})}),
              mismatch);
}

TEST(BindExternal, RejectsBlobsThatAreNoTensors) {
  DataFile file = HoldsW();
  file.entries[0].layout.reset();
  EXPECT_THAT(RulesOfBinding(NeedsW(), {file}), ElementsAre(rule::kDataMismatch));
}

TEST(BindExternal, RejectsTooFewBytes) {
  DataFile file = HoldsW();
  file.entries[0].blob = file.entries[0].blob.first(23);
  EXPECT_THAT(RulesOfBinding(NeedsW(), {file}), ElementsAre(rule::kDataShort));
}

TEST(BindExternal, RejectsAKeyInTwoFiles) {
  EXPECT_THAT(RulesOfBinding(NeedsW(), {HoldsW(), HoldsW()}), ElementsAre(rule::kDataDuplicateKey));
}

TEST(BindExternal, RejectsAKeyThatTheProgramHasToo) {
  Program program = NeedsW();
  program.named_data.push_back({"w", {}});
  EXPECT_THAT(RulesOfBinding(program, {HoldsW()}), ElementsAre(rule::kDataDuplicateKey));
}

TEST(BindExternal, TakesKeysThatOnlyBeginAlikeForTwo) {
  EXPECT_THAT(
      RulesOfBinding(NeedsW(), {HoldsW(), Holds("ww", ScalarType::kFloat32, {2, 3}, {0, 1})}),
      IsEmpty());
}

}  // namespace
}  // namespace pteproof
