// Operators that only tests know, registered as an application registers its own.
#ifndef PTEPROOF_TESTS_EXECUTORCH_WITNESS_TEST_OPERATORS_H_
#define PTEPROOF_TESTS_EXECUTORCH_WITNESS_TEST_OPERATORS_H_

namespace pteproof::witness {

//   my::put(self, part, first) -> self            part into self, from element `first` on
//   my::update_cache.out(cache, row, at, out)     row into row at[0] of the cache, which is `out`
// Both write their first operand and return it. False: the runtime does not take them.
[[nodiscard]] bool RegisterTestOperators();

}  // namespace pteproof::witness

#endif  // PTEPROOF_TESTS_EXECUTORCH_WITNESS_TEST_OPERATORS_H_
