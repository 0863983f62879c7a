// A program's plan made anew without another instruction: values move to other offsets of their
// banks, and the banks shrink. State stays where it is.
#ifndef PTEPROOF_PLANNER_REPLAN_MOVE_PLACES_H_
#define PTEPROOF_PLANNER_REPLAN_MOVE_PLACES_H_

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "planner/lift/webs.h"
#include "planner/placement/algorithms.h"
#include "planner/replan/moving_webs.h"
#include "planner/replan/updates_in_place.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof::planner {

struct BankOf {
  std::string method;
  uint32_t bank = 0;
  bool operator==(const BankOf&) const = default;
};

struct ReplanOptions {
  placement::Algorithm algorithm = placement::Algorithm::kBest;
  std::optional<placement::Effort> effort = {};  // of algorithms that search
  int64_t alignment = 1;                         // at least this for whatever moves
  int64_t old_alignment = 0;                     // of the old plan; 0: as its offsets tell
  const Program* offsets_of = nullptr;           // the old plan; null: that of the program itself
  std::vector<BankOf> keep = {};                 // they stay as they are
  bool in_place = false;                         // results may lie over dying operands
  std::vector<Operator> operators = {};          // that the runtime has besides the program's own
  OutputsLast outputs = OutputsLast::kNextCall;
  bool spread = false;   // all storages lie apart: that outputs do says nothing
  bool reorder = false;  // instructions may come in another order; of a program that is spread out
  bool drop_copies = false;            // calls that only copy go; the same
  const Manifest* manifest = nullptr;  // of the program; null: there is none
  // The most bytes that the target has in a bank, by memory id. A repair keeps to them.
  std::map<uint32_t, uint64_t> bank_sizes = {};
};

// Whether outputs that no other method writes over stay so, where they are.
[[nodiscard]] bool KeepsOutputs(const ReplanOptions& options);

// What a bank has beyond the bytes that its own values need if all of them could move: each in
// bytes, with a value that it is about.
struct BankCauses {
  uint64_t guard = 0;        // behind the last value, for kernels that read beyond their operands
  uint64_t gaps = 0;         // between values: no placement that was found closes them
  uint64_t others = 0;       // bytes in between that other methods keep
  uint64_t outputs = 0;      // outputs stay in their bytes, as the caller reads them later
  int32_t output = -1;       // the last of these
  uint64_t state = 0;        // state stays at its place
  int32_t state_value = -1;  // the last of it
  uint64_t alignment = 0;    // webs begin at multiples of what all old offsets are multiples of
  uint64_t movable = 0;      // what is left: what the webs that are in use at one point take
  int32_t widest = -1;       // the first value of the largest web of several places; -1: none
};

// A bank of a method, in bytes.
struct ReplannedBank {
  std::string method;
  uint32_t bank = 0;
  uint64_t before = 0;
  uint64_t after = 0;
  uint64_t peak_live = 0;                // no placement of these instructions' webs needs less
  std::vector<LaidOver> laid_over = {};  // newly
  BankCauses causes = {};
};

struct Replanned {
  Program program;  // shares the bytes of the old one
  std::vector<ReplannedBank> banks;
  // Per method and instruction of the old program, its number now, -1 for one that is gone. Empty,
  // or empty for a method: as it was.
  std::vector<std::vector<int32_t>> now_at = {};
  // The same of values; none is gone.
  std::vector<std::vector<int32_t>> values_at = {};
  std::vector<std::vector<UpdateInPlace>> updates = {};  // by method, or empty: none
  std::vector<std::vector<int32_t>> dropped = {};  // by method: calls that only copied; or none
  std::vector<std::string> operators_added = {};   // full names; the old program calls none of them
};

// A method with its new plan.
struct PlannedMethod {
  Method method;
  std::vector<ReplannedBank> banks;

  [[nodiscard]] uint64_t bytes() const;  // of all its banks
};

// `kept`: what all methods keep (fixed_bytes.h). As MovePlaces, of one method.
[[nodiscard]] PlannedMethod PlaceMethod(const Program& program, std::span<const MethodWebs> webs,
                                        std::span<const std::vector<BankBytes>> kept, size_t method,
                                        const ReplanOptions& options);

// No bank is larger than before; one that would not be smaller stays as it is. Distances between
// values stay as they are wherever one reads what another wrote. Offsets stay multiples of what all
// offsets in their bank are multiples of, and each bank keeps the bytes behind its last value:
// delegates read a little beyond their operands. `webs`: of the program (planner/lift/webs.h).
[[nodiscard]] Replanned MovePlaces(const Program& program, std::span<const MethodWebs> webs,
                                   const ReplanOptions& options);
// The same, of a program whose meaning nobody has recovered yet.
[[nodiscard]] Replanned MovePlaces(const Program& program, const ReplanOptions& options);

// Makes the sizes before those of that program, of which the planned one was made. Adds banks that
// have become empty.
void SetSizesBefore(const Program& program, Replanned& replanned);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_REPLAN_MOVE_PLACES_H_
