// What the in-place conditions find in a Module, as lines.
#ifndef PTEPROOF_TESTS_REFERENCE_GRAPH_IN_PLACE_FOUND_H_
#define PTEPROOF_TESTS_REFERENCE_GRAPH_IN_PLACE_FOUND_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "reference/graph/in_place.h"
#include "reference/graph/names.h"
#include "reference/graph/parse.h"

namespace pteproof::graph {

inline constexpr auto kListed = InPlaceOrder::kListed;
inline constexpr auto kStrict = InPlaceOrder::kStrict;
inline constexpr auto kAny = InPlaceOrder::kAny;

inline Module InPlaceModule(const std::string& text) {
  auto module = Parse(text);
  EXPECT_TRUE(module.ok()) << text << module.error().line << ": " << module.error().message;
  return module.ok() ? std::move(module).value() : Module{};
}

// "in-place-alias %2 over %1, seen by %3", one per finding.
inline std::vector<std::string> Found(const Module& module, InPlaceOrder use) {
  std::vector<std::string> found;
  for (const InPlaceFinding& finding : CheckInPlace(module, use)) {
    const auto names = ValueNames(module.methods.front());
    std::string line = std::string(finding.rule) + " " + NameOf(names, finding.result) + " over " +
                       NameOf(names, finding.operand);
    if (finding.reader) line += ", seen by " + NameOf(names, *finding.reader);
    found.push_back(line);
    EXPECT_EQ(std::ranges::count(finding.explanation, '\n'), 2) << finding.explanation;
    EXPECT_EQ(finding.method, "f");
  }
  return found;
}

// Of a method of that head and body, which begins behind `{`.
inline std::vector<std::string> Found(const std::string& head, const std::string& body,
                                      InPlaceOrder use) {
  return Found(InPlaceModule(head + " {\n" + body + "}\n"), use);
}

inline constexpr const char* kOfX = "method f(%x: float32[2])";
inline constexpr const char* kWithBuffer =
    "buffer @b: float32[2]\nbuffer @c: float32[2]\nmethod f(%x: float32[2])";

}  // namespace pteproof::graph

#endif  // PTEPROOF_TESTS_REFERENCE_GRAPH_IN_PLACE_FOUND_H_
