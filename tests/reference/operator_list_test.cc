#include "reference/operator_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "line:column text" of each.
std::vector<std::string> ListedLines(std::string_view text) {
  std::vector<std::string> lines;
  for (const ListedSignature& each : ReadOperatorList(text)) {
    lines.push_back(std::to_string(each.line) + ":" + std::to_string(each.column) + " " +
                    each.text);
  }
  return lines;
}

TEST(ReadOperatorList, TakesALinePerSignature) {
  EXPECT_THAT(ListedLines("a::f(Tensor x) -> Tensor\n\n  a::g(Tensor x) -> Tensor"),
              ElementsAre("1:1 a::f(Tensor x) -> Tensor", "3:3 a::g(Tensor x) -> Tensor"));
}

TEST(ReadOperatorList, SkipsCommentsAndTheHeadOfAYamlDocument) {
  EXPECT_THAT(ListedLines("---\r\n# all of them\na::f() -> ()  # one\r\n   # none\n"),
              ElementsAre("3:1 a::f() -> ()"));
}

TEST(ReadOperatorList, SkipsAByteOrderMark) {
  EXPECT_THAT(ListedLines("\xEF\xBB\xBF"
                          "a::f() -> ()\n"),
              ElementsAre("1:1 a::f() -> ()"));
}

TEST(ReadOperatorList, TakesItemsOfAList) {
  EXPECT_THAT(ListedLines("- a::f() -> ()\n  - \"a::g() -> ()\"\n-   'a::h() -> ()'\n"),
              ElementsAre("1:3 a::f() -> ()", "2:6 a::g() -> ()", "3:6 a::h() -> ()"));
}

TEST(ReadOperatorList, TakesTheFuncOfAnItemAndSkipsItsOtherKeys) {
  EXPECT_THAT(ListedLines("- func: a::f() -> ()\n  kernels:\n    - arg_meta: null\n\n"
                          "- func: a::g() -> ()\n- a::h() -> ()\n"),
              ElementsAre("1:9 a::f() -> ()", "5:9 a::g() -> ()", "6:3 a::h() -> ()"));
}

TEST(ReadOperatorList, GivesTextThatIsNoSignatureToItsReader) {
  EXPECT_THAT(ListedLines("kernels:\n"), ElementsAre("1:1 kernels:"));
}

TEST(ReadOperatorList, FindsNothingInNothing) {
  EXPECT_THAT(ListedLines(""), IsEmpty());
  EXPECT_THAT(ListedLines("\n \n#\n---"), IsEmpty());
}

}  // namespace
}  // namespace pteproof
