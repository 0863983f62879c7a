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
#include <cstring>
#include <optional>
#include <vector>

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
    for (const T item : list) digest = Mix(digest, (*this)(item));
    return digest;
  }
};

void SetDigest(TensorValue& tensor, int64_t i, uint64_t digest) {
  if (tensor.dtype == ScalarType::kBool) return SetInt(tensor, i, static_cast<int64_t>(digest & 1));
  for (std::byte& byte : ElementBytes(tensor, i)) {
    byte = static_cast<std::byte>(digest);
    digest = (digest >> 8) | (digest << 56);
  }
}

uint64_t DigestOfElement(const TensorValue& tensor, int64_t i) {
  const auto bytes = ElementBytes(tensor, i);
  if (bytes.size() > sizeof(uint64_t)) return DigestOf(bytes);
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), bytes.size());
  return bits;
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

}  // namespace

uint64_t Mix(uint64_t a, uint64_t b) {
  const auto product =
      static_cast<unsigned __int128>(a ^ 0xA0761D6478BD642F) * (b ^ 0xE7037ED1A0B428DB ^ kSeed);
  const uint64_t folded = static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  // A factor of zero would swallow the other one.
  return folded ^ ((a << 23 | a >> 41) + b * kSeed);
}

uint64_t DigestOf(std::span<const std::byte> bytes) {
  uint64_t digest = Mix(kSeed, bytes.size());
  while (!bytes.empty()) {
    uint64_t word = 0;
    const size_t count = std::min(bytes.size(), sizeof(word));
    std::memcpy(&word, bytes.data(), count);
    digest = Mix(digest, word);
    bytes = bytes.subspan(count);
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
  const int64_t count = ElementCount(tensor);
  for (int64_t i = 0; i < count; ++i) SetDigest(tensor, i, Mix(digest, static_cast<uint64_t>(i)));
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
      continue;
    }
    std::vector<uint64_t> elements(static_cast<size_t>(ElementCount(result)), digest);
    for (const TensorValue* operand : spread) {
      Walk(result.sizes, BroadcastStrides(operand->sizes, result.sizes),
           [&](int64_t i, int64_t from) {
             uint64_t& element = elements[static_cast<size_t>(i)];
             element = Mix(element, DigestOfElement(*operand, from));
           });
    }
    for (size_t i = 0; i < elements.size(); ++i) {
      SetDigest(result, static_cast<int64_t>(i), elements[i]);
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
