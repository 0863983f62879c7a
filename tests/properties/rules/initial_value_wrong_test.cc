#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
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
using testing::IsEmpty;

// Four floats: zero, and 1.5 four times.
constexpr std::array<std::byte, 16> kZeros = {};
constexpr std::array<std::byte, 16> kOnePointFives = {
    std::byte{0}, std::byte{0}, std::byte{0xC0}, std::byte{0x3F},
    std::byte{0}, std::byte{0}, std::byte{0xC0}, std::byte{0x3F},
    std::byte{0}, std::byte{0}, std::byte{0xC0}, std::byte{0x3F},
    std::byte{0}, std::byte{0}, std::byte{0xC0}, std::byte{0x3F}};
// sha256sum of those sixteen bytes.
constexpr std::string_view kShaOfZeros =
    "374708fff7719dd5979ec875d56cd2286f6d3cf7ec317a3b25632aab28ec37bb";
constexpr std::string_view kShaOfOnePointFives =
    "2c67da7dc70f551139b20d67d0256de6c80ca3c7449a2bfb1fdf74d24166e9db";

// A counter that starts from initial data 1, which holds `data`.
Program StartsFrom(Bytes data) {
  MethodBuilder b("step");
  const int32_t state = b.Planned(1, 64, {4}, "s");
  b.TensorAt(state).data_index = 1;
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t sum = b.Planned(1, 16, {4});
  b.Add(state, x, sum);
  b.Copy(state, sum);
  b.Output(sum);
  Program program = ProgramOf({b.Build()});
  program.initial_values.push_back(data);
  return program;
}

std::string Registered(std::string_view initial, std::string_view sha = {}) {
  std::string manifest = R"({"pteproof": 1, "buffers": {"s": {"initial": ")";
  manifest += initial;
  manifest += '"';
  if (!sha.empty()) manifest += R"(, "initial_sha256": ")" + std::string(sha) + '"';
  return manifest + "}}}";
}

// The data of another buffer.
TEST(InitialValueWrong, TellsOfOtherBytesThanTheRegisteredOnes) {
  const Report report = CheckWith(StartsFrom(kZeros), Registered("stored", kShaOfOnePointFives));
  EXPECT_THAT(TroubleOf(report), ElementsAre("error initial-value-wrong step#0 v0 bank 1 [64,80)"));
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
  const std::string explanation = ExplanationOf(report, rule::kInitialValueWrong);
  EXPECT_EQ(explanation,
            "Buffer v0 's' bank 1 [64,80) of 'step' does not start with its registered value.\n"
            "The file stores data 1 for it, which have another SHA-256.\n"
            "The first call starts from a wrong state.");
  EXPECT_EQ(FixOf(report, rule::kInitialValueWrong),
            "Export without `emit_mutable_buffer_names`, or correct the manifest.");
}

// Names have to do with it only in a file that has them.
TEST(InitialValueWrong, NamesNamesOnlyWhereTheFileHasThem) {
  Program program = StartsFrom(kZeros);
  for (Tensor& tensor : program.methods[0].tensors) tensor.name = {};
  const Report report = CheckWith(
      program, R"({"pteproof": 1, "buffers": {"s": {"initial": "stored", "initial_sha256": ")" +
                   std::string(kShaOfOnePointFives) +
                   R"("}}, "methods": {"step": {"values": {"0": "s"}}}})");
  EXPECT_EQ(FixOf(report, rule::kInitialValueWrong),
            "Export the initial value again, or correct the manifest.");
}

TEST(InitialValueWrong, IsSilentForTheRegisteredBytes) {
  EXPECT_THAT(
      TroubleOf(CheckWith(StartsFrom(kOnePointFives), Registered("stored", kShaOfOnePointFives))),
      IsEmpty());
  EXPECT_THAT(TroubleOf(CheckWith(StartsFrom(kZeros), Registered("stored", kShaOfZeros))),
              IsEmpty());
}

TEST(InitialValueWrong, ComparesOnlyTheBuffersOwnBytes) {
  std::vector<std::byte> longer(kOnePointFives.begin(), kOnePointFives.end());
  longer.resize(64, std::byte{7});
  EXPECT_THAT(TroubleOf(CheckWith(StartsFrom(longer), Registered("stored", kShaOfOnePointFives))),
              IsEmpty());
}

TEST(InitialValueWrong, TellsOfABufferThatShouldStartAtZeroAndDoesNot) {
  EXPECT_THAT(TroubleOf(CheckWith(StartsFrom(kOnePointFives), Registered("zero"))),
              ElementsAre("error initial-value-wrong step#0 v0 bank 1 [64,80)"));
}

TEST(InitialValueWrong, IsSilentForStoredZeros) {
  EXPECT_THAT(TroubleOf(CheckWith(StartsFrom(kZeros), Registered("zero"))), IsEmpty());
}

TEST(InitialValueWrong, IsSilentWhereAnyValueWillDoOrNoneIsStated) {
  EXPECT_THAT(TroubleOf(CheckWith(StartsFrom(kOnePointFives), Registered("any"))), IsEmpty());
  EXPECT_THAT(TroubleOf(CheckWith(StartsFrom(kOnePointFives), Registered("stored"))), IsEmpty());
  EXPECT_THAT(TroubleOf(Check(StartsFrom(kOnePointFives))), IsEmpty());
}

// What another file holds for the buffer is not known here.
TEST(InitialValueWrong, IsSilentForDataOfAnotherFile) {
  Program program = StartsFrom(kZeros);
  Tensor& state = program.methods[0].tensors[0];
  state.external = true;
  state.data_index = 0;
  const Report report = CheckWith(program, Registered("stored", kShaOfOnePointFives));
  EXPECT_THAT(LinesOf(report, rule::kInitialValueWrong), IsEmpty());
  EXPECT_THAT(LinesOf(report, rule::kReadBeforeWrite), IsEmpty());
}

// The method replaces the value before anything reads it.
TEST(InitialValueWrong, OnlyWarnsIfNoMethodReadsTheValueAtEntry) {
  MethodBuilder b("set");
  const int32_t state = b.Planned(1, 64, {4}, "s");
  b.TensorAt(state).data_index = 1;
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  b.Copy(state, x);
  Program program = ProgramOf({b.Build()});
  program.initial_values.push_back(kZeros);
  const std::string text = Registered("stored", kShaOfOnePointFives);
  const Report report = CheckWith(program, text);
  EXPECT_THAT(LinesOf(report, rule::kInitialValueWrong),
              ElementsAre("warning initial-value-wrong set v0 bank 1 [64,80)"));
  EXPECT_EQ(VerdictRow(report), "safe safe safe");
  EXPECT_THAT(ExplanationOf(report, rule::kInitialValueWrong),
              testing::EndsWith("No method reads its value at entry."));
  const auto manifest = ParseManifest(text);
  const auto proof = proofs::Prove(program, {.manifest = &manifest.value()});
  EXPECT_EQ(proof.verdicts.front(), Verdict::kSafe);
}

}  // namespace
}  // namespace pteproof
