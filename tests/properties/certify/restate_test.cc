// What a manifest says, put into the program; and what leaves a choice, left alone.
#include "properties/certify/restate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "runtime/sha256.h"
#include "tests/support/method_builder.h"

namespace pteproof::certify {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Manifest ManifestOf(const std::string& text) {
  return ParseManifest(text).value();
}

// The store goes to input v1, whose name is that of buffer v0.
MethodBuilder Captured() {
  MethodBuilder m;
  const int32_t state = m.Planned(2, 0, {4}, "total");
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t y = m.Planned(1, 16, {4});
  m.Add(x, state, y);
  m.Copy(x, y);
  m.Output(y);
  return m;
}

constexpr const char* kStores = R"({"pteproof": 1, "buffers": {"total": {}},
  "methods": {"forward": {"mutates": ["total"], "mutates_inputs": []}}})";

TEST(RestateTest, GivesACapturedStoreToItsBuffer) {
  const Manifest manifest = ManifestOf(kStores);
  const Restated restated = Restate(ProgramOf({Captured().Build()}), &manifest, true);
  EXPECT_THAT(restated.changes, ElementsAre(HasSubstr("goes to buffer 'total' (v0)")));
  const Method& method = restated.program.methods[0];
  const auto args = method.Ints(method.instructions[1].args);
  EXPECT_EQ(args.front(), 0);
  EXPECT_EQ(args.back(), 0);
}

TEST(RestateTest, LeavesAStoreThatTheModelMakesToo) {
  const Manifest manifest = ManifestOf(R"({"pteproof": 1, "buffers": {"total": {}},
    "methods": {"forward": {"mutates": ["total"], "mutates_inputs": [0]}}})");
  EXPECT_THAT(Restate(ProgramOf({Captured().Build()}), &manifest, true).changes, IsEmpty());
  EXPECT_THAT(Restate(ProgramOf({Captured().Build()}), nullptr, true).changes, IsEmpty());
}

TEST(RestateTest, LeavesAStoreOfWhichTheBufferIsOpen) {
  MethodBuilder m = Captured();
  m.Planned(2, 16, {4}, "count");
  const Manifest manifest = ManifestOf(R"({"pteproof": 1, "buffers": {"total": {}, "count": {}},
    "methods": {"forward": {"mutates": ["total", "count"], "mutates_inputs": []}}})");
  EXPECT_THAT(Restate(ProgramOf({m.Build()}), &manifest, true).changes, IsEmpty());
}

TEST(RestateTest, MakesABufferOfAConstantThatTheManifestNames) {
  MethodBuilder reader("get");
  const int32_t constant = reader.Constant(1, {4});
  const int32_t y = reader.Planned(1, 0, {4});
  reader.Add(constant, constant, y);
  reader.Output(y);
  const Manifest manifest = ManifestOf(R"({"pteproof": 1, "buffers": {"total": {"initial": "zero"}},
    "methods": {"forward": {}, "get": {"values": {"0": "total"}}}})");
  const Restated restated =
      Restate(ProgramOf({Captured().Build(), reader.Build()}), &manifest, true);
  EXPECT_THAT(restated.changes, ElementsAre("'get': constant v0 is buffer 'total'"));
  const Method& get = restated.program.methods[1];
  EXPECT_TRUE(get.TensorOf(0)->planned);
  EXPECT_EQ(get.TensorOf(0)->bank, 2U);
  ASSERT_GT(get.bank_sizes.size(), 2U);
  EXPECT_GE(get.bank_sizes[2], get.TensorOf(0)->offset + 16);
  EXPECT_EQ(get.TensorOf(0)->data_index, 0U);
  EXPECT_EQ(get.NameOf(0), "total");
}

TEST(RestateTest, TakesABufferOfSeveralMethodsForOne) {
  const Manifest manifest = ManifestOf(R"({"pteproof": 1,
    "buffers": {"total": {}, "apart": {"shared": false}, "own": {}, "fixed": {}},
    "methods": {"put": {"mutates": ["total", "apart", "own"], "reads": ["own", "fixed"]},
                "get": {"reads": ["total", "apart", "fixed"]}}})");
  const Manifest meant = WithSharing(manifest);
  EXPECT_EQ(meant.buffers->at("total").shared, true);
  EXPECT_EQ(meant.buffers->at("apart").shared, false);
  EXPECT_EQ(meant.buffers->at("own").shared, std::nullopt);
  EXPECT_EQ(meant.buffers->at("fixed").shared, std::nullopt);
}

TEST(RestateTest, FindsTheContentsThatABufferStartsWith) {
  MethodBuilder m = Captured();
  m.TensorAt(0).data_index = 1;
  Program program = ProgramOf({m.Build()});
  const std::string wrong(16, 'w');
  const std::string right(16, 'r');
  const auto bytes = [](const std::string& text) { return std::as_bytes(std::span(text)); };
  program.initial_values = {{}, bytes(wrong)};
  program.constants = {{}, bytes(right)};
  const std::string head = R"({"pteproof": 1, "methods": {"forward": {}}, "buffers": {"total": )";
  const Manifest stored = ManifestOf(head + R"({"initial": "stored", "initial_sha256": ")" +
                                     Sha256Hex(bytes(right)) + "\"}}}");
  const Restated found = Restate(program, &stored, true);
  ASSERT_EQ(found.changes.size(), 1U);
  const uint32_t index = found.program.methods[0].TensorOf(0)->data_index;
  EXPECT_EQ(std::memcmp(found.program.initial_values[index].data(), right.data(), 16), 0);
  const Manifest zero = ManifestOf(head + R"({"initial": "zero"}}})");
  EXPECT_EQ(Restate(program, &zero, true).program.methods[0].TensorOf(0)->data_index, 0U);
  const Manifest other = ManifestOf(head + R"({"initial": "stored", "initial_sha256": ")" +
                                    Sha256Hex(bytes("nowhere")) + "\"}}}");
  EXPECT_THAT(Restate(program, &other, true).changes, IsEmpty());
}

// Loaders that share banks 1 and 2 alone would give each method its own.
TEST(RestateTest, BringsABufferOfSeveralMethodsToACommonBank) {
  MethodBuilder one = Captured();
  MethodBuilder two = Captured();
  two.method().name = "two";
  one.TensorAt(0).bank = 3;
  two.TensorAt(0).bank = 3;
  const Program program = ProgramOf({one.Build(), two.Build()});
  const Restated restated = Restate(program, nullptr, true);
  EXPECT_EQ(restated.changes.size(), 1U);
  for (const Method& method : restated.program.methods) EXPECT_EQ(method.TensorOf(0)->bank, 2U);
  EXPECT_THAT(Restate(program, nullptr, false).changes, IsEmpty());
  EXPECT_THAT(Restate(ProgramOf({one.Build()}), nullptr, true).changes, IsEmpty());
}

}  // namespace
}  // namespace pteproof::certify
