// What the values of a small method may stand for, read from the documentation a second time, with
// nothing of meaning/ in it: slow, by walks over all paths, and without a preference where the
// documentation gives none. What meaning/ says has to be among it.
//
//   0: makes v1 [64,80)     1: makes v2 [80,96)     v3 [64,96), which no instruction makes
//   2: reads v3             v3 may be v1 and v2 in a row, as they are before 2
#ifndef PTEPROOF_TESTS_SUPPORT_NAIVE_READING_H_
#define PTEPROOF_TESTS_SUPPORT_NAIVE_READING_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pteproof/program.h"

namespace pteproof::naive {

enum class Kind : uint8_t {
  kBuffer,  // it lives from call to call
  kRow,     // the bytes of one value, or of several in a row: a view, a concatenation
  kSlice,   // a part of the bytes of one value
  kLost     // a row with a name of bytes elsewhere in it: nothing wrote the bytes that it reads
};

struct Candidate {
  Kind kind = Kind::kBuffer;
  std::vector<int32_t> of = {};
  int32_t birth = 0;  // the instruction before which it came to be
};

// `to` stands for what others hold: a moved or returned name, an et_view, an out in their bytes.
struct Naming {
  int32_t to = 0;
  std::vector<int32_t> of;
  bool after_write = false;  // for what the instruction leaves there, not for what it finds
  bool in_place = false;     // its own place lies in those bytes
};

struct Step {
  std::vector<int32_t> uses;
  std::vector<int32_t> makes;  // written by the kernel
  std::vector<int32_t> outs;   // those of them that are not stores to an operand
  std::vector<Naming> namings;
  std::vector<int32_t> next;  // the instructions that may come next; the count: the end
  int32_t highest = 0;        // the highest value that is mentioned
};

// The instructions that may have made what a value holds.
using Makers = std::set<int32_t>;
inline constexpr int32_t kEntry = -1;  // none of them

struct Listing {
  const Method* method = nullptr;
  std::string left_out;           // why the method is not read; empty: it is
  std::vector<Step> steps = {};   // per instruction
  std::set<int32_t> untold = {};  // outs that a kernel leaves alone, and that lie elsewhere
  // What MakersOf was asked for.
  std::map<std::pair<int32_t, bool>, std::vector<Makers>> makers = {};
};

// Leaves out methods with delegates, unknown operators and moves of lists of tensors.
[[nodiscard]] Listing ListingOf(const Method& method);

// What the instruction makes the value stand for; null: nothing.
[[nodiscard]] const Naming* NamingOf(const Step& step, int32_t v);
[[nodiscard]] bool IsMadeBy(const Step& step, int32_t v);

// The value's last makers before an instruction, or at the end, by all paths to it. `forward`: by
// those that never go back in the listing.
[[nodiscard]] const Makers& MakersOf(Listing& listing, int32_t v, bool forward, int32_t before);

// Per value that is used before an instruction of the listing makes it: the things that it may be.
// None: no path comes to the use. `numbers_tell`: the exporter numbered the values as it made them.
using Reading = std::map<int32_t, std::vector<Candidate>>;
[[nodiscard]] Reading ReadingOf(Listing& listing, bool numbers_tell);

}  // namespace pteproof::naive

#endif  // PTEPROOF_TESTS_SUPPORT_NAIVE_READING_H_
