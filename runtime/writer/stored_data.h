// The stored bytes that tensors use: which, how many of each, and their numbers in the file.
#ifndef PTEPROOF_RUNTIME_WRITER_STORED_DATA_H_
#define PTEPROOF_RUNTIME_WRITER_STORED_DATA_H_

#include <cstdint>
#include <string>
#include <vector>

#include "pteproof/program.h"
#include "pteproof/result.h"
#include "runtime/writer/blob_table.h"

namespace pteproof::writer {

// One of the program's two tables of blobs, on its way to the file.
struct StoredTable {
  BlobTable kept;                    // blob n has index n + 1 in the file: 0 says "no data"
  std::vector<uint32_t> file_index;  // by the program's index; 0: not used
};

struct StoredData {
  StoredTable constants;
  StoredTable initial_values;
};

// Numbers blobs by their first use in method and value order; each is as long as its largest
// tensor. The error names a tensor whose blob is missing or too short.
[[nodiscard]] Result<StoredData, std::string> GatherStoredData(const Program& program);

// The index that the file has for the tensor's data: 0 without any. An initial value of no bytes is
// none: runtimes would look for it in a segment that may not be there.
[[nodiscard]] uint32_t FileIndex(const StoredData& stored, const Tensor& tensor);

}  // namespace pteproof::writer

#endif  // PTEPROOF_RUNTIME_WRITER_STORED_DATA_H_
