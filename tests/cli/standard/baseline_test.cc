#include "cli/standard/baseline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pteproof {
namespace {

using ::testing::HasSubstr;

std::string BaselineErrorOf(std::string_view json) {
  const auto baseline = ParseBaseline(json);
  return baseline.ok() ? "" : baseline.error().front().where + ": " + baseline.error().front().what;
}

TEST(Baseline, IsReadAsItIsWritten) {
  Baseline baseline;
  baseline.files["a \"quoted\".pte"] = {{"00ff", 2, "plan-overlap", "decode", "What is wrong."},
                                        {"11ee", 1, "plan-waste", "", ""}};
  baseline.files["b.pte"] = {};
  const std::string text = BaselineText(baseline);
  const auto read = ParseBaseline(text);
  ASSERT_TRUE(read.ok()) << BaselineErrorOf(text);
  EXPECT_EQ(BaselineText(read.value()), text);
  const KnownFinding& known = read.value().files.at("a \"quoted\".pte").at(0);
  EXPECT_EQ(known.fingerprint, "00ff");
  EXPECT_EQ(known.count, 2);
  EXPECT_EQ(known.method, "decode");
}

TEST(Baseline, MayBeEmpty) {
  EXPECT_TRUE(ParseBaseline(BaselineText({})).ok());
}

TEST(Baseline, SaysWhereItIsWrong) {
  EXPECT_THAT(BaselineErrorOf("{"), HasSubstr("line 1 column 2"));
  EXPECT_THAT(BaselineErrorOf("[]"), HasSubstr("a baseline: an object"));
  EXPECT_THAT(BaselineErrorOf("{}"), HasSubstr("/pteproof-baseline: missing"));
  EXPECT_THAT(BaselineErrorOf(R"({"pteproof-baseline": 2})"), HasSubstr("the only version is 1"));
  EXPECT_THAT(BaselineErrorOf(R"({"pteproof-baseline": 1, "file": {}})"),
              HasSubstr("/file: unknown key"));
  EXPECT_THAT(BaselineErrorOf(R"({"pteproof-baseline": 1, "files": []})"),
              HasSubstr("/files: is a list; expected an object"));
  EXPECT_THAT(BaselineErrorOf(R"({"pteproof-baseline": 1, "files": {"a": 1}})"),
              HasSubstr("/files/a: is 1; expected a list"));
  EXPECT_THAT(BaselineErrorOf(R"({"pteproof-baseline": 1, "files": {"a": [{"count": 1}]}})"),
              HasSubstr("/files/a/0/fingerprint: missing"));
  EXPECT_THAT(
      BaselineErrorOf(
          R"({"pteproof-baseline": 1, "files": {"a": [{"fingerprint": "x", "count": -1}]}})"),
      HasSubstr("/files/a/0/count"));
  EXPECT_THAT(BaselineErrorOf(R"({"pteproof-baseline": 1, "files": {"a": [{"fingerprint": 1}]}})"),
              HasSubstr("/files/a/0/fingerprint"));
}

}  // namespace
}  // namespace pteproof
