#include "planner/unmet_wishes.h"

#include <map>
#include <utility>

#include "planner/code/parallel_copy.h"
#include "planner/passes/in_place_rules.h"
#include "planner/passes/passes.h"
#include "reference/graph/method_uses.h"
#include "reference/graph/names.h"

namespace pteproof::planner {
namespace {

using graph::Node;
using graph::Region;

class WishList {
 public:
  WishList(const graph::Method& method, const Code& code, const Sharing& sharing)
      : method_(method), code_(code), sharing_(sharing), names_(graph::ValueNames(method)) {
    for (const Step& step : code.steps) {
      if (step.kind == StepKind::kCall && !step.results.empty()) {
        made_by_.emplace(step.results.front(), &step);
      }
    }
  }

  std::vector<std::string> Run() && {
    Look(method_.body);
    return std::move(unmet_);
  }

 private:
  void Look(const Region& region) {
    for (const Node& node : region.nodes) {
      if (node.in_place && !node.results.empty()) Ask(node);
      for (const Region& inner : node.regions) Look(inner);
    }
  }

  void Ask(const Node& node) {
    const auto operand = graph::ValueOfOperand(node.operands[static_cast<size_t>(*node.in_place)]);
    if (!operand || TensorTypeOf(code_, *operand) == nullptr) return;
    const auto step = made_by_.find(node.results.front());
    if (step == made_by_.end()) {
      return Tell(node, *operand, "nothing needs it, and the plan leaves it out");
    }
    if (sharing_.Coincide(*operand, node.results.front())) return;
    Tell(node, *operand, Reason(*step->second, *operand));
  }

  std::string Reason(const Step& step, ValueId operand) const {
    if (!MayLieUnder(code_, step, operand, step.results.front())) {
      return RootOf(code_, operand) != operand
                 ? "the operand is a view, which is not a value of its own in the file"
                 : "the operator cannot work in this operand";
    }
    const auto storage = static_cast<size_t>(sharing_.StorageIndexOf(operand));
    switch (sharing_.storages()[storage].pin.kind) {
      case Pin::Kind::kConstant:
        return "the operand is a constant";
      case Pin::Kind::kInput:
      case Pin::Kind::kOutput:
        return "the operand lies in the caller's memory";
      case Pin::Kind::kBuffer:
        return "the operand lies in a buffer's bytes, and the result is not what is stored there";
      case Pin::Kind::kNone:
        break;
    }
    return "the operand's bytes are needed longer, or shared with something else";
  }

  void Tell(const Node& node, ValueId operand, const std::string& why) {
    unmet_.push_back("method '" + method_.name +
                     "': " + graph::NameOf(names_, node.results.front()) + " = " + node.op +
                     " is not made in the bytes of " + graph::NameOf(names_, operand) + ": " + why);
  }

  const graph::Method& method_;
  const Code& code_;
  const Sharing& sharing_;
  std::vector<std::string> names_;
  std::map<ValueId, const Step*> made_by_;
  std::vector<std::string> unmet_;
};

}  // namespace

std::vector<std::string> UnmetWishes(const graph::Method& method, const Code& code,
                                     const Sharing& sharing) {
  return WishList(method, code, sharing).Run();
}

}  // namespace pteproof::planner
