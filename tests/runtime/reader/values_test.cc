#include "pteproof/program.h"
#include "tests/runtime/reader/refusals.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using wire::AddFile;
using wire::File;

// The sound file with one value more.
File With(wire::Value value) {
  File file = AddFile();
  file.Add(std::move(value));
  return file;
}

wire::Value Without(wire::ValueTag tag) {
  wire::Value value;
  value.tag = tag;
  return value;
}

TEST(Values, AreReadWithTheirKinds) {
  File file = AddFile();
  file.Add(wire::Null());
  file.Add(wire::Bool(true));
  file.Add(wire::Double(0.5));
  file.Add(wire::Text("mean"));
  file.Add(wire::List(wire::kIntList, {3, 3}));
  file.Add(wire::Reals({1.5, -2}));
  file.Add(wire::List(wire::kBoolList, {0, 1, 2}));
  file.Add(wire::List(wire::kTensorList, {0, 2}));
  file.Add(wire::List(wire::kOptionalTensorList, {1, -1, 4}));
  const auto bytes = wire::Build(file);
  const auto read = ReadProgram(bytes);
  ASSERT_TRUE(read.ok());
  const Method& method = read.value().methods.at(0);
  ASSERT_EQ(method.values.size(), 13U);
  EXPECT_EQ(method.values[3].integer, 1);
  EXPECT_EQ(method.values[4].kind, ValueKind::kNull);
  EXPECT_EQ(method.values[5].integer, 1);
  EXPECT_EQ(method.values[6].real, 0.5);
  EXPECT_EQ(method.Text(method.values[7].items), "mean");
  EXPECT_THAT(method.Ints(method.values[8].items), ElementsAre(3, 3));
  EXPECT_EQ(method.values[9].items.count, 2U);
  EXPECT_THAT(method.reals, ElementsAre(1.5, -2));
  EXPECT_THAT(method.Ints(method.values[10].items), ElementsAre(0, 1, 1));
  EXPECT_THAT(method.Ints(method.values[11].items), ElementsAre(0, 2));
  EXPECT_THAT(method.Ints(method.values[12].items), ElementsAre(1, -1, -1))
      << "a Null stands for none";
}

TEST(Values, ReadsAnyByteButZeroAsTrue) {
  File file = AddFile();
  wire::Value odd = wire::Bool(true);
  odd.integer = 2;
  file.Add(odd);
  const auto bytes = wire::Build(file);
  const auto read = ReadProgram(bytes);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value().methods[0].values[4].integer, 1);
}

TEST(Values, RefusesTagsThatStandForNothing) {
  for (const uint8_t tag : std::initializer_list<uint8_t>{0, 12, 255}) {
    wire::Value value;
    value.tag = tag;
    EXPECT_THAT(RulesOf(With(value)), RefusedBy(rule::kFileValue)) << int{tag};
    value.has_table = false;
    EXPECT_THAT(RulesOf(With(value)), RefusedBy(rule::kFileValue)) << int{tag};
  }
}

TEST(Values, RefusesTagsWithoutATableButForNull) {
  for (int tag = wire::kNull; tag <= wire::kOptionalTensorList; ++tag) {
    wire::Value value;
    value.tag = static_cast<uint8_t>(tag);
    value.has_table = false;
    if (tag == wire::kNull) {
      EXPECT_THAT(RulesOf(With(value)), Accepted());
    } else {
      EXPECT_THAT(RulesOf(With(value)), RefusedBy(rule::kFileValue)) << tag;
    }
  }
}

TEST(Values, RefusesListsAndStringsWithoutTheirVector) {
  for (const wire::ValueTag tag : {wire::kString, wire::kIntList, wire::kDoubleList,
                                   wire::kBoolList, wire::kTensorList, wire::kOptionalTensorList}) {
    EXPECT_THAT(RulesOf(With(Without(tag))), RefusedBy(rule::kFileValue)) << int{tag};
  }
}

TEST(Values, SaysWhichValueIsWrong) {
  const Finding finding = OnlyFinding(With(Without(wire::kIntList)));
  EXPECT_EQ(finding.method, "forward");
  EXPECT_THAT(finding.values, ElementsAre(4));
  EXPECT_TRUE(finding.bytes.has_value());
  EXPECT_THAT(finding.explanation,
              testing::HasSubstr("Value 4 has the tag IntList, but no list of items"));
}

TEST(Lists, RefusesItemsThatNameNoValue) {
  for (const wire::ValueTag tag : {wire::kIntList, wire::kTensorList, wire::kOptionalTensorList}) {
    EXPECT_THAT(RulesOf(With(wire::List(tag, {5}))), RefusedBy(rule::kFileListItem)) << int{tag};
    EXPECT_THAT(RulesOf(With(wire::List(tag, {-2}))), RefusedBy(rule::kFileListItem)) << int{tag};
  }
  EXPECT_THAT(RulesOf(With(wire::List(wire::kIntList, {-1}))), RefusedBy(rule::kFileListItem));
  EXPECT_THAT(RulesOf(With(wire::List(wire::kTensorList, {-1}))), RefusedBy(rule::kFileListItem));
  EXPECT_THAT(RulesOf(With(wire::List(wire::kIntList, {int64_t{1} << 32}))),
              RefusedBy(rule::kFileListItem));
}

TEST(Lists, RefusesItemsOfTheWrongKind) {
  EXPECT_THAT(RulesOf(With(wire::List(wire::kIntList, {0}))), RefusedBy(rule::kFileListItem));
  EXPECT_THAT(RulesOf(With(wire::List(wire::kTensorList, {3}))), RefusedBy(rule::kFileListItem));
  EXPECT_THAT(RulesOf(With(wire::List(wire::kOptionalTensorList, {3}))),
              RefusedBy(rule::kFileListItem));
}

TEST(Lists, RefusesTensorsThatComeAfterTheList) {
  for (const wire::ValueTag tag : {wire::kTensorList, wire::kOptionalTensorList}) {
    File file = With(wire::List(tag, {5}));
    file.Add(wire::Planned({3}, 64));
    EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileListItem)) << int{tag};
  }
}

TEST(Lists, AcceptsIntsThatComeAfterTheList) {
  File file = With(wire::List(wire::kIntList, {5}));
  file.Add(wire::Int(7));
  EXPECT_THAT(RulesOf(file), Accepted());
}

TEST(Lists, DoesNotBlameAListForItsBrokenItem) {
  File file = With(Without(wire::kString));
  file.value(4).tag = 12;
  file.Add(wire::List(wire::kTensorList, {4}));
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileValue));
}

}  // namespace
}  // namespace pteproof
