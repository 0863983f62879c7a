// What a Module says of its program: worked by hand, and against the checks on programs that do
// something else.
#include "properties/manifest/of_module.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "properties/manifest/render.h"
#include "reference/graph/parse.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Manifest ManifestFor(const std::string& text, const ManifestSetting& setting = {}) {
  auto module = graph::Parse(text);
  EXPECT_TRUE(module.ok()) << module.error().message;
  auto manifest = ManifestOf(module.value(), setting);
  EXPECT_TRUE(manifest.ok()) << manifest.error();
  return std::move(manifest).value();
}

constexpr const char* kCache = R"(
buffer @k: float32[4] shared
buffer @n: int64[1] = [3]
method put(%x: float32[4] in_place, %i: int64[1]) {
  %n = entry @n
  %1: int64[1] = aten::add.out(%n, %i, 1)
  return %x, %1
  store @k = %x
  store @n = %1
}
method get() {
  %k = entry @k
  return %k
}
)";

TEST(ManifestOfTest, StateIsWhatSomeMethodStoresTo) {
  const Manifest manifest = ManifestFor(kCache, {.policy = Policy::kShareAll});
  EXPECT_EQ(manifest.policy, Policy::kShareAll);
  ASSERT_EQ(manifest.buffers->size(), 2U);
  const ManifestBuffer& k = manifest.buffers->at("k");
  EXPECT_EQ(k.dtype, ScalarType::kFloat32);
  EXPECT_THAT(*k.sizes, ElementsAre(4));
  EXPECT_EQ(k.shared, true);
  EXPECT_EQ(k.initial, InitialValue::kZero);
  const ManifestBuffer& n = manifest.buffers->at("n");
  EXPECT_EQ(n.shared, std::nullopt);
  EXPECT_EQ(n.initial, InitialValue::kStored);
  // printf '\3\0\0\0\0\0\0\0' | sha256sum
  EXPECT_EQ(n.initial_sha256, "35be322d094f9d154a8aba4733b8497f180353bd7ae7b0a15f90b586b549f28b");
}

TEST(ManifestOfTest, AWholeOverwriteReadsNothing) {
  const Manifest manifest = ManifestFor(kCache);
  const ManifestMethod& put = manifest.methods.at("put");
  EXPECT_THAT(*put.reads, ElementsAre("n"));
  EXPECT_THAT(*put.mutates, ElementsAre("k", "n"));
  const ManifestMethod& get = manifest.methods.at("get");
  EXPECT_THAT(*get.reads, ElementsAre("k"));
  EXPECT_THAT(*get.mutates, IsEmpty());
}

TEST(ManifestOfTest, InputsAndOutputsAreNamedByWhatTheyAre) {
  const Manifest manifest = ManifestFor(kCache);
  const ManifestMethod& put = manifest.methods.at("put");
  EXPECT_THAT(*put.in_place_inputs, ElementsAre(0));
  EXPECT_THAT(*put.mutates_inputs, IsEmpty());
  EXPECT_EQ(put.inputs->at(1).name, "i");
  EXPECT_EQ(put.outputs->at(0).of_input, 0);
  EXPECT_FALSE(put.outputs->at(1).is_entry);
  EXPECT_EQ(manifest.methods.at("get").outputs->at(0).of_buffer, "k");
}

TEST(ManifestOfTest, OutputsSayWhichAreOneValue) {
  const Manifest manifest = ManifestFor(R"(
method f(%x: float32[4]) {
  %0: float32[4] = aten::neg.out(%x)
  %1: float32[4] = aten::clone.out(%0, None)
  return %x, %0, %x, %1
}
)");
  const auto& outputs = *manifest.methods.at("f").outputs;
  EXPECT_EQ(outputs[0].same_as, 0);
  EXPECT_EQ(outputs[1].same_as, 1);
  EXPECT_EQ(outputs[2].same_as, 0);
  EXPECT_EQ(outputs[3].same_as, 1);
}

TEST(ManifestOfTest, SizesAreTheAdmittedRanges) {
  const Manifest manifest = ManifestFor(R"(
method f(%x: float32[n, 4]) dims(n in 2..8 hint 3) {
  return %x
}
)");
  const auto& sizes = *manifest.methods.at("f").inputs->front().sizes;
  EXPECT_EQ(sizes[0].min, 2);
  EXPECT_EQ(sizes[0].max, 8);
  EXPECT_EQ(sizes[1].min, 4);
  EXPECT_EQ(sizes[1].max, 4);
}

TEST(ManifestOfTest, WhatABufferHoldsAlreadyIsNoMutation) {
  const Manifest manifest = ManifestFor(R"(
buffer @a: float32[4]
buffer @b: float32[4]
method f(%p: bool[], %x: float32[4]) {
  %a = entry @a
  %b = entry @b
  %0: float32[2, 2] = aten::view_copy.out(%a, [2, 2])
  %1: float32[4] = aten::view_copy.out(%0, [4])
  %2: float32[4] = cond(%p, %b, %x) {
    (%3: float32[4], %4: float32[4]) { return %3 }
    (%5: float32[4], %6: float32[4]) { return %5 }
  }
  return
  store @a = %1
  store @b = %2
}
)");
  EXPECT_THAT(*manifest.methods.at("f").mutates, IsEmpty());
  EXPECT_THAT(*manifest.buffers, IsEmpty());
}

TEST(ManifestOfTest, AnInitMethodSetsWhatIsShared) {
  const Manifest manifest = ManifestFor(kCache, {.init_method = "reset"});
  EXPECT_THAT(*manifest.methods.at("reset").mutates, ElementsAre("k"));
  EXPECT_EQ(manifest.buffers->at("k").initial, InitialValue::kAny);
  EXPECT_EQ(manifest.buffers->at("n").initial, InitialValue::kStored);
}

TEST(ManifestOfTest, EachMethodsOwnBufferHasItsName) {
  const std::string text = R"(
buffer @a: float32[4]
method f(%x: float32[4]) {
  return
  store @a = %x
}
method g(%x: float32[4]) {
  %a = entry @a
  return %a
  store @a = %x
}
)";
  const Manifest own = ManifestFor(text);
  EXPECT_THAT(*own.methods.at("g").reads, ElementsAre("g/a"));
  EXPECT_EQ(own.buffers->size(), 2U);
  const Manifest shared = ManifestFor(text, {.shared_buffers = {{"a"}}});
  EXPECT_THAT(*shared.methods.at("g").reads, ElementsAre("a"));
  EXPECT_EQ(shared.buffers->size(), 1U);
}

TEST(ManifestOfTest, DelegatesSayWhatTheyWrite) {
  const Manifest manifest = ManifestFor(R"(
buffer @own: float32[8]
buffer @passed: float32[4] shared
method f(%x: float32[4]) {
  %0: float32[4] = delegate "A"(%x) owns(@own writes)
  %1: float32[4], %2: float32[4] = delegate "A"(%0) shares(@passed writes)
  return %2
}
)");
  const ManifestMethod& f = manifest.methods.at("f");
  EXPECT_THAT(*f.mutates, ElementsAre("passed"));
  ASSERT_EQ(f.delegates.size(), 2U);
  EXPECT_EQ(f.delegates[0].outputs, 1);
  EXPECT_EQ(f.delegates[1].outputs, 3);
}

TEST(ManifestOfTest, ADelegateReadsWhatItIsGiven) {
  const Manifest manifest = ManifestFor(R"(
buffer @b: float32[4] shared
method f(%x: float32[4]) {
  %0: float32[4] = delegate "D"(%x) uses(@b)
  return %0
}
method g(%x: float32[4]) {
  return
  store @b = %x
}
)");
  EXPECT_THAT(*manifest.methods.at("f").reads, ElementsAre("b"));
}

TEST(ManifestOfTest, AMutatingModuleIsTakenInItsFunctionalForm) {
  const Manifest manifest = ManifestFor(R"(
buffer @a: float32[4]
method f(%x: float32[4]) {
  %a = entry @a
  %0: float32[4] = aten::add_.Tensor(%a, %x, 1)
  return
}
)");
  EXPECT_THAT(*manifest.methods.at("f").mutates, ElementsAre("a"));
  EXPECT_THAT(*manifest.methods.at("f").reads, ElementsAre("a"));
}

TEST(RenderManifestTest, KeysComeInOrder) {
  const std::string text = RenderManifest(ManifestFor(kCache));
  EXPECT_EQ(text.substr(0, 70), R"({
  "pteproof": 1,
  "buffers": {
    "k": {
      "dtype": "float32",)");
  EXPECT_THAT(text, HasSubstr(R"("of_input": 0)"));
}

TEST(RenderManifestTest, NamesTheProgramFileIfItIsKnown) {
  Manifest manifest = ManifestFor(kCache);
  EXPECT_THAT(RenderManifest(manifest), testing::Not(HasSubstr("program_sha256")));
  manifest.program_sha256 = std::string(64, 'c');
  const auto again = ParseManifest(RenderManifest(manifest));
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again.value().program_sha256, manifest.program_sha256);
}

}  // namespace
}  // namespace pteproof
