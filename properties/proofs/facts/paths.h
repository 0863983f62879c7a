// The paths that a call may take: straight runs of instructions and which run may follow which. A
// branch on a constant goes one way.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_PATHS_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_PATHS_H_

#include <cstdint>
#include <vector>

#include "properties/proofs/facts/listing.h"
#include "pteproof/program.h"

namespace pteproof::proofs {

// Instructions [begin, end), always run one after the other.
struct Run {
  int32_t begin = 0;
  int32_t end = 0;
  std::vector<int32_t> next = {};
  std::vector<int32_t> before = {};
  bool reached = false;  // from the method's entry
  bool leaves = false;   // the method may end after it
};

struct Paths {
  std::vector<Run> runs;        // by `begin`; the first is the entry
  std::vector<int32_t> run_of;  // per instruction

  // One run may be a loop: its last instruction may go back to its first.
  [[nodiscard]] bool straight() const { return runs.size() == 1 && runs[0].next.empty(); }
  // The run of an instruction. A number after the last instruction belongs to the last run, a
  // number before the first to the first.
  [[nodiscard]] int32_t RunAt(int32_t instruction) const {
    if (instruction < 0 || run_of.empty()) return 0;
    const auto i = static_cast<size_t>(instruction);
    return i < run_of.size() ? run_of[i] : static_cast<int32_t>(runs.size()) - 1;
  }
  [[nodiscard]] const Run& operator[](int32_t r) const { return runs[static_cast<size_t>(r)]; }
  [[nodiscard]] bool IsReached(int32_t instruction) const {
    return runs[static_cast<size_t>(RunAt(instruction))].reached;
  }
};

// O(instructions).
[[nodiscard]] Paths PathsOf(const Method& method, const Listing& listing);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_PATHS_H_
