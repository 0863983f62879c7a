#include "properties/oracles/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "properties/oracles/decode_tensor.h"
#include "properties/oracles/replay_calls.h"
#include "properties/oracles/replay_values.h"
#include "properties/oracles/tensor_forms.h"
#include "properties/oracles/unsure_state.h"
#include "reference/evaluate.h"
#include "reference/op_movement.h"
#include "reference/op_schema.h"
#include "reference/run/hash_semantics.h"
#include "reference/run/index_range.h"
#include "runtime/placed_outs.h"

namespace pteproof {
namespace {

// One call of one method.
class Run {
 public:
  Run(const Program& program, const meaning::MethodMeaning& meant, const LastUses& last_uses,
      const OpaqueCalls& opaque, const ReplayOptions& options, const StoredStates& stored,
      States& states)
      : method_(*meant.method),
        opaque_(opaque),
        options_(options),
        values_(program, meant, last_uses, options, stored, states),
        stands_for_(method_.values.size()),
        numbers_(method_.values.size()) {
    std::iota(stands_for_.begin(), stands_for_.end(), 0);
  }

  Result<std::vector<Datum>, ReplayError> Go(std::span<const Datum> inputs) {
    if (const std::string why = Bind(inputs); !why.empty()) return Refused(-1, why);
    int64_t fuel = options_.fuel;
    const auto count = static_cast<int32_t>(method_.instructions.size());
    for (int32_t i = 0; i < count;) {
      if (fuel-- == 0) {
        return ReplayError{ReplayError::Kind::kFuel, "", i, "the call does not end"};
      }
      at_ = i;
      values_.Begin(i);
      int32_t next = i + 1;
      if (auto error = Step(method_.instructions[static_cast<size_t>(i)], next)) return *error;
      held_.clear();
      reads_.clear();
      misfit_.clear();
      if (next > i) values_.End(i, next);
      i = next;
    }
    at_ = count;
    values_.Begin(count);
    std::vector<Datum> outputs;
    for (size_t n = 0; n < method_.outputs.size(); ++n) {
      if (values_.IsUnwritten(method_.outputs[n])) {
        return Refused(count, fmt::format("no instruction has written output {}", n));
      }
      outputs.push_back(Output(n));
    }
    return outputs;
  }

  // What stopped the instruction at hand.
  [[nodiscard]] ReplayError Beyond(const OverLimit& over) const {
    std::string why = ExplanationOf(over);
    const auto at = static_cast<size_t>(at_);
    if (at < method_.instructions.size() &&
        method_.instructions[at].kind == InstructionKind::kKernelCall) {
      why =
          method_.operators[static_cast<size_t>(method_.instructions[at].target)].name + ": " + why;
    }
    const bool bytes = over.of == OverLimit::Of::kBytes;
    return {bytes ? ReplayError::Kind::kMemory : ReplayError::Kind::kFuel, "", at_, why};
  }

 private:
  using Fault = std::optional<ReplayError>;
  [[nodiscard]] static ReplayError Refused(int32_t at, std::string why) {
    return {ReplayError::Kind::kRefused, "", at, std::move(why)};
  }
  [[nodiscard]] const Value& ValueAt(int32_t v) const {
    return method_.values[static_cast<size_t>(stands_for_[static_cast<size_t>(v)])];
  }

  // Puts the inputs in their values. Returns why they do not fit.
  std::string Bind(std::span<const Datum> inputs) {
    if (inputs.size() != method_.inputs.size()) {
      return fmt::format("the method takes {} inputs, and {} were given", method_.inputs.size(),
                         inputs.size());
    }
    for (size_t n = 0; n < inputs.size(); ++n) {
      const int32_t v = method_.inputs[n];
      if (const auto* tensor = std::get_if<TensorValue>(&inputs[n])) {
        const Tensor* wanted = method_.TensorOf(v);
        if (wanted == nullptr || wanted->dtype != tensor->dtype) {
          return fmt::format("input {} does not have the type that the method takes", n);
        }
        if (std::string why = Misfit(method_, n, *tensor); !why.empty()) return why;
        values_.Receive(v, *tensor);
      } else if (method_.TensorOf(v) != nullptr) {
        return fmt::format("input {} must be a tensor", n);
      } else {
        numbers_[static_cast<size_t>(v)] = NumberOf(inputs[n]);
      }
    }
    return {};
  }

  // The number that a value holds now; nothing when it is none.
  [[nodiscard]] std::optional<ScalarResult> NumberIn(int32_t v) const {
    if (numbers_[static_cast<size_t>(v)]) return numbers_[static_cast<size_t>(v)];
    const Value& value = ValueAt(v);
    switch (value.kind) {
      case ValueKind::kInt:
        return value.integer;
      case ValueKind::kBool:
        return value.integer != 0;
      case ValueKind::kDouble:
        return value.real;
      default:
        return std::nullopt;
    }
  }

  Fault Step(const Instruction& instruction, int32_t& next) {
    switch (instruction.kind) {
      case InstructionKind::kKernelCall:
        return Kernel(method_.operators[static_cast<size_t>(instruction.target)],
                      method_.Ints(instruction.args));
      case InstructionKind::kDelegateCall:
        return Delegate(method_.delegates[static_cast<size_t>(instruction.target)].id);
      case InstructionKind::kMove:
        if (!AreAlike(method_, instruction.target, instruction.other)) {
          return Refused(at_, "a tensor is moved to a tensor with another type or other sizes");
        }
        if (values_.IsUnwritten(instruction.target)) return ReadsUnwritten();
        if (!HoldsWhatFits(instruction.target, instruction.other)) {
          return Refused(at_,
                         "a tensor is moved to a tensor that is too small for its present sizes");
        }
        if (HoldTensors(instruction)) return Refused(at_, "a list of tensors is moved");
        Move(instruction.target, instruction.other);
        return std::nullopt;
      case InstructionKind::kJumpFalse:
        if (values_.IsUnwritten(instruction.target)) return ReadsUnwritten();
        if (!IsCondition(instruction.target)) return Refused(at_, "the condition is not a bool");
        if (!IsTrue(instruction.target)) next = instruction.other;
        return std::nullopt;
      case InstructionKind::kFree:
        return std::nullopt;
    }
    return std::nullopt;
  }

  // Of a move of lists: names were given to values by what the lists hold in the file.
  [[nodiscard]] bool HoldTensors(const Instruction& move) const {
    if (method_.TensorOf(move.target) != nullptr) return false;
    bool any = false;
    for (const int32_t list : {move.target, move.other}) {
      ForEachTensor(list, [&](int32_t) { any = true; });
    }
    return any;
  }

  [[nodiscard]] bool HoldsWhatFits(int32_t from, int32_t to) {
    if (method_.TensorOf(from) == nullptr || method_.TensorOf(to) == nullptr) return true;
    const Sizes now = values_.Read(from)->sizes;
    return FitsFile(method_, {&to, 1}, {&now, 1});
  }

  void Move(int32_t from, int32_t to) {
    if (method_.TensorOf(from) != nullptr) {
      values_.Alias(from, to, values_.Read(from));
    } else {
      stands_for_[static_cast<size_t>(to)] = stands_for_[static_cast<size_t>(from)];
      numbers_[static_cast<size_t>(to)] = NumberIn(from);
    }
  }

  // A number operator may have put another number in its place.
  [[nodiscard]] bool IsCondition(int32_t v) const {
    if (method_.TensorOf(v) != nullptr) return true;
    const auto number = NumberIn(v);
    return number && std::holds_alternative<bool>(*number);
  }

  bool IsTrue(int32_t v) {
    if (method_.TensorOf(v) != nullptr) {
      // All of its elements.
      const HeldContents flag = values_.Use(v, at_);
      const int64_t count = ElementCount(*flag);
      Paced pace(count);
      for (int64_t i = 0; i < count; ++i) {
        pace.Step();
        if (IntAt(*flag, i) == 0) return false;
      }
      return true;
    }
    const auto number = NumberIn(v);
    return number && std::visit([](auto held) { return held != 0; }, *number);
  }

  Fault Delegate(const std::string& id) {
    if (!hashes()) return Unknown(id, "the file does not tell the results of a delegate");
    return Opaque(id);
  }

  // Nothing is known of it but its operands and results.
  Fault Opaque(const std::string& name) {
    const OpaqueCall& call = opaque_.at(at_);
    bool unwritten = false;
    for (const int32_t v : call.operands) {
      ForEachTensor(v, [&](int32_t t) { unwritten |= values_.IsUnwritten(t); });
    }
    if (unwritten) return ReadsUnwritten();
    std::vector<Argument> operands;
    for (const int32_t v : call.operands) operands.push_back(Operand({}, v));
    if (!misfit_.empty()) return Refused(at_, misfit_);
    const std::vector<int32_t>& targets = call.results;
    std::vector<TensorValue> results = Blank(targets, std::nullopt);
    HashCall(name, nullptr, operands, results);
    for (size_t r = 0; r < targets.size(); ++r) {
      CheckApart(targets[r], results[r].bytes.size(), true);
      values_.Write(targets[r], std::move(results[r]), IsOperand(call, targets[r]), at_);
    }
    for (const auto& [slot, result] : call.returned) Move(result, slot);
    return std::nullopt;
  }
  [[nodiscard]] bool IsOperand(const OpaqueCall& call, int32_t result) {
    bool found = false;
    for (const int32_t v : call.operands) {
      ForEachTensor(v, [&](int32_t t) { found |= t == result; });
    }
    return found;
  }

  // Tensors of the targets' types, of the sizes given or those of the file.
  [[nodiscard]] std::vector<TensorValue> Blank(std::span<const int32_t> targets,
                                               const std::optional<std::vector<Sizes>>& sizes) {
    std::vector<TensorValue> results;
    for (size_t r = 0; r < targets.size(); ++r) {
      const Tensor& t = *method_.TensorOf(targets[r]);
      const bool known = sizes && r < sizes->size();
      results.push_back(Zeros(t.dtype, known ? (*sizes)[r] : SizesOf(method_, t)));
    }
    return results;
  }

  Fault UnknownKernel(const Operator& op) {
    if (!hashes()) return Unknown(op.name, "the operator is not in the table");
    return Opaque(op.name);
  }

  // A runtime refuses it too, before it writes a byte.
  static EvaluateError DoesNotFit() {
    return {false, "a result does not fit the sizes that the file states for it"};
  }

  [[nodiscard]] bool hashes() const { return options_.semantics == Semantics::kHash; }

  [[nodiscard]] bool Keeps(const OpSchema& schema, std::span<const Argument> operands,
                           std::span<const int32_t> targets) const {
    if (KeepsMeaning(schema)) return true;
    const auto* self =
        operands.empty() ? nullptr : std::get_if<const TensorValue*>(&operands.front());
    return self != nullptr && !targets.empty() &&
           KeepsMeaning(schema, (*self)->dtype, method_.TensorOf(targets.front())->dtype);
  }

  // The results of the call, by its meaning or by mixing.
  Result<Evaluated, EvaluateError> Compute(const OpSchema& schema, std::span<Argument> operands,
                                           std::span<const int32_t> targets) {
    if (hashes() && !Keeps(schema, operands, targets)) {
      const auto ruled = SizesByRule(schema, operands);
      if (!ruled.ok()) return ruled.error();
      const std::optional<std::vector<Sizes>>& sizes = ruled.value();
      if (sizes && !FitsFile(method_, targets, *sizes)) return DoesNotFit();
      Evaluated evaluated;
      evaluated.results = Blank(targets, sizes);
      HashKnownCall(schema, operands, evaluated.results);
      return evaluated;
    }
    if (hashes()) KeepIndicesInRange(schema, operands);
    std::vector<ScalarType> dtypes;
    for (const int32_t t : targets) dtypes.push_back(method_.TensorOf(t)->dtype);
    auto evaluated = Evaluate(schema, operands, dtypes);
    if (evaluated.ok()) {
      std::vector<Sizes> sizes;
      for (const TensorValue& made : evaluated.value().results) sizes.push_back(made.sizes);
      if (sizes.size() < targets.size()) {
        return EvaluateError{false, "the call lists more results than the operator has"};
      }
      if (!FitsFile(method_, targets, sizes)) return DoesNotFit();
    }
    return evaluated;
  }

  [[nodiscard]] Fault ReadsUnwritten() const {
    return Refused(at_, "it reads memory that no instruction has written");
  }
  bool NeedsUnwritten(const OpSchema& schema, std::span<const int32_t> args) {
    bool unwritten = false;
    for (size_t a = 0; a < schema.args.size(); ++a) {
      const ArgSchema& arg = schema.args[a];
      if (arg.out || arg.access == Access::kWrite || arg.access == Access::kFill) continue;
      // A value that is used for its sizes alone needs sizes from somewhere, too.
      ForEachTensor(args[a], [&](int32_t t) { unwritten |= values_.IsUnwritten(t); });
    }
    return unwritten;
  }

  Fault Kernel(const Operator& op, std::span<const int32_t> args) {
    if (op.schema == nullptr) return UnknownKernel(op);
    if (op.schema->is_view) {
      return FindOperator(op.name) != nullptr ? View(args) : StatedView(*op.schema, args);
    }
    if (Placed(*op.schema, args)) return std::nullopt;
    if (NeedsUnwritten(*op.schema, args)) {
      return ReadsUnwritten();
    }
    std::vector<Argument> operands;
    std::vector<int32_t> targets;
    for (size_t a = 0; a < op.schema->args.size(); ++a) {
      const ArgSchema& schema = op.schema->args[a];
      if (!schema.out) operands.push_back(Operand(schema, args[a]));
      const bool writes = schema.access != Access::kRead && schema.access != Access::kNone;
      if (writes || op.schema->IsPlaced(a)) {
        ForEachTensor(args[a], [&](int32_t t) { targets.push_back(t); });
      }
    }
    if (std::string why = FormFault(method_, *op.schema, args); !why.empty()) {
      return Refused(at_, std::move(why));
    }
    if (!misfit_.empty()) return Refused(at_, fmt::format("{}: {}", op.name, misfit_));
    auto evaluated = Compute(*op.schema, operands, targets);
    if (!evaluated.ok()) {
      if (evaluated.error().unknown) return Unknown(op.name, evaluated.error().explanation);
      return Refused(at_, evaluated.error().explanation);
    }
    Store(*op.schema, args, operands, targets, std::move(evaluated).value());
    return std::nullopt;
  }

  [[nodiscard]] Fault Unknown(const std::string& op, std::string explanation) const {
    return ReplayError{ReplayError::Kind::kUnknown, op, at_, std::move(explanation)};
  }

  // Remembers the value that a store of the source model overwrites.
  void NoteStore(const OpSchema& schema, std::span<const int32_t> targets) {
    if (schema.name != "aten::copy_" || targets.size() != 1) return;
    const int32_t v = targets.front();
    if (std::ranges::find(method_.outputs, v) == method_.outputs.end()) return;
    const bool input = std::ranges::find(method_.inputs, v) != method_.inputs.end();
    if (input || IsBuffer(v)) before_store_.try_emplace(v, values_.ReadStored(v));
  }
  // Values that loops carry may look like state, too; buffers have names or data of the file, or
  // come before the inputs.
  [[nodiscard]] bool IsBuffer(int32_t v) const {
    if (!values_.NamesABuffer(v)) return false;
    return !method_.NameOf(v).empty() || method_.TensorOf(v)->data_index > 0 ||
           std::ranges::all_of(method_.inputs, [&](int32_t input) { return v < input; });
  }

  void Store(const OpSchema& schema, std::span<const int32_t> args,
             std::span<const Argument> operands, std::span<const int32_t> targets,
             Evaluated evaluated) {
    if (evaluated.scalar) {
      numbers_[static_cast<size_t>(args.back())] = evaluated.scalar;
      return;
    }
    NoteStore(schema, targets);
    const size_t count = std::min(targets.size(), evaluated.results.size());
    for (size_t r = 0; r < count; ++r) {
      TensorValue& result = evaluated.results[r];
      CheckApart(targets[r], result.bytes.size(), false);
      values_.Write(targets[r], std::move(result), IsUpdated(schema, args, targets[r]), at_,
                    PartWritten(schema, operands));
    }
    if (method_.TensorOf(args.back()) == nullptr) return;
    for (size_t a = 0; a < schema.args.size(); ++a) {
      if (schema.PutsInSlot(a) && args[a] != args.back()) Move(args[a], args.back());
    }
  }

  // Tells the tag machine which operands are read while the result is written. Where the call may
  // update its operands, one that is the result too is its own matter and not the plan's.
  void CheckApart(int32_t result, uint64_t nbytes, bool may_update) {
    if (options_.tags == nullptr) return;
    for (const OperandRead& read : reads_) {
      if (may_update && read.value == result) continue;
      const bool in_step = read.elementwise && HaveSameOrder(method_, read.value, result);
      options_.tags->CheckApart(at_, read.value, read.nbytes, result, nbytes, in_step);
    }
  }

  // A call that changes nothing, because its outs lie where their bytes are, of which they are
  // names by now. One that lies elsewhere is left to be made: the reference is free of the plan.
  bool Placed(const OpSchema& schema, std::span<const int32_t> args) {
    const std::vector<PlacedOut> outs = placed_outs_.UnchangedBy(schema, args);
    const bool fit =
        std::ranges::all_of(outs, [](const PlacedOut& out) { return out.fit == PlacedFit::kFits; });
    if (outs.empty() || !fit) return false;
    if (schema.returns == ReturnSlot::kWritten) {
      for (const PlacedOut& out : outs) {
        if (out.out != args.back()) Move(out.out, args.back());
      }
    }
    return true;
  }

  // The same according to a signature, with the sizes of the file.
  Fault StatedView(const OpSchema& schema, std::span<const int32_t> args) {
    const int32_t base = args[schema.viewed];
    const Held& held = *values_.Read(base);
    Sizes sizes = SizesOf(method_, *method_.TensorOf(args.back()));
    if (ElementCount(sizes) != ElementCount(held)) {
      return Refused(at_, "the view does not have as many elements as its base");
    }
    Held view = values_.RereadAs(args.back(), held, std::move(sizes));
    values_.Alias(base, args.back(), std::make_shared<const Held>(std::move(view)));
    return std::nullopt;
  }

  // et_view: another name of the same bytes, with the sizes that stand in a list.
  Fault View(std::span<const int32_t> args) {
    Held view = *values_.Read(args[0]);
    Spend(ValueAt(args[1]).items.count);
    Sizes sizes;
    int64_t known = 1;
    for (const int32_t item : method_.Ints(ValueAt(args[1]).items)) {
      const auto number = NumberIn(item);
      const auto* size = number ? std::get_if<int64_t>(&*number) : nullptr;
      if (size == nullptr) return Refused(at_, "a size of the view is not an integer");
      if (*size < -1 || *size > kMaxSize) {
        return Refused(at_, fmt::format("size {} of the view is {}; a size is 0 to {}, or -1",
                                        sizes.size(), *size, kMaxSize));
      }
      sizes.push_back(*size);
      if (*size != -1 && __builtin_mul_overflow(known, *size, &known)) {
        return Refused(at_, "the view has more elements than can be counted");
      }
    }
    const auto deduced = std::ranges::count(sizes, -1);
    if (deduced > 1) return Refused(at_, "two sizes of the view are -1");
    if (deduced == 1 && known == 0) {
      return Refused(at_, "a size of the view is -1 beside a size of 0");
    }
    for (int64_t& size : sizes) {
      if (size == -1) size = ElementCount(view) / known;
    }
    if (view.dtype != method_.TensorOf(args.back())->dtype) {
      return Refused(at_, "the view does not have the type of its base");
    }
    if (ElementCount(sizes) != ElementCount(view)) {
      return Refused(at_, "the view does not have as many elements as its base");
    }
    if (!FitsFile(method_, args.last(1), {&sizes, 1})) {
      return Refused(at_, DoesNotFit().explanation);
    }
    view = values_.RereadAs(args.back(), view, std::move(sizes));
    values_.Alias(args[0], args.back(), std::make_shared<const Held>(std::move(view)));
    return std::nullopt;
  }

  template <class Each>
  void ForEachTensor(int32_t v, Each each) const {
    const Value& value = ValueAt(v);
    if (value.kind == ValueKind::kTensor) return each(v);
    if (value.kind != ValueKind::kTensorList) return;
    for (const int32_t item : method_.Ints(value.items)) each(item);
  }

  const TensorValue* Hold(const ArgSchema& schema, int32_t v) {
    if (v < 0) return nullptr;
    const bool reads = schema.access == Access::kRead || schema.access == Access::kUpdate;
    held_.push_back(reads ? values_.Use(v, at_) : values_.Read(v));
    if (schema.access == Access::kRead) {
      reads_.push_back({v, schema.elementwise, held_.back()->bytes.size()});
    }
    return held_.back().get();
  }

  Argument Operand(const ArgSchema& schema, int32_t v) {
    const Value& value = ValueAt(v);
    if (const auto number = NumberIn(v)) {
      if (std::string why = NumberFault(schema, *number); !why.empty()) misfit_ = std::move(why);
      return std::visit([](auto held) { return Argument(held); }, *number);
    }
    switch (value.kind) {
      case ValueKind::kTensor:
        return Hold(schema, v);
      case ValueKind::kString:
        return method_.Text(value.items);
      case ValueKind::kIntList:
        return IntList(value);
      case ValueKind::kDoubleList: {
        const auto first = method_.reals.begin() + value.items.first;
        return std::vector<double>(first, first + value.items.count);
      }
      case ValueKind::kBoolList: {
        const auto flags = method_.Ints(value.items);
        return std::vector<bool>(flags.begin(), flags.end());
      }
      case ValueKind::kTensorList:
      case ValueKind::kOptionalTensorList: {
        std::vector<const TensorValue*> list;
        for (const int32_t item : method_.Ints(value.items)) {
          const bool none = item < 0 || method_.TensorOf(item) == nullptr;
          list.push_back(none ? nullptr : Hold(schema, item));
        }
        return list;
      }
      default:
        return std::monostate{};
    }
  }

  // A runtime ends the process where an item is another number.
  [[nodiscard]] Argument IntList(const Value& value) {
    std::vector<int64_t> list;
    for (const int32_t item : method_.Ints(value.items)) {
      const auto number = NumberIn(item);
      const auto* integer = number ? std::get_if<int64_t>(&*number) : nullptr;
      if (integer == nullptr) {
        misfit_ =
            fmt::format("item {} of a list of integers, v{}, is not an integer", list.size(), item);
      }
      list.push_back(integer == nullptr ? 0 : *integer);
    }
    return list;
  }

  // An output that names a buffer stands for its value before the method's store to it, since the
  // source model's stores take place when outputs are known. A stored input comes first among the
  // outputs as it is afterwards; named again, it is what it was.
  Datum Output(size_t n) {
    const int32_t v = method_.outputs[n];
    const auto before = before_store_.find(v);
    const auto earlier = std::span(method_.outputs).first(n);
    const bool names_old = before != before_store_.end() &&
                           (IsBuffer(v) || std::ranges::find(earlier, v) != earlier.end());
    if (names_old) {
      values_.Demand(v, *before->second, at_);
      return DatumOf(*before->second);
    }
    if (method_.TensorOf(v) != nullptr) return DatumOf(*values_.Use(v, at_));
    if (const auto number = NumberIn(v)) {
      return std::visit([](auto held) { return Datum(held); }, *number);
    }
    if (ValueAt(v).kind != ValueKind::kString) return std::monostate{};
    return std::string(method_.Text(ValueAt(v).items));
  }

  const Method& method_;
  const PlacedOuts placed_outs_{method_};
  const OpaqueCalls& opaque_;
  const ReplayOptions& options_;
  ReplayValues values_;
  std::vector<int32_t> stands_for_;  // per value that is not a tensor: after moves
  std::vector<std::optional<ScalarResult>> numbers_;
  struct OperandRead {  // of the call at hand
    int32_t value = 0;
    bool elementwise = false;
    uint64_t nbytes = 0;
  };
  std::vector<HeldContents> held_;  // operands
  std::vector<OperandRead> reads_;
  std::map<int32_t, HeldContents> before_store_;  // by the value stored to
  int32_t at_ = 0;
  std::string misfit_;  // why an operand of the call at hand cannot be passed
};

}  // namespace

Result<std::vector<Datum>, ReplayError> Replay::Call(int32_t method,
                                                     std::span<const Datum> inputs) {
  const auto m = static_cast<size_t>(method);
  if (unsure_) return ReplayError{ReplayError::Kind::kRefused, "", -1, *unsure_};
  const std::string_view why = WhyNoMeaning(meaning_->methods[m]);
  if (!why.empty()) return ReplayError{ReplayError::Kind::kRefused, "", -1, std::string(why)};
  if (options_.tags != nullptr) options_.tags->Enter(m);
  const WithinLimits limits(memory_, limits_.work);
  Run run(program_, meaning_->methods[m], last_uses_[m], (*opaque_)[m], options_, stored_, states_);
  try {
    return run.Go(inputs);
  } catch (const OverLimit& over) {
    return run.Beyond(over);
  }
}

}  // namespace pteproof
