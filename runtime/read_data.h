// Bytes of a `.ptd` file to tensors and blobs by name, or every reason why not.
#ifndef PTEPROOF_RUNTIME_READ_DATA_H_
#define PTEPROOF_RUNTIME_READ_DATA_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/finding.h"
#include "pteproof/program.h"
#include "pteproof/result.h"
#include "runtime/dense_layout.h"

namespace pteproof {

struct DataEntry {
  std::string key;                    // never empty; no two entries of a file have the same
  std::optional<DenseLayout> layout;  // none for blobs that are not tensors
  Bytes blob;                         // in the file; at least the layout's nbytes
};

struct DataFile {
  std::vector<DataEntry> entries;
  std::vector<uint32_t> by_key;  // positions in `entries`, by key; empty: SortKeys was not called
  uint64_t tables = 0;           // bytes of the file that are its tables

  // Null if there is none. O(log n) after SortKeys.
  [[nodiscard]] const DataEntry* Find(std::string_view key) const;
};

// Of several files put together. ReadDataFile has done it.
void SortKeys(DataFile& file);

// Decodes a `.ptd` file, also of the early format whose tensors share
// segments. `file` may have any address and any content; it must outlive the DataFile, whose blobs
// point into it. A file that is refused gets findings of file-data-* rules, at most
// kMaxFileFindings of them; with none if memory ran out (RanOutOfMemory). Time and memory are at
// most 16 x the file's size + 1 MB.
[[nodiscard]] Result<DataFile, std::vector<Finding>> ReadDataFile(Bytes file);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_READ_DATA_H_
