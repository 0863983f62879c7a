// Elided views of buffers with stored initial values: the exporter gives them the buffer's value
// too, so that they look like buffers of their own. Each program is judged by all four checkers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/rule_names.h"
#include "properties/agreement/judge_all_checkers.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

// Two stored values of 32 bytes, numbers 1 and 2.
Program WithInitialValues(Method method) {
  static const std::vector<std::byte> ones(32, std::byte{1});
  static const std::vector<std::byte> twos(32, std::byte{2});
  Program program = ProgramOf({std::move(method)});
  program.initial_values = {{}, ones, twos};
  return program;
}

// The errors that the check has; the proof must come to the same verdicts, and no run may show a
// loss in what is safe.
std::vector<std::string> JudgedTrouble(const Program& program) {
  const CheckersVerdict checkers = JudgeAllCheckers(program, {});
  EXPECT_EQ(checkers.disagreement, "");
  return TroubleOf(checkers.check);
}

// A buffer, the input x, and a view of the buffer that carries its initial value.
struct Viewed {
  MethodBuilder b;
  int32_t buffer = Loaded({8});
  int32_t x = b.Planned(1, 0, {8});
  int32_t view = Loaded({2, 4});

  Viewed() { b.Input(x); }

  int32_t Loaded(std::vector<int32_t> sizes, uint32_t data = 1, std::string_view name = {}) {
    const int32_t v = b.Planned(2, 0, std::move(sizes), name);
    b.TensorAt(v).data_index = data;
    return v;
  }
  // Reads a value into one of its own, of the same sizes, which is returned.
  int32_t Read(int32_t v, uint64_t offset) {
    const int32_t out = b.Planned(1, offset, {8});
    const Tensor from = b.TensorAt(v);
    b.TensorAt(out).sizes = from.sizes;
    b.TensorAt(out).dim_order = from.dim_order;
    b.Mul(v, v, out);
    b.Output(out);
    return out;
  }
};

TEST(ViewOfInitialised, IsNoBufferOfItsOwnReadBeforeTheStore) {
  Viewed p;
  p.Read(p.view, 32);
  p.b.Copy(p.buffer, p.x);
  EXPECT_THAT(JudgedTrouble(WithInitialValues(p.b.Build())), IsEmpty());
}

// A flag decides whether the view is read.
TEST(ViewOfInitialised, IsNoBufferOfItsOwnReadInABranchBeforeTheStore) {
  Viewed p;
  const int32_t flag = p.b.Planned(1, 128, {}, {}, ScalarType::kBool);
  p.b.method().inputs = {p.x, flag};
  const int32_t out = p.b.Planned(1, 32, {2, 4});
  const int32_t jump = p.b.JumpFalse(flag, 0);
  p.b.Mul(p.view, p.view, out);
  const int32_t over = p.b.JumpFalse(p.b.Bool(false), 0);
  p.b.SetTarget(jump, p.b.Next());
  const int32_t other = p.b.Planned(1, 64, {2, 4});
  p.b.Mul(p.view, p.view, other);
  p.b.Mul(other, other, out);
  p.b.SetTarget(over, p.b.Next());
  p.b.Copy(p.buffer, p.x);
  p.b.Output(out);
  EXPECT_THAT(JudgedTrouble(WithInitialValues(p.b.Build())), IsEmpty());
}

TEST(ViewOfInitialised, IsNoBufferOfItsOwnStoredBack) {
  Viewed p;
  p.Read(p.buffer, 32);
  p.b.Copy(p.buffer, p.view);
  const Program program = WithInitialValues(p.b.Build());
  EXPECT_THAT(JudgedTrouble(program), IsEmpty());
  EXPECT_EQ(ExplanationOf(Check(program), rule::kSelfCopy),
            "Instruction 1 (aten::copy_) stores v0 bank 2 [0,32) onto itself.\n"
            "If the model stores a view of it back to it, that is right.\n"
            "Otherwise a store that was meant for another value is lost.");
}

TEST(ViewOfInitialised, IsNoBufferOfItsOwnWhereTheMethodOnlyReads) {
  Viewed p;
  p.Read(p.view, 32);
  p.Read(p.buffer, 64);
  const Program program = WithInitialValues(p.b.Build());
  EXPECT_THAT(JudgedTrouble(program), IsEmpty());
  EXPECT_THAT(ExplanationOf(Check(program), rule::kNotProvable),
              StartsWith("In 'forward' one value has no name"));
}

TEST(ViewOfInitialised, MayBeOneOfSeveral) {
  Viewed p;
  const int32_t second = p.Loaded({4, 2});
  const int32_t third = p.Loaded({8});
  p.Read(p.view, 32);
  p.Read(second, 64);
  p.Read(third, 96);
  p.b.Copy(p.buffer, p.x);
  EXPECT_THAT(JudgedTrouble(WithInitialValues(p.b.Build())), IsEmpty());
}

// Values may be numbered in any order: the buffer is the one that is stored to.
TEST(ViewOfInitialised, IsNoBufferOfItsOwnNumberedAheadOfTheBuffer) {
  for (const std::string_view name : {"", "state"}) {
    MethodBuilder b;
    const int32_t view = b.Planned(2, 0, {8}, name);
    const int32_t x = b.Planned(1, 0, {8});
    const int32_t buffer = b.Planned(2, 0, {8}, name);
    for (const int32_t v : {view, buffer}) b.TensorAt(v).data_index = 1;
    const int32_t out = b.Planned(1, 32, {8});
    b.Input(x);
    b.Mul(view, x, out);
    b.Copy(buffer, x);
    b.Output(out);
    EXPECT_THAT(JudgedTrouble(WithInitialValues(b.Build())), IsEmpty()) << name;
  }
}

// What the manifest names is the buffer, and what it does not name its view.
TEST(ViewOfInitialised, NeedsNoNameOfItsOwn) {
  Viewed p;
  p.Read(p.view, 32);
  p.b.Copy(p.buffer, p.x);
  const Report report = CheckWith(WithInitialValues(p.b.Build()), R"({"pteproof": 1, "methods":
      {"forward": {"reads": ["a"], "mutates": ["a"], "values": {"0": "a"}}}})");
  EXPECT_THAT(TroubleOf(report), IsEmpty());
  EXPECT_THAT(LinesOf(report, rule::kNotProvable), IsEmpty());
}

// A view that was made before the store must not be read after it.
TEST(ViewOfInitialised, LosesItsValueToAStoreBeforeItsUse) {
  Viewed p;
  p.b.Mul(p.x, p.x, p.b.Planned(1, 64, {8}));
  p.b.Mul(p.x, p.x, p.b.Planned(1, 96, {8}));
  p.b.Copy(p.buffer, p.x);
  p.Read(p.view, 32);
  EXPECT_THAT(JudgedTrouble(WithInitialValues(p.b.Build())),
              ElementsAre("error entry-value-lost forward#2 v2 v0 bank 2 [0,32)"));
}

// Of another initial value, type or size it is another buffer, and the store goes over it.
TEST(ViewOfInitialised, HasTheBuffersInitialValueAndType) {
  Viewed other_value;
  other_value.b.TensorAt(other_value.view).data_index = 2;
  Viewed other_type;
  other_type.b.TensorAt(other_type.view).dtype = ScalarType::kInt32;
  Viewed other_place;
  const int32_t half = other_place.b.Planned(2, 0, {4});
  other_place.b.TensorAt(half).data_index = 1;
  other_place.view = half;
  for (Viewed* p : {&other_value, &other_type, &other_place}) {
    const int32_t out = p->b.Planned(1, 32, {8});
    const Tensor from = p->b.TensorAt(p->view);
    for (auto member : {&Tensor::sizes, &Tensor::dim_order}) {
      p->b.TensorAt(out).*member = from.*member;
    }
    p->b.TensorAt(out).nbytes = from.nbytes;
    p->b.TensorAt(out).dtype = from.dtype;
    p->b.Mul(p->view, p->view, out);
    p->b.Copy(p->buffer, p->x);
    p->b.Output(out);
    const Report report = Check(WithInitialValues(p->b.Build()));
    EXPECT_THAT(TroubleOf(report), Not(IsEmpty()));
    EXPECT_EQ(proofs::Prove(WithInitialValues(p->b.Build()), {}).verdicts, report.verdicts);
  }
}

// What is stored to is a buffer.
TEST(ViewOfInitialised, IsWrittenByNoInstruction) {
  Viewed p;
  const int32_t flat = p.Loaded({8});
  p.Read(flat, 32);
  p.b.Copy(p.buffer, p.x);
  p.b.Copy(flat, p.x);
  const Program program = WithInitialValues(p.b.Build());
  const Report report = Check(program);
  EXPECT_THAT(LinesOf(report), Contains(StartsWith("error shared-layout forward")));
  EXPECT_EQ(proofs::Prove(program, {}).verdicts, report.verdicts);
}

}  // namespace
}  // namespace pteproof
