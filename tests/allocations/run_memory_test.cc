// What a run has in memory at one time: the banks, or the values that are still needed, and never a
// copy of the constants.
#include <gtest/gtest.h>

#include <vector>

#include "properties/oracles/planned_run.h"
#include "properties/oracles/tags/tagged_run.h"
#include "tests/allocations/failing_new.h"
#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

constexpr int64_t kMegabyte = 1'000'000;
constexpr int32_t kLarge = 250'000;  // floats of a value of a megabyte

// Thousands of small constants, each of which begins where the one before ends. As in a file, the
// blob of each goes on to the end of their segment.
struct ManyConstants {
  static constexpr int32_t kCount = 4'000;
  static constexpr int32_t kFloats = 512;

  std::vector<std::byte> segment =
      std::vector<std::byte>(sizeof(float) * size_t{kCount} * size_t{kFloats});  // 8 MB
  Program program;

  ManyConstants() {
    MethodBuilder b;
    int32_t sum = b.Planned(1, 0, {kFloats});
    b.Input(sum);
    for (int32_t c = 1; c <= kCount; ++c) {
      const int32_t next = b.Planned(1, c % 2 == 0 ? 0 : sizeof(float) * kFloats, {kFloats});
      b.Add(sum, b.Constant(static_cast<uint32_t>(c), {kFloats}), next);
      sum = next;
    }
    b.Output(sum);
    program = ProgramOf({b.Build()});
    program.constants = {{}};
    for (size_t c = 0; c < kCount; ++c) {
      program.constants.push_back(Bytes(segment).subspan(c * sizeof(float) * kFloats));
    }
  }
};

// `length` products, each of its own value, of which two are needed at a time.
Program LargeChain(int32_t length) {
  MethodBuilder b;
  int32_t last = b.Planned(1, 0, {kLarge});
  b.Input(last);
  for (int32_t i = 0; i < length; ++i) {
    const int32_t next = b.Planned(1, i % 2 == 0 ? kMegabyte : 0, {kLarge});
    b.Mul(last, last, next);
    last = next;
  }
  b.Output(last);
  return ProgramOf({b.Build()});
}

std::vector<Datum> Floats(int64_t count) {
  return {Zeros(ScalarType::kFloat32, {count})};
}

int64_t PeakOfPlannedCall(const Program& program, std::span<const Datum> inputs) {
  return PeakBytesOf([&] {
    auto run = PlannedRun::Load(program, {.writable_constants = true});
    ASSERT_TRUE(run.ok()) << run.error().explanation;
    const auto outputs = run.value().Call(0, inputs);
    ASSERT_TRUE(outputs.ok()) << outputs.error().explanation;
  });
}

int64_t PeakOfReplay(const Program& program, std::span<const Datum> inputs) {
  return PeakBytesOf([&] {
    const auto outputs = Replay(program, {}).Call(0, inputs);
    ASSERT_TRUE(outputs.ok()) << outputs.error().explanation;
  });
}

int64_t PeakOfTaggedCall(const Program& program, std::span<const Datum> inputs) {
  return PeakBytesOf([&] {
    TaggedRun run(program, {});
    const auto outputs = run.Call(0, inputs);
    ASSERT_TRUE(outputs.ok()) << outputs.error().explanation;
    ASSERT_FALSE(run.finding());
  });
}

TEST(RunMemoryTest, ConstantsInOneSegmentAreNotCopied) {
  const ManyConstants many;
  const auto inputs = Floats(ManyConstants::kFloats);
  // The constants to the ends of their blobs are 16 GB; themselves they are more than 8 MB.
  EXPECT_LT(PeakOfPlannedCall(many.program, inputs), 5 * kMegabyte);
  EXPECT_LT(PeakOfReplay(many.program, inputs), 5 * kMegabyte);
  EXPECT_LT(PeakOfTaggedCall(many.program, inputs), 6 * kMegabyte);
}

TEST(RunMemoryTest, AConstantThatIsWrittenIsCopiedAlone) {
  ManyConstants many;
  Method& method = many.program.methods[0];
  MethodBuilder b;
  const int32_t in = b.Planned(1, 0, {kLarge});
  const int32_t constant = b.Constant(1, {kLarge});
  b.Input(in);
  b.Copy(constant, in);
  b.Output(constant);
  method = b.Build();
  const auto inputs = Floats(kLarge);
  EXPECT_LT(PeakOfPlannedCall(many.program, inputs), 5 * kMegabyte);
}

TEST(RunMemoryTest, ALargeConstantOfAProductIsReadInPlace) {
  constexpr int32_t kRows = 2'000;
  std::vector<std::byte> weight(sizeof(float) * kRows * kRows);  // 16 MB
  for (const char* op : {"aten::mm.out", "aten::linear.out"}) {
    MethodBuilder b;
    const int32_t in = b.Planned(1, 0, {1, kRows});
    const int32_t out = b.Planned(1, sizeof(float) * kRows, {1, kRows});
    b.Input(in);
    b.Output(out);
    std::vector<int32_t> args = {in, b.Constant(1, {kRows, kRows})};
    if (op == std::string_view("aten::linear.out")) args.push_back(b.None());
    args.insert(args.end(), {out, out});
    b.Call(op, args);
    Program program = ProgramOf({b.Build()});
    program.constants = {{}, weight};
    const std::vector<Datum> inputs = {Zeros(ScalarType::kFloat32, {1, kRows})};
    EXPECT_LT(PeakOfReplay(program, inputs), kMegabyte) << op;
    EXPECT_LT(PeakOfPlannedCall(program, inputs), kMegabyte) << op;
  }
}

TEST(RunMemoryTest, ValuesAreFreedAfterTheirLastUse) {
  RecordProperty("slow", "a large program");
  const auto inputs = Floats(kLarge);
  // The input and its copy, two values, and what the evaluation of a product takes.
  EXPECT_LT(PeakOfReplay(LargeChain(5), inputs), 8 * kMegabyte);
  EXPECT_LT(PeakOfReplay(LargeChain(60), inputs), 8 * kMegabyte);
  EXPECT_LT(PeakOfTaggedCall(LargeChain(60), inputs), 8 * kMegabyte);
}

TEST(RunMemoryTest, StateIsKeptOnceAndNotItsOldContents) {
  MethodBuilder b;
  const int32_t in = b.Planned(1, 0, {kLarge});
  const int32_t state = b.Planned(2, 0, {kLarge}, "state");
  b.Input(in);
  int32_t last = in;
  for (int32_t i = 0; i < 30; ++i) {
    const int32_t next = b.Planned(1, i % 2 == 0 ? kMegabyte : 0, {kLarge});
    b.Add(state, last, next);
    b.Copy(state, next);
    last = next;
  }
  EXPECT_LT(PeakOfReplay(ProgramOf({b.Build()}), Floats(kLarge)), 9 * kMegabyte);
}

}  // namespace
}  // namespace pteproof
