// Which failures are the same: what a case's fault says, without the places in it.
#ifndef PTEPROOF_PROPERTIES_EXPLAIN_FAULT_KIND_H_
#define PTEPROOF_PROPERTIES_EXPLAIN_FAULT_KIND_H_

#include <string>
#include <string_view>

namespace pteproof::explain {

// Of a fault as RunCase gives it: the rule that the check finds broken, with a manifest or without;
// who makes a call and how that goes wrong, whichever call and output it is; else what it says up
// to its first colon. Empty for none.
[[nodiscard]] std::string KindOfFault(std::string_view fault);

}  // namespace pteproof::explain

#endif  // PTEPROOF_PROPERTIES_EXPLAIN_FAULT_KIND_H_
