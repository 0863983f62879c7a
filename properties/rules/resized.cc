#include "properties/rules/resized.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "reference/op_schema.h"

namespace pteproof::checks {
namespace {

class ResizedFinder {
 public:
  explicit ResizedFinder(const Method& method) : method_(method) {
    resized_.any.resize(method.values.size());
    resized_.rows.resize(method.values.size());
  }

  Resized Run() && {
    for (const int32_t v : method_.inputs) Mark(resized_.any, v);
    for (const Instruction& at : method_.instructions) {
      // Under a second name it may be resized, too.
      if (at.kind == InstructionKind::kMove) {
        Mark(resized_.any, at.target);
        Mark(resized_.any, at.other);
      }
      if (at.kind == InstructionKind::kKernelCall) {
        Call(method_.operators[static_cast<size_t>(at.target)], method_.Ints(at.args));
      }
      if (at.kind != InstructionKind::kDelegateCall) continue;
      for (const int32_t v : method_.Ints(at.args)) Mark(resized_.any, v);
    }
    return std::move(resized_);
  }

 private:
  void Call(const Operator& op, std::span<const int32_t> args) {
    const bool adds_rows = op.name == "executorch_prim::et_copy_index.tensor";
    for (size_t a = 0; a < args.size(); ++a) {
      const bool is_read = op.schema != nullptr && a < op.schema->args.size() &&
                           !op.schema->args[a].out && !op.schema->args[a].returned &&
                           (op.schema->args[a].access == Access::kRead ||
                            op.schema->args[a].access == Access::kNone) &&
                           !(op.schema->is_view && a + 1 == op.schema->args.size());
      if (!is_read) Mark(adds_rows ? resized_.rows : resized_.any, args[a]);
    }
  }

  void Mark(std::vector<bool>& marks, int32_t v) {
    if (v < 0) return;
    const Value& value = method_.values[static_cast<size_t>(v)];
    if (value.kind == ValueKind::kTensor) {
      marks[static_cast<size_t>(v)] = method_.tensors[value.tensor].dynamism != Dynamism::kStatic;
    } else if (IsTensorLike(value.kind)) {
      for (const int32_t item : method_.Ints(value.items)) Mark(marks, item);
    }
  }

  const Method& method_;
  Resized resized_;
};

}  // namespace

Resized ResizedOf(const Method& method) {
  return ResizedFinder(method).Run();
}

}  // namespace pteproof::checks
