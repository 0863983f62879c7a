// Idea: a kernel reads its operands by their dim orders, and most kernels take only tensors of one
// order, the default or channels-last (reference/op_dim_orders.h). Of each call the tensors are
// collected with the word on their argument:
//
//   aten::add.out(self [0,1,2,3], other [0,2,3,1], out [0,1,2,3])    all alike: refused
//
// Some kernels take more orders than they heed (reference/op_element_orders.h). If such a one goes
// through all tensors as they lie in memory, the orders of the dimensions that have more than one
// element are compared, since the others do not move an element.
//
// A value that a move has renamed is left out: at run time it has the order of its source.
//
// Invariant: a call gives at most one finding.
#include "properties/rules/dim_orders.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/rule_names.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"
#include "reference/op_dim_orders.h"
#include "reference/op_element_orders.h"

namespace pteproof::checks {
namespace {

struct Ordered {
  int32_t value = 0;
  std::span<const int32_t> order;
};
using OrderedList = std::vector<Ordered>;

bool IsDefault(const Ordered& t) {
  return IsDefaultOrder(t.order);
}
bool IsLast(const Ordered& t) {
  return IsChannelsLast(t.order);
}

constexpr std::string_view kTakesPlain =
    "ExecuTorch's kernel takes this tensor only in the default order.";
constexpr std::string_view kTakesAlike =
    "ExecuTorch's kernel takes these tensors only if all are in the default order, or all are "
    "channels-last.";
constexpr std::string_view kTakesEither =
    "ExecuTorch's kernel takes this tensor only in the default order or channels-last.";
constexpr std::string_view kGoesByBytes =
    "ExecuTorch's kernel takes the call, and goes through each tensor as its elements lie in "
    "memory.";
constexpr std::string_view kGoesRowByRow =
    "ExecuTorch's kernel takes the call, and treats this tensor as if it were in the default "
    "order.";
constexpr std::string_view kRepeatsRows =
    "ExecuTorch's kernel takes the call, and broadcasts as if all tensors were in the default "
    "order.";

class DimOrderCheck {
 public:
  explicit DimOrderCheck(const MethodFlow& flow) : flow_(flow), method_(flow.method) {
    for (const Instruction& at : method_.instructions) {
      if (at.kind == InstructionKind::kMove) moved_.push_back(at.other);
    }
    std::ranges::sort(moved_);
    for (const Operator& op : method_.operators) rows_.push_back(FindDimOrders(op.name));
  }

  std::vector<Finding> Run() && {
    const bool all_plain = std::ranges::all_of(method_.tensors, [&](const Tensor& t) {
      return IsDefaultOrder(method_.Ints(t.dim_order));
    });
    const bool none_converts = std::ranges::none_of(method_.operators, [](const Operator& op) {
      return op.schema != nullptr && IsConversion(*op.schema);
    });
    if (all_plain && none_converts) return {};
    for (int32_t i = 0; i < flow_.instruction_count(); ++i) {
      const Instruction& at = method_.instructions[static_cast<size_t>(i)];
      const auto block = static_cast<size_t>(flow_.graph.block_of[static_cast<size_t>(i)]);
      if (at.kind == InstructionKind::kKernelCall && flow_.graph.blocks[block].reachable) {
        Call(at, i);
      }
    }
    return std::move(findings_);
  }

 private:
  void Call(const Instruction& at, int32_t i) {
    const OpSchema* schema = method_.operators[static_cast<size_t>(at.target)].schema;
    if (schema == nullptr || schema->is_view) return;
    const OpDimOrders* row = rows_[static_cast<size_t>(at.target)];
    if (IsConversion(*schema)) return Asked(at, *schema, i);
    if (row == nullptr) return Unknown(i, TensorsOf(at, *schema, nullptr));
    const OrderedList plain = TensorsOf(at, *schema, &row->plain);
    const auto odd = std::ranges::find_if_not(plain, IsDefault);
    if (odd != plain.end()) return Tell(i, Severity::kError, *odd, nullptr, kTakesPlain);
    if (const auto pair = Apart(TensorsOf(at, *schema, &row->alike))) {
      return Tell(i, Severity::kError, pair->first, &pair->second, kTakesAlike);
    }
    const OrderedList either = TensorsOf(at, *schema, &row->either);
    const auto other = std::ranges::find_if_not(
        either, [](const Ordered& t) { return IsDefault(t) || IsLast(t); });
    if (other != either.end()) return Tell(i, Severity::kError, *other, nullptr, kTakesEither);
    Misplaced(at, *schema, i);
  }

  // An argument tells the order of the result, in numbers of the file. The exporter asks for
  // channels-last, and gives an image of one channel another order that has its elements at the
  // same places.
  void Asked(const Instruction& at, const OpSchema& schema, int32_t i) {
    const int32_t list = ArgumentOf(at, schema, "dim_order");
    if (list < 0 || std::ranges::binary_search(moved_, list)) return;
    if (method_.values[static_cast<size_t>(list)].kind != ValueKind::kIntList) return;
    std::vector<int64_t> asked;
    for (const int32_t item : method_.Ints(method_.values[static_cast<size_t>(list)].items)) {
      asked.push_back(method_.values[static_cast<size_t>(item)].integer);
    }
    OrderedList made;
    Add(ArgumentOf(at, schema, "out"), made);
    if (made.empty() || std::ranges::equal(made.front().order, asked)) return;
    Tell(i, Severity::kError, made.front(), nullptr,
         fmt::format(
             "Its argument asks for the order [{}], and ExecuTorch's kernel takes no other result.",
             fmt::join(asked, ", ")));
  }

  // The value that the argument of that name is; -1: it has none such.
  int32_t ArgumentOf(const Instruction& at, const OpSchema& schema, std::string_view name) const {
    const auto arg = std::ranges::find(schema.args, name, &ArgSchema::name);
    if (arg == schema.args.end()) return -1;
    return method_.Ints(at.args)[static_cast<size_t>(arg - schema.args.begin())];
  }

  // Those whose arguments stand in the list; null: all.
  OrderedList TensorsOf(const Instruction& at, const OpSchema& schema,
                        const std::string_view* list) const {
    OrderedList tensors;
    if (list != nullptr && list->empty()) return tensors;
    const auto args = method_.Ints(at.args);
    for (size_t a = 0; a < schema.args.size(); ++a) {
      if (list == nullptr || ListsArgument(*list, schema.args[a].name)) Add(args[a], tensors);
    }
    return tensors;
  }

  static bool IsConversion(const OpSchema& schema) {
    return schema.name == "dim_order_ops::_clone_dim_order.out" ||
           schema.name == "dim_order_ops::_to_dim_order_copy.out";
  }

  void Add(int32_t v, OrderedList& list) const {
    if (v < 0) return;
    const Value& value = method_.values[static_cast<size_t>(v)];
    if (const Tensor* tensor = method_.TensorOf(v)) {
      const auto order = method_.Ints(tensor->dim_order);
      if (!std::ranges::binary_search(moved_, v)) list.push_back({v, order});
    } else if (IsTensorLike(value.kind)) {
      for (const int32_t item : method_.Ints(value.items)) Add(item, list);
    }
  }

  // Two of them that show that the tensors are neither all default nor all channels-last.
  static std::optional<std::pair<Ordered, Ordered>> Apart(const OrderedList& tensors) {
    const auto odd = std::ranges::find_if_not(tensors, IsDefault);
    const auto other = std::ranges::find_if_not(tensors, IsLast);
    if (odd == tensors.end() || other == tensors.end()) return std::nullopt;
    return std::pair(*odd, *other);
  }

  Finding At(int32_t i, Severity severity, int32_t v) const {
    return FindingAt(rule::kDimOrderMismatch, severity, method_, i, {v}, flow_.PlaceOf(v));
  }
  std::string Words(const Ordered& t) const {
    return fmt::format("{} with the dim order [{}]", ValueWords(method_, t.value),
                       fmt::join(t.order, ", "));
  }

  // `kernel` says what the kernel does with tensors of such orders.
  void Tell(int32_t i, Severity severity, const Ordered& odd, const Ordered* other,
            std::string_view kernel) {
    Finding finding = At(i, severity, odd.value);
    const bool alone = other == nullptr || other->value == odd.value;
    if (!alone) finding.values.push_back(other->value);
    finding.explanation =
        fmt::format("{} gets {}{}.\n{}\n{}", Capital(InstructionWords(method_, i)), Words(odd),
                    alone ? "" : " beside " + Words(*other), kernel,
                    severity == Severity::kError ? "The call ends with an error at run time."
                                                 : "Elements can end up in wrong places.");
    finding.fix =
        "Convert the tensors to one memory format in the model, or export without dim "
        "order operators.";
    findings_.push_back(std::move(finding));
  }

  [[nodiscard]] std::span<const int32_t> SizesOf(const Ordered& t) const {
    return method_.Ints(method_.TensorOf(t.value)->sizes);
  }

  // The order of the dimensions that have more than one element: two tensors of one rank with the
  // same one have their elements at the same places.
  std::vector<int32_t> Moving(const Ordered& t) const {
    std::vector<int32_t> moving;
    for (const int32_t dim : t.order) {
      if (SizesOf(t)[static_cast<size_t>(dim)] > 1) moving.push_back(dim);
    }
    return moving;
  }

  // Along the dimension that is outermost in all tensors, which are in one order: blocks that lie
  // alike are taken one after the other, whatever is in them.
  bool GoesAlongTheOutermost(const Instruction& at, const OpSchema& schema) const {
    const int32_t v = ArgumentOf(at, schema, "dim");
    if (v < 0) return false;
    const Value& dim = method_.values[static_cast<size_t>(v)];
    if (dim.kind != ValueKind::kInt || dim.integer != 0) return false;
    const OrderedList tensors = TensorsOf(at, schema, nullptr);
    return std::ranges::all_of(tensors, [&](const Ordered& t) {
      return !t.order.empty() && t.order.front() == 0 &&
             std::ranges::equal(t.order, tensors.front().order);
    });
  }

  // A kernel that takes any order, and reads or writes some tensor in another one than its own.
  void Misplaced(const Instruction& at, const OpSchema& schema, int32_t i) {
    const OpElementOrders* row = FindElementOrders(schema.name);
    if (row == nullptr) return;
    OrderedList rowwise = TensorsOf(at, schema, &row->rowwise);
    const OrderedList broadcast = TensorsOf(at, schema, &row->broadcast);
    const bool repeats = std::ranges::any_of(broadcast, [&](const Ordered& t) {
      return !std::ranges::equal(SizesOf(t), SizesOf(broadcast.front()));
    });
    if (repeats) rowwise.insert(rowwise.end(), broadcast.begin(), broadcast.end());
    const auto odd = std::ranges::find_if_not(rowwise, IsDefault);
    if (odd != rowwise.end() && !GoesAlongTheOutermost(at, schema)) {
      return Tell(i, Severity::kWarning, *odd, nullptr, repeats ? kRepeatsRows : kGoesRowByRow);
    }
    const OrderedList matched = TensorsOf(at, schema, &row->matched);
    const auto first = std::ranges::find_if_not(
        matched, [&](const Ordered& t) { return IsDefaultOrder(Moving(t)); });
    if (first == matched.end()) return;
    const auto other = std::ranges::find_if(
        matched, [&](const Ordered& t) { return Moving(t) != Moving(*first); });
    if (other != matched.end()) Tell(i, Severity::kWarning, *first, &*other, kGoesByBytes);
  }

  // Tensors of one rank in unlike orders.
  void Unknown(int32_t i, const OrderedList& tensors) {
    if (noted_) return;
    for (const Ordered& t : tensors) {
      const auto other = std::ranges::find_if(tensors, [&](const Ordered& u) {
        return u.order.size() == t.order.size() && !std::ranges::equal(u.order, t.order);
      });
      if (other == tensors.end()) continue;
      noted_ = true;
      Finding finding = At(i, Severity::kNote, t.value);
      finding.values.push_back(other->value);
      finding.explanation = fmt::format(
          "{} gets {} beside {}.\nIt is not known how ExecuTorch's kernel treats unlike orders.\n"
          "It may refuse the call, or put elements in wrong places.",
          Capital(InstructionWords(method_, i)), Words(t), Words(*other));
      finding.fix = "Compare a run with the model.";
      findings_.push_back(std::move(finding));
      return;
    }
  }

  const MethodFlow flow_;
  const Method& method_;
  std::vector<int32_t> moved_;            // ascending
  std::vector<const OpDimOrders*> rows_;  // per operator; null: nothing is recorded
  bool noted_ = false;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> CheckDimOrders(const MethodFlow& flow) {
  return DimOrderCheck(flow).Run();
}

}  // namespace pteproof::checks
