#include "properties/compare/sections.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <set>
#include <vector>

namespace pteproof::compare {
namespace {

// Bytes of a pool of blobs, each counted once and as far as tensors reach.
uint64_t PoolBytes(const Program& program, bool planned) {
  const auto& blobs = planned ? program.initial_values : program.constants;
  std::vector<uint64_t> used(blobs.size(), 0);
  for (const Method& method : program.methods) {
    for (const Tensor& tensor : method.tensors) {
      if (tensor.planned != planned || tensor.external || tensor.data_index >= used.size())
        continue;
      const uint64_t size = std::min<uint64_t>(blobs[tensor.data_index].size(), tensor.nbytes);
      uint64_t& most = used[tensor.data_index];
      most = std::max(most, size);
    }
  }
  std::map<const std::byte*, uint64_t> places;  // tables may list one blob twice
  for (size_t b = 1; b < blobs.size(); ++b) {
    uint64_t& most = places[blobs[b].data()];
    most = std::max(most, used[b]);
  }
  uint64_t sum = 0;
  for (const auto& [place, bytes] : places) sum += bytes;
  return sum;
}

bool Holds(Bytes file, uint64_t nbytes, Bytes blob) {
  return blob.data() >= file.data() && blob.data() < file.data() + nbytes;
}

}  // namespace

uint64_t TablesOf(Bytes file) {
  constexpr size_t kSizeAt = 16;
  uint64_t size = file.size();
  const bool extended =
      file.size() >= kSizeAt + sizeof(size) && std::memcmp(file.data() + 8, "eh00", 4) == 0;
  if (extended) std::memcpy(&size, file.data() + kSizeAt, sizeof(size));
  return std::min<uint64_t>(size, file.size());
}

SectionSizes SectionsOf(const Program& program, Bytes file) {
  SectionSizes sizes;
  sizes.file = file.size();
  const uint64_t tables = TablesOf(file);
  uint64_t inside = 0;  // of the sections, what lies in the tables
  const auto add = [&](uint64_t& section, Bytes blob, uint64_t nbytes) {
    section += nbytes;
    if (Holds(file, tables, blob)) inside += nbytes;
  };
  sizes.constants = PoolBytes(program, false);
  sizes.initial_values = PoolBytes(program, true);
  const auto pool_inside = [&](const std::vector<Bytes>& blobs) {
    return blobs.size() > 1 && Holds(file, tables, blobs[1]);
  };
  if (pool_inside(program.constants)) inside += sizes.constants;
  if (pool_inside(program.initial_values)) inside += sizes.initial_values;
  std::set<const std::byte*> seen;
  for (const Method& method : program.methods) {
    for (const Delegate& delegate : method.delegates) {
      if (!seen.insert(delegate.blob.data()).second) continue;
      add(sizes.delegates, delegate.blob, delegate.blob.size());
    }
  }
  for (const NamedBlob& named : program.named_data) {
    if (!seen.insert(named.blob.data()).second) continue;
    add(sizes.named_data, named.blob, named.blob.size());
  }
  sizes.tables = tables;
  sizes.program = tables - std::min(tables, inside);
  const uint64_t sum =
      sizes.program + sizes.constants + sizes.initial_values + sizes.delegates + sizes.named_data;
  sizes.padding = sizes.file - std::min(sizes.file, sum);
  return sizes;
}

}  // namespace pteproof::compare
