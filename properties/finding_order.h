// The order in which a report has its findings.
#ifndef PTEPROOF_PROPERTIES_FINDING_ORDER_H_
#define PTEPROOF_PROPERTIES_FINDING_ORDER_H_

#include <string_view>
#include <tuple>

#include "pteproof/finding.h"

namespace pteproof {

// Errors first, then as a reader walks the program.
[[nodiscard]] inline bool ComesBefore(const Finding& a, const Finding& b) {
  return std::tuple(b.severity, std::string_view(a.method), a.instruction) <
         std::tuple(a.severity, std::string_view(b.method), b.instruction);
}

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_FINDING_ORDER_H_
