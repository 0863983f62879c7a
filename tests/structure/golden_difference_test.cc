// scripts/golden --compare: what differs between two dumps, by cause.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace pteproof {
namespace {

using testing::HasSubstr;

struct Compared {
  int code = 0;
  std::string text;
};

Compared CompareDumps(const std::string& before, const std::string& after) {
  const std::filesystem::path folder(testing::TempDir());
  std::ofstream(folder / "before.txt") << before;
  std::ofstream(folder / "after.txt") << after;
  const std::string command = std::string(PTEPROOF_SOURCE_DIR) + "/scripts/golden --compare " +
                              (folder / "before.txt").string() + " " +
                              (folder / "after.txt").string();
  FILE* pipe = popen(command.c_str(), "r");
  Compared compared;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
    compared.text += static_cast<char>(c);
  }
  compared.code = WEXITSTATUS(pclose(pipe));
  return compared;
}

TEST(GoldenDifference, PutsProgramsOfOneCauseTogether) {
  const Compared found = CompareDumps(
      "a.pte\tunsafe safe safe\terror plan-overlap all 'f' i1 v0,1 bank 1 [0,8)\tsafe of 3 0 0\n"
      "b.pte\tunsafe safe safe\terror plan-overlap all 'g' i7 v2,3 bank 2 [8,9)\tsafe of 9 0 0\n"
      "c.pte\tsafe safe safe\t\tsafe of 1 0 0\n",
      "a.pte\tsafe safe safe\t\tsafe of 3 0 0\n"
      "b.pte\tsafe safe safe\t\tsafe of 9 0 0\n"
      "c.pte\tsafe safe safe\t\tsafe of 2 0 0\n");
  EXPECT_EQ(found.code, 1);
  EXPECT_THAT(found.text,
              HasSubstr("2 x check: unsafe safe safe -> safe safe safe, - error plan-overlap all\n"
                        "  a.pte: "));
  EXPECT_THAT(found.text, HasSubstr("1 x proof: other numbers of obligations\n  c.pte: "));
  EXPECT_THAT(found.text, HasSubstr("3 of 3 differ, by 2 causes\n"));
}

TEST(GoldenDifference, TellsProgramsThatOnlyOneDumpHas) {
  const Compared found = CompareDumps("a.pte\tsafe\t\tsafe\n", "b.pte\tsafe\t\tsafe\n");
  EXPECT_EQ(found.code, 1);
  EXPECT_THAT(found.text, HasSubstr("1 x only in the old dump\n  a.pte\n"));
  EXPECT_THAT(found.text, HasSubstr("1 x only in the new dump\n  b.pte\n"));
}

TEST(GoldenDifference, IsNothingBetweenEqualDumps) {
  const Compared found = CompareDumps("a.pte\tsafe\t\tsafe\n", "a.pte\tsafe\t\tsafe\n");
  EXPECT_EQ(found.code, 0);
  EXPECT_EQ(found.text, "0 of 1 differ, by 0 causes\n");
}

}  // namespace
}  // namespace pteproof
