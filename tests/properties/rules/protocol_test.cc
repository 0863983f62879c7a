// What a manifest's protocol (`calls`) rules out is no finding and no obligation that fails; what
// it leaves is one.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/rule_names.h"
#include "properties/oracles/diff_program.h"
#include "properties/proofs/prove.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Manifest Stating(std::string_view calls, std::string_view more = "") {
  auto manifest = ParseManifest(fmt::format(R"({{"pteproof": 1, "calls": "{}"{}}})", calls, more));
  EXPECT_TRUE(manifest.ok()) << calls;
  return std::move(manifest).value();
}

// The verdicts of the check, which the proof has too. Runs that show a loss make them unsafe.
std::string RowUnder(const Program& program, std::string_view calls, std::string_view more = "") {
  const Manifest manifest = Stating(calls, more);
  const Report report = Check(program, {&manifest});
  const proofs::Proof proof = proofs::Prove(program, {.manifest = &manifest});
  EXPECT_EQ(report.verdicts, proof.verdicts) << calls;
  for (const Policy policy : kAllPolicies) {
    const DiffReport runs =
        DiffProgram(program, {.policy = policy, .sequences = 30, .manifest = &manifest});
    const bool all_first = manifest.all_first.value_or(false);
    if (runs.disagreement.has_value() && !all_first) {
      EXPECT_EQ(report.verdicts[static_cast<size_t>(policy)], Verdict::kUnsafe)
          << calls << ": " << Name(policy) << ": " << runs.disagreement->what;
    }
  }
  return VerdictRow(report);
}

// Keeps 'state' at bank 1 [96,128), and reads it unless it only stores.
Method Keeper(const std::string& name, bool reads, uint32_t initial = 0) {
  MethodBuilder b(name);
  const int32_t state = b.Planned(1, 96, {8}, "state");
  b.TensorAt(state).data_index = initial;
  const int32_t x = b.Planned(4, 0, {8});
  b.Input(x);
  const int32_t sum = b.Planned(4, 32, {8});
  if (reads) {
    b.Add(state, x, sum);
  } else {
    b.Mul(x, x, sum);
  }
  b.Copy(state, sum);
  b.Output(sum);
  return b.Build();
}

// Has a local value there.
Method Worker(const std::string& name) {
  MethodBuilder b(name);
  const int32_t x = b.Planned(4, 0, {8});
  b.Input(x);
  const int32_t local = b.Planned(1, 96, {8});
  b.Add(x, x, local);
  const int32_t out = b.Planned(4, 32, {8});
  b.Add(local, x, out);
  b.Output(out);
  return b.Build();
}

Program KeeperAndWorker(uint32_t initial = 0) {
  Program program = ProgramOf({Keeper("keep", true, initial), Worker("work")});
  program.initial_values.resize(2);
  return program;
}

TEST(Protocol, LeavesAClobberThatSomeHistoryShows) {
  for (const char* calls : {"keep work keep", "(keep | work)*", "(work keep*)*",
                            "keep+ work+ keep?", "work* keep", "work keep*"}) {
    EXPECT_EQ(RowUnder(KeeperAndWorker(), calls), "safe unsafe unsafe") << calls;
  }
}

TEST(Protocol, RulesOutAClobberThatNoHistoryShows) {
  for (const char* calls : {"keep* work*", "keep* work", "keep+ | work+", "keep", "work"}) {
    EXPECT_EQ(RowUnder(KeeperAndWorker(), calls), "safe safe safe") << calls;
  }
}

// At the start of a history all methods are in their first states.
TEST(Protocol, TakesInitialValuesToBeThereAtTheStart) {
  EXPECT_EQ(RowUnder(KeeperAndWorker(1), "work keep*"), "safe unsafe unsafe");
  EXPECT_EQ(RowUnder(KeeperAndWorker(1), "keep* work*"), "safe safe safe");
  EXPECT_EQ(RowUnder(KeeperAndWorker(1), "keep* work*", R"(, "load": "all-first")"),
            "safe safe safe");
}

// 'table' begins with data over the bytes of 'state', whose method reads them.
TEST(Protocol, KnowsThatALoadPrecedesTheFirstRead) {
  MethodBuilder b("other");
  const int32_t table = b.Planned(1, 96, {8}, "table");
  b.TensorAt(table).data_index = 1;
  const int32_t sum = b.Planned(4, 32, {8});
  b.Add(table, table, sum);
  b.Output(sum);
  Program program = ProgramOf({Keeper("set", false), Keeper("keep", true), b.Build()});
  program.initial_values.resize(2);
  EXPECT_EQ(RowUnder(program, "keep*"), "safe unsafe unsafe");
  EXPECT_EQ(RowUnder(program, "other set"), "safe safe safe");
}

// 'set' stores all of the state, whatever was there.
TEST(Protocol, KnowsThatAStoreOfTheWholeBufferRenewsIt) {
  const Program program = ProgramOf({Keeper("keep", true), Worker("work"), Keeper("set", false)});
  EXPECT_EQ(RowUnder(program, "(work set keep*)*"), "unsafe safe safe");  // private: apart
  EXPECT_EQ(RowUnder(program, "(set work keep*)*"), "unsafe unsafe unsafe");
  EXPECT_EQ(RowUnder(program, "set (keep | work)*"), "unsafe unsafe unsafe");
}

// 'put' stores it in one bank for each method, and 'get' reads it.
Program PutAndGet() {
  MethodBuilder put("put");
  const int32_t x = put.Planned(1, 0, {8});
  put.Input(x);
  put.Copy(put.Planned(2, 0, {8}, "level"), x);
  MethodBuilder get("get");
  const int32_t level = get.Planned(2, 0, {8}, "level");
  const int32_t out = get.Planned(1, 0, {8});
  get.Add(level, level, out);
  get.Output(out);
  return ProgramOf({put.Build(), get.Build()});
}

TEST(Protocol, FollowsAValueFromItsStoreToItsRead) {
  EXPECT_EQ(RowUnder(PutAndGet(), "(put get*)*"), "unsafe safe safe");
  EXPECT_EQ(RowUnder(PutAndGet(), "get* put*"), "safe safe safe");
  EXPECT_EQ(RowUnder(PutAndGet(), "get* | put*"), "safe safe safe");
}

TEST(Protocol, RulesOutALayoutThatNoReadFinds) {
  MethodBuilder put("put");
  const int32_t x = put.Planned(1, 0, {8});
  put.Input(x);
  put.Copy(put.Planned(2, 64, {8}, "level"), x);
  const Program program = ProgramOf({put.Build(), PutAndGet().methods[1]});
  EXPECT_THAT(LinesOf(Check(program), rule::kSharedLayout), testing::SizeIs(1));
  const Manifest after = Stating("get* put");
  EXPECT_THAT(LinesOf(Check(program, {&after}), rule::kSharedLayout), IsEmpty());
  EXPECT_EQ(RowUnder(program, "get* put"), "safe safe safe");
  EXPECT_EQ(RowUnder(program, "(get put)+"), RowUnder(program, "(get | put)+"));
}

// 'late' loads the initial value over what 'put' has stored, if it is called later.
TEST(Protocol, KnowsWhichMethodIsLoadedLate) {
  MethodBuilder late("late");
  const int32_t level = late.Planned(2, 0, {8}, "level");
  late.TensorAt(level).data_index = 1;
  const int32_t out = late.Planned(1, 0, {8});
  late.Add(level, level, out);
  late.Output(out);
  Program program = ProgramOf({PutAndGet().methods[0], late.Build()});
  program.initial_values.resize(2);
  EXPECT_EQ(RowUnder(program, "put late*"), "unsafe unsafe unsafe");
  EXPECT_EQ(RowUnder(program, "late (put late*)*"), "unsafe safe safe");
  EXPECT_EQ(RowUnder(program, "late* put"), "safe safe safe");
}

TEST(Protocol, RulesOutTheFindingsOfAMethodThatIsNeverCalled) {
  MethodBuilder broken("broken");
  const int32_t x = broken.Planned(1, 0, {8});
  broken.Input(x);
  const int32_t sum = broken.Planned(1, 0, {8});
  broken.Call("aten::flip.out", {x, broken.TensorList({}), sum, sum});
  const int32_t twice = broken.Planned(1, 32, {8});
  broken.Add(x, sum, twice);
  broken.Output(twice);
  const Program program = ProgramOf({broken.Build(), Worker("work")});
  EXPECT_EQ(VerdictRow(Check(program)), "unsafe unsafe unsafe");
  EXPECT_EQ(RowUnder(program, "work*"), "safe safe safe");
  EXPECT_EQ(RowUnder(program, "work broken?"), "unsafe unsafe unsafe");
}

// The next call would miss it, and there is none.
TEST(Protocol, KnowsWhichMethodIsCalledOnce) {
  MethodBuilder b("once");
  const int32_t state = b.Planned(2, 0, {8}, "state");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t sum = b.Planned(1, 32, {8});
  b.Add(state, x, sum);
  b.Copy(state, sum);
  b.Mul(sum, x, b.Planned(2, 0, {8}));
  b.Output(sum);
  const Program program = ProgramOf({b.Build()});
  EXPECT_EQ(RowUnder(program, "once+"), "unsafe unsafe unsafe");
  EXPECT_EQ(RowUnder(program, "once"), "safe safe safe");
}

TEST(Protocol, TellsOfOutputsThatALaterCallOverwrites) {
  Program program = KeeperAndWorker();
  for (Method& method : program.methods) method.bank_sizes.resize(5, 0);
  const Manifest before = Stating("work* keep*");
  const auto lines = LinesOf(Check(program, {&before}), rule::kOutputInvalidated);
  EXPECT_THAT(lines, ElementsAre(HasSubstr("work v3 bank 4 [32,64)")));
}

TEST(Protocol, IsAnAssumptionOfTheReport) {
  const Manifest manifest = Stating("work+");
  const std::string expected =
      "the calls since loading begin a word of 'work+', as the manifest says: no call of 'keep'";
  const Program program = KeeperAndWorker();
  EXPECT_THAT(Check(program, {&manifest}).assumptions, Contains(expected));
  EXPECT_THAT(proofs::ObligationsOf(program, {.manifest = &manifest}).assumptions,
              Contains(expected));
}

TEST(Protocol, BoundsTheCallsThatRunsDraw) {
  const Manifest manifest = Stating("keep work?");
  const DiffReport runs =
      DiffProgram(KeeperAndWorker(), {.policy = Policy::kShareAll, .manifest = &manifest});
  EXPECT_FALSE(runs.disagreement.has_value());
  EXPECT_LE(runs.compared, 2 * 20);
  EXPECT_GT(runs.compared, 20);
}

}  // namespace
}  // namespace pteproof
