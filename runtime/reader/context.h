// What all steps of reading one `.pte` file share: its bytes, the findings so far and the budget.
#ifndef PTEPROOF_RUNTIME_READER_CONTEXT_H_
#define PTEPROOF_RUNTIME_READER_CONTEXT_H_

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program_generated.h"
#include "pteproof/finding.h"
#include "pteproof/program.h"

namespace pteproof::reader {

inline constexpr uint32_t kMaxRank = 16;
inline constexpr int64_t kMaxBankSize = int64_t{1} << 48;
inline constexpr size_t kMaxOperatorName = 99;  // characters of the full name

template <class T>
using WireVector = flatbuffers::Vector<T>;

template <class T>
using WireTables = flatbuffers::Vector<flatbuffers::Offset<T>>;

// An element of a vector of scalars. The verifier aligns a vector's length to 4 bytes, and its
// elements no better: those of 8 bytes must not be loaded in place.
template <class T>
[[nodiscard]] T Element(const WireVector<T>& vector, uint32_t index) {
  T number;
  std::memcpy(&number, vector.Data() + sizeof(T) * index, sizeof number);
  return flatbuffers::EndianScalar(number);
}

struct Context {
  Bytes file;                       // the whole file
  const uint8_t* tables = nullptr;  // the flatbuffer, at an aligned address: file.data() or a copy
  uint64_t tables_size = 0;         // its length, from the file's first byte
  uint64_t segment_base = 0;        // in the file
  uint64_t segment_end = 0;         // in the file
  const WireTables<schema::Segment>* segments = nullptr;
  bool segments_known = true;   // false: some were refused, so that what they hold is not known
  bool constants_known = true;  // likewise for Program::constants
  bool initial_values_known = true;  // likewise for Program::initial_values
  uint64_t budget = 0;               // wire bytes that may still be visited
  uint64_t listed = 0;               // tensors that calls may still be given by lists of them
  bool over_budget = false;
  bool more_findings = false;  // more than fit the list
  std::vector<Finding> findings;

  // Whether going on is of no use.
  [[nodiscard]] bool Stopped() const { return over_budget || more_findings; }
};

// Where a finding shows.
struct Place {
  std::string_view method = {};
  int32_t instruction = -1;
  std::vector<int32_t> values = {};
  std::optional<ByteRange> bytes = {};
};

// Records a finding of severity error, unless there are too many already.
void Refuse(Context& context, std::string_view rule, Place place, std::string explanation);

// Records that the budget is spent.
void RefuseAmplification(Context& context);

// What a string or a vector costs beside its content.
inline constexpr uint64_t kStringCharge = 8;
inline constexpr uint64_t kVectorCharge = 4;

// Pays for a visit of `bytes` wire bytes. Each reference to shared bytes pays again, so that what
// comes out stays in proportion to the file. False: the budget is spent, the caller must stop.
[[nodiscard]] inline bool Charge(Context& context, uint64_t bytes) {
  if (bytes <= context.budget) [[likely]] {
    context.budget -= bytes;
    return true;
  }
  if (!context.over_budget) RefuseAmplification(context);
  return false;
}

// The place in the file of something inside the flatbuffer.
[[nodiscard]] inline ByteRange At(const Context& context, const void* wire, uint64_t length = 4) {
  const auto lo = static_cast<uint64_t>(static_cast<const uint8_t*>(wire) - context.tables);
  return {lo, lo + length};
}

// The same bytes in the file itself, which outlives a copy of the flatbuffer.
[[nodiscard]] inline Bytes InFile(const Context& context, const WireVector<uint8_t>& wire) {
  return context.file.subspan(At(context, wire.data()).lo, wire.size());
}

[[nodiscard]] inline std::string_view View(const flatbuffers::String* wire) {
  return wire == nullptr ? std::string_view{} : std::string_view(wire->c_str(), wire->size());
}

template <class V>
[[nodiscard]] uint32_t Count(const V* wire) {
  return wire == nullptr ? 0 : wire->size();
}

}  // namespace pteproof::reader

#endif  // PTEPROOF_RUNTIME_READER_CONTEXT_H_
