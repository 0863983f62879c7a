#include <cstring>

#include "pteproof/program.h"
#include "tests/runtime/reader/refusals.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using wire::AddFile;
using wire::File;

TEST(Methods, AreReadWithBanksInputsAndOutputs) {
  File file = AddFile();
  file.method().bank_sizes = {0, 64, 128};
  file.method().bank_devices = {{2, 1, 3}, {1, 0, 0}};
  file.method().outputs = {2, 1, 3, 2};
  const auto bytes = wire::Build(file);
  const auto read = ReadProgram(bytes);
  ASSERT_TRUE(read.ok());
  const Method& method = read.value().methods.at(0);
  EXPECT_EQ(method.name, "forward");
  EXPECT_THAT(method.bank_sizes, ElementsAre(0, 64, 128));
  ASSERT_EQ(method.bank_devices.size(), 1U) << "only those not on the CPU";
  EXPECT_EQ(method.bank_devices[0].bank, 2);
  EXPECT_EQ(method.bank_devices[0].device_index, 3);
  EXPECT_THAT(method.inputs, ElementsAre(1));
  EXPECT_THAT(method.outputs, ElementsAre(2, 1, 3, 2)) << "Ints, repeated and inputs are legal";
}

TEST(Methods, MayHoldNoCodeAndNoBank) {
  File file;
  file.methods->emplace_back();
  file.method().name = "get_max_seq_len";
  file.method().values = {wire::Int(128)};
  file.method().outputs = {0};
  file.method().bank_sizes = {0};
  EXPECT_THAT(RulesOf(file), Accepted());
}

TEST(Methods, RefusesAProgramWithoutAny) {
  File file = AddFile();
  file.methods.reset();
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFilePlan));
  file.methods.emplace();
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFilePlan));
}

TEST(Methods, RefusesMissingParts) {
  File base;
  base.methods->emplace_back();
  ASSERT_THAT(RulesOf(base), Accepted());
  using Removal = void (*)(wire::Method&);
  const std::vector<Removal> removals = {
      [](wire::Method& m) { m.values.reset(); },
      [](wire::Method& m) { m.inputs.reset(); },
      [](wire::Method& m) { m.outputs.reset(); },
      [](wire::Method& m) { m.chains.reset(); },
      [](wire::Method& m) { m.chains->clear(); },
      [](wire::Method& m) { m.chains->at(0).reset(); },
      [](wire::Method& m) { m.operators.reset(); },
      [](wire::Method& m) { m.delegates.reset(); },
      [](wire::Method& m) { m.bank_sizes.reset(); },
  };
  for (size_t i = 0; i < removals.size(); ++i) {
    File file = base;
    removals[i](file.method());
    EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFilePlan)) << i;
  }
}

TEST(Methods, RefusesADoubleNameThatAnotherStandsBetween) {
  File file = AddFile();
  for (const char* name : {"another", "forward"}) {
    file.methods->push_back(file.method());
    file.methods->back().name = name;
  }
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileMethodName));
}

TEST(Methods, RefusesMissingAndDoubleNames) {
  File file = AddFile();
  file.methods->push_back(file.method());
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileMethodName));
  file.methods->at(1).name.reset();
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileMethodName));
  file.methods->at(1).name = "decode";
  EXPECT_THAT(RulesOf(file), Accepted());
}

TEST(Methods, RefusesBankSizesThatNobodyCanMean) {
  for (const int64_t size : {int64_t{-1}, INT64_MIN, (int64_t{1} << 48) + 1, int64_t{1} << 62}) {
    File file = AddFile();
    file.method().bank_sizes->push_back(size);
    EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileBankSize)) << size;
  }
  File file = AddFile();
  file.method().bank_sizes = {0, 1024, -77};
  const Finding finding = OnlyFinding(file);
  const auto bytes = wire::Build(file);
  int64_t there = 0;
  ASSERT_TRUE(finding.bytes.has_value());
  std::memcpy(&there, bytes.data() + finding.bytes->lo, sizeof there);
  EXPECT_EQ(there, -77) << "the place is that of the size itself";
  file = AddFile();
  file.method().bank_sizes->push_back(int64_t{1} << 48);
  EXPECT_THAT(RulesOf(file), Accepted());
}

TEST(Methods, RefusesDevicesOfBanksThatAreNotThere) {
  for (const int32_t bank : {0, -1, 2}) {
    File file = AddFile();
    file.method().bank_devices = {{bank, 1, 0}};
    EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileDevice)) << bank;
  }
  File file = AddFile();
  file.method().bank_devices = {{1, 77, 0}};
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileDevice));
}

TEST(InputsAndOutputs, RefusesValuesThatAreNotThere) {
  for (const int32_t index : {-1, 4}) {
    File file = AddFile();
    file.method().inputs->push_back(index);
    EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileIo)) << index;
    file = AddFile();
    file.method().outputs->push_back(index);
    EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileIo)) << index;
  }
}

TEST(Inputs, RefusesConstants) {
  File file = AddFile();
  file.method().inputs->push_back(0);
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileIo));
  wire::Value external = wire::Float({3});
  external.tensor.extra = wire::Extra{.name = "w", .source = 1};
  file.method().inputs = {file.Add(external)};
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileIo));
}

TEST(Inputs, RefusesLists) {
  for (const wire::ValueTag tag :
       {wire::kIntList, wire::kBoolList, wire::kTensorList, wire::kOptionalTensorList}) {
    File file = AddFile();
    file.method().inputs->push_back(file.Add(wire::List(tag, {})));
    EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileIo)) << int{tag};
  }
}

TEST(Inputs, AcceptsNumbersTextAndNothing) {
  File file = AddFile();
  for (const wire::Value& value :
       {wire::Null(), wire::Int(1), wire::Bool(true), wire::Double(1), wire::Text("a")}) {
    file.method().inputs->push_back(file.Add(value));
  }
  EXPECT_THAT(RulesOf(file), Accepted());
}

}  // namespace
}  // namespace pteproof
