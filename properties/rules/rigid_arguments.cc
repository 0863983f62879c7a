// Idea: OpenVINO's runtime gives the compiled model the address and the present sizes of each
// argument, and nothing else. So what it does with an argument is known though its blob is not:
//
//   a result whose sizes vary     has its largest sizes when the call begins, and keeps them
//   an argument in another order  is read and written row by row
//
// Dimensions of one element do not count for the order (view_orders.h).
#include "properties/rules/rigid_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/rule_names.h"
#include "properties/rules/view_orders.h"
#include "properties/rules/wording.h"

namespace pteproof::checks {
namespace {

// By its name in program files.
constexpr std::string_view kOpenVino = "OpenvinoBackend";

class RigidCall {
 public:
  RigidCall(const MethodMeaning& meant, int32_t at) : meant_(meant), at_(at) {}

  std::vector<Finding> Run() && {
    const auto args = meant_.method->Ints(meant_.method->instructions[Index()].args);
    for (size_t a = 0; a < args.size(); ++a) CheckArgument(a, args[a]);
    return std::move(findings_);
  }

 private:
  [[nodiscard]] size_t Index() const { return static_cast<size_t>(at_); }

  void CheckArgument(size_t position, int32_t v) {
    const Tensor* tensor = meant_.method->TensorOf(v);
    if (tensor == nullptr) return;
    if (IsResult(v) && tensor->dynamism != Dynamism::kStatic) {
      Tell(position, v,
           "Its sizes vary, and OpenVINO's runtime gives no result other sizes.\n"
           "After a call with smaller inputs it has its largest sizes still, with bytes that the "
           "call did not write.",
           "Export with fixed sizes, or leave what has sizes that vary to another backend.");
    } else if (!IsRowMajor(*meant_.method, *tensor)) {
      Tell(position, v,
           fmt::format("Its dims lie in memory in the order [{}], and OpenVINO's runtime takes the "
                       "bytes row by row.\nElements are taken for others.",
                       fmt::join(meant_.method->Ints(tensor->dim_order), ", ")),
           "Lower a model in which this tensor is contiguous.");
    }
  }

  [[nodiscard]] bool IsResult(int32_t v) const {
    return std::ranges::any_of(meant_.effects.WritesOf(Index()), [&](const Write& w) {
      return w.value == v && w.access == Access::kWrite;
    });
  }

  void Tell(size_t position, int32_t v, std::string_view what, std::string_view fix) {
    Finding finding = FindingAt(rule::kDelegateMismatch, Severity::kError, *meant_.method, at_, {v},
                                meant_.flow().PlaceOf(v));
    finding.explanation =
        fmt::format("Argument {} of {} is {}.\n{}", position, InstructionWords(*meant_.method, at_),
                    ValueWords(*meant_.method, v), what);
    finding.fix = fix;
    findings_.push_back(std::move(finding));
  }

  const MethodMeaning& meant_;
  int32_t at_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> CheckRigidArguments(const MethodMeaning& meant) {
  const Method& method = *meant.method;
  std::vector<Finding> findings;
  for (size_t i = 0; i < method.instructions.size(); ++i) {
    const Instruction& call = method.instructions[i];
    if (call.kind != InstructionKind::kDelegateCall) continue;
    if (method.delegates[static_cast<size_t>(call.target)].id != kOpenVino) continue;
    if (!meant.graph.blocks[static_cast<size_t>(meant.graph.block_of[i])].reachable) continue;
    std::ranges::move(RigidCall(meant, static_cast<int32_t>(i)).Run(),
                      std::back_inserter(findings));
  }
  return findings;
}

}  // namespace pteproof::checks
