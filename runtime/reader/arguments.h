// A kernel call's arguments against the operator's signature: number and kinds, nothing about
// shapes.
#ifndef PTEPROOF_RUNTIME_READER_ARGUMENTS_H_
#define PTEPROOF_RUNTIME_READER_ARGUMENTS_H_

#include <string>

#include "runtime/reader/method_scope.h"

namespace pteproof::reader {

// What is wrong with a call of `op` with these arguments, all of them value indices in range;
// empty: nothing. An operator that the table does not know takes any.
[[nodiscard]] std::string ArgumentFault(const MethodScope& scope, const Operator& op,
                                        std::span<const int32_t> args);

}  // namespace pteproof::reader

#endif  // PTEPROOF_RUNTIME_READER_ARGUMENTS_H_
