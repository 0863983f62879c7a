// Movements put each byte where the reference puts it.
#include "properties/compare/terms/movement.h"

#include <gtest/gtest.h>

#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "reference/evaluate.h"
#include "reference/op_schema.h"

namespace pteproof::compare {
namespace {

struct MovementCase {
  std::string op;
  std::vector<Sizes> tensors;                 // of the tensor operands, in order; several of a list
  std::vector<SymbolicArgument> others = {};  // numbers behind them
  bool is_list = false;
};

SymbolicArgument Number(int64_t value) {
  return IntNumber(value);
}
SymbolicArgument NumberList(const std::vector<int64_t>& values) {
  std::vector<SymbolicNumber> list;
  for (const int64_t value : values) list.push_back(IntNumber(value));
  return list;
}

Argument Concrete(const SymbolicArgument& argument) {
  if (const auto* number = std::get_if<SymbolicNumber>(&argument)) {
    if (number->kind == SymbolicNumber::Kind::kBool) return Argument(number->bits != 0);
    return Argument(IntOf(*number));
  }
  if (const auto* list = std::get_if<std::vector<SymbolicNumber>>(&argument)) {
    std::vector<int64_t> ints;
    for (const SymbolicNumber& number : *list) ints.push_back(IntOf(number));
    return ints;
  }
  return std::monostate{};
}

void ExpectAsReference(const MovementCase& c) {
  SCOPED_TRACE(c.op);
  const OpSchema* schema = FindOperator(c.op);
  ASSERT_NE(schema, nullptr);
  std::vector<TensorValue> values;
  int32_t next = 1;
  for (const Sizes& sizes : c.tensors) {
    TensorValue& value = values.emplace_back(Zeros(ScalarType::kInt32, sizes));
    for (int64_t i = 0; i < ElementCount(value); ++i) SetInt(value, i, next++);
  }
  std::vector<Argument> operands;
  if (c.is_list) {
    std::vector<const TensorValue*> list;
    for (const TensorValue& value : values) list.push_back(&value);
    operands.emplace_back(list);
  } else {
    for (const TensorValue& value : values) operands.emplace_back(&value);
  }
  for (const SymbolicArgument& other : c.others) operands.push_back(Concrete(other));
  const auto evaluated = Evaluate(*schema, operands);
  ASSERT_TRUE(evaluated.ok()) << evaluated.error().explanation;

  TermTable table;
  std::vector<std::optional<SymbolicTensor>> tensors;
  for (const TensorValue& value : values) {
    const std::vector<std::byte> bytes(value.bytes.begin(), value.bytes.end());
    const TermId term = table.OwnConstant(bytes);
    tensors.push_back(SymbolicTensor{{value.dtype, value.sizes}, table.Whole(term, bytes.size())});
  }
  std::vector<SymbolicArgument> args;
  if (c.is_list) {
    args.emplace_back(tensors);
  } else {
    for (const auto& tensor : tensors) args.emplace_back(*tensor);
  }
  args.insert(args.end(), c.others.begin(), c.others.end());
  std::vector<TensorShape> results;
  for (const TensorValue& result : evaluated.value().results) {
    results.push_back({result.dtype, result.sizes});
  }
  const auto moved = Moved(table, *schema, args, results);
  ASSERT_TRUE(moved.has_value());
  ASSERT_EQ(moved->size(), results.size());
  for (size_t r = 0; r < results.size(); ++r) {
    std::vector<std::byte> bytes;
    ASSERT_TRUE(table.BytesOf((*moved)[r], bytes));
    const TensorBytes& wanted = evaluated.value().results[r].bytes;
    EXPECT_EQ(bytes, std::vector<std::byte>(wanted.begin(), wanted.end())) << "result " << r;
  }
}

TEST(Movements, PutBytesWhereTheReferenceDoes) {
  const SymbolicArgument none = std::monostate{};
  ExpectAsReference({"aten::permute_copy.out", {{2, 3, 4}}, {NumberList({2, 0, 1})}});
  ExpectAsReference({"aten::permute_copy.out", {{2, 3, 4}}, {NumberList({-1, 1, 0})}});
  ExpectAsReference({"aten::transpose_copy.int_out", {{2, 3, 4}}, {Number(0), Number(-1)}});
  ExpectAsReference({"aten::t_copy.out", {{3, 5}}});
  ExpectAsReference({"aten::view_copy.out", {{3, 4}}, {NumberList({2, -1})}});
  ExpectAsReference({"aten::unsqueeze_copy.out", {{3, 4}}, {Number(1)}});
  ExpectAsReference({"aten::squeeze_copy.dims_out", {{3, 1, 4}}, {NumberList({1})}});
  ExpectAsReference(
      {"aten::expand_copy.out", {{3, 1}}, {NumberList({2, 3, 4}), BoolNumber(false)}});
  ExpectAsReference({"aten::select_copy.int_out", {{3, 4, 2}}, {Number(1), Number(-2)}});
  ExpectAsReference({"aten::slice_copy.Tensor_out",
                     {{3, 7}},
                     {Number(1), Number(1), Number(INT64_MAX), Number(2)}});
  ExpectAsReference(
      {"aten::slice_copy.Tensor_out", {{5, 2}}, {Number(0), Number(-3), none, Number(1)}});
  ExpectAsReference(
      {"aten::slice_scatter.out", {{4, 3}, {2, 3}}, {Number(0), Number(1), Number(4), Number(2)}});
  ExpectAsReference({"aten::select_scatter.out", {{4, 3}, {4}}, {Number(1), Number(2)}});
  ExpectAsReference({"aten::split_copy.Tensor_out", {{2, 7}}, {Number(3), Number(1)}});
  ExpectAsReference({"aten::split_with_sizes_copy.out", {{2, 7}}, {NumberList({2, 5}), Number(1)}});
  ExpectAsReference({"aten::unbind_copy.int_out", {{2, 3, 2}}, {Number(1)}});
  ExpectAsReference({"aten::cat.out", {{2, 3}, {2, 1}, {2, 2}}, {Number(1)}, true});
  ExpectAsReference({"aten::cat.out", {{1, 3}, {2, 3}}, {Number(0)}, true});
  ExpectAsReference({"aten::stack.out", {{2, 3}, {2, 3}}, {Number(1)}, true});
  ExpectAsReference({"aten::copy.out", {{2, 3}, {3}}, {BoolNumber(false)}});
  ExpectAsReference({"aten::clone.out", {{2, 3}}, {none}});
}

TEST(Movements, GoThereAndBack) {
  TermTable table;
  const uint64_t word = 0;
  const TermId input = table.Make(TermKind::kInput, {&word, 1});
  const TensorShape shape = {ScalarType::kFloat32, {4, 5, 6}};
  const TensorShape turned = {ScalarType::kFloat32, {6, 4, 5}};
  const ContentId content = table.Whole(input, shape.nbytes());
  const OpSchema& permute = *FindOperator("aten::permute_copy.out");
  const SymbolicArgument there[] = {SymbolicTensor{shape, content}, NumberList({2, 0, 1})};
  const auto moved = Moved(table, permute, there, {&turned, 1});
  ASSERT_TRUE(moved.has_value());
  EXPECT_NE(moved->front(), content);
  const SymbolicArgument back[] = {SymbolicTensor{turned, moved->front()}, NumberList({1, 2, 0})};
  EXPECT_EQ(Moved(table, permute, back, {&shape, 1})->front(), content);
}

TEST(Movements, AreTermsIfTheyConvert) {
  TermTable table;
  const TensorShape shape = {ScalarType::kFloat32, {4}};
  const TensorShape half = {ScalarType::kFloat16, {4}};
  const SymbolicArgument args[] = {SymbolicTensor{shape, table.Whole(kZeroTerm, 16)}};
  EXPECT_FALSE(Moved(table, *FindOperator("aten::_to_copy.out"), args, {&half, 1}).has_value());
}

}  // namespace
}  // namespace pteproof::compare
