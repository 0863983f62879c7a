// What a mutating Module computes by hand, and that its functional form computes the same.
#include "reference/graph/functionalize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "reference/graph/parse.h"
#include "reference/graph/print.h"
#include "reference/graph/validate.h"
#include "reference/run/interpret.h"
#include "tests/reference/ops/call_op.h"

namespace pteproof::graph {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Reals = std::vector<double>;

Module Parsed(std::string_view text) {
  auto module = Parse(text);
  EXPECT_TRUE(module.ok()) << module.error().line << ": " << module.error().message;
  return module.ok() ? std::move(module).value() : Module{};
}

Module Functional(const Module& module) {
  auto functional = Functionalize(module);
  EXPECT_TRUE(functional.ok()) << functional.error();
  if (!functional.ok()) return {};
  for (const Method& method : functional.value().methods) EXPECT_FALSE(HasMutation(method));
  for (const Problem& problem : Validate(functional.value())) {
    ADD_FAILURE() << problem.method << ": " << problem.story << "\n" << Print(functional.value());
  }
  return std::move(functional).value();
}

std::string WhyNot(std::string_view text) {
  const auto functional = Functionalize(Parsed(text));
  return functional.ok() ? "it is functional" : functional.error();
}

// A Module and its functional form, called side by side.
class Twins {
 public:
  explicit Twins(std::string_view text)
      : original_(Parsed(text)),
        functional_(Functional(original_)),
        state_(original_),
        functional_state_(original_) {}

  // The outputs of method 0, which both give; with them equal inputs afterwards and state.
  std::vector<Reals> Call(const std::vector<Datum>& inputs) {
    const auto outcome = CallMethod(original_, 0, state_, inputs);
    const auto twin = CallMethod(functional_, 0, functional_state_, inputs);
    EXPECT_TRUE(outcome.ok()) << outcome.error().story;
    EXPECT_TRUE(twin.ok()) << twin.error().story << "\n" << Print(functional_);
    if (!outcome.ok() || !twin.ok()) return {};
    EXPECT_EQ(outcome.value().outputs, twin.value().outputs) << Print(functional_);
    EXPECT_EQ(outcome.value().inputs_after, twin.value().inputs_after) << Print(functional_);
    EXPECT_EQ(state_, functional_state_) << Print(functional_);
    inputs_after = All(outcome.value().inputs_after);
    return All(outcome.value().outputs);
  }
  Reals Buffer(size_t buffer) const { return RealsOf(*state_.Get(0, buffer)); }
  const Method& functional() const { return functional_.methods.front(); }

  std::vector<Reals> inputs_after;

 private:
  static std::vector<Reals> All(const std::vector<Datum>& data) {
    std::vector<Reals> all;
    for (const Datum& datum : data) {
      const auto* tensor = std::get_if<TensorValue>(&datum);
      all.push_back(tensor != nullptr ? RealsOf(*tensor) : Reals{});
    }
    return all;
  }

  Module original_;
  Module functional_;
  State state_;
  State functional_state_;
};

TensorValue Floats(Sizes sizes, const std::vector<float>& values) {
  return Tensor<float>(std::move(sizes), values);
}

TEST(FunctionalizeTest, LeavesWhatDoesNotMutateAsItIs) {
  const Module module = Parsed(R"(
method f(%x: float32[2]) {
  %0: float32[2] = aten::neg.out(%x)
  return %0, %x
}
)");
  EXPECT_EQ(Functional(module), module);
}

TEST(FunctionalizeTest, ASliceAssignmentBecomesAScatterAndAStore) {
  Twins twins(R"(
buffer @b: float32[4] = [1.0, 2.0, 3.0, 4.0]
method f(%x: float32[2]) {
  %0 = entry @b
  %1: float32[2] = view aten::slice_copy.Tensor_out(%0, 0, 1, 3, 1)
  %2: float32[2] = aten::copy_(%1, %x, false)
  return %0, %2
}
)");
  EXPECT_THAT(twins.Call({Floats({2}, {7, 8})}),
              ElementsAre(ElementsAre(1, 7, 8, 4), ElementsAre(7, 8)));
  EXPECT_THAT(twins.Buffer(0), ElementsAre(1, 7, 8, 4));
  ASSERT_EQ(twins.functional().stores.size(), 1U);
  EXPECT_EQ(twins.functional().stores[0].value, twins.functional().body.results[0]);
}

TEST(FunctionalizeTest, ASumThroughATransposedViewReachesTheBase) {
  Twins twins(R"(
buffer @b: float32[2, 3]
method f(%x: float32[3, 2]) {
  %0 = entry @b
  %1: float32[3, 2] = view aten::t_copy.out(%0)
  %2: float32[3, 2] = aten::add_.Tensor(%1, %x, 1)
  return %0
}
)");
  const TensorValue x = Floats({3, 2}, {1, 2, 3, 4, 5, 6});
  EXPECT_THAT(twins.Call({x}), ElementsAre(ElementsAre(1, 3, 5, 2, 4, 6)));
  EXPECT_THAT(twins.Call({x}), ElementsAre(ElementsAre(2, 6, 10, 4, 8, 12)));
}

TEST(FunctionalizeTest, OverlappingViewsSeeEachOthersStores) {
  Twins twins(R"(
method f(%x: float32[4]) {
  %0: float32[3] = view aten::slice_copy.Tensor_out(%x, 0, 0, 3, 1)
  %1: float32[3] = view aten::slice_copy.Tensor_out(%x, 0, 1, 4, 1)
  %2: float32[3] = aten::copy_(%0, %1, false)
  return %0, %1, %2
}
)");
  EXPECT_THAT(twins.Call({Floats({4}, {1, 2, 3, 4})}),
              ElementsAre(ElementsAre(2, 3, 4), ElementsAre(3, 4, 4), ElementsAre(2, 3, 4)));
  EXPECT_THAT(twins.inputs_after, ElementsAre(ElementsAre(2, 3, 4, 4)));
}

TEST(FunctionalizeTest, AnInputThatIsChangedIsStoredAndReturnedChanged) {
  Twins twins(R"(
buffer @kept: float32[2]
method f(%x: float32[2], %y: float32[2]) {
  %0: float32[2] = aten::add_.Tensor(%x, %y, 1)
  return %x
  store @kept = %x
}
)");
  EXPECT_THAT(twins.Call({Floats({2}, {1, 2}), Floats({2}, {10, 20})}),
              ElementsAre(ElementsAre(11, 22)));
  EXPECT_THAT(twins.inputs_after, ElementsAre(ElementsAre(11, 22), ElementsAre(10, 20)));
  EXPECT_THAT(twins.Buffer(0), ElementsAre(11, 22));
}

TEST(FunctionalizeTest, AStoreOfTheMethodOutweighsWhatTheStorageHolds) {
  Twins twins(R"(
buffer @b: float32[1]
method f(%x: float32[1]) {
  %0 = entry @b
  %1: float32[1] = aten::copy_(%0, %x, false)
  %2: float32[1] = aten::neg.out(%0)
  return %1
  store @b = %2
}
)");
  EXPECT_THAT(twins.Call({Floats({1}, {5})}), ElementsAre(ElementsAre(5)));
  EXPECT_THAT(twins.Buffer(0), ElementsAre(-5));
}

TEST(FunctionalizeTest, ReadsBetweenStoresSeeTheBytesOfTheirTime) {
  Twins twins(R"(
buffer @b: float32[2, 2] = [1.0, 2.0, 3.0, 4.0]
method f(%x: float32[2]) {
  %0 = entry @b
  %1: float32[2] = view aten::select_copy.int_out(%0, 0, 0)
  %2: float32[4] = view aten::view_copy.out(%0, [4])
  %3: float32[4] = aten::neg.out(%2)
  %4: float32[2] = aten::copy_(%1, %x, false)
  %5: float32[4] = aten::neg.out(%2)
  %6: float32[4] = aten::mul_.Scalar(%2, 10.0)
  %7: float32[2] = aten::neg.out(%1)
  return %3, %5, %7, %0
}
)");
  EXPECT_THAT(twins.Call({Floats({2}, {8, 9})}),
              ElementsAre(ElementsAre(-1, -2, -3, -4), ElementsAre(-8, -9, -3, -4),
                          ElementsAre(-80, -90), ElementsAre(80, 90, 30, 40)));
}

TEST(FunctionalizeTest, TwoBuffersSwapThroughAClone) {
  Twins twins(R"(
buffer @a: float32[1] = [1.0]
buffer @b: float32[1] = [2.0]
method f() {
  %0 = entry @a
  %1 = entry @b
  %2: float32[1] = aten::clone.out(%0, None)
  %3: float32[1] = aten::copy_(%0, %1, false)
  %4: float32[1] = aten::copy_(%1, %2, false)
  return %2
}
)");
  EXPECT_THAT(twins.Call({}), ElementsAre(ElementsAre(1)));
  EXPECT_THAT(twins.Buffer(0), ElementsAre(2));
  EXPECT_THAT(twins.Buffer(1), ElementsAre(1));
}

TEST(FunctionalizeTest, StoresAreParallel) {
  Twins twins(R"(
buffer @a: float32[1] = [1.0]
buffer @b: float32[1] = [2.0]
method f() {
  %0 = entry @a
  %1 = entry @b
  %2: float32[1] = aten::add_.Scalar(%0, 4.0, 1)
  return
  store @a = %1
  store @b = %0
}
)");
  twins.Call({});
  EXPECT_THAT(twins.Buffer(0), ElementsAre(2));
  EXPECT_THAT(twins.Buffer(1), ElementsAre(5));
}

TEST(FunctionalizeTest, EveryKindOfViewFindsItsWayBack) {
  Twins twins(R"(
method f(%x: float32[2, 3], %y: float32[3]) {
  %0: float32[1, 2, 3] = view aten::unsqueeze_copy.out(%x, 0)
  %1: float32[3, 1, 2] = view aten::permute_copy.out(%0, [2, 0, -2])
  %2: float32[3, 2] = view aten::squeeze_copy.dim_out(%1, 1)
  %3: float32[2, 3] = view aten::transpose_copy.int_out(%2, 0, 1)
  %4: float32[2, 3] = view aten::alias_copy.out(%3)
  %5: float32[3] = view aten::select_copy.int_out(%4, 0, 1)
  %6: float32[3] = aten::copy_(%5, %y, false)
  %7: float32[3, 2] = aten::neg_(%2)
  return %1, %4
}
)");
  EXPECT_THAT(twins.Call({Floats({2, 3}, {1, 2, 3, 4, 5, 6}), Floats({3}, {7, 8, 9})}),
              ElementsAre(ElementsAre(-1, -7, -2, -8, -3, -9),
                          ElementsAre(-1, -2, -3, -7, -8, -9)));
  EXPECT_THAT(twins.inputs_after[0], ElementsAre(-1, -2, -3, -7, -8, -9));
}

TEST(FunctionalizeTest, WhatIsStoredHasTheTypeOfTheStorage) {
  Twins twins(R"(
buffer @count: int32[2]
method f(%x: float32[1]) {
  %0 = entry @count
  %1: int32[2] = aten::copy_(%0, %x, false)
  return %0
}
)");
  EXPECT_THAT(twins.Call({Floats({1}, {3.75})}), ElementsAre(ElementsAre(3, 3)));
}

TEST(FunctionalizeTest, WhatAnOperatorComputesIsConvertedToo) {
  Twins twins(R"(
buffer @h: float16[1] = [0.5]
method f(%x: float32[1]) {
  %0 = entry @h
  %1: float16[1] = aten::add_.Tensor(%0, %x, 1)
  return %1
}
)");
  EXPECT_THAT(twins.Call({Floats({1}, {1})}), ElementsAre(ElementsAre(1.5)));
}

TEST(FunctionalizeTest, RowsArePutInPlace) {
  Twins twins(R"(
buffer @cache: float32[3, 2]
method f(%i: int64[1], %row: float32[1, 2]) {
  %0 = entry @cache
  %1: float32[3, 2] = aten::index_put_(%0, [%i], %row, false)
  return %1
}
)");
  const auto at = [](int64_t i) { return Tensor<int64_t>({1}, {i}); };
  EXPECT_THAT(twins.Call({at(1), Floats({1, 2}, {5, 6})}),
              ElementsAre(ElementsAre(0, 0, 5, 6, 0, 0)));
  EXPECT_THAT(twins.Call({at(0), Floats({1, 2}, {7, 8})}),
              ElementsAre(ElementsAre(7, 8, 5, 6, 0, 0)));
}

TEST(FunctionalizeTest, AnOperatorMayReadAnotherNameOfWhatItWrites) {
  Twins twins(R"(
method f(%x: float32[2, 2]) {
  %0: float32[2, 2] = view aten::t_copy.out(%x)
  %1: float32[2, 2] = aten::add_.Tensor(%x, %0, 1)
  %2: float32[2, 2] = aten::zero_(%0)
  return %1
}
)");
  EXPECT_THAT(twins.Call({Floats({2, 2}, {1, 2, 3, 4})}), ElementsAre(ElementsAre(0, 0, 0, 0)));
}

TEST(FunctionalizeTest, AMutationInOneBranchComesOutOfBoth) {
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

TEST(FunctionalizeTest, ABranchThatReturnsItsParameterReturnsTheOperand) {
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

TEST(FunctionalizeTest, AnArgumentThatALoopWritesIsCarried) {
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

TEST(FunctionalizeTest, ACarriedValueMayBeCountedInPlace) {
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

TEST(FunctionalizeTest, AScanMayWriteItsArgumentsAndItsRows) {
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

TEST(FunctionalizeTest, RefusesLoopsWhoseParametersChangeTheirStorage) {
  EXPECT_THAT(WhyNotWhile("      %3: float32[1] = aten::neg_(%c)\n"
                          "      %4: float32[1] = aten::neg.out(%d)\n      return %4, %d\n"),
              HasSubstr("is written, but replaced"));
  EXPECT_THAT(WhyNotWhile("      %3: float32[1] = aten::neg_(%c)\n      return %c, %c\n"),
              HasSubstr("becomes another parameter"));
}

TEST(FunctionalizeTest, RefusesReadsOfWhatAStoreMayHaveWritten) {
  // After zero rounds %0 is %x.
  EXPECT_THAT(WhyNotWhile("      %3: float32[1] = aten::neg.out(%c)\n      return %3, %d\n",
                          "  %4: float32[1] = aten::neg_(%0)\n  return %x\n"),
              HasSubstr("%x is used after a store that may have been to its storage"));
  EXPECT_THAT(WhyNotWhile("      %3: float32[1] = aten::neg.out(%c)\n      return %3, %d\n",
                          "  %4: float32[1] = aten::neg_(%x)\n  return %1\n"),
              HasSubstr("it is functional"));
}

TEST(FunctionalizeTest, RefusesRegionsWithTwoNamesOfWhatTheyWrite) {
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
  EXPECT_THAT(WhyNot(text), HasSubstr("%4 is used after a store that may have been"));
}

TEST(FunctionalizeTest, RefusesStoresThroughAnExpandedView) {
  const char* text = R"(
method f(%x: float32[1]) {
  %0: float32[4] = view aten::expand_copy.out(%x, [4], false)
  %1: float32[4] = aten::neg_(%0)
  return %x
}
)";
  EXPECT_THAT(WhyNot(text), HasSubstr("no store through %0, a view by aten::expand_copy.out"));
}

TEST(FunctionalizeTest, RefusesAMapThatWritesAnArgument) {
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

TEST(FunctionalizeTest, RefusesOperatorsThatWriteAnotherOperandThanTheFirst) {
  const char* text = R"(
buffer @cache: float32[1, 4, 1, 2]
method f(%x: float32[1, 1, 1, 2]) {
  %0 = entry @cache
  %1: float32[1, 4, 1, 2] = aten::neg_(%0)
  %2: float32[1, 4, 1, 2] = aten::index_copy_(%0, 1, %i, %x)
  return %2
}
)";
  Module module = Parsed("method f(%x: float32[1]) {\n  %0: float32[1] = aten::neg_(%x)\n  return %0\n}\n");
  Node& node = module.methods[0].body.nodes[0];
  node.op = "llama::update_cache.out";
  node.schema = FindOperator(node.op);
  const auto functional = Functionalize(module);
  ASSERT_FALSE(functional.ok());
  EXPECT_THAT(functional.error(), HasSubstr("has no functional form"));
  static_cast<void>(text);
}

TEST(FunctionalizeTest, AllModulesOfTheCorpusHaveAFunctionalForm) {
  int mutating = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::string(PTEPROOF_CORPUS_DIR) + "/modules")) {
    if (file.path().extension() != ".module") continue;
    SCOPED_TRACE(file.path().filename());
    std::ifstream in(file.path());
    std::stringstream text;
    text << in.rdbuf();
    const Module module = Parsed(text.str());
    mutating += std::ranges::any_of(module.methods, HasMutation) ? 1 : 0;
    static_cast<void>(Functional(module));
  }
  EXPECT_GT(mutating, 5);
}

}  // namespace
}  // namespace pteproof::graph
