// Promises that hold for every input.
#ifndef PTEPROOF_FUZZ_REQUIRE_H_
#define PTEPROOF_FUZZ_REQUIRE_H_

#include <string_view>

namespace pteproof::fuzz {

// Says which promise is broken on standard error, and aborts: that is what a fuzzer calls a find.
[[noreturn]] void Fail(std::string_view promise, std::string_view what = {});

inline void Require(bool holds, std::string_view promise) {
  if (!holds) Fail(promise);
}

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_REQUIRE_H_
