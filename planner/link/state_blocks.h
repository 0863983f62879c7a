// A method's state as pieces that move by themselves, and the method with its activations packed
// without them.
#ifndef PTEPROOF_PLANNER_LINK_STATE_BLOCKS_H_
#define PTEPROOF_PLANNER_LINK_STATE_BLOCKS_H_

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "meaning/method_meaning.h"
#include "planner/lift/byte_owners.h"
#include "pteproof/program.h"

namespace pteproof::planner {

// Bytes that only values of this block take: a buffer with its views, and with results that an
// instruction leaves in it.
struct StateBlock {
  BankBytes bytes;                // before
  std::set<std::string> buffers;  // by name; state without a name has none
  std::vector<int32_t> values;
};

// Per value: whether it is in one of the blocks.
[[nodiscard]] std::vector<bool> InBlocks(const Method& method,
                                         const std::vector<StateBlock>& blocks);

struct MethodBlocks {
  std::vector<StateBlock> blocks;  // by place
  // The method with activations alone, from the start of their banks: state keeps its old place,
  // which means nothing.
  Method packed;
  std::vector<uint64_t> guards;  // per bank: bytes behind the last value
};

inline constexpr uint64_t kStateAlignment = 16;  // at least, of what moves

// What the offsets of activations are multiples of, as far as that tells of an alignment.
[[nodiscard]] uint64_t ActivationAlignment(const Method& method, const std::vector<bool>& is_state);

// Leaves out the last banks that have neither bytes nor values, but for the first one.
void TrimBanks(Method& method);

// Banks of `packed` have the sizes of activations with their guards. The bytes behind the last
// value of a bank are its guard, but not in `shared_bank` if the method has one of the shared
// buffers there: other buffers lie behind it.
[[nodiscard]] MethodBlocks StateBlocksOf(const meaning::MethodMeaning& meant, uint32_t shared_bank,
                                         const std::set<std::string>& shared, bool pack);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_LINK_STATE_BLOCKS_H_
