// The waste of a bank: the bytes that the file declares beyond the peak live bytes, which every
// plan of these instructions needs, and beyond what is left for delegates.
#ifndef PTEPROOF_PROPERTIES_BANK_WASTE_H_
#define PTEPROOF_PROPERTIES_BANK_WASTE_H_

#include <cstdint>

#include "pteproof/report.h"

namespace pteproof {

// Bytes; 0 if the bank is smaller than what it needs.
[[nodiscard]] constexpr uint64_t WasteOf(const BankUse& use) {
  const uint64_t needed = use.load + use.guard;
  return use.size > needed ? use.size - needed : 0;
}

// Waste of the bank's size in percent, rounded down; 0 for an empty bank.
[[nodiscard]] constexpr unsigned WastePercentOf(const BankUse& use) {
  if (use.size == 0) return 0;
  const double share = static_cast<double>(WasteOf(use)) / static_cast<double>(use.size);
  return static_cast<unsigned>(share * 100.0);
}

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_BANK_WASTE_H_
