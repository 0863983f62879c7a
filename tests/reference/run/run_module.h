// Calls a method of a Module given as text.
#ifndef PTEPROOF_TESTS_REFERENCE_RUN_RUN_MODULE_H_
#define PTEPROOF_TESTS_REFERENCE_RUN_RUN_MODULE_H_

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/graph/parse.h"
#include "reference/run/interpret.h"
#include "tests/reference/ops/call_op.h"

namespace pteproof {

// float32, one dimension.
[[nodiscard]] inline TensorValue Vector(const std::vector<float>& values) {
  return Tensor<float>({static_cast<int64_t>(values.size())}, values);
}

class RunModule {
 public:
  explicit RunModule(std::string_view text, Semantics semantics = Semantics::kReal)
      : module_(Parsed(text)), state_(module_) {
    options_.semantics = semantics;
  }

  // The outputs; none, with error() set, where the call fails.
  std::vector<Datum> Call(std::string_view method, const std::vector<Datum>& inputs) {
    size_t index = 0;
    while (index < module_.methods.size() && module_.methods[index].name != method) ++index;
    auto outcome = CallMethod(module_, index, state_, inputs, options_);
    error_ = outcome.ok() ? "" : outcome.error().explanation;
    return outcome.ok() ? std::move(outcome).value().outputs : std::vector<Datum>{};
  }

  // The elements of the one tensor that it gives.
  std::vector<double> Elements(std::string_view method, const std::vector<Datum>& inputs) {
    const std::vector<Datum> outputs = Call(method, inputs);
    EXPECT_EQ(outputs.size(), 1) << error_;
    return outputs.empty() ? std::vector<double>{} : RealsOf(std::get<TensorValue>(outputs[0]));
  }

  [[nodiscard]] std::vector<double> Buffer(size_t buffer) const {
    return RealsOf(*state_.Get(0, buffer));
  }
  [[nodiscard]] const std::string& error() const { return error_; }
  RunOptions& options() { return options_; }

 private:
  static graph::Module Parsed(std::string_view text) {
    auto module = graph::Parse(text);
    EXPECT_TRUE(module.ok()) << module.error().line << ": " << module.error().message;
    return module.ok() ? std::move(module).value() : graph::Module{};
  }

  graph::Module module_;
  State state_;
  RunOptions options_;
  std::string error_;
};

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_REFERENCE_RUN_RUN_MODULE_H_
