#include "fuzz/runnable.h"

#include <algorithm>

#include "meaning/method_meaning.h"

namespace pteproof::fuzz {
namespace {

constexpr uint64_t kMostBytes = 64 * 1024;
// No tensor is counted as nothing: it takes memory to have it.
constexpr uint64_t kBytesAtLeast = 16;

bool SaysWhatSharesBytes(const Method& method) {
  const meaning::MethodMeaning meant = meaning::MeaningOf(method, nullptr);
  const auto is_stated = [&](int32_t v) {
    const Tensor& tensor = *method.TensorOf(v);
    return tensor.name.count > 0 || tensor.data_index > 0;
  };
  for (const meaning::StateSlot& slot : meant.roles.states) {
    if (!is_stated(slot.value)) return false;
  }
  return std::ranges::all_of(meant.aliases.transfers, [&](const meaning::Transfer& t) {
    return t.phase != meaning::Phase::kBefore || is_stated(t.to);
  });
}

}  // namespace

bool IsRunnable(const Program& program) {
  uint64_t left = kMostBytes;
  const auto take = [&left](uint64_t bytes) {
    const bool fits = bytes <= left;
    left -= fits ? bytes : left;
    return fits;
  };
  for (const Method& method : program.methods) {
    for (const uint64_t bytes : method.bank_sizes) {
      if (!take(bytes)) return false;
    }
    for (const Tensor& tensor : method.tensors) {
      if (!take(tensor.nbytes) || !take(kBytesAtLeast)) return false;
    }
  }
  return true;
}

bool SaysWhatSharesBytes(const Program& program) {
  return std::ranges::all_of(program.methods,
                             [](const Method& method) { return SaysWhatSharesBytes(method); });
}

uint64_t SeedOf(Bytes input) {
  // FNV-1a.
  uint64_t hash = 0xcbf29ce484222325;
  for (const std::byte byte : input) hash = (hash ^ static_cast<uint64_t>(byte)) * 0x100000001b3;
  return hash;
}

}  // namespace pteproof::fuzz
