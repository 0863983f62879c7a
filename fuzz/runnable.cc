#include "fuzz/runnable.h"

#include <algorithm>

#include "properties/oracles/storage_names.h"

namespace pteproof::fuzz {
namespace {

constexpr uint64_t kMostBytes = 64 * 1024;
// No tensor is counted as nothing: it takes memory to have it.
constexpr uint64_t kBytesAtLeast = 16;

bool SaysWhatSharesBytes(const Method& method) {
  const auto names = StorageNamesOf(method);
  for (size_t v = 0; v < names.size(); ++v) {
    if (names[v].kind == NameKind::kOwn) continue;
    const Tensor& tensor = *method.TensorOf(static_cast<int32_t>(v));
    if (tensor.name.count == 0 && tensor.data_index == 0) return false;
  }
  return true;
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
