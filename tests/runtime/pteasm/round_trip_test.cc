// A program that is printed reads back as the same program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <limits>

#include "pteproof/read.h"
#include "runtime/pteasm/file_refs.h"
#include "tests/runtime/pteasm/assembled.h"
#include "tests/runtime/writer/written.h"
#include "tests/support/collection.h"
#include "tests/support/files.h"
#include "tests/support/method_builder.h"

namespace pteproof::pteasm {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

namespace fs = std::filesystem;

// The bytes of the file that a text refers to.
text::DataOf BytesIn(Bytes file) {
  return [file](const text::DataRef& ref) -> Result<std::optional<TensorBytes>, std::string> {
    EXPECT_EQ(ref.file, "m.pte");
    EXPECT_EQ(ref.sha256.size(), 64U);
    const auto offset = static_cast<size_t>(ref.offset);
    return std::optional(TensorBytes::ViewOf(file.subspan(offset, static_cast<size_t>(ref.bytes))));
  };
}

// Of every program below a folder that can be read; their number.
int ExpectAllReadBack(const fs::path& folder) {
  int programs = 0;
  for (const fs::path& path : FilesBelow(folder)) {
    if (path.extension() != ".pte" && path.extension() != ".bpte") continue;
    const auto bytes = ReadBytes(path);
    const auto read = ReadPackedProgram(bytes);
    if (!read.ok()) continue;
    const std::string text = Print(read.value(), FileRefs("m.pte", bytes));
    const auto made = Assemble(text, BytesIn(bytes));
    EXPECT_TRUE(made.ok()) << path << ": " << ErrorOf(text);
    if (!made.ok()) continue;
    const Program back = ReadBack(made.value().file);
    EXPECT_EQ(ProgramDifference(read.value(), back), "") << path;
    EXPECT_TRUE(made.value().file == Written(read.value())) << path;
    ++programs;
  }
  return programs;
}

TEST(ProgramText, LosesNothingOfTheCorpus) {
  RecordProperty("slow", "reads every program of the corpus");
  EXPECT_GE(ExpectAllReadBack(PTEPROOF_CORPUS_DIR), 900);
}

class PrintedCollection : public testing::TestWithParam<fs::path> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PrintedCollection);

TEST_P(PrintedCollection, LosesNothing) {
  EXPECT_GE(ExpectAllReadBack(GetParam() / "public"), 1);
  EXPECT_GE(ExpectAllReadBack(GetParam() / "exported"), 400);
}

INSTANTIATE_TEST_SUITE_P(Collection, PrintedCollection, testing::ValuesIn(InCollection("corpus")),
                         NameOfFolder);

TEST(ProgramText, NeedsNoFileIfItWritesAllBytesOut) {
  const fs::path file = fs::path(PTEPROOF_CORPUS_DIR) / "real/models/marian/marian.pte";
  const auto bytes = ReadBytes(file);
  const auto read = ReadProgram(bytes);
  ASSERT_TRUE(read.ok());
  EXPECT_THAT(Print(read.value()), Not(HasSubstr("data ")));
  ExpectReadsBack(read.value());
}

TEST(ProgramText, KeepsValuesThatAreEasilyLost) {
  MethodBuilder builder("a method");
  builder.Int(std::numeric_limits<int64_t>::min());
  Method method = builder.Build();
  const double odd_nan = std::bit_cast<double>(uint64_t{0xfff8000000000001});
  for (const double real : {-0.0, std::numeric_limits<double>::quiet_NaN(), odd_nan,
                            -std::numeric_limits<double>::infinity(), 1e-320}) {
    method.values.push_back({.kind = ValueKind::kDouble, .real = real});
    method.reals.push_back(real);
  }
  method.values.push_back({.kind = ValueKind::kDoubleList, .items = {0, 5}});
  method.values.push_back({.kind = ValueKind::kDoubleList, .items = {2, 2}});
  method.values.push_back({.kind = ValueKind::kDoubleList});
  method.values.push_back({.kind = ValueKind::kIntList});
  method.values.push_back({.kind = ValueKind::kBoolList});
  method.values.push_back({.kind = ValueKind::kString});
  method.operators = {{.name = "my::op"}, {.name = "my::op.a.b"}, {.name = ".op"},
                      {.name = "op."},    {.name = "my::op"},     {.name = "two words"}};
  ExpectReadsBack(ProgramOf({method}));
}

TEST(ProgramText, KeepsEveryPartOfATensor) {
  MethodBuilder builder;
  const int32_t tensor = builder.Planned(3, uint64_t{1} << 40U, {2, 0, 5}, "a\"b\n");
  builder.TensorAt(tensor).dynamism = Dynamism::kBounded;
  builder.TensorAt(tensor).device_type = 1;
  builder.TensorAt(tensor).device_index = -1;
  builder.TensorAt(tensor).external = true;
  Method method = builder.Build();
  method.ints[method.tensors[0].dim_order.first] = 2;
  method.ints[method.tensors[0].dim_order.first + 2] = 0;
  method.bank_sizes = {7, 0, 1, uint64_t{1} << 41U, 0};
  method.bank_devices = {{2, 1, 0}, {1, 1, -3}, {2, 1, 5}};
  method.input_structure = "[]";
  ExpectReadsBack(ProgramOf({method}));
}

TEST(ProgramText, KeepsDelegatesAndNamedData) {
  Method method = MethodBuilder().Build();
  const std::string zeros(1000, '\0');
  const std::string odd(100, '\xfe');
  method.delegates = {{"Backend", TextBytes("blob"), {{"key", TextBytes("\x01\xff")}, {"", {}}}},
                      {"", TextBytes(zeros), {}},
                      {"Backend", TextBytes(odd), {}}};
  Program program = ProgramOf({method});
  program.named_data = {{"a", TextBytes(zeros)}, {"b", {}}, {"c", TextBytes("text\n")}};
  ExpectReadsBack(program);
}

// Values in an order that no exporter has, and lists that share items.
TEST(ProgramText, KeepsNumbersThatAreOutOfOrder) {
  MethodBuilder builder;
  const int32_t late = builder.Int(3);
  const int32_t first = builder.Int(1);
  const int32_t x = builder.Planned(1, 0, {2});
  const int32_t second = builder.Int(2);
  const int32_t list = builder.IntList({second, first});
  const int32_t shared = builder.IntList({late, late});
  builder.Call("aten::add.out", {x, x, late, x, x});
  builder.Call("aten::add.out", {x, x, second, x, x});
  builder.Delegate({list, shared, x});
  builder.Delegate({builder.Int(9), builder.Bool(true), builder.None()});
  builder.Output(builder.Int(5));
  ExpectReadsBack(ProgramOf({builder.Build()}));
}

}  // namespace
}  // namespace pteproof::pteasm
