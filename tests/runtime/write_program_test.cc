#include <filesystem>
#include <limits>

#include "pteproof/write.h"
#include "tests/runtime/writer/written.h"
#include "tests/support/collection.h"
#include "tests/support/files.h"
#include "tests/support/method_builder.h"
#include "tests/support/wire_program.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

// Writes every program below a folder that can be read; their number.
int ExpectAllSurvive(const fs::path& folder) {
  int programs = 0;
  for (const fs::path& path : FilesBelow(folder)) {
    if (path.extension() != ".pte") continue;
    const auto bytes = ReadBytes(path);
    const auto read = ReadProgram(bytes);
    if (!read.ok()) continue;
    ExpectSurvives(read.value(), path.string());
    ++programs;
  }
  return programs;
}

std::string FaultOf(const Program& program) {
  const auto written = WriteProgram(program);
  return written.ok() ? "" : written.error();
}

TEST(WriteProgram, LosesNothingOfTheCorpus) {
  const fs::path corpus = PTEPROOF_CORPUS_DIR;
  EXPECT_GE(ExpectAllSurvive(corpus / "real"), 200);
  EXPECT_GE(ExpectAllSurvive(corpus / "public"), 1);
  EXPECT_GE(ExpectAllSurvive(corpus / "operators"), 30);
  EXPECT_GE(ExpectAllSurvive(corpus / "crafted/legal"), 5);
}

class WrittenCollection : public testing::TestWithParam<fs::path> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(WrittenCollection);

TEST_P(WrittenCollection, LosesNothing) {
  EXPECT_GE(ExpectAllSurvive(GetParam() / "public"), 1);
  EXPECT_GE(ExpectAllSurvive(GetParam() / "exported"), 400);
}

INSTANTIATE_TEST_SUITE_P(Collection, WrittenCollection, testing::ValuesIn(InCollection("corpus")),
                         NameOfFolder);

TEST(WriteProgram, KeepsTheOrderOfMethods) {
  const Program program = ProgramOf({MethodBuilder("z").Build(), MethodBuilder("a").Build()});
  const auto bytes = Written(program);
  const Program back = ReadBack(bytes);
  EXPECT_EQ(back.methods.at(0).name, "z");
  EXPECT_EQ(back.methods.at(1).name, "a");
}

TEST(WriteProgram, KeepsEveryValueThatIsEasilyLost) {
  MethodBuilder builder;
  builder.Int(std::numeric_limits<int64_t>::min());
  Method method = builder.Build();
  for (const double real :
       {-0.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    method.values.push_back({.kind = ValueKind::kDouble, .real = real});
  method.values.push_back({.kind = ValueKind::kDoubleList});
  method.values.push_back({.kind = ValueKind::kIntList});
  method.values.push_back({.kind = ValueKind::kString});
  method.operators = {{.name = "my::op"}, {.name = "my::op.a.b"}, {.name = ".op"}, {.name = "op."}};
  ExpectSurvives(ProgramOf({method}));
}

TEST(WriteProgram, GivesEqualProgramsEqualBytes) {
  MethodBuilder builder;
  builder.Planned(1, 0, {2, 3}, "a");
  builder.Planned(1, 32, {3, 2}, "b");
  builder.TensorList({0, 1});
  const Program program = ProgramOf({builder.Build()});
  Program moved = program;
  Method& method = moved.methods[0];
  method.ints.insert(method.ints.begin(), 7);
  method.text.insert(0, "x");
  std::swap(method.tensors[0], method.tensors[1]);
  std::swap(method.values[0].tensor, method.values[1].tensor);
  for (Tensor& tensor : method.tensors) {
    ++tensor.sizes.first;
    ++tensor.dim_order.first;
    ++tensor.name.first;
  }
  ++method.values[2].items.first;
  EXPECT_EQ(ProgramDifference(program, moved), "");
  EXPECT_TRUE(Written(program) == Written(moved));
}

TEST(WriteProgram, SaysWhoseDataAreMissing) {
  MethodBuilder builder("run");
  builder.Int(1);
  builder.Constant(1, {2});
  Program program = ProgramOf({builder.Build()});
  EXPECT_EQ(FaultOf(program),
            "Value 1 of method \"run\" takes 8 bytes of constant 1, which has 0.");
  program.constants = {Bytes(), TextBytes("1234567")};
  EXPECT_EQ(FaultOf(program),
            "Value 1 of method \"run\" takes 8 bytes of constant 1, which has 7.");
  program.constants[1] = TextBytes("12345678");
  EXPECT_EQ(FaultOf(program), "");
}

TEST(WriteProgram, RefusesTablesThatAFlatbufferCannotHold) {
  Method method = MethodBuilder().Build();
  method.ints.resize(1'000'000);
  method.values.push_back({.kind = ValueKind::kInt});
  const Value list = {.kind = ValueKind::kIntList, .items = {0, 1'000'000}};
  method.values.resize(300, list);
  EXPECT_THAT(FaultOf(ProgramOf({method})), testing::HasSubstr("A flatbuffer holds 214748"));
}

}  // namespace
}  // namespace pteproof
