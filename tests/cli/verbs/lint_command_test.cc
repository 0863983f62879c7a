// `lint`: answers, forms and exit codes. `plan` and `prove` of a Module that it finds wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/run_command.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr const char* kSecondUse = R"(method f(%x: float32[4]) {
  %0: float32[4] = aten::neg.out(%x)
  %1: float32[4] = aten::relu.out(%0) in_place(0)
  %2: float32[4] = aten::exp.out(%0)
  return %1, %2
}
)";

// Right as listed, and if the executor keeps to after().
constexpr const char* kReadBefore = R"(method f(%x: float32[4]) {
  %0: float32[4] = aten::neg.out(%x)
  %1: float32[4] = aten::exp.out(%0)
  %2: float32[4] = aten::relu.out(%0) in_place(0)
  return %1, %2
}
)";

// A product reads all of its operand for each row.
constexpr const char* kProduct = R"(method f(%x: float32[4, 4], %y: float32[4, 4]) {
  %0: float32[4, 4] = aten::neg.out(%x)
  %1: float32[4, 4] = aten::mm.out(%0, %y) in_place(0)
  return %1
}
)";

// A view of a dead base has its bytes alone.
constexpr const char* kViewOfDead = R"(method f(%x: float32[4]) {
  %0: float32[4] = aten::neg.out(%x)
  %1: float32[2, 2] = view aten::view_copy.out(%0, [2, 2])
  %2: float32[2, 2] = aten::relu.out(%1) in_place(0)
  return %2
}
)";

class LintCommandTest : public testing::Test {
 protected:
  CommandResult Lint(const std::string& text, const std::string& order) {
    return RunCommand({"lint", "--order", order, folder_.Write("a.module", text)});
  }

  TempFolder folder_;
};

TEST_F(LintCommandTest, TellsTheReaderAndTheFix) {
  const CommandResult result = Lint(kSecondUse, "listed");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("a.module: 1 wrong in place\n"
                                    "\n"
                                    "error in-place-single-use  method f\n"
                                    "  %1 = aten::relu.out is computed in the bytes of %0.\n"
                                    "  %2 = aten::exp.out reads %0 afterwards.\n"
                                    "  %2 would see %1.\n"
                                    "  Fix: Leave out in_place(0), or list %2 before.\n"));
}

TEST_F(LintCommandTest, AsksAboutTheOrderThatIsNamed) {
  EXPECT_EQ(Lint(kReadBefore, "listed").exit_code, 0);
  const CommandResult any = Lint(kReadBefore, "any");
  EXPECT_EQ(any.exit_code, 1);
  EXPECT_THAT(any.out, HasSubstr("Fix: Leave out in_place(0), or add after(%1).\n"));
  std::string ordered = kReadBefore;
  ordered.insert(ordered.find("in_place(0)") + 11, " after(%1)");
  EXPECT_EQ(Lint(ordered, "any").exit_code, 0);
  EXPECT_EQ(Lint(ordered, "strict").exit_code, 1);
}

TEST_F(LintCommandTest, RefusesAnOperatorThatReadsWhatItWritesElsewhere) {
  const CommandResult result = Lint(kProduct, "listed");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("The operator reads elements of %0 to make other elements"));
  std::string unknown = kProduct;
  unknown.replace(unknown.find("aten::mm.out"), 12, "my::mm.out");
  EXPECT_EQ(Lint(unknown, "listed").exit_code, 0);
}

TEST_F(LintCommandTest, NotesAViewOfADeadBaseUnderTheStrictRule) {
  for (const std::string order : {"listed", "any"}) {
    const CommandResult result = Lint(kViewOfDead, order);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, testing::EndsWith("a.module: right in place\n"));
  }
  const CommandResult strict = Lint(kViewOfDead, "strict");
  EXPECT_EQ(strict.exit_code, 0);
  EXPECT_THAT(strict.out, HasSubstr("\nnote in-place-alias  method f\n"));
}

TEST_F(LintCommandTest, OrdersReadersOfANodeThatWritesItsOperand) {
  const std::string text = R"(method f(%x: float32[4]) {
  %0: float32[4] = aten::neg.out(%x)
  %1: float32[4] = aten::exp.out(%0)
  %2: float32[4] = aten::neg_(%0)
  %3: float32[4] = aten::abs.out(%0)
  return %1, %2, %3
}
)";
  EXPECT_EQ(Lint(text, "listed").exit_code, 0);
  const CommandResult any = Lint(text, "any");
  EXPECT_EQ(any.exit_code, 1);
  EXPECT_THAT(any.out, HasSubstr("in another order %1 would see the new value.\n"
                                 "  Fix: Add after(%1) to %2.\n"));
}

TEST_F(LintCommandTest, WritesJson) {
  const CommandResult result =
      RunCommand({"lint", "--json", folder_.Write("a.module", kSecondUse)});
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["right"], false);
  ASSERT_EQ(json["findings"].size(), 1U);
  const auto& finding = json["findings"][0];
  EXPECT_EQ(finding["rule"], "in-place-single-use");
  EXPECT_EQ(finding["severity"], "error");
  EXPECT_EQ(finding["method"], "f");
  EXPECT_EQ(finding["result"], "%1");
  EXPECT_EQ(finding["operand"], "%0");
  EXPECT_EQ(finding["reader"], "%2");
}

TEST_F(LintCommandTest, TheWorstOfSeveralFilesCounts) {
  const std::string good = folder_.Write("good.module", kViewOfDead);
  const std::string wrong = folder_.Write("wrong.module", kSecondUse);
  EXPECT_EQ(RunCommand({"lint", good, wrong}).exit_code, 1);
  EXPECT_EQ(RunCommand({"lint", good, folder_.Write("no.module", "nothing")}).exit_code, 2);
  EXPECT_EQ(RunCommand({"lint", good, "missing.module"}).exit_code, 66);
  EXPECT_EQ(RunCommand({"lint", "--order", "some", good}).exit_code, 64);
}

TEST_F(LintCommandTest, PlanAndProveRefuseWhatItFinds) {
  const std::string file = folder_.Write("wrong.module", kSecondUse);
  for (const CommandResult& result :
       {RunCommand({"plan", file, "-o", folder_.path() + "/a.pte"}), RunCommand({"prove", file})}) {
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr("in-place-single-use: %1 = aten::relu.out is computed in"));
  }
}

TEST_F(LintCommandTest, PlanOutOfPlaceIsForcedWithAWarning) {
  const std::string file = folder_.Write("wrong.module", kSecondUse);
  const std::string out = folder_.path() + "/a.pte";
  const CommandResult result = RunCommand({"plan", file, "-o", out, "--force-out-of-place"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, StartsWith("pteproof: warning: method 'f': %1 is planned out of place"));
  EXPECT_EQ(RunCommand({"check", "-q", out}).exit_code, 0);
}

// The listing alone puts the other reader of %0 before.
TEST_F(LintCommandTest, PlanWarnsOfAWishThatItDoesNotFollow) {
  const std::string file = folder_.Write("a.module", R"(method f(%x: float32[8]) {
  %0: float32[8] = aten::neg.out(%x)
  %1: float32[8] = aten::exp.out(%0)
  %2: float32[8] = aten::relu.out(%0) in_place(0)
  return %1, %2
}
)");
  const std::string out = folder_.path() + "/a.pte";
  const CommandResult unmet = RunCommand({"plan", file, "-o", out, "--order", "any"});
  EXPECT_EQ(unmet.exit_code, 0);
  EXPECT_THAT(unmet.err, HasSubstr("%2 = aten::relu.out is not made in the bytes of %0: the "
                                   "operand's bytes are needed longer"));
  EXPECT_THAT(RunCommand({"plan", file, "-o", out}).err, IsEmpty());
}

TEST_F(LintCommandTest, PlanAddsUpRowsInTheBytesOfATable) {
  const std::string file = folder_.Write("a.module", R"(buffer @table: float32[8, 4]
method learn(%rows: int64[2], %by: float32[2, 4]) {
  %0 = entry @table
  %1: float32[8, 4] = aten::index_put.out(%0, [%rows], %by, true) in_place(0)
  return
  store @table = %1
}
)");
  const CommandResult planned =
      RunCommand({"plan", file, "-o", folder_.path() + "/a.pte", "--report"});
  EXPECT_EQ(planned.err, "");
  EXPECT_THAT(planned.out, StartsWith("learn bank 1: peak 48 bytes,"));
}

}  // namespace
}  // namespace pteproof
