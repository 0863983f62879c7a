// Repairs a draft into a well-formed Module and calls for it: every number of the draft is taken
// modulo the number of choices, and nodes that fit nowhere are left out.
#ifndef PTEPROOF_PROPERTIES_GENERATORS_BUILD_MODULE_H_
#define PTEPROOF_PROPERTIES_GENERATORS_BUILD_MODULE_H_

#include <string_view>
#include <vector>

#include "properties/generators/draft.h"
#include "reference/datum.h"
#include "reference/graph/module.h"

namespace pteproof::generators {

// Wishes for banks in cases with devices: a bank of that name may lie on a device.
inline constexpr std::string_view kDevicePool = "device";
inline constexpr std::string_view kHostPool = "host";

struct RandomCall {
  size_t method = 0;
  std::vector<Datum> inputs;
};

// A call sequence starts from the initial state.
struct RandomCase {
  graph::Module module;
  std::vector<RandomCall> calls;
};

[[nodiscard]] graph::Module BuildModule(const CaseDraft& draft);

// Inputs of the types that the method takes, at some of the dims it admits: special floats, small
// exact integers and ordinary numbers.
[[nodiscard]] RandomCall BuildCall(const graph::Module& module, const CallDraft& draft);

[[nodiscard]] RandomCase BuildCase(const CaseDraft& draft);

}  // namespace pteproof::generators

#endif  // PTEPROOF_PROPERTIES_GENERATORS_BUILD_MODULE_H_
