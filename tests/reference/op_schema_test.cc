#include "reference/op_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reference/op_signature.h"
#include "reference/op_table.h"
#include "tests/reference/registered_operators.h"

namespace pteproof {
namespace {

std::vector<OpRow> AllRows() {
  std::vector<OpRow> all;
  for (auto rows : {UnaryRows, BinaryRows, InPlaceRows, CreateRows, MoveRows, ReduceRows,
                    NetworkRows, PrimRows, QuantizedRows, CustomRows, CadenceRows, CortexMRows}) {
    all.insert(all.end(), rows().begin(), rows().end());
  }
  return all;
}

// The named argument; a default one, which no expectation here fits, when it is missing.
ArgSchema Arg(std::string_view op, std::string_view name) {
  const OpSchema* schema = FindOperator(op);
  if (schema == nullptr) {
    ADD_FAILURE() << "unknown operator " << op;
    return {};
  }
  const auto arg = std::ranges::find(schema->args, name, &ArgSchema::name);
  if (arg == schema->args.end()) {
    ADD_FAILURE() << op << " has no argument " << name;
    return {};
  }
  return *arg;
}

// Names of the arguments marked elementwise, blank-separated.
std::string Elementwise(std::string_view op) {
  const OpSchema* schema = FindOperator(op);
  if (schema == nullptr) return "unknown operator";
  std::string names;
  for (const ArgSchema& arg : schema->args) {
    if (!arg.elementwise) continue;
    if (!names.empty()) names += ' ';
    names += arg.name;
  }
  return names;
}

TEST(OperatorTable, ReadsEveryRow) {
  size_t count = 0;
  for (const OpRow& row : AllRows()) {
    for (const std::string& signature : SignaturesOf(row)) {
      EXPECT_TRUE(ParseSignature(signature).ok()) << signature;
      ++count;
    }
  }
  EXPECT_EQ(AllOperators().size(), count);
}

TEST(OperatorTable, WritesNamesThatDifferInPartsAsOneRow) {
  EXPECT_THAT(SignaturesOf({"f{,_nhwc}_{i8,u8}.out(Tensor a) -> ()"}),
              testing::UnorderedElementsAre("f_i8.out(Tensor a) -> ()", "f_u8.out(Tensor a) -> ()",
                                            "f_nhwc_i8.out(Tensor a) -> ()",
                                            "f_nhwc_u8.out(Tensor a) -> ()"));
  EXPECT_THAT(SignaturesOf({"f(Tensor a) -> ()"}), testing::ElementsAre("f(Tensor a) -> ()"));
}

TEST(OperatorTable, IsSortedAndNamesEachOperatorOnce) {
  const auto all = AllOperators();
  const auto out_of_order =
      std::ranges::adjacent_find(all, std::ranges::greater_equal{}, &OpSchema::name);
  EXPECT_EQ(out_of_order, all.end()) << out_of_order->name;
}

TEST(OperatorTable, NamesArgumentsOfOneOperatorDifferently) {
  for (const OpSchema& op : AllOperators()) {
    std::vector<std::string_view> names;
    for (const ArgSchema& arg : op.args) names.push_back(arg.name);
    std::ranges::sort(names);
    EXPECT_EQ(std::ranges::adjacent_find(names), names.end()) << op.signature;
  }
}

TEST(OperatorTable, FindsEachOperatorByItsName) {
  for (const OpSchema& op : AllOperators()) EXPECT_EQ(FindOperator(op.name), &op) << op.name;
}

TEST(OperatorTable, KnowsEveryOperatorThatTheRuntimeRegisters) {
  for (std::string_view name : kRegisteredOperators) {
    EXPECT_NE(FindOperator(name), nullptr) << name;
  }
}

TEST(OperatorTable, DoesNotKnowOtherNames) {
  for (const char* name :
       {"", "aten::add", "aten::add.", "aten::add.out ", "add.out", "aten::copy_.", "cortex_m::pad",
        "cadence::quantized_conv2d_{nchw}.out"}) {
    EXPECT_EQ(FindOperator(name), nullptr) << name;
  }
}

TEST(OperatorTable, WritesSomethingUnlessAScalarOrAViewComesOut) {
  for (const OpSchema& op : AllOperators()) {
    const bool writes = std::ranges::any_of(op.args, [](const ArgSchema& arg) {
      return arg.access != Access::kRead && arg.access != Access::kNone;
    });
    EXPECT_EQ(writes, op.returns != ReturnSlot::kScalar && !op.is_view) << op.signature;
  }
}

TEST(OperatorTable, ReturnsExactlyOneArgumentInAPlainSlot) {
  for (const OpSchema& op : AllOperators()) {
    const auto returned = std::ranges::count_if(op.args, &ArgSchema::returned);
    switch (op.returns) {
      case ReturnSlot::kWritten:
        EXPECT_EQ(returned, 1) << op.signature;
        break;
      case ReturnSlot::kWrittenList:
        EXPECT_GE(returned, 1) << op.signature;
        break;
      default:
        EXPECT_EQ(returned, 0) << op.signature;
    }
  }
}

TEST(OpSchema, CountsTheReturnSlotAmongTheArguments) {
  EXPECT_EQ(FindOperator("aten::add.out")->ArgumentCount(), 5U);
  EXPECT_EQ(FindOperator("aten::copy_")->ArgumentCount(), 4U);
  EXPECT_EQ(FindOperator("aten::sym_size.int")->ArgumentCount(), 3U);
  EXPECT_EQ(FindOperator("aten::native_layer_norm.out")->ArgumentCount(), 9U);
  EXPECT_EQ(FindOperator("executorch_prim::et_view.default")->ArgumentCount(), 3U);
  EXPECT_EQ(FindOperator("executorch_prim::et_copy_index.tensor")->ArgumentCount(), 3U);
}

TEST(OpSchema, TellsOutsFromUpdatesAndOverwrites) {
  EXPECT_EQ(Arg("aten::add.out", "self").access, Access::kRead);
  EXPECT_EQ(Arg("aten::add.out", "out").access, Access::kWrite);
  EXPECT_EQ(Arg("aten::topk.values", "indices").access, Access::kWrite);
  EXPECT_EQ(Arg("aten::split_copy.Tensor_out", "out").access, Access::kWrite);
  EXPECT_EQ(Arg("aten::index_put_", "self").access, Access::kUpdate);
  EXPECT_EQ(Arg("aten::add_.Tensor", "self").access, Access::kUpdate);
  EXPECT_EQ(Arg("aten::copy_", "self").access, Access::kWrite);
  EXPECT_EQ(Arg("aten::copy_", "src").access, Access::kRead);
  EXPECT_EQ(Arg("aten::zero_", "self").access, Access::kWrite);
  EXPECT_EQ(Arg("executorch_prim::et_copy_index.tensor", "copy_to").access, Access::kFill);
  EXPECT_EQ(Arg("executorch_prim::et_copy_index.tensor", "copy_from").access, Access::kRead);
}

TEST(OpSchema, LeavesAloneWhatIsOnlyAskedForItsSize) {
  for (const char* op : {"aten::sym_size.int", "aten::sym_numel", "aten::full_like.out",
                         "aten::fill.Scalar_out", "aten::copy.out"}) {
    EXPECT_EQ(Arg(op, "self").access, Access::kNone) << op;
  }
  EXPECT_EQ(Arg("aten::_local_scalar_dense", "self").access, Access::kRead);
  EXPECT_EQ(Arg("aten::copy.out", "src").access, Access::kRead);
}

TEST(OpSchema, LeavesUnwrittenOutsAlone) {
  constexpr std::string_view kInference = "aten::_native_batch_norm_legit_no_training.out";
  EXPECT_EQ(Arg(kInference, "out").access, Access::kWrite);
  EXPECT_EQ(Arg(kInference, "save_mean").access, Access::kNone);
  EXPECT_EQ(Arg(kInference, "save_invstd").access, Access::kNone);
  EXPECT_EQ(Arg("aten::_native_batch_norm_legit.no_stats_out", "save_mean").access, Access::kWrite);
  EXPECT_EQ(Arg("aten::native_layer_norm.out", "out1").access, Access::kWrite);
}

TEST(OpSchema, UpdatesCachesAndReturnsTheOut) {
  EXPECT_EQ(Arg("llama::update_cache.out", "cache").access, Access::kUpdate);
  EXPECT_FALSE(Arg("llama::update_cache.out", "cache").returned);
  EXPECT_EQ(Arg("llama::update_cache.out", "out").access, Access::kNone);
  EXPECT_TRUE(Arg("llama::update_cache.out", "out").returned);
  EXPECT_EQ(Arg("llama::sdpa_with_kv_cache.out", "key_cache").access, Access::kUpdate);
  EXPECT_EQ(Arg("llama::sdpa_with_kv_cache.out", "value_cache").access, Access::kUpdate);
  EXPECT_EQ(Arg("llama::sdpa_with_kv_cache.out", "out").access, Access::kWrite);
  EXPECT_TRUE(FindOperator("llama::sdpa_with_kv_cache.out")->in_place);
}

TEST(OpSchema, WorksInScratchMemoryAmongTheOperands) {
  const ArgSchema scratch = Arg("cortex_m::quantized_transpose_conv2d.out", "output_scratch");
  EXPECT_TRUE(scratch.scratch);
  EXPECT_TRUE(scratch.out);
  EXPECT_FALSE(scratch.returned);
  EXPECT_EQ(scratch.access, Access::kWrite);
  EXPECT_FALSE(FindOperator("cortex_m::quantized_transpose_conv2d.out")->in_place);
  EXPECT_FALSE(Arg("cortex_m::quantized_conv2d.out", "out").scratch);
  int64_t count = 0;
  for (const OpSchema& op : AllOperators())
    count += std::ranges::count(op.args, true, &ArgSchema::scratch);
  EXPECT_EQ(count, 11);
}

TEST(OpSchema, MakesAViewOfEtViewAlone) {
  for (const OpSchema& op : AllOperators()) {
    EXPECT_EQ(op.is_view, op.name == "executorch_prim::et_view.default") << op.name;
  }
  EXPECT_EQ(Arg("executorch_prim::et_view.default", "self").access, Access::kNone);
  EXPECT_EQ(Arg("executorch_prim::et_view.default", "out").access, Access::kNone);
}

TEST(OpSchema, GivesScalarsFromPrimOperators) {
  for (const char* op : {"executorch_prim::add.Scalar", "executorch_prim::eq.Scalar",
                         "executorch_prim::mod.int", "executorch_prim::sym_ite.Scalar",
                         "aten::sym_size.int", "aten::sym_numel", "aten::_local_scalar_dense"}) {
    ASSERT_NE(FindOperator(op), nullptr) << op;
    EXPECT_EQ(FindOperator(op)->returns, ReturnSlot::kScalar) << op;
  }
  EXPECT_EQ(Arg("executorch_prim::add.Scalar", "a").kind, ArgKind::kScalar);
}

TEST(OpSchema, AdmitsNoneOnlyWhereTheSignatureDoes) {
  EXPECT_TRUE(Arg("aten::convolution.out", "bias").optional);
  EXPECT_FALSE(Arg("aten::convolution.out", "weight").optional);
  EXPECT_TRUE(Arg("aten::clamp.out", "min").optional);
  EXPECT_FALSE(Arg("aten::hardtanh.out", "min_val").optional);
}

TEST(Elementwise, MarksOperandsThatAreReadInPlace) {
  EXPECT_EQ(Elementwise("aten::relu.out"), "self");
  EXPECT_EQ(Elementwise("aten::add.out"), "self other");
  EXPECT_EQ(Elementwise("aten::pow.Scalar_out"), "exponent");
  EXPECT_EQ(Elementwise("aten::where.self_out"), "condition self other");
  EXPECT_EQ(Elementwise("aten::clamp.Tensor_out"), "self min max");
  EXPECT_EQ(Elementwise("aten::masked_fill.Scalar_out"), "self mask");
  EXPECT_EQ(Elementwise("aten::view_copy.out"), "self");
  EXPECT_EQ(Elementwise("aten::copy_"), "src");
  EXPECT_EQ(Elementwise("aten::native_dropout.out"), "input");
  EXPECT_EQ(Elementwise("aten::_native_batch_norm_legit_no_training.out"), "input");
  EXPECT_EQ(Elementwise("quantized_decomposed::dequantize_per_tensor.Tensor_out"), "input");
}

// The elements that an update leaves stay where they are. Its other operands go anywhere.
TEST(Elementwise, MarksWhatIsUpdatedInPart) {
  for (const char* op :
       {"aten::index_put.out", "aten::index_add.out", "aten::index_copy.out",
        "aten::index_fill.int_Scalar_out", "aten::index_fill.int_Tensor_out",
        "aten::scatter.src_out", "aten::scatter.value_out", "aten::scatter_add.out",
        "aten::masked_scatter.out", "aten::select_scatter.out", "aten::slice_scatter.out",
        "aten::index_put_", "aten::index_add_", "aten::index_copy_", "aten::index_fill_.int_Scalar",
        "aten::scatter_.src", "aten::scatter_add_"}) {
    EXPECT_EQ(Elementwise(op), "self") << op;
  }
}

TEST(Elementwise, DoesNotMarkOperandsThatOtherResultsRead) {
  for (const char* op :
       {"aten::_softmax.out", "aten::native_layer_norm.out", "aten::sum.IntList_out",
        "aten::_native_batch_norm_legit.no_stats_out", "aten::cumsum.out", "aten::flip.out",
        "aten::permute_copy.out", "aten::expand_copy.out", "aten::cat.out",
        "aten::index.Tensor_out", "aten::slice_copy.Tensor_out", "aten::mm.out", "aten::gather.out",
        "aten::tril.out", "aten::max.unary_out", "aten::glu.out"}) {
    EXPECT_EQ(Elementwise(op), "") << op;
  }
}

}  // namespace
}  // namespace pteproof
