// The sides of a comparison as things that make calls, where operators mix their operands' bytes: a
// program in its banks, a program with a storage for every value, a Module in the reference.
#ifndef PTEPROOF_PROPERTIES_COMPARE_CALLERS_H_
#define PTEPROOF_PROPERTIES_COMPARE_CALLERS_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "properties/compare/computation.h"
#include "pteproof/result.h"
#include "reference/datum.h"
#include "reference/graph/module.h"

namespace pteproof::compare {

// Makes a call of the method of that name: its outputs, or why it cannot be made.
using MakeCall = std::function<Result<std::vector<Datum>, std::string>(const std::string& method,
                                                                       std::span<const Datum>)>;
// Loads afresh, which ends the load before. The result holds what it needs but the program; or why
// it cannot be loaded.
using FreshLoad = std::function<Result<MakeCall, std::string>()>;

// As the side is read. `fuel`: instructions of a call beyond one pass through a method. The side
// must outlive it.
[[nodiscard]] FreshLoad LoadOf(const ComparedSide& side, Policy policy, int64_t fuel);

// Of a Module without views and mutation. Outputs are inputs that the method stores to, then its
// own, as a program has them. The Module must outlive it.
[[nodiscard]] FreshLoad LoadOf(const graph::Module& functional, int64_t fuel);

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_CALLERS_H_
