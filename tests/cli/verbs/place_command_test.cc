// `pteproof place` and `pteproof inspect --lifetimes` from outside.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Runs `place` on a table in a file of its own.
class PlaceCommand : public ::testing::Test {
 protected:
  CommandResult Place(const std::string& table, std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"place", folder_.Write("t.csv", table)});
    return RunCommand(options);
  }

  const TempFolder folder_;
};

// What each kind of gap below the first taken byte is good for (180 bytes, not 240).
constexpr const char* kThree = "id,lower,upper,size\na,0,2,100\nb,1,3,80\nc,2,4,60\n";

TEST_F(PlaceCommand, AddsOffsetsToTheRows) {
  const CommandResult result = Place(kThree);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "id,lower,upper,size,offset\na,0,2,100,0\nb,1,3,80,100\nc,2,4,60,0\n");
  EXPECT_EQ(result.err, "peak 180 bytes, peak live bytes 180, ratio 1.000, optimal\n");
}

// The rows of one storage are joined once, in any order: row by row this took 44 s.
TEST_F(PlaceCommand, JoinsManyRowsOfOneStorage) {
  RecordProperty("slow", "a large program");
  constexpr int kRows = 60'000;
  std::string rising = "id,lower,upper,size\n";
  std::string falling = rising;
  std::string touching = rising;
  for (int i = 0; i < kRows; ++i) {
    rising += fmt::format("a,{},{},8\n", 2 * i, 2 * i + 1);
    falling += fmt::format("a,{},{},8\n", 2 * (kRows - i), 2 * (kRows - i) + 1);
    touching += fmt::format("a,{},{},8\n", i * 7919L % kRows, i * 7919L % kRows + 1);
  }
  for (const std::string& table : {rising, falling, touching}) {
    const CommandResult result = Place(table + "b,1,2,8\nb,3,4,8\n");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(std::ranges::count(result.out, '\n'), kRows + 3);
  }
}

TEST_F(PlaceCommand, JoinsTheLivesOfRepeatedRows) {
  // [0, 2) and [4, 6) of `a`, whose rows overlap, touch, are empty and are repeated.
  const CommandResult result =
      Place("id,lower,upper,size\na,5,6,8\nb,2,4,8\na,0,1,8\na,1,2,8\na,4,6,8\na,3,3,8\na,0,1,8\n");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "peak 8 bytes, peak live bytes 8, ratio 1.000, optimal\n");
}

TEST_F(PlaceCommand, RefusesHostileTablesWithTheirLine) {
  const std::string header = "id,lower,upper,size\n";
  const std::vector<std::string> tables = {
      "",
      "\n\n\n",
      "id\n",
      std::string(100'000, ','),
      std::string(100'001, '"'),
      header + "\"a",
      header + "a,0,1\n",
      header + "a,0,1,-1\n",
      header + "a,0,1,9223372036854775808\n",
      header + "a,0,1,1e3\n",
      header + "a,0,1,nan\n",
      header + "a,-9223372036854775809,1,1\n",
      header + "a,2,1,1\n",
      header + "a,0,1,9223372036854775807\nb,0,1,9223372036854775807\n",
      header + "a,0,1,8\na,2,3,9\n",
      "id,lower,upper,size,alignment\na,0,1,1,3\n",
      "id,lower,upper,size,alignment\na,0,1,1,-9223372036854775808\n",
      "id,lower,upper,size,alignment\na,0,1,1,4611686018427387904\n",
      "id,lower,upper,size,offset\na,0,1,1,9223372036854775807\n",
      "id,lower,upper,size,id\na,0,1,1,b\n"};
  for (const std::string& table : tables) {
    const CommandResult result = Place(table);
    EXPECT_EQ(result.exit_code, 2) << table.substr(0, 60) << result.err;
    EXPECT_THAT(result.err, HasSubstr("t.csv:")) << table.substr(0, 60);
    EXPECT_LT(result.err.size(), 1000U);
  }
  const CommandResult ends = Place(header +
                                   "a,-9223372036854775808,9223372036854775807,1\n"
                                   "b,-9223372036854775808,-9223372036854775807,5\n"
                                   "c,0,9223372036854775807,9\n");
  EXPECT_EQ(ends.exit_code, 0) << ends.err;
}

TEST_F(PlaceCommand, GivesEqualOffsetsOnOneThreadAndOnMany) {
  std::string table = "id,lower,upper,size\n";
  for (int i = 0; i < 120; ++i) {
    table += fmt::format("{},{},{},{}\n", i, i * 7 % 60, i * 7 % 60 + 1 + i * 13 % 23,
                         1 + i * i * 31 % 97);
  }
  const CommandResult one = Place(table, {"--jobs", "1"});
  EXPECT_EQ(one.exit_code, 0);
  EXPECT_EQ(one.out, Place(table, {"--jobs", "3"}).out);
  EXPECT_EQ(one.out, Place(table, {"-j", "8"}).out);
  EXPECT_EQ(Place(table, {"--jobs", "0"}).exit_code, 64);
}

TEST_F(PlaceCommand, SaysHowFarFromTheBestAnAlgorithmMayBe) {
  const CommandResult result = Place(kThree, {"--algorithm", "naive"});
  EXPECT_EQ(result.out, "id,lower,upper,size,offset\na,0,2,100,0\nb,1,3,80,100\nc,2,4,60,180\n");
  EXPECT_EQ(result.err,
            "peak 240 bytes, peak live bytes 180, ratio 1.333, at most 33.4 % above the best\n");
}

TEST_F(PlaceCommand, KeepsOtherColumnsAndTheirOrder) {
  const CommandResult result =
      Place("size,note,upper,lower,id\r\n8,\"a \"\"b\"\", c\",2,0,x\r\n\r\n8,,3,1,y\r\n");
  EXPECT_EQ(result.out,
            "size,note,upper,lower,id,offset\n8,\"a \"\"b\"\", c\",2,0,x,0\n8,,3,1,y,8\n");
}

TEST_F(PlaceCommand, TakesARepeatedIdForAFurtherLifetime) {
  const CommandResult result = Place("id,lower,upper,size\na,0,2,8\nb,2,4,8\na,4,6,8\nc,5,6,8\n");
  EXPECT_EQ(result.out, "id,lower,upper,size,offset\na,0,2,8,0\nb,2,4,8,0\na,4,6,8,0\nc,5,6,8,8\n");
}

TEST_F(PlaceCommand, HoldsFixedOffsetsAndAlignments) {
  const CommandResult result =
      Place("id,lower,upper,size,alignment,offset\na,0,2,8,1,4\nb,0,2,4,1,\nc,1,2,8,64,\n");
  EXPECT_EQ(result.out,
            "id,lower,upper,size,alignment,offset\na,0,2,8,1,4\nb,0,2,4,1,0\nc,1,2,8,64,64\n");
}

TEST_F(PlaceCommand, ReadsItsOwnOutput) {
  const std::string placed = Place(kThree).out;
  EXPECT_EQ(Place(placed).out, placed);
}

TEST_F(PlaceCommand, PlacesEachBankByItself) {
  const CommandResult result =
      Place("id,bank,lower,upper,size\na,m:1,0,2,8\na,m:2,0,2,4\nb,m:1,1,2,8\n");
  EXPECT_EQ(result.out,
            "id,bank,lower,upper,size,offset\na,m:1,0,2,8,0\na,m:2,0,2,4,0\nb,m:1,1,2,8,8\n");
  EXPECT_EQ(result.err,
            "bank m:1: peak 16 bytes, peak live bytes 16, ratio 1.000, optimal\n"
            "bank m:2: peak 4 bytes, peak live bytes 4, ratio 1.000, optimal\n");
}

TEST_F(PlaceCommand, AlignsAllAtLeastSoMuch) {
  EXPECT_THAT(Place(kThree, {"--alignment", "64"}).out, HasSubstr("b,1,3,80,128\n"));
  EXPECT_EQ(Place(kThree, {"--alignment", "48"}).exit_code, 64);
}

TEST_F(PlaceCommand, NamesTheStoragesThatDoNotFitTheCapacity) {
  EXPECT_EQ(Place(kThree, {"--capacity", "180"}).exit_code, 0);
  const CommandResult result = Place(kThree, {"--capacity", "179"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "pteproof: 2 storages do not fit 179 bytes together: a, b\n");
}

TEST_F(PlaceCommand, WritesToAFile) {
  const std::string out = folder_.Write("out.csv", "");
  EXPECT_EQ(Place(kThree, {"-o", out}).out, "");
  EXPECT_THAT(ReadText(out), EndsWith("c,2,4,60,0\n"));
}

TEST_F(PlaceCommand, SaysWhereATableIsNone) {
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"", ":1: there is no header"},
      {"id,lower,upper\n", ":1: there is no column 'size'"},
      {"id,id,lower,upper,size\n", ":1: column 'id' occurs twice"},
      {"id,lower,upper,size\na,0,1\n", ":2: there are 3 fields, and 4 in the header"},
      {"id,lower,upper,size\na,0,1,x\n", ":2: 'size' is 'x', which is not a number"},
      {"id,lower,upper,size\na,0,1,99999999999999999999\n", ":2: 'size' is"},
      {"id,lower,upper,size\na,0,1,-1\n", ":2: 'size' is below 0"},
      {"id,lower,upper,size\na,2,1,8\n", ":2: 'lower' is above 'upper'"},
      {"id,lower,upper,size\na,0,1,8\na,3,4,9\n", ":3: 'a' has another size"},
      {"id,lower,upper,size,alignment\na,0,1,8,3\n", ":2: 'alignment' is not a power of two"},
      {"id,lower,upper,size,alignment,offset\na,0,1,8,4,2\n", ":2: 'offset' is not aligned"},
      {"id,lower,upper,size\n\"a,0,1,8\n", ":2: a quoted field does not end"},
      {"id,lower,upper,size\n\"a\"b,0,1,8\n", ":2: there is text behind a quoted field"},
      {"id,lower,upper,size\na,0,1,9223372036854775807\n", ":2: the sizes are too large"},
      {"id,lower,upper,size,offset\na,0,1,8,0\nb,0,1,8,4\n", "fixed in the same bytes [4, 8)"}};
  for (const auto& [table, why] : bad) {
    const CommandResult result = Place(table);
    EXPECT_EQ(result.exit_code, 2) << table;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr(why));
  }
}

TEST_F(PlaceCommand, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(Place(kThree, {"--algorithm", "worst"}).exit_code, 64);
  EXPECT_EQ(Place(kThree, {"--capacity", "-1"}).exit_code, 64);
  EXPECT_EQ(RunCommand({"place", "/nowhere.csv"}).exit_code, 66);
}

TEST_F(PlaceCommand, GivesTheSameBytesTwice) {
  std::string table = "id,lower,upper,size\n";
  for (int i = 0; i < 60; ++i) {
    table += std::to_string(i) + "," + std::to_string(i * 7 % 31) + "," +
             std::to_string(i * 7 % 31 + 1 + i % 9) + "," + std::to_string(1 + i * i % 97) + "\n";
  }
  const CommandResult first = Place(table);
  EXPECT_EQ(first.exit_code, 0);
  EXPECT_EQ(Place(table).out, first.out);
}

TEST_F(PlaceCommand, VerifiesOffsetsFromElsewhere) {
  const std::string header = "id,lower,upper,size,alignment,offset\n";
  const std::vector<std::pair<std::string, std::string>> tables = {
      {"a,0,2,100,1,0\nb,1,3,80,1,100\nc,2,4,60,1,40\n", "right, peak 180 bytes"},
      {"a,0,2,100,1,7\nb,1,3,80,1,300\n", "right, peak 380 bytes, peak live bytes 180"},
      {"a,0,2,8,1,0\na,4,6,8,1,0\nb,2,4,8,1,4\n", "right, peak 12 bytes"},
      {"a,0,2,0,16,3\nb,0,2,8,1,0\n", "right, peak 8 bytes"},  // without bytes: anywhere
      {"", ""},
      {"a,0,2,100,1,0\nb,1,3,80,1,99\n", "wrong: 'a' and 'b' share bytes [99, 100) at point 1"},
      {"a,0,2,8,1,0\nb,2,4,8,1,0\na,3,6,8,1,0\n", "wrong: 'a' and 'b' share bytes [0, 8)"},
      {"a,0,2,8,16,8\n", "wrong: 'a' lies at 8, which is not a multiple of 16"},
      {"a,0,2,8,1,-8\n", "wrong: 'a' lies at -8, which is below 0"},
      {"a,0,2,8,1,9223372036854775807\n", "beyond the numbers of 63 bits"},
      {"a,0,2,8,1,0\nb,0,2,8,1,\n", "wrong: 'b' has no offset"}};
  for (const auto& [rows, words] : tables) {
    const CommandResult result = Place(header + rows, {"--verify"});
    EXPECT_EQ(result.exit_code, words.find("wrong") == 0 || words.find("beyond") == 0 ? 1 : 0);
    EXPECT_THAT(result.out, HasSubstr(words)) << rows;
    EXPECT_EQ(result.err, "") << rows;
  }
}

TEST_F(PlaceCommand, VerifiesEachBankByItselfAndAgainstTheCapacity) {
  const std::string table =
      "id,bank,lower,upper,size,offset\na,x,0,2,8,0\nb,y,0,2,8,0\nc,x,1,2,8,4\n";
  const CommandResult result = Place(table, {"--verify"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("bank x: wrong: 'a' and 'c' share bytes [4, 8) at point 1\n"));
  EXPECT_THAT(result.out, HasSubstr("bank y: right, peak 8 bytes, peak live bytes 8\n"));
  EXPECT_EQ(Place(Place(kThree).out, {"--verify", "--capacity", "180"}).exit_code, 0);
  const CommandResult full = Place(Place(kThree).out, {"--verify", "--capacity", "179"});
  EXPECT_EQ(full.exit_code, 1);
  EXPECT_THAT(full.out, HasSubstr("the peak is 180 bytes, above the capacity of 179 bytes\n"));
}

TEST_F(PlaceCommand, TellsATableThatIsNoneFromAWrongLayout) {
  EXPECT_EQ(Place("id,lower,upper,size\na,0,1,8\n", {"--verify"}).exit_code, 1);
  EXPECT_EQ(Place("id,lower,upper\na,0,1\n", {"--verify"}).exit_code, 2);
  EXPECT_EQ(Place("id,lower,upper,size,offset\na,0,1,8,0\na,2,3,8,4\n", {"--verify"}).exit_code, 2);
  EXPECT_EQ(Place(kThree, {"--verify", "--algorithm", "naive"}).exit_code, 64);
  EXPECT_EQ(Place(kThree, {"--verify", "-o", "out.csv"}).exit_code, 64);
}

class InspectLifetimes : public PlaceCommand {
 protected:
  const std::string file_ =
      std::string(PTEPROOF_CORPUS_DIR) + "/real/bugs/store-dropped-ok/store-dropped-ok.pte";
};

TEST_F(InspectLifetimes, PrintWhatPlaceReads) {
  const CommandResult lifetimes = RunCommand({"inspect", "--lifetimes", file_});
  EXPECT_EQ(lifetimes.exit_code, 0);
  EXPECT_THAT(lifetimes.out, StartsWith("id,bank,lower,upper,size,alignment\nv"));
  const CommandResult placed = Place(lifetimes.out);
  EXPECT_EQ(placed.exit_code, 0);
  EXPECT_THAT(placed.err, HasSubstr("optimal"));
}

TEST_F(InspectLifetimes, AreOfOneMethodOrBankWhereAsked) {
  EXPECT_EQ(RunCommand({"inspect", "--lifetimes", file_, "--method", "load"}).out,
            "id,bank,lower,upper,size,alignment\nv1,load:1,1,2,32,16\nv0,load:2,-1,2,32,16\n");
  EXPECT_EQ(
      RunCommand({"inspect", "--lifetimes", file_, "--method", "load", "--memory-id", "1"}).out,
      "id,bank,lower,upper,size,alignment\nv1,load:1,1,2,32,16\n");
  EXPECT_EQ(RunCommand({"inspect", "--lifetimes", file_, "--memory-id", "77"}).out,
            "id,bank,lower,upper,size,alignment\n");
  EXPECT_EQ(RunCommand({"inspect", "--lifetimes", file_, "--method", "nope"}).exit_code, 64);
  EXPECT_EQ(RunCommand({"inspect", file_, "--memory-id", "1"}).exit_code, 64);
}

}  // namespace
}  // namespace pteproof
