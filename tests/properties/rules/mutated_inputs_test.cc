// A buffer that a method does not touch, and a store to an input of its size and type: a store that
// went to the wrong place, or a model that mutates its input. The exporter returns mutated inputs
// ahead of the user's outputs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/rule_names.h"
#include "properties/proofs/prove.h"
#include "pteproof/check.h"
#include "pteproof/manifest.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// How a method updates its input, beside a buffer that it does not touch.
struct Shape {
  std::string_view buffer = "state";  // its name; empty: none
  int stores = 1;
  size_t returned_at = 0;            // x among the outputs x and y; 2: not returned
  bool by_own_name = false;          // x comes back by the name that the store returns
  std::vector<int32_t> sizes = {8};  // of the buffer
};

Method Updates(const Shape& shape) {
  MethodBuilder b("step");
  b.Planned(2, 0, shape.sizes, shape.buffer);
  const int32_t x = b.Planned(1, 0, {8});
  const int32_t y = b.Planned(1, 32, {8});
  const int32_t z = b.Planned(1, 64, {8});
  const int32_t returned = shape.by_own_name ? b.Planned(1, 96, {8}) : x;
  b.Input(x);
  b.Mul(x, x, y);
  b.Mul(y, y, z);
  for (int i = 0; i < shape.stores; ++i) {
    b.Call("aten::copy_", {x, i == 0 ? z : y, b.Bool(false), returned});
  }
  b.Mul(y, y, b.Planned(1, 128, {8}));  // enough values for the exporter's order to be told
  if (shape.returned_at == 1) b.Output(y);
  if (shape.returned_at < 2) b.Output(returned);
  if (shape.returned_at != 1) b.Output(y);
  return b.Build();
}

// Stores to the buffer and reads it.
Method Keeps(std::string_view buffer) {
  MethodBuilder b("keep");
  const int32_t state = b.Planned(2, 0, {8}, buffer);
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t sum = b.Planned(1, 32, {8});
  b.Add(state, x, sum);
  b.Copy(state, sum);
  b.Output(sum);
  return b.Build();
}

// What the check says, and the proof's verdicts with it.
std::vector<std::string> JudgedStores(const Program& program, const Manifest* manifest = nullptr) {
  const Report report = Check(program, {.manifest = manifest});
  proofs::ObligeOptions options;
  options.manifest = manifest;
  EXPECT_EQ(proofs::Prove(program, options).verdicts, report.verdicts);
  return LinesOf(report, rule::kWriteBackMissing);
}

std::vector<std::string> JudgedStores(const Shape& shape, std::string_view stated = {}) {
  const Program program = ProgramOf({Updates(shape)});
  if (stated.empty()) return JudgedStores(program);
  auto manifest =
      ParseManifest(R"({"pteproof": 1, "methods": {"step": )" + std::string(stated) + "}}");
  EXPECT_TRUE(manifest.ok());
  return JudgedStores(program, &manifest.value());
}

constexpr std::string_view kOpen = "note write-back-missing step#2 v0 bank 2 [0,32) undecided";
constexpr std::string_view kLost = "error write-back-missing step#2 v0 bank 2 [0,32)";

TEST(MutatedInput, BesideAnUntouchedBufferLeavesTwoReadings) {
  const Report report = Check(ProgramOf({Updates({})}));
  EXPECT_THAT(TroubleOf(report), ElementsAre(kOpen));
  EXPECT_EQ(VerdictRow(report), "undecided undecided undecided");
  EXPECT_EQ(ExplanationOf(report, rule::kWriteBackMissing),
            "Nothing in 'step' touches buffer v0 'state' bank 2 [0,32).\n"
            "Instruction 2 (aten::copy_) of 'step' stores to input v1 bank 1 [0,32). A model that "
            "mutates the input does so too.\n"
            "If the store was meant for the buffer, later calls read the old value.");
  EXPECT_EQ(FixOf(report, rule::kWriteBackMissing),
            "Say in a manifest which inputs the method mutates (mutates_inputs).");
  EXPECT_THAT(JudgedStores(Shape{}), ElementsAre(kOpen));
}

TEST(MutatedInput, LeavesTwoReadingsBesideABufferWithoutAName) {
  EXPECT_THAT(JudgedStores({.buffer = ""}), ElementsAre(kOpen));
}

// The exporter mixes up an argument and a buffer of one name; an argument's has no dots.
TEST(MutatedInput, IsNothingToABufferOfASubmodule) {
  EXPECT_THAT(JudgedStores({.buffer = "block.state"}), IsEmpty());
  EXPECT_THAT(JudgedStores({.buffer = "block.state", .returned_at = 2}), ElementsAre(kLost));
}

// Before 1.3.1 the extra output is the name that the store returns.
TEST(MutatedInput, LeavesTwoReadingsReturnedByTheNameOfItsStore) {
  EXPECT_THAT(JudgedStores({.by_own_name = true}), ElementsAre(kOpen));
}

TEST(MutatedInput, LeavesTwoReadingsWhereAnotherMethodKeepsTheBuffer) {
  EXPECT_THAT(JudgedStores(ProgramOf({Keeps("state"), Updates({})})), ElementsAre(kOpen));
}

// Two inputs are mutated, and of two buffers one is of their size.
TEST(MutatedInput, LeavesTwoReadingsForABufferOfItsSizeAndTypeOnly) {
  MethodBuilder b("step");
  b.Planned(2, 0, {4}, "small");
  b.Planned(2, 32, {8}, "whole", ScalarType::kInt32);
  b.Planned(2, 64, {8}, "fits");
  const int32_t x = b.Planned(1, 0, {8});
  const int32_t y = b.Planned(1, 32, {8});
  for (const int32_t v : {x, y}) b.Input(v);
  const int32_t sum = b.Planned(1, 64, {8});
  b.Add(x, y, sum);
  for (const int32_t v : {x, y}) b.Copy(v, sum);
  for (const int32_t v : {x, y, sum}) b.Output(v);
  EXPECT_THAT(JudgedStores(ProgramOf({b.Build()})),
              ElementsAre("note write-back-missing step#1 v2 bank 2 [64,96) undecided"));
}

TEST(MutatedInput, IsNothingToABufferOfAnotherSize) {
  EXPECT_THAT(JudgedStores({.sizes = {4}}), IsEmpty());
}

// The method stores to its buffer as well.
TEST(MutatedInput, IsNothingToABufferThatIsStoredTo) {
  MethodBuilder b("step");
  const int32_t state = b.Planned(2, 0, {8}, "state");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t sum = b.Planned(1, 32, {8});
  b.Add(state, x, sum);
  b.Copy(state, sum);
  b.Copy(x, sum);
  b.Output(x);
  EXPECT_THAT(JudgedStores(ProgramOf({b.Build()})), IsEmpty());
}

TEST(MutatedInput, IsDecidedByTheManifest) {
  EXPECT_THAT(JudgedStores({}, R"({"mutates_inputs": [0]})"), IsEmpty());
  EXPECT_THAT(JudgedStores({.by_own_name = true}, R"({"mutates_inputs": [0]})"), IsEmpty());
  EXPECT_THAT(JudgedStores({}, R"({"mutates_inputs": []})"), ElementsAre(kLost));
  EXPECT_THAT(JudgedStores({}, R"({"mutates": []})"), IsEmpty());
  EXPECT_THAT(JudgedStores({.buffer = ""}, R"({"mutates": []})"), IsEmpty());
  EXPECT_THAT(JudgedStores({}, R"({"mutates": ["state"], "mutates_inputs": []})"),
              ElementsAre(kLost));
  EXPECT_THAT(JudgedStores({}, R"({"mutates": ["state"], "mutates_inputs": [0]})"),
              ElementsAre("error write-back-missing step v0 bank 2 [0,32)"));
  EXPECT_THAT(JudgedStores({.buffer = ""}, R"({"mutates": ["state"]})"),
              ElementsAre("error write-back-missing step"));
}

// An exporter never lists a mutated input behind the user's outputs, or not at all.
TEST(MutatedInput, IsNotWhereTheExporterListsOne) {
  EXPECT_THAT(JudgedStores({.returned_at = 1}), ElementsAre(kLost));
  EXPECT_THAT(JudgedStores({.returned_at = 2}), ElementsAre(kLost));
  EXPECT_THAT(JudgedStores({.returned_at = 2}, R"({"mutates_inputs": [0]})"), IsEmpty());
}

// One of two stores is the input's own; the other one is the buffer's.
TEST(MutatedInput, IsStoredToOnce) {
  EXPECT_THAT(JudgedStores({.stores = 2}), ElementsAre(kLost));
  EXPECT_THAT(JudgedStores({.stores = 2}, R"({"mutates_inputs": [0]})"), ElementsAre(kLost));
}

// Two stores to one input, and two buffers that miss one: the first is lost, for the other nothing
// is left.
TEST(MutatedInput, LeavesNothingOpenBesideAStoreThatIsLostForSure) {
  Method method = Updates({.stores = 2});
  EXPECT_THAT(JudgedStores(ProgramOf({Keeps("other"), method})), ElementsAre(kLost));
}

// A store that surely went elsewhere is the first buffer's; the input's own may be the second's.
TEST(MutatedInput, IsTakenForABuffersStoreAfterThoseThatAreLostForSure) {
  MethodBuilder b("step");
  b.Planned(2, 0, {8}, "a");
  b.Planned(2, 32, {8}, "b");
  const int32_t x = b.Planned(1, 0, {8});
  const int32_t y = b.Planned(1, 32, {8});
  for (const int32_t v : {x, y}) b.Input(v);
  const int32_t sum = b.Planned(1, 64, {8});
  b.Add(x, y, sum);
  b.Copy(y, sum);
  b.Copy(x, sum);
  b.Output(x);
  b.Output(sum);
  EXPECT_THAT(JudgedStores(ProgramOf({b.Build()})),
              UnorderedElementsAre("error write-back-missing step#1 v0 bank 2 [0,32)",
                                   "note write-back-missing step#2 v1 bank 2 [32,64) undecided"));
}

// Without a name a buffer that is read and never stored to may be no buffer; a store that may be
// its own leaves that open.
TEST(MutatedInput, LeavesTwoReadingsBesideANamelessBufferThatIsOnlyRead) {
  MethodBuilder b("step");
  const int32_t state = b.Planned(2, 0, {8});
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t sum = b.Planned(1, 32, {8});
  b.Add(state, x, sum);
  b.Copy(x, sum);
  b.Output(x);
  b.Output(sum);
  const Program program = ProgramOf({b.Build()});
  EXPECT_THAT(JudgedStores(program),
              ElementsAre("note write-back-missing step#1 v0 bank 2 [0,32) undecided"));
  EXPECT_THAT(ExplanationOf(Check(program), rule::kWriteBackMissing),
              HasSubstr("A model that mutates the input does so too"));
}

// A named one lost its store, wherever that went.
TEST(MutatedInput, ExcusesNoNamedBufferThatIsReadAndNeverStoredTo) {
  MethodBuilder get("get");
  const int32_t state = get.Planned(2, 0, {8}, "state");
  const int32_t out = get.Planned(1, 0, {8});
  get.Call("aten::relu.out", {state, out, out});
  get.Output(out);
  const auto lines = JudgedStores(ProgramOf({get.Build(), Updates({})}));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_THAT(lines.front(), HasSubstr("error write-back-missing step v0"));
}

}  // namespace
}  // namespace pteproof
