// Idea. What an operator computes does not matter for a plan; only which bytes it reads does. So
// each result element mixes a digest of everything that the call reads as a whole with element i of
// each operand that it reads element by element (a, b below):
//
//   digest    = of the name, the numbers, and the operands that are read as a whole
//   result[i] = Mix(Mix(digest, a[i]), b[i]), or Mix(digest, i) if that operand does not exist
//
// Any byte that is read wrong then changes the result with near certainty, and no zero, clamp or
// rounding hides it. Cost: O(bytes read + bytes written).
#include "reference/run/hash_semantics.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <vector>

#include "base/work.h"
#include "reference/evaluate.h"
#include "reference/functional_form.h"
#include "reference/op_schema.h"
#include "reference/ops/walk.h"

namespace pteproof {
namespace {

constexpr uint64_t kSeed = 0x9E3779B97F4A7C15;

uint64_t DigestOfShape(const TensorValue& tensor) {
  uint64_t digest = Mix(static_cast<uint64_t>(tensor.dtype), tensor.sizes.size());
  for (const int64_t size : tensor.sizes) digest = Mix(digest, static_cast<uint64_t>(size));
  return digest;
}

struct DigestOfArgument {
  uint64_t operator()(std::monostate) const { return 1; }
  uint64_t operator()(int64_t number) const { return Mix(2, static_cast<uint64_t>(number)); }
  uint64_t operator()(bool flag) const { return Mix(3, flag ? 1 : 0); }
  uint64_t operator()(double number) const {
    uint64_t bits = 0;
    std::memcpy(&bits, &number, sizeof(bits));
    return Mix(4, bits);
  }
  uint64_t operator()(std::string_view text) const { return Mix(5, DigestOf(text)); }
  uint64_t operator()(const TensorValue* tensor) const {
    return tensor == nullptr ? 6 : Mix(7, DigestOf(*tensor));
  }
  template <class T>
  uint64_t operator()(const std::vector<T>& list) const {
    uint64_t digest = Mix(8, list.size());
    Spend(static_cast<int64_t>(list.size()));
    for (const T item : list) digest = Mix(digest, (*this)(item));
    return digest;
  }
};

// Calls routine(size) with the width of an element as a constant of the type.
template <class Routine>
void WithWidth(ScalarType dtype, const Routine& routine) {
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

// Stores digests as neighbouring elements, from element `first` on: the lowest bytes, once more
// from the start after 8. A bool takes the lowest bit.
void SetDigests(TensorValue& tensor, int64_t first, std::span<const uint64_t> digests) {
  const uint64_t mask = tensor.dtype == ScalarType::kBool ? 1 : ~uint64_t{0};
  WithWidth(tensor.dtype, [&](auto width) {
    std::byte* at = tensor.bytes.data() + static_cast<size_t>(first) * width;
    for (const uint64_t digest : digests) {
      const std::array<uint64_t, 2> bits = {digest & mask, digest};
      std::memcpy(at, bits.data(), width);
      at += width;
    }
  });
}

// Mixes elements that lie `stride` apart into the digests.
void MixElements(const TensorValue& tensor, int64_t first, int64_t stride,
                 std::span<uint64_t> digests) {
  WithWidth(tensor.dtype, [&](auto width) {
    const std::byte* at = std::as_const(tensor).bytes.data() + static_cast<size_t>(first) * width;
    for (uint64_t& digest : digests) {
      uint64_t bits = 0;
      if constexpr (width > sizeof(bits)) {
        bits = DigestOf(std::span(at, width));
      } else {
        std::memcpy(&bits, at, width);
      }
      digest = Mix(digest, bits);
      at += stride * static_cast<int64_t>(width);
    }
  });
}

// Whether an operand of these sizes spreads over a result of those.
bool Broadcasts(std::span<const int64_t> operand, std::span<const int64_t> result) {
  if (operand.size() > result.size()) return false;
  for (size_t back = 1; back <= operand.size(); ++back) {
    const int64_t size = operand[operand.size() - back];
    if (size != 1 && size != result[result.size() - back]) return false;
  }
  return true;
}

// Operands of a call, cut into those that go element by element and a digest of the others.
struct Parts {
  std::vector<const TensorValue*> elementwise;
  uint64_t digest = kSeed;
};

Parts PartsOf(std::string_view name, const OpSchema* schema, std::span<const Argument> args) {
  Parts parts;
  parts.digest = Mix(parts.digest, DigestOf(name));
  std::vector<const ArgSchema*> operands;
  if (schema != nullptr) {
    for (const ArgSchema& arg : schema->args) {
      if (!arg.out) operands.push_back(&arg);
    }
  }
  for (size_t a = 0; a < args.size(); ++a) {
    const auto* tensor = std::get_if<const TensorValue*>(&args[a]);
    const bool is_tensor = tensor != nullptr && *tensor != nullptr && a < operands.size();
    if (is_tensor && operands[a]->elementwise) {
      parts.elementwise.push_back(*tensor);
    } else if (is_tensor && operands[a]->access == Access::kNone) {
      parts.digest = Mix(parts.digest, DigestOfShape(**tensor));
    } else {
      parts.digest = Mix(parts.digest, std::visit(DigestOfArgument{}, args[a]));
    }
  }
  return parts;
}

// A result of operands that spread over it, a few neighbouring elements at a time.
void FillSpread(uint64_t digest, std::span<const TensorValue* const> spread, TensorValue& result) {
  constexpr int64_t kMost = 256;
  std::array<uint64_t, kMost> block;
  const int64_t count = ElementCount(result);
  const int64_t row = result.sizes.empty() ? 1 : result.sizes.back();
  std::vector<std::vector<int64_t>> strides;
  for (const TensorValue* operand : spread) {
    strides.push_back(BroadcastStrides(operand->sizes, result.sizes));
  }
  std::vector<int64_t> index(result.sizes.size(), 0);  // of the row
  Paced pace(count);
  for (int64_t first = 0; first < count; first += row) {
    for (int64_t at = 0; at < row; at += kMost) {
      pace.Step(std::min(kMost, row - at));
      const auto digests = std::span(block).first(static_cast<size_t>(std::min(kMost, row - at)));
      std::ranges::fill(digests, digest);
      for (size_t k = 0; k < spread.size(); ++k) {
        const int64_t stride = index.empty() ? 0 : strides[k].back();
        int64_t from = at * stride;
        for (size_t d = 0; d < index.size(); ++d) from += index[d] * strides[k][d];
        MixElements(*spread[k], from, stride, digests);
      }
      SetDigests(result, first + at, digests);
    }
    if (index.size() < 2) continue;
    for (size_t d = index.size() - 1; d-- > 0;) {
      if (++index[d] < result.sizes[d]) break;
      index[d] = 0;
    }
  }
}

}  // namespace

uint64_t Mix(uint64_t a, uint64_t b) {
  const auto product =
      static_cast<unsigned __int128>(a ^ 0xA0761D6478BD642F) * (b ^ 0xE7037ED1A0B428DB ^ kSeed);
  const uint64_t folded = static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  // A factor of zero would swallow the other one.
  return folded ^ ((a << 23 | a >> 41) + b * kSeed);
}

// Each mixture waits for the one before, so every fourth word of the bytes belongs to one of four.
// A few bytes need one only.
uint64_t DigestOf(std::span<const std::byte> bytes) {
  std::array<uint64_t, 4> words;
  std::array<uint64_t, 4> four;
  const bool is_short = bytes.size() < sizeof(words);
  for (size_t k = 0; k < four.size(); ++k) four[k] = Mix(kSeed + k, bytes.size());
  Paced pace(static_cast<int64_t>(bytes.size() / sizeof(uint64_t)));
  while (bytes.size() >= sizeof(words)) {
    // Some thousand words are mixed between two looks at the pace.
    auto some = bytes.first(std::min(bytes.size(), size_t{1} << 16) / sizeof(words) *
                            sizeof(words));
    bytes = bytes.subspan(some.size());
    pace.Step(static_cast<int64_t>(some.size() / sizeof(uint64_t)));
    for (; !some.empty(); some = some.subspan(sizeof(words))) {
      std::memcpy(words.data(), some.data(), sizeof(words));
      for (size_t k = 0; k < four.size(); ++k) four[k] = Mix(four[k], words[k]);
    }
  }
  uint64_t digest = is_short ? four[0] : Mix(Mix(Mix(four[0], four[1]), four[2]), four[3]);
  while (!bytes.empty()) {
    uint64_t word = 0;
    const auto next = bytes.first(std::min(bytes.size(), sizeof(word)));
    std::memcpy(&word, next.data(), next.size());
    digest = Mix(digest, word);
    bytes = bytes.subspan(next.size());
  }
  return digest;
}

uint64_t DigestOf(std::string_view text) {
  return DigestOf(std::as_bytes(std::span(text)));
}

uint64_t DigestOf(const TensorValue& tensor) {
  return Mix(DigestOfShape(tensor), DigestOf(std::span(tensor.bytes)));
}

void FillFrom(uint64_t digest, TensorValue& tensor) {
  constexpr int64_t kMost = 256;
  std::array<uint64_t, kMost> block;
  const int64_t count = ElementCount(tensor);
  Paced pace(count);
  for (int64_t first = 0; first < count; first += kMost) {
    pace.Step(kMost);
    const auto digests =
        std::span(block).first(static_cast<size_t>(std::min(kMost, count - first)));
    auto i = static_cast<uint64_t>(first);
    for (uint64_t& each : digests) each = Mix(digest, i++);
    SetDigests(tensor, first, digests);
  }
}

void HashCall(std::string_view name, const OpSchema* schema, std::span<const Argument> args,
              std::span<TensorValue> results) {
  Parts parts = PartsOf(name, schema, args);
  for (size_t r = 0; r < results.size(); ++r) {
    TensorValue& result = results[r];
    uint64_t digest = Mix(parts.digest, r);
    std::vector<const TensorValue*> spread;
    for (const TensorValue* operand : parts.elementwise) {
      if (Broadcasts(operand->sizes, result.sizes)) {
        spread.push_back(operand);
      } else {
        digest = Mix(digest, DigestOf(*operand));
      }
    }
    if (spread.empty()) {
      FillFrom(digest, result);
    } else {
      FillSpread(digest, spread, result);
    }
  }
}

void HashKnownCall(const OpSchema& schema, std::span<const Argument> args,
                   std::span<TensorValue> results) {
  const FunctionalForm form = schema.in_place ? FunctionalFormOf(schema) : FunctionalForm{};
  if (form.schema == nullptr) return HashCall(schema.name, &schema, args, results);
  std::vector<Argument> all(args.begin(), args.end());
  if (form.adds_zero) all.emplace_back(int64_t{0});
  const auto types = ResultTypes(*form.schema, all);
  std::vector<TensorValue> made(results.begin(), results.end());
  for (size_t r = 0; types.ok() && r < std::min(made.size(), types.value().size()); ++r) {
    made[r] = Zeros(types.value()[r].dtype, results[r].sizes);
  }
  HashCall(form.schema->name, form.schema, all, made);
  for (size_t r = 0; r < results.size(); ++r) results[r] = Converted(made[r], results[r].dtype);
}

uint64_t DigestOfCall(std::string_view name, std::span<const Argument> args) {
  return PartsOf(name, nullptr, args).digest;
}

}  // namespace pteproof
