#include "runtime/kernels/hash/hash_call.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>

#include "reference/op_schema.h"
#include "runtime/kernels/base/element.h"
#include "runtime/kernels/base/functional_name.h"
#include "runtime/kernels/base/region.h"
#include "runtime/kernels/hash/mixing.h"

namespace pteproof {
namespace {

using mixing::Mix;

// More operands that go element by element than any operator has.
constexpr size_t kMostSpread = 4;

// Operands whose element i reaches element i of a result, and a digest of all others.
struct Mixture {
  uint64_t digest = mixing::kSeed;
  std::array<const TensorRef*, kMostSpread> spread = {};
  size_t spread_count = 0;
};

bool SpreadsOver(const TensorRef& operand, const TensorRef& result) {
  if (operand.rank() > result.rank()) return false;
  const size_t extra = result.rank() - operand.rank();
  for (size_t d = 0; d < operand.rank(); ++d) {
    if (operand.sizes[d] != 1 && operand.sizes[d] != result.sizes[d + extra]) return false;
  }
  return true;
}

// Type and sizes of a tensor whose bytes are not read.
uint64_t DigestOfShape(const TensorRef& tensor) {
  uint64_t digest = Mix(static_cast<uint64_t>(tensor.dtype), tensor.rank());
  for (const int32_t size : tensor.sizes) digest = Mix(digest, static_cast<uint64_t>(size));
  return digest;
}

void AddOperand(const ArgSchema* arg, const RunValue* value, Mixture& mixture) {
  const bool is_tensor = value->kind == ValueKind::kTensor;
  if (is_tensor && arg != nullptr && arg->elementwise && mixture.spread_count < kMostSpread) {
    mixture.spread[mixture.spread_count++] = value->tensor;
    return;
  }
  const bool unread = is_tensor && arg != nullptr && arg->access == Access::kNone;
  const bool as_real = arg != nullptr && arg->kind == ArgKind::kFloat;
  mixture.digest = Mix(mixture.digest, unread ? DigestOfShape(*value->tensor)
                                              : mixing::DigestOfValue(value, as_real));
}

// The row of an element and where it begins in several regions at once.
class RowWalk {
 public:
  RowWalk(const TensorRef& result, std::span<const TensorRef* const> operands)
      : count_(operands.size()), whole_(WholeOf(result)) {
    at_[0] = whole_.data;
    strides_[0] = whole_.strides;
    for (size_t k = 0; k < count_; ++k) {
      at_[k + 1] = operands[k]->pointer();
      const size_t size = ElementSize(operands[k]->dtype);
      const size_t extra = result.rank() - operands[k]->rank();
      for (size_t d = extra; d < result.rank(); ++d) {
        const bool spread = operands[k]->sizes[d - extra] == 1;
        strides_[k + 1][d] =
            spread ? 0 : operands[k]->strides[d - extra] * static_cast<int64_t>(size);
      }
    }
  }
  // 0: the result; then the operands.
  [[nodiscard]] CheckedPointer at(size_t k) const { return at_[k]; }
  // From an element of the row to the next one, in bytes.
  [[nodiscard]] int64_t step(size_t k) const {
    return whole_.rank == 0 ? 0 : strides_[k][whole_.rank - 1];
  }
  [[nodiscard]] int64_t row() const { return whole_.rank == 0 ? 1 : whole_.sizes[whole_.rank - 1]; }

  void NextRow() {
    for (size_t d = whole_.rank; d-- > 1;) {
      const size_t outer = d - 1;
      const bool carries = ++index_[outer] == whole_.sizes[outer];
      for (size_t k = 0; k <= count_; ++k) {
        const int64_t stride = strides_[k][outer];
        at_[k] += carries ? stride - whole_.sizes[outer] * stride : stride;
      }
      if (!carries) return;
      index_[outer] = 0;
    }
  }

 private:
  size_t count_;
  Region whole_;
  std::array<CheckedPointer, kMostSpread + 1> at_ = {};
  std::array<CheckedArray<int64_t, kMaxRank>, kMostSpread + 1> strides_ = {};
  std::array<int64_t, kMaxRank> index_ = {};
};

// `made`: the type of what is mixed, which is converted to the target's.
void Put(ScalarType made, const TensorRef& target, CheckedPointer place, uint64_t digest) {
  std::byte* element = place.Write(ElementSize(target.dtype));
  if (made == target.dtype) return mixing::PutDigest(made, element, digest);
  std::array<std::byte, 16> mixed = {};
  mixing::PutDigest(made, mixed.data(), digest);
  CopyConverted(made, mixed.data(), target.dtype, element);
}

// Each element is stored before the next ones are read, so that an operand that a plan has put
// under the result in a wrong way shows. Without operands each element mixes its number.
void FillRow(uint64_t digest, std::span<const TensorRef* const> spread, const RowWalk& walk,
             ScalarType made, const TensorRef& target, uint64_t number) {
  std::array<size_t, kMostSpread> sizes = {};
  for (size_t k = 0; k < spread.size(); ++k) sizes[k] = ElementSize(spread[k]->dtype);
  for (int64_t i = 0; i < walk.row(); ++i) {
    uint64_t element = spread.empty() ? Mix(digest, number++) : digest;
    for (size_t k = 0; k < spread.size(); ++k) {
      const CheckedPointer from = walk.at(k + 1) + i * walk.step(k + 1);
      element = Mix(element, mixing::BitsOf(from.Read(sizes[k]), sizes[k]));
    }
    Put(made, target, walk.at(0) + i * walk.step(0), element);
  }
}

// Calls routine(size) with the size of an element as a constant of the type.
template <class Routine>
void WithSize(ScalarType dtype, const Routine& routine) {
  switch (ElementSize(dtype)) {
    case 1:
      return routine(std::integral_constant<size_t, 1>());
    case 2:
      return routine(std::integral_constant<size_t, 2>());
    case 4:
      return routine(std::integral_constant<size_t, 4>());
    case 8:
      return routine(std::integral_constant<size_t, 8>());
    default:
      return routine(std::integral_constant<size_t, 16>());
  }
}

void MixElements(ScalarType dtype, CheckedPointer place, int64_t step,
                 std::span<uint64_t> digests) {
  const std::byte* from =
      place.Read(ElementSize(dtype), step, static_cast<int64_t>(digests.size()));
  WithSize(dtype, [&](auto size) {
    for (uint64_t& digest : digests) {
      digest = Mix(digest, mixing::BitsOf<size>(from));
      from += step;
    }
  });
}

void PutElements(ScalarType dtype, CheckedPointer place, int64_t step,
                 std::span<const uint64_t> digests) {
  std::byte* to = place.Write(ElementSize(dtype), step, static_cast<int64_t>(digests.size()));
  const uint64_t mask = dtype == ScalarType::kBool ? 1 : ~uint64_t{0};
  WithSize(dtype, [&](auto size) {
    for (const uint64_t digest : digests) {
      const std::array<uint64_t, 2> bits = {digest & mask, digest};
      std::memcpy(to, bits.data(), size);
      to += step;
    }
  });
}

// Whether no element of the row lies over an operand's element of another position: then the order
// of reads and stores does not show.
bool IsApart(std::span<const TensorRef* const> spread, const RowWalk& walk,
             const TensorRef& target) {
  const auto bytes_of = [&](size_t k, const TensorRef& tensor) {
    const uintptr_t begin = walk.at(k).address();
    const auto last = static_cast<uintptr_t>((walk.row() - 1) * walk.step(k));
    return std::pair(begin, begin + last + ElementSize(tensor.dtype));
  };
  const auto own = bytes_of(0, target);
  for (size_t k = 0; k < spread.size(); ++k) {
    const bool in_place = walk.at(k + 1).address() == walk.at(0).address() &&
                          walk.step(k + 1) == walk.step(0) &&
                          ElementSize(spread[k]->dtype) == ElementSize(target.dtype);
    const auto other = bytes_of(k + 1, *spread[k]);
    if (!in_place && own.first < other.second && other.first < own.second) return false;
  }
  return true;
}

// The same as FillRow for a row that is apart, without a conversion. Without operands each element
// mixes its number, from `number` on.
void FillRowInBlocks(uint64_t digest, std::span<const TensorRef* const> spread, const RowWalk& walk,
                     const TensorRef& target, uint64_t number) {
  constexpr int64_t kMost = 256;
  std::array<uint64_t, kMost> block;
  for (int64_t first = 0; first < walk.row(); first += kMost) {
    const auto digests =
        std::span(block).first(static_cast<size_t>(std::min(kMost, walk.row() - first)));
    std::ranges::fill(digests, digest);
    if (spread.empty()) {
      for (uint64_t& each : digests) each = Mix(digest, number++);
    }
    for (size_t k = 0; k < spread.size(); ++k) {
      const int64_t step = walk.step(k + 1);
      MixElements(spread[k]->dtype, walk.at(k + 1) + first * step, step, digests);
    }
    PutElements(target.dtype, walk.at(0) + first * walk.step(0), walk.step(0), digests);
  }
}

void Fill(const Mixture& mixture, size_t r, ScalarType made, TensorRef& target) {
  uint64_t digest = Mix(mixture.digest, r);
  std::array<const TensorRef*, kMostSpread> spread = {};
  size_t count = 0;
  for (size_t k = 0; k < mixture.spread_count; ++k) {
    if (SpreadsOver(*mixture.spread[k], target)) {
      spread[count++] = mixture.spread[k];
    } else {
      digest = Mix(digest, mixing::DigestOfTensor(*mixture.spread[k]));
    }
  }
  const auto operands = std::span<const TensorRef* const>(spread).first(count);
  const int64_t elements = ElementCount(target);
  if (elements == 0) return;
  RowWalk walk(target, operands);
  for (int64_t i = 0; i < elements; i += walk.row(), walk.NextRow()) {
    if (made == target.dtype && IsApart(operands, walk, target)) {
      FillRowInBlocks(digest, operands, walk, target, static_cast<uint64_t>(i));
    } else {
      FillRow(digest, operands, walk, made, target, static_cast<uint64_t>(i));
    }
  }
}

// The type that a mutating operator's functional form gives. Nothing where operands of several
// types are promoted: no kernel asks for that yet.
std::optional<ScalarType> MadeType(const KernelCall& call, const TensorRef& target) {
  if (!call.schema.in_place) return target.dtype;
  if (call.schema.name.starts_with("aten::logical_")) return ScalarType::kBool;
  for (size_t a = 0; a < call.args.size(); ++a) {
    const RunValue& value = *call.args[a];
    if (call.schema.args[a].elementwise && value.kind == ValueKind::kTensor &&
        value.tensor->dtype != target.dtype) {
      return std::nullopt;
    }
  }
  return target.dtype;
}

void Spoil(TensorRef& target) {
  constexpr int kNoise = 0xC5;
  constexpr int64_t kBetweenQuestions = int64_t{1} << 20;
  const auto bytes = static_cast<int64_t>(ByteCount(target));
  for (int64_t first = 0; first < bytes; first += kBetweenQuestions) {
    const int64_t count = std::min(kBetweenQuestions, bytes - first);
    std::memset((target.pointer() + first).Write(1, 1, count), kNoise, static_cast<size_t>(count));
  }
}

}  // namespace

KernelStatus HashCall(const KernelCall& call, std::span<TensorRef* const> targets) {
  const OpSchema* functional = FunctionalSchema(call.schema);
  const OpSchema& schema = functional == nullptr ? call.schema : *functional;
  Mixture mixture;
  mixture.digest = Mix(mixture.digest, mixing::DigestOfText(schema.name));
  size_t operand = 0;
  for (size_t a = 0; a < call.args.size(); ++a) {
    if (call.schema.args[a].out) continue;
    AddOperand(OperandSchema(schema, operand++), call.args[a], mixture);
  }
  // What zero_ fills with.
  if (functional != nullptr && call.schema.name == "aten::zero_") {
    mixture.digest = Mix(mixture.digest, Mix(2, 0));
  }
  for (size_t r = 0; r < targets.size(); ++r) {
    const auto made = MadeType(call, *targets[r]);
    if (!made) return "the element type of the result is unknown under hash";
    Fill(mixture, r, *made, *targets[r]);
  }
  return nullptr;
}

void HashOpaqueCall(std::string_view name, std::span<RunValue* const> operands,
                    std::span<TensorRef* const> targets) {
  // What an operator updates is listed among the operands too.
  const auto mark = [&](uint32_t uses) {
    for (const RunValue* operand : operands) {
      ForEachTensor(*operand, [&](TensorRef& tensor) { tensor.uses = uses; });
    }
  };
  mark(1);
  for (TensorRef* target : targets) {
    if (target->uses == 0) Spoil(*target);
  }
  mark(0);
  Mixture mixture;
  mixture.digest = Mix(mixture.digest, mixing::DigestOfText(name));
  for (const RunValue* operand : operands) AddOperand(nullptr, operand, mixture);
  for (size_t r = 0; r < targets.size(); ++r) Fill(mixture, r, targets[r]->dtype, *targets[r]);
}

void SpoilResults(const KernelCall& call) {
  const auto args = call.schema.args;
  if (std::ranges::any_of(args, &ArgSchema::elementwise)) return;
  for (size_t a = 0; a < args.size(); ++a) {
    if (!args[a].out || args[a].access != Access::kWrite) continue;
    ForEachTensor(*call.args[a], Spoil);
  }
}

}  // namespace pteproof
