// Mutation inside branches and loops: what comes out of them by hand and in functional form.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reference/graph/twins.h"

namespace pteproof::graph {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(FunctionalizeRegionsTest, AMutationInOneBranchComesOutOfBoth) {
  Twins twins(R"(
buffer @b: float32[2] = [1.0, 2.0]
method f(%p: bool[1], %x: float32[1]) {
  %0 = entry @b
  %1: float32[1] = view aten::slice_copy.Tensor_out(%0, 0, 1, 2, 1)
  %2: float32[1] = cond(%p, %1, %x) {
    (%3: float32[1], %4: float32[1]) {
      %5: float32[1] = aten::add_.Tensor(%3, %4, 1)
      %6: float32[1] = aten::neg.out(%5)
      return %6
    }
    (%7: float32[1], %8: float32[1]) {
      return %8
    }
  }
  return %2, %0
}
)");
  const TensorValue x = Floats({1}, {10});
  EXPECT_THAT(twins.Call({Tensor<bool>({1}, {true}), x}),
              ElementsAre(ElementsAre(-12), ElementsAre(1, 12)));
  EXPECT_THAT(twins.Call({Tensor<bool>({1}, {false}), x}),
              ElementsAre(ElementsAre(10), ElementsAre(1, 12)));
}

TEST(FunctionalizeRegionsTest, ABranchThatReturnsItsParameterReturnsTheOperand) {
  Twins twins(R"(
method f(%p: bool[1], %x: float32[1]) {
  %0: float32[1] = cond(%p, %x) {
    (%1: float32[1]) {
      %2: float32[1] = aten::neg_(%1)
      return %2
    }
    (%3: float32[1]) {
      return %3
    }
  }
  %4: float32[1] = aten::add_.Scalar(%0, 1.0, 1)
  return %x
}
)");
  EXPECT_THAT(twins.Call({Tensor<bool>({1}, {true}), Floats({1}, {4})}),
              ElementsAre(ElementsAre(-3)));
  EXPECT_THAT(twins.Call({Tensor<bool>({1}, {false}), Floats({1}, {4})}),
              ElementsAre(ElementsAre(5)));
}

TEST(FunctionalizeRegionsTest, AnArgumentThatALoopWritesIsCarried) {
  Twins twins(R"(
buffer @total: float32[1]
method f(%n: float32[1]) {
  %0 = entry @total
  %1: float32[1] = while carried 1 (%n, %0) {
    (%2: float32[1], %3: float32[1]) {
      %4: bool[1] = aten::gt.Scalar_out(%2, 0.0)
      return %4
    }
    (%5: float32[1], %6: float32[1]) {
      %7: float32[1] = aten::add_.Tensor(%6, %5, 1)
      %8: float32[1] = aten::sub.Scalar_out(%5, 1.0, 1)
      return %8
    }
  }
  return %1, %0
}
)");
  EXPECT_THAT(twins.Call({Floats({1}, {3})}), ElementsAre(ElementsAre(0), ElementsAre(6)));
  EXPECT_THAT(twins.Call({Floats({1}, {0})}), ElementsAre(ElementsAre(0), ElementsAre(6)));
  EXPECT_THAT(twins.Call({Floats({1}, {2})}), ElementsAre(ElementsAre(0), ElementsAre(9)));
}

TEST(FunctionalizeRegionsTest, ACarriedValueMayBeCountedInPlace) {
  Twins twins(R"(
method f(%n: float32[1], %step: float32[1]) {
  %0: float32[1] = while carried 1 (%n, %step) {
    (%1: float32[1], %2: float32[1]) {
      %3: bool[1] = aten::lt.Scalar_out(%1, 5.0)
      return %3
    }
    (%4: float32[1], %5: float32[1]) {
      %6: float32[1] = aten::add_.Tensor(%4, %5, 1)
      return %6
    }
  }
  %7: float32[1] = aten::mul_.Scalar(%0, 10.0)
  return %n
}
)");
  EXPECT_THAT(twins.Call({Floats({1}, {0}), Floats({1}, {2})}), ElementsAre(ElementsAre(60)));
  EXPECT_THAT(twins.inputs_after[0], ElementsAre(60));
}

TEST(FunctionalizeRegionsTest, AScanMayWriteItsArgumentsAndItsRows) {
  Twins twins(R"(
buffer @sum: float32[1]
method f(%xs: float32[3, 1]) {
  %0 = entry @sum
  %1: float32[1], %2: float32[3, 1] = scan carried 1 mapped 1 (%0, %xs, %0) {
    (%3: float32[1], %4: float32[1], %5: float32[1]) {
      %6: float32[1] = aten::neg_(%4)
      %7: float32[1] = aten::add.out(%3, %4, 1)
      return %7, %6
    }
  }
  %8: float32[1] = aten::copy_(%0, %1, false)
  return %2
}
)");
  EXPECT_THAT(twins.Call({Floats({3, 1}, {1, 2, 3})}), ElementsAre(ElementsAre(-1, -2, -3)));
  EXPECT_THAT(twins.Buffer(0), ElementsAre(-6));
}

constexpr const char* kWhile = R"(
  %0: float32[1], %1: float32[1] = while carried 2 (%x, %y) {
    (%a: float32[1], %b: float32[1]) {
      %2: bool[1] = aten::lt.Scalar_out(%a, 5.0)
      return %2
    }
    (%c: float32[1], %d: float32[1]) {
)";

std::string WhyNotWhile(const std::string& body, const std::string& rest = "  return\n") {
  return WhyNot("method f(%x: float32[1], %y: float32[1]) {" + std::string(kWhile) + body +
                "    }\n  }\n" + rest + "}\n");
}

TEST(FunctionalizeRegionsTest, RefusesLoopsWhoseParametersChangeTheirStorage) {
  EXPECT_THAT(WhyNotWhile("      %3: float32[1] = aten::neg_(%c)\n"
                          "      %4: float32[1] = aten::neg.out(%d)\n      return %4, %d\n"),
              HasSubstr("is written, but replaced"));
  EXPECT_THAT(WhyNotWhile("      %3: float32[1] = aten::neg_(%c)\n      return %c, %c\n"),
              HasSubstr("becomes another parameter"));
}

TEST(FunctionalizeRegionsTest, RefusesReadsOfWhatAStoreMayHaveWritten) {
  // After zero rounds %0 is %x.
  EXPECT_THAT(WhyNotWhile("      %3: float32[1] = aten::neg.out(%c)\n      return %3, %d\n",
                          "  %4: float32[1] = aten::neg_(%0)\n  return %x\n"),
              HasSubstr("%x is used after a store that may have been to its storage"));
  EXPECT_THAT(WhyNotWhile("      %3: float32[1] = aten::neg.out(%c)\n      return %3, %d\n",
                          "  %4: float32[1] = aten::neg_(%x)\n  return %1\n"),
              HasSubstr("it is functional"));
}

TEST(FunctionalizeRegionsTest, RefusesRegionsWithTwoNamesOfWhatTheyWrite) {
  const char* text = R"(
method f(%p: bool[1], %x: float32[2]) {
  %0: float32[2] = view aten::alias_copy.out(%x)
  %1: float32[2] = cond(%p, %x, %0) {
    (%2: float32[2], %3: float32[2]) {
      %4: float32[2] = aten::neg_(%2)
      %5: float32[2] = aten::neg.out(%3)
      return %5
    }
    (%6: float32[2], %7: float32[2]) {
      %8: float32[2] = aten::neg.out(%6)
      return %8
    }
  }
  return %1
}
)";
  EXPECT_THAT(WhyNot(text), HasSubstr("%3 is used after a store that may have been"));
}

TEST(FunctionalizeRegionsTest, RefusesAMapThatWritesAnArgument) {
  const char* text = R"(
method f(%xs: float32[2, 1], %y: float32[1]) {
  %0: float32[2, 1] = map mapped 1 (%xs, %y) {
    (%1: float32[1], %2: float32[1]) {
      %3: float32[1] = aten::add_.Tensor(%2, %1, 1)
      %4: float32[1] = aten::neg.out(%3)
      return %4
    }
  }
  return %0
}
)";
  EXPECT_THAT(WhyNot(text), HasSubstr("a map writes an argument"));
}

}  // namespace
}  // namespace pteproof::graph
