#include "runtime/reader/context.h"

#include "program_generated.h"
#include "tests/runtime/reader/refusals.h"

namespace pteproof {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using Values = std::vector<Offset<schema::Value>>;

// The bytes of a program with one method of these values and nothing else.
std::vector<std::byte> Finish(FlatBufferBuilder& b, const Values& values) {
  const auto table = b.CreateVector(values);
  const auto none = b.CreateVector(std::vector<int32_t>{});
  const auto code = b.CreateVector(std::vector<Offset<schema::Instruction>>{});
  const auto chains = b.CreateVector(std::vector{schema::CreateChain(b, 0, 0, code)});
  const auto operators = b.CreateVector(std::vector<Offset<schema::Operator>>{});
  const auto delegates = b.CreateVector(std::vector<Offset<schema::Delegate>>{});
  const auto banks = b.CreateVector(std::vector<int64_t>{0, 1 << 20});
  const auto name = b.CreateString("forward");
  const auto method =
      schema::CreateMethod(b, name, 0, table, none, none, chains, operators, delegates, banks);
  const auto methods = b.CreateVector(std::vector{method});
  schema::FinishProgramBuffer(b, schema::CreateProgram(b, 0, methods));
  const auto* begin = reinterpret_cast<const std::byte*>(b.GetBufferPointer());
  return {begin, begin + b.GetSize()};
}

Offset<schema::Value> Wrap(FlatBufferBuilder& b, schema::AnyValue tag, Offset<void> held) {
  return schema::CreateValue(b, tag, held);
}

TEST(Budget, RefusesAVectorThatManyListsShare) {
  FlatBufferBuilder b;
  const auto flags = b.CreateVector(std::vector<uint8_t>(10'000));
  Values values;
  for (int i = 0; i < 100; ++i) {
    values.push_back(Wrap(b, schema::AnyValue::BoolList, schema::CreateBoolList(b, flags).Union()));
  }
  EXPECT_THAT(RulesOf(Finish(b, values)), RefusedBy(rule::kFileAmplification));
}

TEST(Budget, RefusesATextThatManyValuesShare) {
  FlatBufferBuilder b;
  const auto text = b.CreateString(std::string(10'000, 'a'));
  Values values;
  for (int i = 0; i < 100; ++i) {
    values.push_back(Wrap(b, schema::AnyValue::String, schema::CreateString(b, text).Union()));
  }
  EXPECT_THAT(RulesOf(Finish(b, values)), RefusedBy(rule::kFileAmplification));
}

TEST(Budget, RefusesATableThatManyValuesAre) {
  FlatBufferBuilder b;
  const auto null = Wrap(b, schema::AnyValue::Null, schema::CreateNull(b).Union());
  EXPECT_THAT(RulesOf(Finish(b, Values(100'000, null))), RefusedBy(rule::kFileAmplification));
}

// What a thrifty writer does: all tensors of a shape have the same two vectors.
TEST(Budget, LetsTensorsShareTheirShape) {
  for (const uint32_t rank : {0U, 4U, reader::kMaxRank}) {
    FlatBufferBuilder b;
    std::vector<uint8_t> dims(rank);
    for (uint32_t i = 0; i < rank; ++i) dims[i] = static_cast<uint8_t>(i);
    const auto sizes = b.CreateVector(std::vector<int32_t>(rank, 1));
    const auto order = b.CreateVector(dims);
    Values values;
    for (uint32_t i = 0; i < 2000; ++i) {
      const auto place = schema::CreatePlacement(b, 1, 16 * i);
      const auto tensor =
          schema::CreateTensor(b, schema::ElementType::Float32, 0, sizes, order, false, 0, place);
      values.push_back(Wrap(b, schema::AnyValue::Tensor, tensor.Union()));
    }
    EXPECT_THAT(RulesOf(Finish(b, values)), Accepted()) << rank;
  }
}

}  // namespace
}  // namespace pteproof
