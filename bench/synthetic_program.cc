#include "bench/synthetic_program.h"

#include <flatbuffers/flatbuffers.h>

#include <algorithm>
#include <span>
#include <string>

#include "program_generated.h"

namespace pteproof {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

constexpr int32_t kElements = 64;
constexpr uint32_t kTensorBytes = 256;
constexpr uint32_t kAlignment = 16;
constexpr uint32_t kWindow = 16;
// Laps after which the places start from the front again.
constexpr uint32_t kLaps = 4096;
// What a storage takes in the file, roughly: value, tensor, placement, instruction.
constexpr size_t kFileBytesPerStorage = 256;

uint32_t OffsetOf(uint32_t i) {
  constexpr uint32_t kPerLap = kWindow + 2;
  const uint32_t lap = (i / kPerLap) % kLaps;
  return (i % kPerLap) * kTensorBytes + lap * kAlignment;
}

Offset<schema::Value> PlannedTensor(FlatBufferBuilder& builder, uint32_t offset) {
  const auto sizes = builder.CreateVector(&kElements, 1);
  const uint8_t outermost = 0;
  const auto dim_order = builder.CreateVector(&outermost, 1);
  const auto placement = schema::CreatePlacement(builder, 1, offset, 0);
  schema::TensorBuilder tensor(builder);
  tensor.add_element_type(schema::ElementType::Float32);
  tensor.add_sizes(sizes);
  tensor.add_dim_order(dim_order);
  tensor.add_placement(placement);
  return schema::CreateValue(builder, schema::AnyValue::Tensor, tensor.Finish().Union());
}

Offset<schema::Instruction> Product(FlatBufferBuilder& builder, int32_t a, int32_t b, int32_t out) {
  const auto args = builder.CreateVector(std::vector<int32_t>{a, b, out, out});
  const auto call = schema::CreateKernelCall(builder, 0, args);
  return schema::CreateInstruction(builder, schema::AnyInstruction::KernelCall, call.Union());
}

Offset<schema::Chain> ProductChain(FlatBufferBuilder& builder, uint32_t storages) {
  std::vector<Offset<schema::Instruction>> instructions;
  instructions.reserve(storages);
  for (uint32_t i = 1; i < storages; ++i) {
    const uint32_t far = i - std::min(i, kWindow);
    instructions.push_back(Product(builder, static_cast<int32_t>(i - 1), static_cast<int32_t>(far),
                                   static_cast<int32_t>(i)));
  }
  return schema::CreateChainDirect(builder, nullptr, nullptr, &instructions);
}

Offset<schema::Method> ChainMethod(FlatBufferBuilder& builder, uint32_t storages,
                                   const std::string& name) {
  std::vector<Offset<schema::Value>> values;
  values.reserve(storages);
  uint32_t bank_size = 0;
  for (uint32_t i = 0; i < storages; ++i) {
    const uint32_t offset = OffsetOf(i);
    bank_size = std::max(bank_size, offset + kTensorBytes);
    values.push_back(PlannedTensor(builder, offset));
  }
  const std::vector<int32_t> inputs = {0};
  const std::vector<int32_t> outputs = {static_cast<int32_t>(storages - 1)};
  const std::vector<Offset<schema::Chain>> chains = {ProductChain(builder, storages)};
  const std::vector<Offset<schema::Operator>> operators = {
      schema::CreateOperatorDirect(builder, "aten::mul", "out")};
  const std::vector<Offset<schema::Delegate>> delegates;
  const std::vector<int64_t> bank_sizes = {0, bank_size};
  return schema::CreateMethodDirect(builder, name.c_str(), 0, &values, &inputs, &outputs, &chains,
                                    &operators, &delegates, &bank_sizes);
}

}  // namespace

std::vector<std::byte> SyntheticProgram(uint32_t storages, uint32_t methods) {
  FlatBufferBuilder builder(storages * methods * kFileBytesPerStorage + 1024);
  std::vector<Offset<schema::Method>> chains = {ChainMethod(builder, storages, "forward")};
  for (uint32_t m = 1; m < methods; ++m) {
    chains.push_back(ChainMethod(builder, storages, "forward" + std::to_string(m)));
  }
  const std::vector<Offset<schema::Segment>> segments = {schema::CreateSegment(builder, 0, 0)};
  const std::vector<uint64_t> reserved = {0};
  const auto constants = schema::CreateSegmentOffsetsDirect(builder, 0, &reserved);
  const auto root =
      schema::CreateProgramDirect(builder, 0, &chains, nullptr, nullptr, &segments, constants);
  schema::FinishProgramBuffer(builder, root);
  const auto file = std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
  return {file.begin(), file.end()};
}

}  // namespace pteproof
