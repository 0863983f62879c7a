// Delegates whose blobs are read: what two exports of one model have in common.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "properties/compare/compare_programs.h"
#include "pteproof/check.h"
#include "pteproof/read.h"
#include "tests/support/files.h"
#include "tests/support/method_builder.h"

namespace pteproof::compare {
namespace {

const std::filesystem::path kReal =
    std::filesystem::path(PTEPROOF_CORPUS_DIR) / "delegates" / "real";

std::string TextOfReal(const char* name) {
  return ReadText(kReal / name);
}

// The text with `to` in place of `from`, wherever it occurs.
std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  size_t count = 0;
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    ++count;
  }
  EXPECT_GT(count, 0U) << from;
  return text;
}

// The answers for two files.
std::pair<Answer, Answer> AnswersOf(const std::string& text, const std::string& other) {
  const auto bytes = [](const std::string& s) {
    return Bytes(reinterpret_cast<const std::byte*>(s.data()), s.size());
  };
  const auto olds = ReadProgram(bytes(text));
  const auto news = ReadProgram(bytes(other));
  if (!olds.ok() || !news.ok()) return {Answer::kOpen, Answer::kOpen};
  const auto found =
      ComparePrograms({&olds.value(), nullptr, nullptr}, {&news.value(), nullptr, nullptr}, {});
  return {found.interface.answer, found.computation};
}

std::pair<Answer, Answer> AnswersIfChanged(const char* name, std::string_view from,
                                           std::string_view to) {
  const std::string text = TextOfReal(name);
  return AnswersOf(text, Replaced(text, from, to));
}

// Each export writes another identifier and the day.
TEST(CompareDelegates, TakesTwoExportsForCoreMlAsTheSame) {
  for (const char* name : {"core_ml_two.pte", "core_ml_methods.pte"}) {
    EXPECT_EQ(AnswersIfChanged(name, "executorch_", "executorch-"),
              std::pair(Answer::kSame, Answer::kSame));
  }
  EXPECT_EQ(AnswersIfChanged("core_ml_two.pte", "2026-11-30", "2026-12-01"),
            std::pair(Answer::kSame, Answer::kSame));
}

TEST(CompareDelegates, SeesAnotherProgramOfCoreMl) {
  const auto [interface, computation] =
      AnswersIfChanged("core_ml_two.pte", "\x0a\x03mul\x12", "\x0a\x03max\x12");
  EXPECT_EQ(interface, Answer::kDiffers);
  EXPECT_NE(computation, Answer::kSame);
}

// A function that is not where it is looked for: the whole blob counts.
TEST(CompareDelegates, SeesAnotherFunctionOfCoreMlWhateverItsName) {
  const std::string named = Replaced(TextOfReal("core_ml_two.pte"), "main", "mein");
  EXPECT_EQ(AnswersOf(named, named).first, Answer::kSame);
  EXPECT_EQ(AnswersOf(named, Replaced(named, "\x0a\x03mul\x12", "\x0a\x03max\x12")).first,
            Answer::kDiffers);
  const auto read = ReadProgram({reinterpret_cast<const std::byte*>(named.data()), named.size()});
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(Check(read.value()).verdicts.front(), Verdict::kSafe);  // nothing is known to be wrong
}

// Of a file beside the known ones nobody knows what it is for.
TEST(CompareDelegates, SeesOtherWeightsOfCoreMlInAnyFile) {
  const std::string text = TextOfReal("core_ml_lin_dyn.pte");
  const std::string moved =
      Replaced(Replaced(text, "weight.bin", "weighq.bin"), "nib.thgiew", "nib.qhgiew");
  const std::string weights("\xef\xbe\xad\xde", 4);  // the mark ahead of each piece of data
  for (const std::string& each : {text, moved}) {
    const size_t mark = each.find(weights);
    ASSERT_NE(mark, std::string::npos);
    std::string other = each;
    other[mark + 64] = static_cast<char>(other[mark + 64] + 1);
    EXPECT_EQ(AnswersOf(each, other).first, Answer::kDiffers);
  }
}

// Two calls of delegates with equal blobs, of one delegate or of two.
Program TwoCalls(bool of_two) {
  MethodBuilder b("forward");
  const int32_t x = b.Planned(1, 0, {8});
  const int32_t first = b.Planned(1, 32, {8});
  const int32_t second = b.Planned(1, 64, {8});
  b.Input(x);
  b.Delegate({x, first});
  b.Delegate({x, second});
  b.Output(first);
  b.Output(second);
  Method method = b.Build();
  if (!of_two) method.instructions[1].target = method.instructions[0].target;
  return ProgramOf({std::move(method)});
}

// Each may count its calls.
TEST(CompareDelegates, SeesWhichOfEqualDelegatesIsCalled) {
  const Program two = TwoCalls(true);
  const Program one = TwoCalls(false);
  const auto answer = [](const Program& a, const Program& b) {
    return ComparePrograms({&a, nullptr, nullptr}, {&b, nullptr, nullptr}, {}).computation;
  };
  EXPECT_EQ(answer(two, two), Answer::kSame);
  EXPECT_EQ(answer(one, one), Answer::kSame);
  EXPECT_NE(answer(one, two), Answer::kSame);
}

// Its blob has the names of the weights alone.
TEST(CompareDelegates, SeesOtherWeightsInNamedData) {
  const auto read = ReadProgramFile((kReal / "mlx_lin_dyn.pte").string());
  ASSERT_TRUE(read.ok());
  const Bytes weights = read.value().program.named_data.front().blob;
  const std::string from(reinterpret_cast<const char*>(weights.data()), weights.size());
  std::string to = from;
  to.front() = static_cast<char>(to.front() + 1);
  EXPECT_EQ(AnswersIfChanged("mlx_lin_dyn.pte", from, to).first, Answer::kDiffers);
}

// One model, written twice: other names and another order of its lines.
class ExportsOfOneModel : public testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] static ProgramComparison Compared(const std::string& with) {
    const std::filesystem::path twice = kReal.parent_path() / "twice";
    const std::string name = GetParam();
    const auto olds = ReadProgramFile((twice / (name + "_branches.pte")).string());
    const auto news = ReadProgramFile((twice / (name + with + ".pte")).string());
    EXPECT_TRUE(olds.ok() && news.ok()) << name;
    const auto side = [](const auto& read) {
      return ComparedSide{&read.value().program, nullptr, nullptr};
    };
    return ComparePrograms(side(olds), side(news), {});
  }
};

TEST_P(ExportsOfOneModel, AreTheSame) {
  const auto found = Compared("_branches_again");
  EXPECT_EQ(found.interface.answer, Answer::kSame);
  EXPECT_EQ(found.computation, Answer::kSame);
}

TEST_P(ExportsOfOneModel, DifferInTheNodeThatIsWrittenOtherwise) {
  const auto found = Compared("_branches_swapped");
  EXPECT_NE(found.computation, Answer::kSame);
  ASSERT_EQ(found.interface.differences.size(), 1U);
  EXPECT_THAT(found.interface.differences.front(),
              testing::AllOf(testing::HasSubstr("delegate 0"), testing::HasSubstr("operand 0 of"),
                             testing::HasSubstr("sub"), testing::HasSubstr("output 1"),
                             testing::HasSubstr("made by"), testing::HasSubstr("sigmoid")));
}

INSTANTIATE_TEST_SUITE_P(Backends, ExportsOfOneModel,
                         testing::Values("xnnpack", "native", "vulkan"));

}  // namespace
}  // namespace pteproof::compare
