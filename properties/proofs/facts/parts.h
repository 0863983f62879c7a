// Which part each value plays in a method: input, constant, buffer, or made within the call; and
// how the listing touches it. Buffers without a name are inferred, each inference in a function of
// its own.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_PARTS_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_PARTS_H_

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "properties/proofs/facts/listing.h"
#include "properties/proofs/facts/numbering.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof::proofs {

enum class Part : uint8_t {
  kNone,      // no tensor
  kConstant,  // data of the file
  kInput,
  kBuffer,  // lives from call to call
  kLocal,   // planned, made within the call
  kCaller,  // in memory that the caller brings
};

// First and last instructions; -1: none.
struct Touched {
  int32_t first_read = -1;
  int32_t first_made = -1;  // by a kernel, or named after another value
  int32_t last_made = -1;
  bool as_result = false;  // some operator returns it as a new value
  bool stored_to = false;  // some operator updates it
  bool filled = false;     // part by part
  bool named = false;      // after another value, by a move, et_view or as a returned name
  bool borrows = false;    // such a name lies in other bytes than the file places the value in
  bool output = false;

  // The bytes that the file places it in are never its own doing.
  [[nodiscard]] bool OnlyBorrows() const { return borrows && !as_result && !stored_to; }
  [[nodiscard]] bool any() const { return first_read >= 0 || first_made >= 0; }
  // What it holds is wanted before the listing makes it.
  [[nodiscard]] bool WantedUnmade() const {
    if (first_read < 0) return output && first_made < 0;
    return first_made < 0 || first_read <= first_made;
  }
};

// A buffer as one method sees it.
struct BufferPart {
  int32_t value = 0;      // its own value; views of it are others
  std::string_view name;  // of the file or the manifest; empty: none
  uint32_t initial = 0;   // index of its stored initial value, 0: none
  bool external = false;  // its initial value comes from a .ptd
  // Without a name: those of the manifest that fit its type and size.
  std::set<std::string_view> fitting = {};
};

struct Parts {
  std::vector<Part> of;             // per value
  std::vector<Touched> touched;     // per value
  std::vector<BufferPart> buffers;  // ascending by value; adopted ones behind
  std::vector<int32_t> buffer_of;   // per value: the buffer that it is a name of; -1: none

  [[nodiscard]] Part Of(int32_t v) const { return of[static_cast<size_t>(v)]; }
  [[nodiscard]] const Touched& TouchedOf(int32_t v) const {
    return touched[static_cast<size_t>(v)];
  }
  [[nodiscard]] int32_t BufferOf(int32_t v) const { return buffer_of[static_cast<size_t>(v)]; }
};

// O(n log n). `stated` may be null; what it names must outlive the parts.
[[nodiscard]] Parts PartsOf(const Method& method, const Listing& listing,
                            const Numbering& numbering, const ManifestMethod* stated);

// Makes a buffer of a planned value that is wanted before it is made and that is not a view.
void AddBuffer(const Method& method, Parts& parts, int32_t v);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_PARTS_H_
