#include "runtime/write_bundle.h"

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "bundled_program_generated.h"

namespace pteproof {
namespace {

namespace fb = schema::bundled_program;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

constexpr size_t kTensorAlignment = 16;  // as the schema has them
constexpr size_t kProgramAlignment = 32;

Offset<flatbuffers::Vector<uint8_t>> BytesIn(FlatBufferBuilder& builder, Bytes bytes,
                                             size_t alignment) {
  builder.ForceVectorAlignment(bytes.size(), 1, alignment);
  return builder.CreateVector(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
}

Offset<fb::Tensor> BundleTensorIn(FlatBufferBuilder& builder, const BundleTensor& tensor) {
  const auto bytes = BytesIn(builder, tensor.data, kTensorAlignment);
  const auto sizes = builder.CreateVector(tensor.layout.sizes);
  const auto order = builder.CreateVector(tensor.layout.dim_order);
  const auto type = static_cast<schema::ElementType>(tensor.layout.dtype);
  return fb::CreateTensor(builder, type, sizes, bytes, order);
}

Offset<fb::Value> BundleValueIn(FlatBufferBuilder& builder, const BundleValue& value) {
  const auto held = [&]() -> std::pair<fb::AnyValue, Offset<void>> {
    if (const auto* tensor = std::get_if<BundleTensor>(&value)) {
      return {fb::AnyValue::Tensor, BundleTensorIn(builder, *tensor).Union()};
    }
    if (const auto* number = std::get_if<int64_t>(&value)) {
      return {fb::AnyValue::Int, fb::CreateInt(builder, *number).Union()};
    }
    if (const auto* flag = std::get_if<bool>(&value)) {
      return {fb::AnyValue::Bool, fb::CreateBool(builder, *flag).Union()};
    }
    return {fb::AnyValue::Double, fb::CreateDouble(builder, std::get<double>(value)).Union()};
  }();
  return fb::CreateValue(builder, held.first, held.second);
}

auto BundleValuesIn(FlatBufferBuilder& builder, const std::vector<BundleValue>& values) {
  std::vector<Offset<fb::Value>> offsets;
  for (const BundleValue& value : values) offsets.push_back(BundleValueIn(builder, value));
  return builder.CreateVector(offsets);
}

Offset<fb::TestSuite> SuiteIn(FlatBufferBuilder& builder, const BundleSuite& suite) {
  std::vector<Offset<fb::TestCase>> cases;
  for (const BundleCase& each : suite.cases) {
    const auto inputs = BundleValuesIn(builder, each.inputs);
    const auto expected = BundleValuesIn(builder, each.expected_outputs);
    cases.push_back(fb::CreateTestCase(builder, inputs, expected));
  }
  const auto name = builder.CreateString(suite.method);
  return fb::CreateTestSuite(builder, name, builder.CreateVector(cases));
}

// At least: what the bundle holds.
uint64_t SizeOfBundle(const Bundle& bundle) {
  uint64_t size = bundle.program.size();
  const auto add = [&](const std::vector<BundleValue>& values) {
    for (const BundleValue& value : values) {
      const auto* tensor = std::get_if<BundleTensor>(&value);
      size += 256 + (tensor == nullptr ? 0 : tensor->data.size());
    }
  };
  for (const BundleSuite& suite : bundle.suites) {
    for (const BundleCase& each : suite.cases) {
      add(each.inputs);
      add(each.expected_outputs);
    }
  }
  return size;
}

}  // namespace

Result<std::vector<std::byte>, std::string> WriteBundle(const Bundle& bundle) {
  if (SizeOfBundle(bundle) > uint64_t{std::numeric_limits<int32_t>::max()} / 2) {
    return std::string("the bundle would not fit the 2 GiB of a flatbuffer");
  }
  FlatBufferBuilder builder;
  const auto program = BytesIn(builder, bundle.program, kProgramAlignment);
  std::vector<Offset<fb::TestSuite>> suites;
  for (const BundleSuite& suite : bundle.suites) suites.push_back(SuiteIn(builder, suite));
  constexpr uint32_t kVersion = 0;
  const auto root =
      fb::CreateBundledProgram(builder, kVersion, builder.CreateVector(suites), program);
  fb::FinishBundledProgramBuffer(builder, root);
  const auto* first = reinterpret_cast<const std::byte*>(builder.GetBufferPointer());
  return std::vector<std::byte>(first, first + builder.GetSize());
}

}  // namespace pteproof
