#include "runtime/execute/run_limits.h"

#include <algorithm>
#include <limits>

namespace pteproof {
namespace {

// From the first to the last byte of blobs that lie in one file: they may overlap.
struct Hull {
  uintptr_t first = std::numeric_limits<uintptr_t>::max();
  uintptr_t end = 0;

  void Add(Bytes blob) {
    const auto begin = reinterpret_cast<uintptr_t>(blob.data());
    if (blob.empty()) return;
    first = std::min(first, begin);
    end = std::max(end, begin + blob.size());
  }
  [[nodiscard]] uint64_t bytes() const { return end > first ? end - first : 0; }
};

}  // namespace

RunLimits LimitsOf(const Program& program, const DataFile* data, const RunLimits& asked) {
  Hull own;
  Hull outside;
  for (const Bytes blob : program.constants) own.Add(blob);
  for (const Bytes blob : program.initial_values) own.Add(blob);
  for (const NamedBlob& named : program.named_data) own.Add(named.blob);
  for (size_t e = 0; data != nullptr && e < data->entries.size(); ++e) {
    outside.Add(data->entries[e].blob);
  }
  // Far more than files have, and far below what would not fit.
  const uint64_t bytes = std::min(own.bytes() + outside.bytes(), uint64_t{1} << 44);
  RunLimits limits = asked;
  if (limits.memory == 0) limits.memory = kLeastMemory + kMemoryForByte * bytes;
  if (limits.work == 0) limits.work = kLeastWork + kWorkForByte * static_cast<int64_t>(bytes);
  return limits;
}

}  // namespace pteproof
