// Vectors of sizes and dimension orders in the tables, written once each: most tensors of a program
// have one of a few shapes.
#ifndef PTEPROOF_RUNTIME_WRITER_SHARED_VECTORS_H_
#define PTEPROOF_RUNTIME_WRITER_SHARED_VECTORS_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>

#include "program_generated.h"

namespace pteproof::writer {

// The numbers given must stay where they are as long as this lives.
class SharedVectors {
 public:
  [[nodiscard]] flatbuffers::Offset<flatbuffers::Vector<int32_t>> Sizes(
      flatbuffers::FlatBufferBuilder& builder, std::span<const int32_t> sizes) {
    const auto [at, is_new] = sizes_.try_emplace(BytesOf(sizes));
    if (is_new) at->second = builder.CreateVector(sizes.data(), sizes.size());
    return at->second;
  }

  [[nodiscard]] flatbuffers::Offset<flatbuffers::Vector<uint8_t>> DimOrder(
      flatbuffers::FlatBufferBuilder& builder, std::span<const int32_t> order) {
    const auto [at, is_new] = orders_.try_emplace(BytesOf(order));
    if (is_new) at->second = builder.CreateVectorScalarCast<uint8_t>(order.data(), order.size());
    return at->second;
  }

 private:
  static std::string_view BytesOf(std::span<const int32_t> numbers) {
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
  }

  template <class T>
  using Map = std::unordered_map<std::string_view, flatbuffers::Offset<flatbuffers::Vector<T>>>;
  Map<int32_t> sizes_;
  Map<uint8_t> orders_;
};

}  // namespace pteproof::writer

#endif  // PTEPROOF_RUNTIME_WRITER_SHARED_VECTORS_H_
