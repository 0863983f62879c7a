#include "cli/map/page_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cli/map/html_page.h"
#include "tests/cli/map/drawn_report.h"
#include "tests/cli/map/well_formed.h"
#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using PageJson = nlohmann::ordered_json;

// y and z share the bytes [24,32) while both are in use:
//
//   0: y = x * x    1: z = x * x    2: sum = y + z
Program TwoThatMeet() {
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
  return ProgramOf({b.Build()});
}

PageJson DataOf(const std::string& file, const Program& program) {
  const FileReport report = DrawnReport(file, program);
  return PictureJson(report, *report.picture);
}

TEST(PageData, HasTheStoragesOfAKnownProgram) {
  const PageJson data = DataOf("model.pte", TwoThatMeet());
  EXPECT_EQ(data["name"], "model.pte");
  EXPECT_EQ(data["policy"], "share-1-2");
  ASSERT_EQ(data["methods"].size(), 1U);
  EXPECT_EQ(data["methods"][0]["name"], "forward");
  EXPECT_EQ(data["methods"][0]["operators"], PageJson({"aten::mul.out", "aten::add.out"}));
  EXPECT_EQ(data["methods"][0]["at"], PageJson({0, 0, 1}));
  EXPECT_EQ(data["methods"][0]["shown"], PageJson({-1, 7}));
  const PageJson& panel = data["banks"][0]["panels"][0];
  EXPECT_EQ(panel["size"], 64);
  const PageJson& storages = panel["storages"];
  ASSERT_EQ(storages.size(), 4U);
  EXPECT_EQ(storages[0]["label"], "input v0");
  EXPECT_EQ(storages[0]["kind"], "input");
  EXPECT_EQ(storages[0]["bytes"], PageJson({0, 16}));
  EXPECT_EQ(storages[0]["live"], PageJson({{-1, 4}}));
  EXPECT_EQ(storages[0]["reads"], PageJson({0, 1}));
  EXPECT_EQ(storages[0]["writes"], PageJson::array());
  EXPECT_EQ(storages[0]["parts"][0]["input"], 0);
  EXPECT_EQ(storages[1]["label"], "mul v1");
  EXPECT_EQ(storages[1]["kind"], "intermediate");
  EXPECT_EQ(storages[1]["writes"], PageJson::array({0}));
  EXPECT_EQ(storages[1]["reads"], PageJson::array({2}));
  EXPECT_EQ(storages[1]["parts"][0]["type"], "float32 [4]");
  EXPECT_EQ(storages[3]["kind"], "output");
  EXPECT_EQ(storages[3]["parts"][0]["output"], 0);
}

// x, y and z are in use at the write of instruction 1, whose point is 3.
TEST(PageData, NamesTheStoragesThatMakeThePeak) {
  const PageJson panel = DataOf("model.pte", TwoThatMeet())["banks"][0]["panels"][0];
  EXPECT_EQ(panel["peakAt"], 3);
  EXPECT_EQ(panel["atPeak"], PageJson({0, 1, 2}));
}

TEST(PageData, MarksTheTwoStoragesOfAFinding) {
  const PageJson data = DataOf("model.pte", TwoThatMeet());
  const PageJson& marks = data["banks"][0]["panels"][0]["marks"];
  ASSERT_EQ(marks.size(), 1U);
  EXPECT_EQ(marks[0]["storages"], PageJson({1, 2}));
  EXPECT_EQ(marks[0]["bytes"], PageJson({24, 32}));
  EXPECT_EQ(marks[0]["time"], PageJson({3, 6}));
  EXPECT_EQ(data["findings"][marks[0]["finding"].get<size_t>()]["rule"], "plan-overlap");
  EXPECT_EQ(data["findings"][0]["number"], 1);
}

TEST(PageData, HasNullIfAMethodHasNoSuchBank) {
  MethodBuilder a("a");
  const int32_t x = a.Planned(1, 0, {4});
  const int32_t y = a.Planned(2, 0, {4});
  a.Input(x);
  a.Mul(x, x, y);
  a.Output(y);
  MethodBuilder b("b");
  const int32_t z = b.Planned(1, 0, {4});
  b.Input(z);
  b.Output(z);
  const PageJson banks = DataOf("two.pte", ProgramOf({a.Build(), b.Build()}))["banks"];
  ASSERT_EQ(banks.size(), 2U);
  EXPECT_EQ(banks[1]["id"], 2);
  EXPECT_FALSE(banks[1]["panels"][0].is_null());
  EXPECT_TRUE(banks[1]["panels"][1].is_null());
}

constexpr const char* kHostile =
    "</script><!--<script>alert(1)//]]>'\"&\xE2\x80\xA8\xE2\x80\xAE\x01\xFF\\";

TEST(PageData, IsHarmlessWhateverNamesAFileHolds) {
  MethodBuilder b(kHostile);
  const int32_t cache = b.Planned(1, 0, {64}, kHostile);
  const int32_t out = b.Planned(1, 256, {64});
  b.Mul(cache, cache, out);
  b.Output(out);
  const FileReport report = DrawnReport(std::string(kHostile) + ".pte", ProgramOf({b.Build()}));
  const std::string data = ScriptData(PictureJson(report, *report.picture));
  for (const char c : data) {
    const bool is_plain = c >= 0x20 && c < 0x7F && c != '<' && c != '>' && c != '&';
    ASSERT_TRUE(is_plain) << static_cast<int>(c);
  }
  // What the script reads is the name as people may see it: characters that turn or break lines
  // are spelt out.
  const std::string shown = R"(</script><!--<script>alert(1)//]]>'"&\u2028\u202e\x01\xff\\)";
  EXPECT_EQ(PageJson::parse(data)["methods"][0]["name"], shown);
  HtmlPage page(false);
  page.Add(report);
  EXPECT_EQ(PageProblem(page.Text()), "");
  EXPECT_THAT(page.Text(), AllOf(HasSubstr("&lt;/script&gt;"), Not(HasSubstr("<script>alert"))));
}

// A chain of `count` results, two of them in use at a time.
std::string PageOfChain(uint64_t count) {
  MethodBuilder b;
  int32_t last = b.Planned(1, 0, {4});
  b.Input(last);
  for (uint64_t i = 1; i <= count; ++i) {
    const int32_t next = b.Planned(1, 16 * (i % 2), {4});
    b.Mul(last, last, next);
    last = next;
  }
  b.Output(last);
  HtmlPage page(false);
  page.Add(DrawnReport("chain.pte", ProgramOf({b.Build()})));
  return page.Text();
}

TEST(PageData, GrowsLinearlyWithTheStorages) {
  const size_t none = PageOfChain(0).size();
  const size_t some = PageOfChain(500).size() - none;
  const size_t more = PageOfChain(2000).size() - none;
  EXPECT_LT(more, 4.3 * static_cast<double>(some));
  EXPECT_LT(more, 2000U * 300);
}

}  // namespace
}  // namespace pteproof
