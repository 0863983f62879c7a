// The reads, writes and renames of each instruction: from the operator table if it has the
// operator, else from the standing assumptions. Bytes and lifetimes are left to others.
#ifndef PTEPROOF_MEANING_EFFECTS_H_
#define PTEPROOF_MEANING_EFFECTS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "meaning/delegate_results.h"
#include "meaning/questions.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"
#include "reference/op_schema.h"

namespace pteproof::meaning {

struct Read {
  int32_t value = 0;
  bool elementwise = false;  // element i is read only to write element i of the result
  bool repeats = false;      // and again for others where another tensor of the call has more
};

struct Write {
  int32_t value = 0;
  Access access = Access::kWrite;  // kWrite, kUpdate (then it is among the reads too) or kFill
  bool is_out = true;       // an `out` argument; false: a mutated operand of an in-place operator
  bool is_scratch = false;  // memory to work in: the call needs its bytes for itself, to its end
};

// `to` becomes another name of the bytes that `from` names.
struct Rename {
  int32_t instruction = 0;
  int32_t to = 0;
  int32_t from = 0;
  bool after_write =
      false;  // the returned name of a written argument: takes effect after the write
  bool placed =
      false;  // `to` keeps its own place, which lies in the bytes of `from` or around them
};

// An argument of an operator that nobody knows, which the call may treat otherwise than taken here.
struct OpenArgument {
  int32_t instruction = 0;
  int32_t argument = 0;    // position
  int32_t value = 0;       // a tensor in it
  bool is_result = false;  // its result, which held a value before; else an operand
};

// Where an instruction's accesses begin.
struct FirstAccess {
  uint32_t read = 0;   // in Effects::reads
  uint32_t write = 0;  // in Effects::writes
};

// The effects of all instructions, in listing order. Tensors only.
struct Effects {
  std::vector<Read> reads;
  std::vector<Write> writes;
  std::vector<Rename> renames;       // ascending by instruction
  std::vector<FirstAccess> first;    // per instruction, count + 1 entries
  std::vector<bool> scalar_written;  // per value: an instruction replaces this Int, Bool or Double;
                                     // empty: none of them
  std::vector<Read> left_alone;      // results that the kernel does not write: they hold anything
  std::vector<int32_t> misplaced;  // results that the kernel leaves to their place, which is wrong
  std::vector<int32_t> varying;    // likewise, and their sizes vary: the place tells nothing
  std::vector<OpenArgument> open;  // what the file leaves open of operators that nobody knows
  std::vector<Doubt> doubts;       // of delegate calls
  bool has_unknown_operator = false;
  int32_t moved_list = -1;  // the last instruction that moves a list of tensors; -1: none
  // A delegate call whose outputs neither its blob nor a manifest says.
  bool has_guessed_delegate = false;

  // Whether the file leaves open what some call reads and writes.
  [[nodiscard]] bool IsGuessed() const { return has_unknown_operator || has_guessed_delegate; }

  [[nodiscard]] bool IsScalarWritten(int32_t v) const {
    return !scalar_written.empty() && scalar_written[static_cast<size_t>(v)];
  }
  [[nodiscard]] std::span<const Read> ReadsOf(size_t i) const {
    return std::span(reads).subspan(first[i].read, first[i + 1].read - first[i].read);
  }
  [[nodiscard]] std::span<const Write> WritesOf(size_t i) const {
    return std::span(writes).subspan(first[i].write, first[i + 1].write - first[i].write);
  }
  // O(log renames).
  [[nodiscard]] std::span<const Rename> RenamesOf(size_t i) const {
    return std::ranges::equal_range(renames, static_cast<int32_t>(i), {}, &Rename::instruction);
  }
};

// O(arguments), and the bytes of delegates' blobs. `stated` (may be null) tells how many trailing
// arguments each delegate call writes whose blob does not say it;
// `reading` (may be null) which doubts are read the other way; `numbers`, whether the values'
// numbers may be gone by.
[[nodiscard]] Effects EffectsOf(const Method& method, const ManifestMethod* stated,
                                const Reading* reading = nullptr, Numbers numbers = Numbers::kTell);

// What a manifest, which may be null, states of the method; null: nothing.
[[nodiscard]] const ManifestMethod* StatedOf(const Manifest* manifest, const Method& method);

// The operand that an instruction updates in place, by an operator other than `copy_`, which is how
// exporters store; -1: none.
[[nodiscard]] int32_t UpdatedInPlace(const Method& method, const Effects& effects, int32_t i);

// What operators wrote and returned under another name, their return slot.
class ReturnSlots {
 public:
  explicit ReturnSlots(const Effects& effects);  // O(renames)

  // What was written that is returned as `name`, by one operator after the other; else the name
  // itself. O(names that follow).
  [[nodiscard]] int32_t Written(int32_t name) const;

 private:
  std::unordered_map<int32_t, int32_t> written_;  // by the name
};

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_EFFECTS_H_
