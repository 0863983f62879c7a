#include "runtime/kernels/hash/mixing.h"

#include <algorithm>
#include <array>

#include "base/stop.h"
#include "runtime/kernels/base/region.h"

namespace pteproof::mixing {
namespace {

constexpr size_t kWord = sizeof(uint64_t);

// Of bytes in a row. Words go to four lanes in turn, which a processor mixes at the same time; the
// lanes, and what is left after whole blocks, are mixed one after the other. Less than a block has
// one lane.
class Digest {
 public:
  static constexpr size_t kLanes = 4;
  static constexpr size_t kBlock = kLanes * kWord;

  explicit Digest(size_t count) : used_(count < kBlock ? 1 : kLanes) {
    for (size_t lane = 0; lane < kLanes; ++lane) lanes_[lane] = Mix(kSeed + lane, count);
  }
  void AddBlock(const std::byte* block) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      lanes_[lane] = Mix(lanes_[lane], WordAt(block + lane * kWord, kWord));
    }
  }
  // After less than a block more.
  [[nodiscard]] uint64_t End(const std::byte* rest, size_t count) const {
    uint64_t digest = lanes_[0];
    for (size_t lane = 1; lane < used_; ++lane) digest = Mix(digest, lanes_[lane]);
    for (size_t at = 0; at < count; at += kWord) {
      digest = Mix(digest, WordAt(rest + at, std::min(kWord, count - at)));
    }
    return digest;
  }

 private:
  static uint64_t WordAt(const std::byte* bytes, size_t count) {
    uint64_t word = 0;
    std::memcpy(&word, bytes, count);
    return word;
  }

  size_t used_;
  std::array<uint64_t, kLanes> lanes_ = {};
};

// Elements that do not lie one behind the other go through a block of a few.
uint64_t DigestOfScattered(const TensorRef& tensor) {
  const size_t size = ElementSize(tensor.dtype);
  Digest digest(ByteCount(tensor));
  std::array<std::byte, Digest::kBlock> block = {};
  size_t filled = 0;
  const Region whole = WholeOf(tensor);
  std::array<int64_t, kMaxRank> index = {};
  CheckedPointer at = whole.data;
  for (int64_t left = ElementCount(tensor); left > 0; --left) {
    std::memcpy(block.data() + filled, at.Read(size), size);
    filled += size;
    if (filled == block.size()) {
      digest.AddBlock(block.data());
      filled = 0;
    }
    for (size_t d = whole.rank; d-- > 0;) {
      at += whole.strides[d];
      if (++index[d] < whole.sizes[d]) break;
      at -= whole.sizes[d] * whole.strides[d];
      index[d] = 0;
    }
  }
  return digest.End(block.data(), filled);
}

uint64_t BitsOfReal(double real) {
  uint64_t bits = 0;
  std::memcpy(&bits, &real, sizeof(bits));
  return bits;
}

enum Tag : uint64_t { kNone = 1, kInt, kBool, kReal, kText, kNoTensor, kTensor, kList };

template <class List, class Each>
uint64_t DigestOfList(const List& list, const Each& each) {
  uint64_t digest = Mix(kList, list.size());
  for (const auto& item : list) digest = Mix(digest, each(item));
  return digest;
}

}  // namespace

uint64_t DigestOfBytes(const std::byte* bytes, size_t count) {
  constexpr size_t kBetweenQuestions = size_t{1} << 20;  // bytes, some tenths of a millisecond
  Digest digest(count);
  while (count >= Digest::kBlock) {
    const size_t part = std::min(count, kBetweenQuestions) / Digest::kBlock * Digest::kBlock;
    for (const std::byte* end = bytes + part; bytes != end; bytes += Digest::kBlock) {
      digest.AddBlock(bytes);
    }
    count -= part;
    if (count > 0) EndIfStopped();
  }
  return digest.End(bytes, count);
}

uint64_t DigestOfText(std::string_view text) {
  return DigestOfBytes(std::as_bytes(std::span(text)).data(), text.size());
}

uint64_t DigestOfTensor(const TensorRef& tensor) {
  uint64_t digest = Mix(static_cast<uint64_t>(tensor.dtype), tensor.rank());
  for (const int32_t size : tensor.sizes) digest = Mix(digest, static_cast<uint64_t>(size));
  if (!IsRowMajor(tensor)) return Mix(digest, DigestOfScattered(tensor));
  const auto bytes = static_cast<int64_t>(ByteCount(tensor));
  return Mix(digest, DigestOfBytes(tensor.pointer().Read(1, 1, bytes), ByteCount(tensor)));
}

uint64_t DigestOfValue(const RunValue* value, bool as_real) {
  switch (value->kind) {
    case ValueKind::kNull:
      return kNone;
    case ValueKind::kInt:
    case ValueKind::kBool:
      if (as_real) return Mix(kReal, BitsOfReal(static_cast<double>(value->integer)));
      return Mix(value->kind == ValueKind::kInt ? kInt : kBool,
                 static_cast<uint64_t>(value->integer));
    case ValueKind::kDouble:
      return Mix(kReal, BitsOfReal(value->real));
    case ValueKind::kTensor:
      return Mix(kTensor, DigestOfTensor(*value->tensor));
    case ValueKind::kString:
      return Mix(kText, DigestOfText(value->text));
    case ValueKind::kIntList:
      return DigestOfList(value->items, [](const RunValue* item) {
        return Mix(kInt, static_cast<uint64_t>(item->integer));
      });
    case ValueKind::kDoubleList:
      return DigestOfList(value->reals, [](double real) { return Mix(kReal, BitsOfReal(real)); });
    case ValueKind::kBoolList:
      return DigestOfList(value->flags, [](int32_t flag) { return Mix(kBool, flag != 0 ? 1 : 0); });
    case ValueKind::kTensorList:
    case ValueKind::kOptionalTensorList:
      return DigestOfList(value->items, [](const RunValue* item) -> uint64_t {
        if (item == nullptr || item->tensor == nullptr) return kNoTensor;
        return Mix(kTensor, DigestOfTensor(*item->tensor));
      });
  }
  return kNone;
}

}  // namespace pteproof::mixing
