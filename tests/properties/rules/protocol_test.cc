// What a manifest's protocol (`calls`) rules out is no finding and no obligation that fails; what
// it leaves is one.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "properties/oracles/diff_program.h"
#include "properties/proofs/prove.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

using testing::Contains;

Manifest Stating(std::string_view calls, std::string_view more = "") {
  auto manifest = ParseManifest(fmt::format(R"({{"pteproof": 1, "calls": "{}"{}}})", calls, more));
  EXPECT_TRUE(manifest.ok()) << calls;
  return std::move(manifest).value();
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
