#include "fuzz/require.h"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>

namespace pteproof::fuzz {

void Fail(std::string_view promise, std::string_view what) {
  fmt::print(stderr, "broken promise: {}{}{}\n", promise, what.empty() ? "" : ": ", what);
  std::abort();
}

}  // namespace pteproof::fuzz
