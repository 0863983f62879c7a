#include "fuzz/calls/make_draft.h"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "base/finding_names.h"
#include "fuzz/byte_source.h"
#include "fuzz/calls/operands.h"
#include "fuzz/calls/twists.h"
#include "reference/tensor_value.h"

namespace pteproof::fuzz {
namespace {

constexpr size_t kMostCalls = 4;
constexpr size_t kMostTwists = 8;

class DraftMaker {
 public:
  explicit DraftMaker(const DraftStyle& style) : style_(style) {}

  // False: no operands were found.
  bool AddCall(const OpSchema& op, Random random) {
    const Known known = style_.chained ? known_ : Known();
    auto drawn = DrawOperands(op, known, random);
    if (!drawn) return false;
    Operands& operands = kept_.emplace_back(*std::move(drawn));
    DraftStep step;
    step.op = &op;
    size_t next = 0;
    size_t result = 0;
    for (const ArgSchema& arg : op.args) {
      // A view is an operand by its signature.
      const bool is_view = op.is_view && &arg == &op.args.back();
      const bool is_out = arg.out || is_view;
      const int32_t v = is_out ? OutOf(op, arg, operands, result, random)
                               : ValueOf(arg, operands.args[next++], random);
      const bool written = arg.access != Access::kRead && arg.access != Access::kNone;
      if (!is_out && written) ++result;
      step.args.push_back(v);
    }
    AddSlot(op, step);
    draft_.steps.push_back(std::move(step));
    return true;
  }

  Draft Take() { return std::move(draft_); }

 private:
  using Known = std::vector<const TensorValue*>;

  int32_t ValueOf(const ArgSchema& arg, const Argument& argument, Random& random) {
    const bool written = arg.access != Access::kRead && arg.access != Access::kNone;
    const int32_t v =
        std::visit([&](const auto& held) { return Add(held, written, random); }, argument);
    if (arg.kind == ArgKind::kOptionalTensorList && !draft_.At(v).items.empty()) {
      draft_.At(v).kind = ValueKind::kOptionalTensorList;
    }
    return v;
  }

  int32_t Add(std::monostate, bool, Random&) { return draft_.Add({}); }
  int32_t Add(int64_t held, bool, Random&) { return draft_.Add(NumberValue(held)); }
  int32_t Add(bool held, bool, Random&) { return draft_.Add(BoolValue(held)); }
  int32_t Add(double held, bool, Random&) { return draft_.Add(RealValue(held)); }
  int32_t Add(std::string_view held, bool, Random&) {
    DraftValue value;
    value.kind = ValueKind::kString;
    value.text = held;
    return draft_.Add(std::move(value));
  }
  int32_t Add(const std::vector<int64_t>& held, bool, Random&) {
    DraftValue list;
    list.kind = ValueKind::kIntList;
    for (const int64_t item : held) list.items.push_back(draft_.Add(NumberValue(item)));
    return draft_.Add(std::move(list));
  }
  int32_t Add(const std::vector<double>& held, bool, Random&) {
    DraftValue list;
    list.kind = ValueKind::kDoubleList;
    list.reals = held;
    return draft_.Add(std::move(list));
  }
  int32_t Add(const std::vector<bool>& held, bool, Random&) {
    DraftValue list;
    list.kind = ValueKind::kBoolList;
    for (const bool flag : held) list.reals.push_back(flag ? 1 : 0);
    return draft_.Add(std::move(list));
  }
  int32_t Add(const std::vector<const TensorValue*>& held, bool written, Random& random) {
    DraftValue list;
    list.kind = ValueKind::kTensorList;
    for (const TensorValue* item : held) {
      list.items.push_back(item == nullptr ? -1 : Add(item, written, random));
    }
    return draft_.Add(std::move(list));
  }
  int32_t Add(const TensorValue* held, bool written, Random& random) {
    const auto found = values_.find(held);
    if (found != values_.end() &&
        !(written && draft_.At(found->second).tensor.home == Home::kConstant)) {
      return found->second;
    }
    DraftValue value;
    value.kind = ValueKind::kTensor;
    DraftTensor& tensor = value.tensor;
    tensor.dtype = held->dtype;
    tensor.sizes.assign(held->sizes.begin(), held->sizes.end());
    tensor.given = tensor.sizes;
    tensor.data.assign(held->bytes.begin(), held->bytes.end());
    tensor.bounded = random.Below(4) < style_.bounded;
    const size_t home = random.Below(16);
    tensor.home = home < 7    ? Home::kBank
                  : home < 11 ? Home::kCaller
                  : home < 13 ? Home::kState
                              : Home::kConstant;
    const bool steers = !IsFloat(held->dtype) && !IsComplex(held->dtype);
    if (style_.steadies && steers && !written) tensor.home = Home::kConstant;
    if (written && tensor.home == Home::kConstant) tensor.home = Home::kState;
    tensor.is_input = !tensor.stored();
    if (tensor.stored()) tensor.bounded = false;
    Place(tensor);
    const int32_t v = draft_.Add(std::move(value));
    values_[held] = v;
    known_.push_back(held);
    return v;
  }

  int32_t OutOf(const OpSchema& op, const ArgSchema& arg, Operands& operands, size_t& result,
                Random& random) {
    if (arg.kind == ArgKind::kTensorList) {
      DraftValue list;
      list.kind = ValueKind::kTensorList;
      while (result < operands.results.size()) {
        list.items.push_back(AddOut(operands, operands.results[result++], random));
      }
      return draft_.Add(std::move(list));
    }
    const bool untouched = arg.access == Access::kNone;
    if (op.is_view || untouched || result >= operands.results.size()) {
      return AddOut(operands, FormOfUntouched(op, operands), random);
    }
    return AddOut(operands, operands.results[result++], random);
  }

  // An out that no kernel writes: a view's is what its numbers say.
  static ResultForm FormOfUntouched(const OpSchema& op, const Operands& operands) {
    if (op.is_view && !operands.results.empty()) return operands.results[0];
    ResultForm form;
    form.sizes = {0};
    return form;
  }

  int32_t AddOut(Operands& operands, const ResultForm& form, Random& random) {
    DraftValue value;
    value.kind = ValueKind::kTensor;
    DraftTensor& tensor = value.tensor;
    tensor.dtype = form.dtype;
    tensor.sizes.assign(form.sizes.begin(), form.sizes.end());
    tensor.bounded = form.varies || random.Below(4) < style_.bounded;
    tensor.home = random.OneIn(4) ? Home::kCaller : Home::kBank;
    tensor.is_output = tensor.home == Home::kCaller || random.OneIn(2);
    Place(tensor);
    const int32_t v = draft_.Add(std::move(value));
    const TensorValue& stands = operands.tensors.emplace_back(Zeros(form.dtype, form.sizes));
    values_[&stands] = v;
    known_.push_back(&stands);
    return v;
  }

  void AddSlot(const OpSchema& op, DraftStep& step) {
    if (op.returns == ReturnSlot::kNone) return;
    if (op.returns == ReturnSlot::kScalar) {
      step.args.push_back(draft_.Add(NumberValue(0)));
      return;
    }
    std::vector<int32_t> written;
    for (size_t a = 0; a < op.args.size(); ++a) {
      if (op.args[a].returned) written.push_back(step.args[a]);
    }
    if (op.returns == ReturnSlot::kWritten) {
      step.args.push_back(written.empty() ? step.args.back() : written.front());
      return;
    }
    DraftValue list;
    list.kind = ValueKind::kTensorList;
    const bool one_list =
        !written.empty() && draft_.At(written.front()).kind == ValueKind::kTensorList;
    list.items = one_list ? draft_.At(written.front()).items : written;
    if (written.empty()) list.items = draft_.At(step.args.back()).items;
    step.args.push_back(draft_.Add(std::move(list)));
  }

  void Place(DraftTensor& tensor) {
    constexpr uint64_t kAlignment = 16;
    if (!style_.packed) {
      tensor.bank = ++banks_;
      return;
    }
    tensor.bank = 1;
    tensor.offset = end_;
    end_ += (ByteCountOf(tensor) + kAlignment - 1) / kAlignment * kAlignment;
  }

  DraftStyle style_;
  Draft draft_;
  std::deque<Operands> kept_;  // which the maps point into
  std::map<const TensorValue*, int32_t> values_;
  std::vector<const TensorValue*> known_;
  uint32_t banks_ = 0;
  uint64_t end_ = 0;
};

// A number for each operator and choice; the operator of the largest is taken. A new operator takes
// an equal share from each of the others, whose choices stay what they were.
const OpSchema& OperatorFor(uint64_t choice) {
  const auto& operators = OperatorsWithKernels();
  const auto weight = [&](const OpSchema* op) {
    uint64_t hash = choice * 0x9e3779b97f4a7c15;
    for (const char c : op->name) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
    return Random(hash).Next();
  };
  return **std::ranges::max_element(operators, {}, weight);
}

}  // namespace

CallsPlan PlanCalls(Bytes input) {
  CallsPlan plan;
  const auto take = [&input](size_t count) {
    const Bytes taken = input.first(std::min(count, input.size()));
    input = input.subspan(taken.size());
    return taken;
  };
  ByteSource header(take(kCallsHeader));
  const size_t calls = 1 + header.Byte() % kMostCalls;
  DraftStyle style;
  style.packed = header.Byte() % 4 == 3;
  style.bounded = header.Byte() % 4;
  style.chained = header.Byte() % 2 == 1;
  plan.policy = kAllPolicies[header.Byte() % kPolicyCount];
  plan.runs = 1 + header.Byte() % 3;
  plan.shrink = header.Byte();
  plan.input_change = header.Byte();
  constexpr uint8_t kKeepsToRules = 16;
  if (plan.input_change >= kKeepsToRules) plan.rough = plan.input_change * 256U + plan.shrink;
  DraftMaker maker(style);
  for (size_t c = 0; c < calls; ++c) {
    ByteSource record(take(kCallsRecord));
    const OpSchema& op = OperatorFor(record.Word(2));
    plan.drawn.push_back(&op);
    maker.AddCall(op, Random(record.Word(4)));
  }
  plan.draft = maker.Take();
  for (size_t t = 0; t < kMostTwists && !input.empty(); ++t) {
    Twist(plan.draft, take(kCallsRecord));
  }
  return plan;
}

Draft DraftOf(std::span<const DrawnCall> calls, const DraftStyle& style) {
  DraftMaker maker(style);
  for (const DrawnCall& call : calls) maker.AddCall(*call.op, Random(call.seed));
  return maker.Take();
}

}  // namespace pteproof::fuzz
