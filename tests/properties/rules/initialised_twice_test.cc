#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// 'write' stores 'level' and 'read' reads it; each may carry the initial value.
Program LatePair(uint32_t bank, bool reader_initial, bool writer_initial = true) {
  MethodBuilder write("write");
  const int32_t target = write.Planned(bank, 0, {8}, "level");
  if (writer_initial) write.TensorAt(target).data_index = 2;
  const int32_t x = write.Planned(1, 64, {8});
  write.Input(x);
  write.Copy(target, x);
  MethodBuilder read("read");
  const int32_t source = read.Planned(bank, 0, {8}, "level");
  if (reader_initial) read.TensorAt(source).data_index = 1;
  const int32_t out = read.Planned(1, 64, {8});
  read.Call("aten::relu.out", {source, out, out});
  read.Output(out);
  Program program = ProgramOf({read.Build(), write.Build()});
  program.initial_values.resize(3);
  return program;
}

TEST(InitialisedTwice, TellsOfALateLoadThatResetsSharedState) {
  const Report report = Check(LatePair(2, true));
  EXPECT_THAT(LinesOf(report, rule::kInitialisedTwice),
              ElementsAre("error initialised-twice read v0 bank 2 [0,32) under "
                          "share-1-2 share-all"));
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");  // private banks: state-split
  const std::string explanation = ExplanationOf(report, rule::kInitialisedTwice);
  EXPECT_THAT(explanation, HasSubstr("'read'"));
  EXPECT_THAT(explanation, HasSubstr("'write'"));
  EXPECT_THAT(FixOf(report, rule::kInitialisedTwice), HasSubstr("--load all-first"));
}

// What 'read' stores rests on what its load has undone.
TEST(InitialisedTwice, TellsOfALateLoadOfAMethodThatReadsAndStores) {
  MethodBuilder write("write");
  const int32_t target = write.Planned(2, 0, {8}, "level");
  const int32_t x = write.Planned(1, 64, {8});
  write.Input(x);
  write.Copy(target, x);
  MethodBuilder read("read");
  const int32_t source = read.Planned(2, 0, {8}, "level");
  read.TensorAt(source).data_index = 1;
  const int32_t out = read.Planned(1, 64, {8});
  read.Call("aten::relu.out", {source, out, out});
  read.Copy(source, out);
  read.Output(out);
  Program program = ProgramOf({read.Build(), write.Build()});
  program.initial_values.resize(2);
  EXPECT_THAT(LinesOf(Check(program), rule::kInitialisedTwice),
              ElementsAre("error initialised-twice read v0 bank 2 [0,32) under "
                          "share-1-2 share-all"));
}

TEST(InitialisedTwice, DependsOnTheLoaderForHigherBanks) {
  EXPECT_THAT(LinesOf(Check(LatePair(3, true)), rule::kInitialisedTwice),
              ElementsAre("error initialised-twice read v0 bank 3 [0,32) under share-all"));
}

TEST(InitialisedTwice, LooksAtEachBankThatMoreLoadersShare) {
  Program program = LatePair(3, true);
  for (const Method& method : LatePair(2, true).methods) {
    program.methods.push_back(method);
    program.methods.back().name += "_too";
  }
  EXPECT_THAT(LinesOf(Check(program), rule::kInitialisedTwice),
              ElementsAre("error initialised-twice read v0 bank 3 [0,32) under share-all",
                          "error initialised-twice read_too v0 bank 2 [0,32) under "
                          "share-1-2 share-all"));
}

TEST(InitialisedTwice, CannotHappenWhereAllMethodsAreLoadedFirst) {
  const Program program = LatePair(2, true);
  const Report report = Check(program, {.all_first = true});
  EXPECT_THAT(LinesOf(report, rule::kInitialisedTwice), IsEmpty());
  EXPECT_EQ(VerdictRow(report), "unsafe safe safe");
  EXPECT_THAT(LinesOf(CheckWith(program, R"({"pteproof": 1, "load": "all-first"})"),
                      rule::kInitialisedTwice),
              IsEmpty());
  EXPECT_THAT(
      LinesOf(CheckWith(program, R"({"pteproof": 1, "load": "lazy"})"), rule::kInitialisedTwice),
      testing::SizeIs(1));
}

TEST(InitialisedTwice, IsSilentWhereTheFileHoldsNoInitialValue) {
  EXPECT_THAT(LinesOf(Check(LatePair(2, false, false)), rule::kInitialisedTwice), IsEmpty());
}

// The only method that stores the initial value is the one that writes: nobody wrote before it.
TEST(InitialisedTwice, IsSilentWhereOnlyTheSoleWriterCarriesTheInitialValue) {
  EXPECT_THAT(LinesOf(Check(LatePair(2, false)), rule::kInitialisedTwice), IsEmpty());
}

TEST(InitialisedTwice, IsSilentForAMethodThatIsAlone) {
  MethodBuilder b("step");
  const int32_t level = b.Planned(2, 0, {8}, "level");
  b.TensorAt(level).data_index = 1;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t sum = b.Planned(1, 32, {8});
  b.Add(level, x, sum);
  b.Copy(level, sum);
  Program program = ProgramOf({b.Build()});
  program.initial_values.emplace_back();
  EXPECT_THAT(LinesOf(Check(program)), IsEmpty());
}

TEST(InitialisedTwice, TellsOfDataFromOutsideAndOfABufferWithoutAName) {
  Program program = LatePair(2, true);
  for (Method& method : program.methods) {
    for (Tensor& tensor : method.tensors) {
      if (tensor.data_index == 0) continue;
      tensor.data_index = 0;
      tensor.external = true;
    }
  }
  EXPECT_THAT(ExplanationOf(Check(program), rule::kInitialisedTwice), HasSubstr("external data"));
  program = LatePair(2, true);
  for (Method& method : program.methods) {
    for (Tensor& tensor : method.tensors) tensor.name = {};
  }
  EXPECT_THAT(ExplanationOf(Check(program), rule::kInitialisedTwice),
              HasSubstr("stores its state there"));
}

// What each method loads to one buffer that nobody stores to, by data and offset.
struct LoadedTo {
  uint32_t data = 0;
  uint64_t offset = 0;
};

Program LoadedBy(const std::vector<LoadedTo>& loads, Bytes first, Bytes second, uint32_t bank) {
  std::vector<Method> methods;
  for (const LoadedTo& load : loads) {
    MethodBuilder b(fmt::format("m{}", methods.size()));
    const int32_t level = b.Planned(bank, load.offset, {1}, "level");
    b.TensorAt(level).data_index = load.data;
    const int32_t out = b.Planned(1, 64, {1});
    b.Call("aten::relu.out", {level, out, out});
    b.Output(out);
    methods.push_back(b.Build());
  }
  Program program = ProgramOf(std::move(methods));
  program.initial_values = {{}, first, second};
  return program;
}

Program LoadedBy(Bytes first, Bytes second, uint32_t bank = 2) {
  return LoadedBy({{1, 0}, {2, 0}}, first, second, bank);
}

// Which of the two values it begins with depends on the order of loading.
TEST(InitialisedTwice, TellsOfOneBufferWithTwoInitialValues) {
  const std::array zeros = {std::byte{0}, std::byte{0}, std::byte{0}, std::byte{0}};
  const std::array ones = {std::byte{0}, std::byte{0}, std::byte{128}, std::byte{63}};
  const Report report = Check(LoadedBy(zeros, ones));
  EXPECT_THAT(LinesOf(report, rule::kInitialisedTwice),
              ElementsAre("error initialised-twice m1 v0 bank 2 [0,4) under "
                          "share-1-2 share-all"));
  EXPECT_THAT(ExplanationOf(report, rule::kInitialisedTwice), HasSubstr("were loaded last"));
  EXPECT_EQ(VerdictRow(report), "safe unsafe unsafe");
  EXPECT_EQ(VerdictRow(Check(LoadedBy(zeros, ones, 3))), "safe safe unsafe");
}

// A third method keeps the buffer elsewhere, which is told of by another rule.
TEST(InitialisedTwice, TellsOfTwoInitialValuesAtOnePlaceOfSeveral) {
  const std::array zeros = {std::byte{0}, std::byte{0}, std::byte{0}, std::byte{0}};
  const std::array ones = {std::byte{0}, std::byte{0}, std::byte{128}, std::byte{63}};
  const Program program = LoadedBy({{1, 16}, {1, 0}, {2, 0}}, zeros, ones, 2);
  EXPECT_THAT(LinesOf(Check(program), rule::kInitialisedTwice),
              ElementsAre("error initialised-twice m2 v0 bank 2 [0,4) under "
                          "share-1-2 share-all"));
}

TEST(InitialisedTwice, IsSilentWhereTheSameBytesAreStoredTwice) {
  const std::array ones = {std::byte{0}, std::byte{0}, std::byte{128}, std::byte{63}};
  const std::array again = ones;
  EXPECT_THAT(LinesOf(Check(LoadedBy(ones, again)), rule::kInitialisedTwice), IsEmpty());
}

// Reads, or stores to, 'level' at `lo`, which begins with initial value `data`.
Method BeginsWith(const std::string& method, uint64_t lo, uint32_t data, bool reads = true) {
  MethodBuilder b(method);
  const int32_t level = b.Planned(2, lo, {8}, "level");
  b.TensorAt(level).data_index = data;
  const int32_t x = b.Planned(1, 64, {8});
  b.Input(x);
  if (reads) {
    b.Mul(level, x, x);
  } else {
    b.Copy(level, x);
  }
  return b.Build();
}

// Initial value 1 is zeros, 2 is not, and 3 is like 1.
std::vector<std::string> TwiceIn(std::vector<Method> methods, std::string_view manifest = {}) {
  static constexpr std::array<std::byte, 32> kZeros = {};
  static constexpr std::array<std::byte, 32> kOther = {std::byte{1}};
  Program program = ProgramOf(std::move(methods));
  program.initial_values = {{}, kZeros, kOther, kZeros};
  return LinesOf(manifest.empty() ? Check(program) : CheckWith(program, manifest),
                 rule::kInitialisedTwice);
}

TEST(InitialisedTwice, TellsOfUnlikeValuesInOnePlaceWhateverLiesBetween) {
  EXPECT_THAT(TwiceIn({BeginsWith("one", 0, 1), BeginsWith("far", 64, 2), BeginsWith("two", 0, 2)}),
              ElementsAre("error initialised-twice two v0 bank 2 [0,32) under "
                          "share-1-2 share-all"));
  EXPECT_THAT(TwiceIn({BeginsWith("one", 0, 1), BeginsWith("far", 64, 2)}), IsEmpty());
  EXPECT_THAT(TwiceIn({BeginsWith("one", 0, 1), BeginsWith("two", 0, 3)}), IsEmpty());
  EXPECT_THAT(TwiceIn({BeginsWith("one", 0, 1), BeginsWith("two", 0, 0)}), IsEmpty());
}

TEST(InitialisedTwice, NeedsAReaderForUnlikeValues) {
  EXPECT_THAT(TwiceIn({BeginsWith("one", 0, 1, false), BeginsWith("two", 0, 2, false)}), IsEmpty());
}

TEST(InitialisedTwice, AsksTheManifestWhetherUnlikeValuesAreOfOneBuffer) {
  const auto of_level = [](std::string_view stated) {
    return TwiceIn({BeginsWith("one", 0, 1), BeginsWith("two", 0, 2)},
                   R"({"pteproof": 1, "buffers": {"level": {)" + std::string(stated) + "}}}");
  };
  EXPECT_THAT(of_level(""), testing::SizeIs(1));
  EXPECT_THAT(of_level(R"("shared": true)"), testing::SizeIs(1));
  EXPECT_THAT(of_level(R"("shared": false)"), IsEmpty());
}

// One loads the buffer and leaves it alone, the other stores to it, and nobody reads it.
TEST(InitialisedTwice, IsSilentWhereNobodyReadsWhatTheLoadUndoes) {
  MethodBuilder idle("idle");
  const int32_t level = idle.Planned(2, 0, {8}, "level");
  idle.TensorAt(level).data_index = 1;
  idle.Output(idle.Int(7));
  EXPECT_THAT(TwiceIn({idle.Build(), BeginsWith("put", 0, 0, false)}), IsEmpty());
  EXPECT_THAT(TwiceIn({idle.Build(), BeginsWith("put", 0, 0, false), BeginsWith("get", 0, 0)}),
              ElementsAre("error initialised-twice idle v0 bank 2 [0,32) under "
                          "share-1-2 share-all"));
}

}  // namespace
}  // namespace pteproof
