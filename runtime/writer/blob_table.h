// Blobs of bytes, kept once each.
#ifndef PTEPROOF_RUNTIME_WRITER_BLOB_TABLE_H_
#define PTEPROOF_RUNTIME_WRITER_BLOB_TABLE_H_

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pteproof/program.h"

namespace pteproof::writer {

struct BlobTable {
  std::vector<Bytes> blobs;                                // by number
  std::unordered_map<std::string_view, uint32_t> numbers;  // by content
};

// The blob's number: that of equal bytes which are there already, or a new one.
[[nodiscard]] inline uint32_t NumberOf(BlobTable& table, Bytes blob) {
  const std::string_view content(reinterpret_cast<const char*>(blob.data()), blob.size());
  const auto [at, is_new] =
      table.numbers.try_emplace(content, static_cast<uint32_t>(table.blobs.size()));
  if (is_new) table.blobs.push_back(blob);
  return at->second;
}

}  // namespace pteproof::writer

#endif  // PTEPROOF_RUNTIME_WRITER_BLOB_TABLE_H_
