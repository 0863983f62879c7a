#include "cli/map/text_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "tests/cli/map/drawn_report.h"
#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// y = x * x, z = y * y, in three places of 16 bytes.
MethodBuilder Squares() {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t y = b.Planned(1, 16, {4});
  const int32_t z = b.Planned(1, 32, {4});
  b.Input(x);
  b.Mul(x, x, y);
  b.Mul(y, y, z);
  b.Output(z);
  return b;
}

std::string Drawn(const Program& program, const TextMapOptions& options = {}) {
  const FileReport report = DrawnReport("small.pte", program);
  return TextMap(report, *report.picture, options);
}

// Six points (the entry, two for each instruction, the exit), four columns each.
TEST(TextMap, ShowsEachStorageInItsBytesAndTime) {
  EXPECT_EQ(Drawn(ProgramOf({Squares().Build()})),
            "small.pte: safe\n"
            "\n"
            "bank 1\n"
            "  forward: 48 bytes, peak live 32 B, waste 33%\n"
            "\n"
            "           forward\n"
            "  [32,48) |................CCCCCCCC|\n"
            "  [16,32) |........BBBBBBBBBBBB....<\n"
            "   [0,16) |AAAAAAAAAAAA............|\n"
            "               0       1\n"
            "\n"
            "  A  input v0  input         [0,16)   entry..0  float32 [4]\n"
            "  B  mul v1    intermediate  [16,32)  0..1      float32 [4]\n"
            "  C  mul v2    output        [32,48)  1..end    float32 [4]\n"
            "\n"
            ". free   < peak live bytes\n");
}

TEST(TextMap, MarksPhantomsAndFindings) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t y = b.Planned(1, 16, {4});
  const int32_t z = b.Planned(1, 16, {4});
  const int32_t sum = b.Planned(1, 32, {4});
  b.Planned(1, 48, {64});
  b.Input(x);
  b.Mul(x, x, y);    // 0
  b.Flip(x, z);      // 1 writes over y
  b.Add(y, z, sum);  // 2
  b.Output(sum);
  const std::string text = Drawn(ProgramOf({b.Build()}));
  EXPECT_THAT(text, HasSubstr("small.pte: unsafe\n"));
  EXPECT_THAT(text, HasSubstr("  [48,304) |::::::::::::::::::::::::::::::::|\n"));
  // y and z are both in use from instruction 1's write to the end of instruction 2. With x they
  // make up the load: bytes count once.
  EXPECT_THAT(text, HasSubstr("   [16,32) |........BBBBBBBB!!!!!!!!!!!!....<\n"));
  EXPECT_THAT(text, HasSubstr(": phantom   ! finding\n"));
  EXPECT_THAT(text, HasSubstr("error plan-overlap  method forward, instruction 1"));
}

TEST(TextMap, ColoursFindingsOnlyWhereColoursAreWanted) {
  MethodBuilder b = Squares();
  b.Planned(1, 48, {64});
  const Program program = ProgramOf({b.Build()});
  EXPECT_THAT(Drawn(program), Not(HasSubstr("\x1b")));
  EXPECT_THAT(Drawn(program, {Paint{true}, 80}), HasSubstr("\x1b[1;33m::::"));
}

TEST(TextMap, KeepsWithinTheColumnsOfTheTerminal) {
  MethodBuilder b;
  int32_t last = b.Planned(1, 0, {4});
  b.Input(last);
  for (int i = 0; i < 200; ++i) {
    const int32_t next = b.Planned(1, i % 2 == 0 ? 16 : 0, {4});
    b.Mul(last, last, next);
    last = next;
  }
  b.Output(last);
  for (const size_t columns : {60U, 100U, 180U}) {
    std::istringstream lines(Drawn(ProgramOf({b.Build()}), {{}, columns}));
    for (std::string line; std::getline(lines, line);) {
      if (line.find('|') != std::string::npos) EXPECT_LE(line.size(), columns) << line;
    }
  }
}

TEST(TextMap, ShowsNamesHarmlessly) {
  MethodBuilder b("evil\x1b[31m\n");
  const int32_t cache = b.Planned(1, 0, {4}, "na\x07me");
  const int32_t out = b.Planned(1, 16, {4});
  b.Mul(cache, cache, out);
  b.Output(out);
  const std::string text = Drawn(ProgramOf({b.Build()}));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\x07")));
  EXPECT_THAT(text, HasSubstr("na\\x07me"));
}

}  // namespace
}  // namespace pteproof
