#include "cli/map/svg_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/load/judge.h"
#include "cli/map/svg_writer.h"
#include "cli/map/xml.h"
#include "tests/cli/map/drawn_report.h"
#include "tests/cli/map/well_formed.h"
#include "tests/support/files.h"
#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string DrawnSvg(const FileReport& report) {
  return SvgMap(report, *report.picture);
}

FileReport JudgedWithPicture(const std::filesystem::path& file) {
  JudgeOptions options;
  options.picture = true;
  return Judge({file.string(), ""}, options);
}

std::vector<std::filesystem::path> CorpusFiles() {
  std::vector<std::filesystem::path> files;
  for (const auto& path : FilesBelow(PTEPROOF_CORPUS_DIR "/real")) {
    if (path.extension() == ".pte" || path.extension() == ".bpte") files.push_back(path);
  }
  return files;
}

size_t CountOf(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

// The number after `key` in an element.
double NumberAfter(std::string_view element, std::string_view key) {
  return std::strtod(std::string(element.substr(element.find(key) + key.size(), 16)).c_str(),
                     nullptr);
}

// The boxes of names in rectangles, which are of a fixed pitch, by the class that they have.
std::vector<Box> LabelBoxes(const std::string& svg) {
  constexpr std::string_view kLabel = "<text class=\"mono l";
  constexpr double kHeight = 10;
  std::vector<Box> boxes;
  for (size_t at = svg.find(kLabel); at != std::string::npos; at = svg.find(kLabel, at + 1)) {
    const std::string_view element = std::string_view(svg).substr(at, svg.find('\n', at) - at);
    const size_t begin = element.find('>') + 1;
    const std::string_view text = element.substr(begin, element.rfind('<') - begin);
    if (text.find('&') != std::string_view::npos) continue;
    const double length = static_cast<double>(TextColumns(text)) * 6.0;
    if (element.find("translate(") != std::string_view::npos) {
      const double x = NumberAfter(element, "translate(");
      const size_t space = element.find(' ', element.find("translate("));
      const double y = NumberAfter(element.substr(space), " ");
      boxes.push_back({x - kHeight + 2, y - length, kHeight, length});
    } else {
      const double x = NumberAfter(element, " x=\"");
      const double y = NumberAfter(element, " y=\"");
      boxes.push_back({x, y - kHeight + 2, length, kHeight});
    }
  }
  return boxes;
}

TEST(SvgMap, IsWellFormedForAllRealFiles) {
  RecordProperty("slow", "reads every program of the corpus");
  size_t drawn = 0;
  for (const auto& file : CorpusFiles()) {
    const FileReport report = JudgedWithPicture(file);
    if (!report.picture) continue;
    EXPECT_EQ(XmlProblem(DrawnSvg(report)), "") << file;
    ++drawn;
  }
  EXPECT_GT(drawn, 100U);
}

TEST(SvgMap, HasARectangleWithFactsForEachStorage) {
  RecordProperty("slow", "reads every program of the corpus");
  for (const auto& file : CorpusFiles()) {
    const FileReport report = JudgedWithPicture(file);
    if (!report.picture) continue;
    size_t spans = 0;
    for (const picture::Bank& bank : report.picture->banks) {
      for (const picture::Panel& panel : bank.panels) {
        for (const picture::Storage& storage : panel.storages) spans += storage.live.size();
      }
    }
    const std::string svg = DrawnSvg(report);
    size_t rectangles = 0;
    for (int kind = 0; kind < 5; ++kind) {
      rectangles += CountOf(svg, "<rect class=\"k k" + std::to_string(kind) + "\"");
      rectangles += CountOf(svg, "<rect class=\"t" + std::to_string(kind) + "\"");
    }
    const size_t legend = CountOf(svg.substr(0, svg.find("bank 1")), "<rect class=\"k k");
    EXPECT_EQ(rectangles - legend, spans) << file;
  }
}

TEST(SvgMap, LaysNoNameOverAnother) {
  RecordProperty("slow", "reads every program of the corpus");
  size_t names = 0;
  for (const auto& file : CorpusFiles()) {
    const FileReport report = JudgedWithPicture(file);
    if (!report.picture) continue;
    const std::string svg = DrawnSvg(report);
    const double width = NumberAfter(svg, "role=\"img\" width=\"");
    const std::vector<Box> boxes = LabelBoxes(svg);
    names += boxes.size();
    for (size_t a = 0; a < boxes.size(); ++a) {
      EXPECT_LE(boxes[a].x + boxes[a].width, width) << file;
      for (size_t b = a + 1; b < boxes.size(); ++b) {
        EXPECT_FALSE(boxes[a].Meets(boxes[b]))
            << file << " at " << boxes[a].x << ", " << boxes[a].y;
      }
    }
  }
  EXPECT_GT(names, 1000U);
}

TEST(SvgMap, ShowsNamesHarmlessly) {
  MethodBuilder b("<script>&\"'\x01\xff\xEF\xBF\xBF");
  const int32_t cache = b.Planned(1, 0, {64}, "a<b>&\"c\x1b\xfe");
  const int32_t out = b.Planned(1, 256, {64});
  b.Mul(cache, cache, out);
  b.Output(out);
  const FileReport report = DrawnReport("<&>\x02.pte", ProgramOf({b.Build()}));
  const std::string svg = DrawnSvg(report);
  EXPECT_EQ(XmlProblem(svg), "");
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
  EXPECT_THAT(svg, HasSubstr("a&lt;b&gt;&amp;&quot;c\\x1b\\xfe"));
}

TEST(SvgMap, LoadsNothingAndHasColoursForLightAndDark) {
  const FileReport report =
      JudgedWithPicture(PTEPROOF_CORPUS_DIR "/real/models/put_get/put_get.pte");
  const std::string svg = DrawnSvg(report);
  EXPECT_THAT(svg, HasSubstr("prefers-color-scheme:dark"));
  EXPECT_THAT(svg, Not(HasSubstr("href")));
  EXPECT_THAT(svg, Not(HasSubstr("@import")));
  EXPECT_THAT(svg, Not(HasSubstr("@font-face")));
}

TEST(SvgMap, TellsTheFactsOfAStorage) {
  const FileReport report =
      JudgedWithPicture(PTEPROOF_CORPUS_DIR "/real/models/put_get/put_get.pte");
  EXPECT_THAT(DrawnSvg(report), HasSubstr("<title>add v3 (intermediate)\n"
                                          "bank 1 [32,48): 16 bytes\n"
                                          "written by 0 aten::add.out\n"
                                          "read by 2 aten::mul.out, 3 aten::copy_\n"
                                          "v3 float32 [2, 2]\n"
                                          "  bytes [32,48), instructions 0..3\n"
                                          "  from 0 aten::add.out\n"
                                          "  to 3 aten::copy_</title>"));
}

TEST(SvgMap, MarksTheTwoStoragesThatMeet) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t y = b.Planned(1, 16, {4});
  const int32_t z = b.Planned(1, 24, {4});
  const int32_t sum = b.Planned(1, 48, {4});
  b.Input(x);
  b.Mul(x, x, y);
  b.Mul(x, x, z);
  b.Add(y, z, sum);
  b.Output(sum);
  const std::string svg = DrawnSvg(DrawnReport("wrong.pte", ProgramOf({b.Build()})));
  const size_t banks = svg.find("bank 1");
  EXPECT_EQ(CountOf(svg.substr(banks), "<rect class=\"mark\""), 2U);
  EXPECT_EQ(CountOf(svg.substr(banks), "<rect class=\"clash\""), 1U);
  EXPECT_THAT(svg, HasSubstr("error plan-overlap: bank 1 [24,32), instructions 1..2"));
}

TEST(SvgMap, DrawsVeryManyStoragesTogether) {
  MethodBuilder b;
  int32_t last = b.Planned(1, 0, {4});
  b.Input(last);
  for (int i = 0; i < 10'000; ++i) {
    const int32_t next = b.Planned(1, static_cast<uint64_t>(16 * ((i + 1) % 100)), {4});
    b.Mul(last, last, next);
    last = next;
  }
  b.Output(last);
  const std::string svg = DrawnSvg(DrawnReport("many.pte", ProgramOf({b.Build()})));
  EXPECT_EQ(XmlProblem(svg), "");
  EXPECT_THAT(svg, HasSubstr("storages that are too small to be drawn one by one"));
  EXPECT_LT(svg.size(), 4'000'000U);
}

// `count` results, of which the last two are in use together.
Method ManyResults(const std::string& name, uint64_t count) {
  MethodBuilder b(name);
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  int32_t last = x;
  for (uint64_t i = 1; i <= count; ++i) {
    const int32_t next = b.Planned(1, 16 * (i % 2), {4});
    b.Mul(last, last, next);
    last = next;
  }
  b.Output(last);
  return b.Build();
}

TEST(SvgMap, NamesOfManyStoragesThoseThatMatter) {
  const std::string few = DrawnSvg(DrawnReport("few.pte", ProgramOf({ManyResults("f", 60)})));
  EXPECT_GT(CountOf(few, "<text class=\"mono l"), 20U);
  const std::string many = DrawnSvg(DrawnReport("many.pte", ProgramOf({ManyResults("f", 450)})));
  EXPECT_LE(CountOf(many, "<text class=\"mono l"), 2U);
  EXPECT_GT(CountOf(many, "mul v"), 400U);  // on hover
}

TEST(SvgMap, ListsMethodsWithoutPlannedMemory) {
  std::vector<Method> methods = {ManyResults("forward", 20)};
  for (int i = 0; i < 40; ++i) {
    MethodBuilder b("get_number_" + std::to_string(i));
    b.Output(b.Int(i));
    methods.push_back(b.Build());
  }
  const std::string svg = DrawnSvg(DrawnReport("numbers.pte", ProgramOf(methods)));
  EXPECT_EQ(XmlProblem(svg), "");
  EXPECT_THAT(svg, HasSubstr("Without planned memory: get_number_0 get_number_1 "));
  EXPECT_THAT(svg, HasSubstr("get_number_39"));
  EXPECT_THAT(svg, HasSubstr(" width=\"660\""));  // 114, and 26 for each of 21 instructions
}

TEST(SvgMap, GivesALargeMethodMostOfTheWidth) {
  std::vector<Method> methods = {ManyResults("large", 600)};
  for (int i = 0; i < 12; ++i) methods.push_back(ManyResults("small" + std::to_string(i), 2));
  const std::string svg = DrawnSvg(DrawnReport("many.pte", ProgramOf(methods)));
  double widest = 0;
  const std::string frame = "<rect class=\"frame\"";
  for (size_t at = svg.find(frame); at != std::string::npos; at = svg.find(frame, at + 1)) {
    widest = std::max(widest, NumberAfter(std::string_view(svg).substr(at), " width=\""));
  }
  EXPECT_GE(widest, 800);
}

}  // namespace
}  // namespace pteproof
