#include "properties/oracles/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <utility>

#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TensorValue Floats(const std::vector<double>& elements) {
  TensorValue tensor = Zeros(ScalarType::kFloat32, {static_cast<int64_t>(elements.size())});
  for (size_t i = 0; i < elements.size(); ++i) {
    SetReal(tensor, static_cast<int64_t>(i), elements[i]);
  }
  return tensor;
}

// The elements of the one output of method 0.
std::vector<double> Elements(const Program& program, const std::vector<Datum>& inputs) {
  Replay replay(program, {});
  const auto outputs = replay.Call(0, inputs);
  EXPECT_TRUE(outputs.ok()) << outputs.error().explanation;
  if (!outputs.ok() || outputs.value().size() != 1) return {};
  const auto& tensor = std::get<TensorValue>(outputs.value().front());
  std::vector<double> elements;
  for (int64_t i = 0; i < ElementCount(tensor); ++i) elements.push_back(RealAt(tensor, i));
  return elements;
}

// y = x * x in bank 1; a view of y that nothing writes at its place; z = view * view.
TEST(Replay, ReadsAnElidedView) {
  MethodBuilder b;
  const int32_t x = b.Planned(2, 0, {4});
  b.Input(x);
  const int32_t y = b.Planned(1, 0, {4});
  b.Mul(x, x, y);
  const int32_t view = b.Planned(1, 0, {2, 2});
  const int32_t z = b.Planned(1, 64, {2, 2});
  b.Mul(view, view, z);
  b.Output(z);
  EXPECT_THAT(Elements(ProgramOf({b.Build()}), {Floats({1, 2, 3, 0})}), ElementsAre(1, 16, 81, 0));
}

// The bytes of four elements are those of two that are twice as wide.
TEST(Replay, ReadsAViewOfAnotherElementType) {
  MethodBuilder b;
  b.TensorAt(b.Planned(2, 0, {2, 2}, "table")).data_index = 1;
  b.Output(b.Planned(2, 0, {2}, "table", ScalarType::kInt64));
  Program program = ProgramOf({b.Build()});
  const TensorValue stored = Floats({0, 0, 2, 0});
  program.initial_values = {{}, stored.bytes};
  const auto outputs = Replay(program, {}).Call(0, {});
  ASSERT_TRUE(outputs.ok()) << outputs.error().explanation;
  const auto& got = std::get<TensorValue>(outputs.value()[0]);
  EXPECT_THAT(got.sizes, ElementsAre(2));
  EXPECT_EQ(IntAt(got, 1), 0x40000000);  // 2 as float32
}

// Each a view of the one before: as many as a file likes.
TEST(Replay, ReadsALongChainOfViews) {
  RecordProperty("slow", "a large program");
  constexpr int kViews = 50'000;
  MethodBuilder b;
  const int32_t x = b.Planned(2, 0, {2});
  b.Input(x);
  const int32_t y = b.Planned(1, 0, {2});
  b.Mul(x, x, y);
  int32_t last = y;
  for (int n = 0; n < kViews; ++n) last = b.Planned(1, 0, {2, 1});
  const int32_t z = b.Planned(1, 64, {2, 1});
  for (int n = 0; n < kViews; ++n) b.Mul(last - n, last - n, z);
  b.Output(z);
  EXPECT_THAT(Elements(ProgramOf({b.Build()}), {Floats({2, 3})}), ElementsAre(16, 81));
}

// What is written under a buffer's name and at its place is what the buffer ends with; the buffer's
// own value stands for what it was.
TEST(Replay, KeepsABufferApartFromTheResultThatItEndsWith) {
  MethodBuilder b;
  const int32_t count = b.Planned(2, 0, {1}, "count");
  const int32_t x = b.Planned(1, 0, {1});
  b.Input(x);
  const int32_t next = b.Planned(2, 0, {1}, "count");
  b.Add(count, x, next);
  const int32_t before = b.Planned(1, 16, {1});
  b.Add(count, count, before);
  b.Output(before);
  b.Output(next);
  const Program program = ProgramOf({b.Build()});
  Replay replay(program, {});
  for (const double round : {0.0, 1.0, 2.0}) {
    const auto outputs = replay.Call(0, std::vector<Datum>{Floats({3})});
    ASSERT_TRUE(outputs.ok()) << outputs.error().explanation;
    EXPECT_EQ(RealAt(std::get<TensorValue>(outputs.value()[0]), 0), 6 * round);
    EXPECT_EQ(RealAt(std::get<TensorValue>(outputs.value()[1]), 0), 3 * round + 3);
  }
}

// The same where it is updated in place: the sum is of what the buffer was and x.
TEST(Replay, KeepsABufferApartFromAnUpdateUnderItsSecondName) {
  MethodBuilder b;
  const int32_t count = b.Planned(2, 0, {1}, "count");
  const int32_t x = b.Planned(1, 0, {1});
  b.Input(x);
  b.Copy(b.Planned(2, 0, {1}, "count"), x);
  const int32_t sum = b.Planned(1, 16, {1});
  b.Add(count, x, sum);
  b.Output(sum);
  const Program program = ProgramOf({b.Build()});
  Replay replay(program, {});
  for (const auto& [given, expected] : {std::pair{3.0, 3.0}, {5.0, 8.0}, {0.0, 5.0}}) {
    const auto outputs = replay.Call(0, std::vector<Datum>{Floats({given})});
    ASSERT_TRUE(outputs.ok()) << outputs.error().explanation;
    EXPECT_EQ(RealAt(std::get<TensorValue>(outputs.value()[0]), 0), expected);
  }
}

// A method that looks for a buffer's value outside of the file, where nothing is given, takes away
// nothing that another stores.
TEST(Replay, BeginsWithWhatIsStoredWhereDataOutsideAreNotGiven) {
  MethodBuilder stores("stores");
  stores.TensorAt(stores.Planned(2, 0, {1}, "count")).data_index = 1;
  MethodBuilder reads("reads");
  const int32_t count = reads.Planned(2, 0, {1}, "count");
  reads.TensorAt(count).external = true;
  const int32_t twice = reads.Planned(1, 0, {1});
  reads.Add(count, count, twice);
  reads.Output(twice);
  Program program = ProgramOf({stores.Build(), reads.Build()});
  const TensorValue three = Floats({3});
  program.initial_values = {{}, three.bytes};
  const auto outputs = Replay(program, {.policy = Policy::kShareAll}).Call(1, {});
  ASSERT_TRUE(outputs.ok()) << outputs.error().explanation;
  EXPECT_EQ(RealAt(std::get<TensorValue>(outputs.value()[0]), 0), 6);
}

// Two values of one name and place, of which the first has stored data.
TEST(Replay, DoesNotSayWhichOfTwoSizesABufferHas) {
  for (const int32_t second : {1, 2, 4}) {
    MethodBuilder b;
    b.TensorAt(b.Planned(2, 0, {2}, "table")).data_index = 1;
    b.Output(b.Planned(2, 0, {second}, "table"));
    Program program = ProgramOf({b.Build()});
    const TensorValue stored = Floats({1, 2});
    program.initial_values = {{}, stored.bytes};
    const auto outputs = Replay(program, {}).Call(0, {});
    ASSERT_EQ(outputs.ok(), second == 2);
    if (second != 2) EXPECT_THAT(outputs.error().explanation, HasSubstr("another number of bytes"));
  }
}

// Either of two values of one name and place may have what the file stores for it.
TEST(Replay, BeginsWithWhatIsStoredForASecondName) {
  for (const bool second : {false, true}) {
    MethodBuilder b;
    const int32_t table = b.Planned(2, 0, {2}, "table");
    const int32_t again = b.Planned(2, 0, {2}, "table");
    b.TensorAt(second ? again : table).data_index = 1;
    b.Output(table);
    b.Output(again);
    Program program = ProgramOf({b.Build()});
    const TensorValue stored = Floats({1, 2});
    program.initial_values = {{}, stored.bytes};
    const auto outputs = Replay(program, {}).Call(0, {});
    ASSERT_TRUE(outputs.ok()) << outputs.error().explanation;
    for (const Datum& got : outputs.value()) EXPECT_EQ(RealAt(std::get<TensorValue>(got), 1), 2);
  }
}

// Without a name, what is loaded into the same place is one buffer, in whichever methods.
TEST(Replay, DoesNotSayWhichOfTwoSizesANamelessBufferHas) {
  const TensorValue whole = Floats({1, 2});
  const TensorValue half = Floats({3});
  for (const int32_t second : {1, 2}) {
    for (const bool apart : {false, true}) {
      MethodBuilder first("first");
      MethodBuilder other("other");
      MethodBuilder& b = apart ? other : first;
      first.TensorAt(first.Planned(2, 0, {2})).data_index = 1;
      const int32_t v = b.Planned(2, 0, {second});
      b.TensorAt(v).data_index = 2;
      b.Output(v);
      Program program = ProgramOf({first.Build(), other.Build()});
      program.initial_values = {{}, whole.bytes, second == 2 ? whole.bytes : half.bytes};
      const auto outputs = Replay(program, {.policy = Policy::kShareAll}).Call(apart ? 1 : 0, {});
      ASSERT_EQ(outputs.ok(), second == 2);
      if (!outputs.ok()) EXPECT_THAT(outputs.error().explanation, HasSubstr("has the place of v0"));
    }
  }
}

// As the operator's kernel does, which finds more memory for results than it has parts.
TEST(Replay, MakesNoCallThatListsMoreResultsThanThereAre) {
  for (const int32_t listed : {2, 3}) {
    MethodBuilder b;
    const int32_t x = b.Planned(1, 0, {2});
    b.Input(x);
    std::vector<int32_t> parts;
    for (int32_t p = 0; p < listed; ++p) {
      parts.push_back(b.Planned(2, 4 * static_cast<uint64_t>(p), {1}));
      b.Output(parts.back());
    }
    const int32_t outs = b.TensorList(parts);
    b.Call("aten::split_copy.Tensor_out", {x, b.Int(1), b.Int(0), outs, b.TensorList(parts)});
    const Program program = ProgramOf({b.Build()});
    const auto outputs = Replay(program, {}).Call(0, std::vector<Datum>{Floats({1, 2})});
    ASSERT_EQ(outputs.ok(), listed == 2);
    if (!outputs.ok()) EXPECT_THAT(outputs.error().explanation, HasSubstr("more results"));
  }
}

}  // namespace
}  // namespace pteproof
