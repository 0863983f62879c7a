// How large a program's text may be, and what it may make of a few words.
#ifndef PTEPROOF_RUNTIME_PTEASM_LIMITS_H_
#define PTEPROOF_RUNTIME_PTEASM_LIMITS_H_

#include <cstddef>
#include <cstdint>

namespace pteproof::pteasm {

inline constexpr size_t kLongestText = size_t{1} << 30U;     // bytes; lines and columns fit an int
inline constexpr uint64_t kMostFilled = uint64_t{1} << 24U;  // bytes of all `zeros` and `fill`
inline constexpr uint32_t kMostImpliedBanks = 1024;          // without a list of banks
inline constexpr uint64_t kBankAlignment = 16;  // to which exporters round a bank's size

}  // namespace pteproof::pteasm

#endif  // PTEPROOF_RUNTIME_PTEASM_LIMITS_H_
