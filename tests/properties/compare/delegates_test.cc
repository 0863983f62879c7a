// Delegates whose blobs are read: what two exports of one model have in common.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "properties/compare/compare_programs.h"
#include "pteproof/read.h"
#include "tests/support/files.h"

namespace pteproof::compare {
namespace {

const std::filesystem::path kReal =
    std::filesystem::path(PTEPROOF_CORPUS_DIR) / "delegates" / "real";

// The answers for the file and the same with `from` in place of `to`, wherever it occurs.
std::pair<Answer, Answer> AnswersIfChanged(const char* name, std::string_view from,
                                           std::string_view to) {
  const std::string text = ReadText(kReal / name);
  std::string other = text;
  size_t count = 0;
  for (size_t at = other.find(from); at != std::string::npos; at = other.find(from, at)) {
    other.replace(at, from.size(), to);
    ++count;
  }
  EXPECT_GT(count, 0U) << name;
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

// Its blob has the names of the weights alone.
TEST(CompareDelegates, SeesOtherWeightsInNamedData) {
  const std::string text = ReadText(kReal / "mlx_lin_dyn.pte");
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
