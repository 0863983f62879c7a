// A mutating Module and its functional form, side by side.
#ifndef PTEPROOF_TESTS_REFERENCE_GRAPH_TWINS_H_
#define PTEPROOF_TESTS_REFERENCE_GRAPH_TWINS_H_

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/graph/functionalize.h"
#include "reference/graph/parse.h"
#include "reference/graph/print.h"
#include "reference/graph/validate.h"
#include "reference/run/interpret.h"
#include "tests/reference/ops/call_op.h"

namespace pteproof::graph {

inline Module Parsed(std::string_view text) {
  auto module = Parse(text);
  EXPECT_TRUE(module.ok()) << module.error().line << ": " << module.error().message;
  return module.ok() ? std::move(module).value() : Module{};
}

inline Module Functional(const Module& module) {
  auto functional = Functionalize(module);
  EXPECT_TRUE(functional.ok()) << functional.error();
  if (!functional.ok()) return {};
  for (const Method& method : functional.value().methods) EXPECT_FALSE(HasMutation(method.body));
  for (const Problem& problem : Validate(functional.value())) {
    ADD_FAILURE() << problem.method << ": " << problem.explanation << "\n"
                  << Print(functional.value());
  }
  return std::move(functional).value();
}

inline std::string WhyNot(std::string_view text) {
  const auto functional = Functionalize(Parsed(text));
  return functional.ok() ? "it is functional" : functional.error();
}

// All elements of a tensor.
using Elements = std::vector<double>;

// A Module and its functional form, called side by side.
class Twins {
 public:
  explicit Twins(std::string_view text)
      : original_(Parsed(text)),
        functional_(Functional(original_)),
        state_(original_),
        functional_state_(original_) {}

  // The outputs of method 0, which both give; with them equal inputs afterwards and state.
  std::vector<Elements> Call(const std::vector<Datum>& inputs) {
    const auto outcome = CallMethod(original_, 0, state_, inputs);
    const auto twin = CallMethod(functional_, 0, functional_state_, inputs);
    EXPECT_TRUE(outcome.ok()) << outcome.error().explanation;
    EXPECT_TRUE(twin.ok()) << twin.error().explanation << "\n" << Print(functional_);
    if (!outcome.ok() || !twin.ok()) return {};
    EXPECT_EQ(outcome.value().outputs, twin.value().outputs) << Print(functional_);
    EXPECT_EQ(outcome.value().inputs_after, twin.value().inputs_after) << Print(functional_);
    EXPECT_EQ(state_, functional_state_) << Print(functional_);
    inputs_after = All(outcome.value().inputs_after);
    return All(outcome.value().outputs);
  }
  // Whether neither makes the call.
  [[nodiscard]] bool Refuse(const std::vector<Datum>& inputs) {
    return !CallMethod(original_, 0, state_, inputs).ok() &&
           !CallMethod(functional_, 0, functional_state_, inputs).ok();
  }
  Elements Buffer(size_t buffer) const { return RealsOf(*state_.Get(0, buffer)); }
  const Method& functional() const { return functional_.methods.front(); }

  std::vector<Elements> inputs_after;

 private:
  static std::vector<Elements> All(const std::vector<Datum>& data) {
    std::vector<Elements> all;
    for (const Datum& datum : data) {
      const auto* tensor = std::get_if<TensorValue>(&datum);
      all.push_back(tensor != nullptr ? RealsOf(*tensor) : Elements{});
    }
    return all;
  }

  Module original_;
  Module functional_;
  State state_;
  State functional_state_;
};

inline TensorValue Floats(Sizes sizes, const std::vector<float>& values) {
  return Tensor<float>(std::move(sizes), values);
}

}  // namespace pteproof::graph

#endif  // PTEPROOF_TESTS_REFERENCE_GRAPH_TWINS_H_
