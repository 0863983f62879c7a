// A program that is spread out, packed into banks of given sizes: what does not fit goes to other
// banks.
#ifndef PTEPROOF_PLANNER_REPAIR_PACK_WITHIN_H_
#define PTEPROOF_PLANNER_REPAIR_PACK_WITHIN_H_

#include <cstdint>
#include <limits>
#include <map>
#include <string>

#include "meaning/program_meaning.h"
#include "planner/replan/move_places.h"
#include "pteproof/program.h"

namespace pteproof::planner {

inline constexpr uint64_t kUnbounded = std::numeric_limits<uint64_t>::max();

// The banks that values may be in, by memory id: the most bytes of each.
using BankRoom = std::map<uint32_t, uint64_t>;

// Those that some method has, or that have a size.
[[nodiscard]] BankRoom BanksOf(const Program& program, const std::map<uint32_t, uint64_t>& sizes);

struct Packed {
  Replanned replanned;
  std::string failure;  // which bank is too small, and by how much; empty: all fit
};

// `meant`: of the program, with other places perhaps. Buffers stay. A placement for each bank, and
// one more for each round in which values leave a bank.
[[nodiscard]] Packed PackWithin(Program program, const BankRoom& room,
                                const meaning::ProgramMeaning& meant, const ReplanOptions& options);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_REPAIR_PACK_WITHIN_H_
