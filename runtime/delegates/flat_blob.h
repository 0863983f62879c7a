// The frame that several backends put around a flatbuffer: four zero bytes, four letters, the
// header's length, and where flatbuffer and constants lie.
#ifndef PTEPROOF_RUNTIME_DELEGATES_FLAT_BLOB_H_
#define PTEPROOF_RUNTIME_DELEGATES_FLAT_BLOB_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pteproof/program.h"
#include "runtime/delegates/flat_table.h"
#include "runtime/delegates/opened_blob.h"

namespace pteproof::delegates {

struct FramedBlob {
  Bytes graph = {};         // the flatbuffer
  Bytes stored = {};        // the constants behind it
  std::string damage = {};  // why there is none
};

// Nothing if the letters at byte 4 are others.
[[nodiscard]] std::optional<FramedBlob> Unframe(Bytes blob, std::string_view letters);

// When a runtime takes named data: if there is a name, or if there is no offset.
enum class KeyRule : uint8_t { kNamed, kWithoutOffset };

// The constants that such a blob lists, as tables of offset, length, and a name of named data.
class StoredParts {
 public:
  StoredParts() = default;
  // Names are added to the blob's keys.
  StoredParts(const std::vector<FlatTable>& places, Bytes stored, KeyRule rule, OpenedBlob& opened);

  // Gives a value the constant of that index, of which `least` bytes are read; nothing: it has
  // none. False: it is not there.
  bool AddTo(BlobValue& value, std::optional<uint64_t> index, uint64_t least = 0) const;

 private:
  std::vector<StoredBytes> parts_;
};

// The letters at byte 4, where flatbuffers and frames have theirs; empty if the blob is shorter.
[[nodiscard]] std::string_view LettersOf(Bytes blob);

}  // namespace pteproof::delegates

#endif  // PTEPROOF_RUNTIME_DELEGATES_FLAT_BLOB_H_
