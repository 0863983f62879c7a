#include "properties/picture/picture_of.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "pteproof/check.h"
#include "tests/support/method_builder.h"

namespace pteproof::picture {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Picture PictureUnder(Policy policy, const Program& program) {
  return PictureOf(program, Check(program), {nullptr, policy});
}

// The only panel of a program with one method and one bank.
Panel OnlyPanel(const MethodBuilder& b) {
  const Picture picture = PictureUnder(Policy::kShare12, ProgramOf({b.Build()}));
  EXPECT_THAT(picture.banks, SizeIs(1));
  return picture.banks.at(0).panels.at(0);
}

// "v1+v2 [lo,hi) 0..3 5..6" per storage.
std::vector<std::string> TextsOf(const Panel& panel) {
  std::vector<std::string> texts;
  for (const Storage& storage : panel.storages) {
    std::string text;
    for (const Part& part : storage.parts) {
      text += (text.empty() ? "v" : "+v") + std::to_string(part.value);
    }
    text += " [" + std::to_string(storage.lo) + "," + std::to_string(storage.hi) + ")";
    for (const PointSpan& s : storage.live) {
      text += " " + std::to_string(s.lower) + ".." + std::to_string(s.upper);
    }
    texts.push_back(text);
  }
  return texts;
}

// x in [0,16), y in [16,32), z in [32,48): y = x * x, z = y * y.
MethodBuilder Chain() {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t y = b.Planned(1, 16, {4});
  const int32_t z = b.Planned(1, 32, {4});
  b.Input(x);
  b.Mul(x, x, y);  // 0
  b.Mul(y, y, z);  // 1
  b.Output(z);
  return b;
}

TEST(Picture, HasARectangleOfBytesAndTimeForEachStorage) {
  const Panel panel = OnlyPanel(Chain());
  // The output stays to the exit, which follows the last instruction's points 2 and 3.
  EXPECT_THAT(TextsOf(panel), ElementsAre("v0 [0,16) -1..2", "v1 [16,32) 1..4", "v2 [32,48) 3..5"));
  EXPECT_EQ(panel.storages[0].kind, Kind::kInput);
  EXPECT_EQ(panel.storages[1].kind, Kind::kIntermediate);
  EXPECT_EQ(panel.storages[2].kind, Kind::kOutput);
  EXPECT_EQ(panel.storages[0].parts[0].input, 0);
  EXPECT_EQ(panel.storages[2].parts[0].output, 0);
  EXPECT_EQ(panel.use.size, 48U);
  EXPECT_EQ(panel.use.load, 32U);
  EXPECT_THAT(panel.marks, IsEmpty());
}

TEST(Picture, NamesTheOperatorOfEachInstruction) {
  const Picture picture = PictureUnder(Policy::kShare12, ProgramOf({Chain().Build()}));
  const MethodAxis& axis = picture.methods.at(0);
  EXPECT_EQ(axis.name, "forward");
  EXPECT_EQ(axis.end(), 5);
  ASSERT_THAT(axis.operator_of, ElementsAre(0, 0));
  EXPECT_THAT(axis.operators, ElementsAre("aten::mul.out"));
}

TEST(Picture, DrawsAResultInPlaceAsAPartOfItsOperandsStorage) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t y = b.Planned(1, 0, {4});
  b.Input(x);
  b.Mul(x, x, y);  // 0
  b.Output(y);
  const Panel panel = OnlyPanel(b);
  EXPECT_THAT(TextsOf(panel), ElementsAre("v0+v1 [0,16) -1..3"));
  const Storage& storage = panel.storages[0];
  EXPECT_EQ(storage.parts[1].how, How::kInPlace);
  EXPECT_THAT(storage.parts[1].live, ElementsAre(PointSpan{1, 3}));
  EXPECT_THAT(storage.writes, ElementsAre(0));
}

TEST(Picture, DrawsAnElidedViewAsAPartOfItsStorage) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t y = b.Planned(1, 16, {4});
  const int32_t view = b.Planned(1, 16, {2, 2});
  const int32_t z = b.Planned(1, 32, {2, 2});
  b.Input(x);
  b.Mul(x, x, y);        // 0
  b.Mul(view, view, z);  // 1
  b.Output(z);
  const Panel panel = OnlyPanel(b);
  EXPECT_THAT(TextsOf(panel),
              ElementsAre("v0 [0,16) -1..2", "v1+v2 [16,32) 1..4", "v3 [32,48) 3..5"));
  EXPECT_EQ(panel.storages[1].parts[1].how, How::kView);
  EXPECT_THAT(panel.storages[1].parts[1].sizes, ElementsAre(2, 2));
}

TEST(Picture, KeepsApartWhatMeetsByMistakeAndMarksIt) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t y = b.Planned(1, 16, {4});
  const int32_t z = b.Planned(1, 24, {4});
  const int32_t sum = b.Planned(1, 48, {4});
  b.Input(x);
  b.Mul(x, x, y);    // 0
  b.Mul(x, x, z);    // 1 writes over the upper half of y
  b.Add(y, z, sum);  // 2
  b.Output(sum);
  const Panel panel = OnlyPanel(b);
  EXPECT_THAT(TextsOf(panel), ElementsAre("v0 [0,16) -1..4", "v1 [16,32) 1..6", "v2 [24,40) 3..6",
                                          "v3 [48,64) 5..7"));
  ASSERT_THAT(panel.marks, SizeIs(1));
  const Mark& mark = panel.marks[0];
  EXPECT_EQ(mark.lo, 24U);
  EXPECT_EQ(mark.hi, 32U);
  EXPECT_EQ(mark.at, (PointSpan{3, 6}));
  EXPECT_TRUE(mark.is_event);
  EXPECT_THAT(mark.storages, ElementsAre(1, 2));
}

TEST(Picture, ShowsBytesThatNobodyTouches) {
  MethodBuilder b = Chain();
  b.Planned(1, 48, {64});
  const Panel panel = OnlyPanel(b);
  EXPECT_EQ(panel.use.size, 304U);
  EXPECT_EQ(panel.use.phantom, 256U);
  EXPECT_THAT(panel.use.phantoms, ElementsAre(ByteRange{48, 304}));
  EXPECT_THAT(panel.storages, SizeIs(3));
}

// A result that is moved out of a branch lies in what was moved: its own place stays empty.
TEST(Picture, SaysWhoReadsAndWritesAStorage) {
  const Panel panel = OnlyPanel(Chain());
  EXPECT_THAT(panel.storages[0].writes, IsEmpty());
  EXPECT_THAT(panel.storages[0].reads, ElementsAre(0));
  EXPECT_THAT(panel.storages[1].writes, ElementsAre(0));
  EXPECT_THAT(panel.storages[1].reads, ElementsAre(1));
  EXPECT_THAT(panel.storages[2].writes, ElementsAre(1));
  EXPECT_THAT(panel.storages[2].reads, IsEmpty());
}

TEST(Picture, ShowsThePlaceOfAMovedNameAsReserved) {
  MethodBuilder b;
  const int32_t choice = b.Planned(1, 0, {}, {}, ScalarType::kBool);
  const int32_t x = b.Planned(1, 16, {4});
  const int32_t result = b.Planned(1, 32, {4});
  const int32_t one = b.Planned(1, 48, {4});
  const int32_t other = b.Planned(1, 64, {4});
  const int32_t out = b.Planned(1, 80, {4});
  b.Input(choice);
  b.Input(x);
  const int32_t jump = b.JumpFalse(choice, 0);         // 0
  b.Mul(x, x, one);                                    // 1
  b.Move(one, result);                                 // 2
  const int32_t skip = b.JumpFalse(b.Bool(false), 0);  // 3
  b.SetTarget(jump, b.Add(x, x, other));               // 4
  b.Move(other, result);                               // 5
  b.SetTarget(skip, b.Mul(result, result, out));       // 6
  b.Output(out);
  const Panel panel = OnlyPanel(b);
  std::vector<std::string> reserved;
  for (const Storage& storage : panel.storages) {
    if (storage.kind != Kind::kReserved) continue;
    EXPECT_EQ(storage.parts.at(0).value, result);
    EXPECT_EQ(storage.lo, 32U);
    EXPECT_THAT(storage.live, ElementsAre(PointSpan{4, 14}));
    reserved.push_back("result");
  }
  EXPECT_THAT(reserved, SizeIs(1));
  // Instruction 6 reads the moved name, which lies in either.
  for (const Storage& storage : panel.storages) {
    if (storage.lo == 48 || storage.lo == 64) EXPECT_THAT(storage.reads, Contains(6));
    if (storage.kind == Kind::kReserved) EXPECT_THAT(storage.reads, IsEmpty());
  }
}

// A method that adds its input to a buffer in bank 2.
Method Adder(const std::string& name, uint64_t offset) {
  MethodBuilder b(name);
  const int32_t cache = b.Planned(2, offset, {4}, "cache");
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t sum = b.Planned(1, 16, {4});
  b.Input(x);
  b.Add(cache, x, sum);  // 0
  b.Copy(cache, sum);    // 1
  return b.Build();
}

TEST(Picture, PutsMethodsOfASharedBankBesideEachOther) {
  const Program program = ProgramOf({Adder("put", 16), Adder("get", 16)});
  const Picture shared = PictureUnder(Policy::kShare12, program);
  ASSERT_THAT(shared.banks, SizeIs(2));
  const Bank& bank = shared.banks[1];
  EXPECT_EQ(bank.id, 2U);
  EXPECT_TRUE(bank.shared);
  EXPECT_THAT(TextsOf(bank.panels.at(0)), ElementsAre("v0 [16,32) -1..5"));
  EXPECT_EQ(TextsOf(bank.panels.at(0)), TextsOf(bank.panels.at(1)));
  EXPECT_EQ(bank.panels[0].storages[0].kind, Kind::kState);
  EXPECT_EQ(bank.panels[0].storages[0].parts[0].name, "cache");
  EXPECT_THAT(bank.panels[0].storages[0].writes, ElementsAre(1));
  EXPECT_FALSE(PictureUnder(Policy::kPrivate, program).banks[1].shared);
}

TEST(Picture, MarksOnlyWhatHoldsUnderItsPolicyAndInAllMethodsThatItConcerns) {
  const Program program = ProgramOf({Adder("put", 16), Adder("get", 16)});
  // Where bank 2 is private, what one method stores the other never sees.
  const Picture apart = PictureUnder(Policy::kPrivate, program);
  ASSERT_THAT(apart.banks[1].panels[0].marks, SizeIs(1));
  ASSERT_THAT(apart.banks[1].panels[1].marks, SizeIs(1));
  EXPECT_NE(apart.banks[1].panels[0].marks[0].elsewhere,
            apart.banks[1].panels[1].marks[0].elsewhere);
  const Picture common = PictureUnder(Policy::kShare12, program);
  for (const Panel& panel : common.banks[1].panels) EXPECT_THAT(panel.marks, IsEmpty());
}

TEST(Picture, MarksTheSameBufferWhereAnotherMethodLaysItOut) {
  const Program program = ProgramOf({Adder("put", 0), Adder("get", 16)});
  const Picture picture = PictureUnder(Policy::kShareAll, program);
  bool is_marked_in_both = true;
  for (const Panel& panel : picture.banks[1].panels) {
    is_marked_in_both = is_marked_in_both && !panel.marks.empty();
  }
  EXPECT_TRUE(is_marked_in_both);
}

TEST(Picture, KeepsOneMethodOnly) {
  const Program program = ProgramOf({Adder("put", 16), Chain().Build()});
  const Picture only = OnlyMethod(PictureUnder(Policy::kShare12, program), "forward");
  ASSERT_THAT(only.methods, SizeIs(1));
  EXPECT_EQ(only.methods[0].name, "forward");
  ASSERT_THAT(only.banks, SizeIs(1));  // it has no bank 2
  EXPECT_FALSE(only.banks[0].shared);
  EXPECT_THAT(only.banks[0].panels, SizeIs(1));
  EXPECT_EQ(only.banks[0].panels[0].method, 0U);
}

// A method that returns a number, as exporters make of a plain value.
Method Number(const std::string& name) {
  MethodBuilder b(name);
  b.Output(b.Int(3));
  return b.Build();
}

TEST(Picture, ListsMethodsWithoutPlannedMemory) {
  const Program program = ProgramOf({Number("get_bos_id"), Adder("put", 16), Number("get_eos_id")});
  const Picture picture = PictureUnder(Policy::kShare12, program);
  ASSERT_THAT(picture.methods, SizeIs(1));
  EXPECT_EQ(picture.methods[0].name, "put");
  EXPECT_THAT(picture.without_memory, ElementsAre("get_bos_id", "get_eos_id"));
  for (const Bank& bank : picture.banks) {
    ASSERT_THAT(bank.panels, SizeIs(1));
    EXPECT_EQ(bank.panels[0].method, 0U);
    EXPECT_FALSE(bank.shared);
  }
  const Picture only = OnlyMethod(picture, "get_eos_id");
  EXPECT_THAT(only.methods, IsEmpty());
  EXPECT_THAT(only.banks, IsEmpty());
  EXPECT_THAT(only.without_memory, ElementsAre("get_eos_id"));
  EXPECT_THAT(OnlyMethod(picture, "put").without_memory, IsEmpty());
}

TEST(Picture, KeepsOneBankOnly) {
  const Program program = ProgramOf({Adder("put", 16), Chain().Build()});
  const Picture only = OnlyBank(PictureUnder(Policy::kShare12, program), 2);
  ASSERT_THAT(only.banks, SizeIs(1));
  EXPECT_EQ(only.banks[0].id, 2U);
  ASSERT_THAT(only.methods, SizeIs(1));
  EXPECT_EQ(only.methods[0].name, "put");
  EXPECT_THAT(only.without_memory, ElementsAre("forward"));
}

// 100 instructions, each over the result of the one before.
Program LongChain() {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  int32_t last = x;
  for (uint64_t i = 1; i <= 100; ++i) {
    const int32_t next = b.Planned(1, 16 * i, {4});
    b.Mul(last, last, next);
    last = next;
  }
  b.Output(last);
  return ProgramOf({b.Build()});
}

TEST(Picture, ShowsTheTimeAroundAnInstruction) {
  const Picture all = PictureUnder(Policy::kShare12, LongChain());
  const Picture middle = Around(all, 0, 50);
  EXPECT_EQ(middle.methods[0].Shown(), (PointSpan{36, 166}));  // instructions 18 to 82
  const auto& storages = middle.banks[0].panels[0].storages;
  EXPECT_EQ(storages.front().parts[0].value, all.banks[0].panels[0].storages[18].parts[0].value);
  EXPECT_EQ(storages.size(), 66U);  // the operand of the first, and 65 results
  const Picture begin = Around(all, 0, 3);
  EXPECT_EQ(begin.methods[0].Shown(), (PointSpan{PointSpan::kEntry, 72}));
  const Picture end = Around(all, 0, 99);
  EXPECT_EQ(end.methods[0].Shown(), (PointSpan{134, 201}));
}

TEST(Picture, KeepsTheMarksThatShowAroundAnInstruction) {
  Program program = LongChain();
  // The result of instruction 60 begins within its operand.
  program.methods[0].tensors[61].offset = program.methods[0].tensors[60].offset + 8;
  const Picture all = PictureUnder(Policy::kShare12, program);
  ASSERT_FALSE(all.banks[0].panels[0].marks.empty());
  const Mark& mark = all.banks[0].panels[0].marks[0];
  const auto instruction = static_cast<int32_t>(mark.at.lower / 2);
  const Picture near = Around(all, 0, instruction);
  ASSERT_FALSE(near.banks[0].panels[0].marks.empty());
  for (const size_t s : near.banks[0].panels[0].marks[0].storages) {
    EXPECT_LT(s, near.banks[0].panels[0].storages.size());
  }
  EXPECT_THAT(Around(all, 0, 99).banks[0].panels[0].marks, IsEmpty());
}

}  // namespace
}  // namespace pteproof::picture
