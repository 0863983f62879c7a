#include "tests/support/protocols.h"

#include <gtest/gtest.h>

#include <utility>

#include "properties/manifest/calls.h"

namespace pteproof {

std::string RandomProtocol(std::mt19937_64& random, std::span<const std::string> names, int depth) {
  const uint64_t kind = depth == 0 ? 0 : random() % 6;
  if (kind < 2) return names[random() % names.size()];
  std::string left = RandomProtocol(random, names, depth - 1);
  if (kind == 3) return "(" + left + ")" + "*+?"[random() % 3];
  const std::string right = RandomProtocol(random, names, depth - 1);
  return kind == 2 ? "(" + left + " | " + right + ")" : left + " " + right;
}

Manifest StatingCalls(const std::string& expression) {
  Manifest manifest;
  auto pattern = ParseCalls(expression);
  EXPECT_TRUE(pattern.ok()) << expression;
  if (pattern.ok()) manifest.calls = CallProtocol{expression, std::move(pattern).value()};
  return manifest;
}

}  // namespace pteproof
