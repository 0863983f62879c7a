// Idea: the runtime's steps on terms. A tensor is a handle: where its bytes are, and its present
// sizes. Operands are read out of the banks, results are written there, and nothing else is known
// of a value: what its bytes are when they are read decides.
//
//     0: v3 = mul(v1, v2)   bank 1 [64, 96) = mul(...)
//     1: v4 = relu(v1)      bank 1 [80, 112) = relu(...)     a plan that overlaps
//     2: v5 = add(v3, v4)   reads [64, 96): 16 bytes of mul, 16 bytes of relu
//
// Invariant: a byte of a bank is the term of the last write; bytes that nothing here has written
// are the bank's at entry, and state by name. A result that is written over an operand which its
// own instruction still reads is torn: a term of its own.
//
// Cost: each step O(arguments x log of the pieces in the banks), and what movements cost.
#include "properties/compare/run/planned_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "properties/compare/terms/apply.h"
#include "reference/evaluate.h"
#include "runtime/placed_outs.h"

namespace pteproof::compare {
namespace {

// Numbers of memory from here on are constants that instructions write to.
constexpr uint32_t kWrittenConstants = uint32_t{1} << 31;

// Memory that is no bank of the plan.
enum class Space : uint8_t { kBank, kOwn, kConstant, kNone };

struct Handle {
  Space space = Space::kNone;
  uint32_t memory = 0;  // kBank: memory id; kOwn: value; kConstant: value whose bytes they are
  uint64_t offset = 0;
  uint64_t capacity = 0;
  TensorShape shape;
  bool bounded = false;
  // Of a tensor whose sizes vary: the term that its bytes should be all of, and the term that they
  // are seen as; a view gives the same bytes other sizes.
  TermId held = kZeroTerm;
  TermId seen = kZeroTerm;
};

struct Span {
  Space space = Space::kNone;
  uint32_t memory = 0;
  uint64_t first = 0;
  uint64_t end = 0;

  [[nodiscard]] bool Meets(const Span& other) const {
    return space == other.space && memory == other.memory && first < other.end && other.first < end;
  }
  bool operator==(const Span&) const = default;
};

Span SpanOf(const Handle& handle) {
  return {handle.space, handle.memory, handle.offset, handle.offset + handle.shape.nbytes()};
}

struct OperandRead {
  Span span;
  TensorShape shape;
  bool elementwise = false;
  int32_t value = -1;
};

class PlannedCall {
 public:
  PlannedCall(TermTable& table, const PlannedMethod& planned, const Assumptions& assumptions)
      : table_(table),
        planned_(planned),
        method_(*planned.method),
        assumptions_(assumptions),
        handles_(method_.values.size()),
        numbers_(method_.values.size()),
        holder_(method_.values.size()) {}

  Trace Run() && {
    trace_.effect = table_.Make(TermKind::kEffect, {});
    PlaceValues();
    EnterState();
    EnterWrittenConstants();
    BindInputs();
    const auto count = static_cast<int32_t>(method_.instructions.size());
    at_ = 0;
    while (at_ < count && !Ended()) {
      if (++trace_.steps > kMostSteps) {
        Stop("the call has more steps than are followed");
        break;
      }
      int32_t next = at_ + 1;
      Step(method_.instructions[static_cast<size_t>(at_)], next);
      if (!Ended()) at_ = next;
    }
    if (!Ended()) Leave();
    trace_.stopped_at = at_;
    return std::move(trace_);
  }

 private:
  [[nodiscard]] bool Ended() const { return trace_.open || trace_.refused || trace_.stopped; }
  void Stop(std::string why) {
    if (!Ended()) trace_.stopped = std::move(why);
  }
  void Refuse(std::string why) {
    if (!Ended()) trace_.refused = std::move(why);
  }

  // --- Memory.

  Memory& MemoryOf(Space space, uint32_t memory) {
    if (space == Space::kBank) {
      const auto found = trace_.banks.find(memory);
      if (found != trace_.banks.end()) return found->second;
      const uint64_t word = memory;
      return trace_.banks.emplace(memory, Memory(table_, table_.Make(TermKind::kStale, {&word, 1})))
          .first->second;
    }
    const auto found = own_.find(memory);
    if (found != own_.end()) return found->second;
    // Memory of the caller that nothing has written: an output's by its position.
    const auto value = static_cast<int32_t>(memory);
    const auto output = std::ranges::find(method_.outputs, value);
    const bool is_output = output != method_.outputs.end();
    const auto position = static_cast<uint64_t>(output - method_.outputs.begin());
    const uint64_t words[] = {is_output ? position : memory, is_output ? uint64_t{2} : 1};
    return own_.emplace(memory, Memory(table_, table_.Make(TermKind::kStale, words))).first->second;
  }

  [[nodiscard]] ContentId Read(const Handle& handle) {
    const uint64_t nbytes = handle.shape.nbytes();
    if (nbytes == 0) return kNoBytes;
    if (handle.space == Space::kNone) {
      Stop("a tensor has no memory");
      return kNoBytes;
    }
    if (handle.space == Space::kConstant) {
      const ContentId whole = ConstantOf(static_cast<int32_t>(handle.memory));
      if (handle.offset + nbytes <= table_[whole].bytes()) {
        return table_.Part(whole, handle.offset, nbytes);
      }
      Stop("a constant is read beyond its end");
      return kNoBytes;
    }
    const ContentId content = MemoryOf(handle.space, handle.memory).Read(handle.offset, nbytes);
    if (handle.shape.varies && content == table_.Whole(handle.held, nbytes)) {
      return table_.Whole(handle.seen, nbytes);
    }
    if (handle.shape.varies || HoldsVarying(content)) {
      Stop(
          "bytes are read of a value whose sizes vary, with other sizes or after a part of it was "
          "overwritten");
    }
    return content;
  }

  [[nodiscard]] bool HoldsVarying(ContentId content) const {
    if (varying_.empty()) return false;
    return std::ranges::any_of(table_[content].runs(),
                               [&](const auto& run) { return varying_.contains(run.term); });
  }

  // The handle's bytes are all of that content's only term.
  void NoteVarying(Handle& handle, ContentId content) {
    if (table_[content].runs().empty()) return;
    handle.held = handle.seen = table_[content].runs().front().term;
    varying_.insert(handle.held);
  }

  [[nodiscard]] ContentId ConstantOf(int32_t value) {
    const auto [it, fresh] = constants_.try_emplace(value, kNoBytes);
    if (fresh) {
      const Tensor& tensor = *method_.TensorOf(value);
      it->second = StoredContent(table_, *planned_.program, method_, tensor, planned_.data);
    }
    return it->second;
  }

  void Write(const Handle& handle, int32_t value, ContentId content) {
    if (table_[content].bytes() > 0) {
      if (handle.space == Space::kConstant) return Stop("an instruction writes to a constant");
      if (handle.space == Space::kNone) return Stop("a result has no memory");
      MemoryOf(handle.space, handle.memory).Write(handle.offset, content);
    }
    trace_.writes.push_back({at_, value, content});
  }

  void PlaceValues() {
    for (int32_t v = 0; v < static_cast<int32_t>(handles_.size()); ++v) {
      holder_[static_cast<size_t>(v)] = v;
      const Tensor* tensor = method_.TensorOf(v);
      if (tensor == nullptr) continue;
      Handle& handle = handles_[static_cast<size_t>(v)];
      const auto sizes = method_.Ints(tensor->sizes);
      handle.shape.dtype = tensor->dtype;
      handle.shape.sizes.assign(sizes.begin(), sizes.end());
      const auto order = method_.Ints(tensor->dim_order);
      if (!std::ranges::is_sorted(order)) handle.shape.order.assign(order.begin(), order.end());
      handle.bounded = tensor->dynamism == Dynamism::kBounded;
      handle.capacity = tensor->nbytes;
      handle.memory = static_cast<uint32_t>(v);
      handle.space = Space::kOwn;
      if (tensor->planned) {
        handle.space = Space::kBank;
        handle.memory = tensor->bank;
        handle.offset = tensor->offset;
      } else if (tensor->data_index > 0 || tensor->external) {
        handle.space = Space::kConstant;
        if (IsWritten(*tensor)) {
          handle.space = Space::kOwn;
          handle.memory = kWrittenConstants + tensor->data_index;
        }
      }
    }
  }

  [[nodiscard]] bool IsWritten(const Tensor& tensor) const {
    return !tensor.external && tensor.data_index < planned_.written.size() &&
           planned_.written[tensor.data_index] > 0;
  }

  // Constants that instructions write to are state by the value that the file has for them.
  void EnterWrittenConstants() {
    for (size_t v = 0; v < handles_.size(); ++v) {
      const Handle& handle = handles_[v];
      if (handle.space != Space::kOwn || handle.memory < kWrittenConstants) continue;
      if (own_.contains(handle.memory)) continue;
      const Tensor& tensor = *method_.TensorOf(static_cast<int32_t>(v));
      const uint64_t nbytes = planned_.written[tensor.data_index];
      const Bytes blob = planned_.program->constants[tensor.data_index];
      const TermId value = table_.Constant(blob.first(std::min<uint64_t>(blob.size(), nbytes)));
      std::string key = fmt::format("\tconstant {}, which instructions write to", value);
      if (written_.contains(key)) Stop("two equal constants are written to");
      const uint64_t word = table_.TextOf(key);
      const TermId term = table_.Make(TermKind::kState, {&word, 1});
      MemoryOf(Space::kOwn, handle.memory).Write(0, table_.Whole(term, nbytes));
      written_.emplace(std::move(key), std::pair(handle.memory, nbytes));
    }
  }

  void EnterState() {
    for (const StatePlace& state : planned_.states) {
      const uint64_t word = table_.TextOf(state.key);
      const TermId term = table_.Make(TermKind::kState, {&word, 1});
      MemoryOf(Space::kBank, state.bank).Write(state.offset, table_.Whole(term, state.nbytes));
    }
  }

  void BindInputs() {
    at_ = -1;
    for (size_t n = 0; n < method_.inputs.size(); ++n) {
      const int32_t v = method_.inputs[n];
      const uint64_t word = n;
      const TermId term = table_.Make(TermKind::kInput, {&word, 1});
      if (method_.TensorOf(v) == nullptr) {
        numbers_[static_cast<size_t>(v)] = {SymbolicNumber::Kind::kTerm, term};
        continue;
      }
      Handle& handle = handles_[static_cast<size_t>(v)];
      if (n < assumptions_.input_sizes.size()) handle.shape.sizes = assumptions_.input_sizes[n];
      handle.shape.varies = assumptions_.open_sizes && handle.bounded;
      const ContentId content = table_.Whole(term, handle.shape.nbytes());
      if (handle.shape.varies) NoteVarying(handle, content);
      Write(handle, v, content);
    }
  }

  void Leave() {
    for (const int32_t v : method_.outputs) {
      trace_.outputs.push_back({ArgumentOf(v), v});
    }
    for (const StatePlace& state : planned_.states) {
      const ContentId content = MemoryOf(Space::kBank, state.bank).Read(state.offset, state.nbytes);
      if (HoldsVarying(content)) Stop("a value whose sizes vary lies in the bytes of a buffer");
      trace_.state[state.key] = content;
    }
    for (const auto& [key, place] : written_) {
      trace_.state[key] = MemoryOf(Space::kOwn, place.first).Read(0, place.second);
    }
    for (size_t n = 0; n < method_.inputs.size(); ++n) {
      const Tensor* tensor = method_.TensorOf(method_.inputs[n]);
      if (tensor == nullptr || tensor->planned) continue;
      const auto memory = own_.find(static_cast<uint32_t>(method_.inputs[n]));
      if (memory == own_.end()) continue;
      const TensorShape shape = n < assumptions_.input_sizes.size()
                                    ? TensorShape{tensor->dtype, assumptions_.input_sizes[n], {}}
                                    : handles_[static_cast<size_t>(method_.inputs[n])].shape;
      const ContentId now = memory->second.Read(0, shape.nbytes());
      const uint64_t word = n;
      if (now == table_.Whole(table_.Make(TermKind::kInput, {&word, 1}), shape.nbytes())) continue;
      trace_.changed_inputs[n] = now;
    }
  }

  // --- Values.

  [[nodiscard]] const Value& ValueAt(int32_t v) const {
    return method_.values[static_cast<size_t>(holder_[static_cast<size_t>(v)])];
  }
  [[nodiscard]] bool IsTensor(int32_t v) const { return method_.TensorOf(v) != nullptr; }

  [[nodiscard]] std::optional<SymbolicNumber> NumberIn(int32_t v) const {
    if (numbers_[static_cast<size_t>(v)]) return numbers_[static_cast<size_t>(v)];
    const Value& value = ValueAt(v);
    switch (value.kind) {
      case ValueKind::kInt:
        return IntNumber(value.integer);
      case ValueKind::kBool:
        return BoolNumber(value.integer != 0);
      case ValueKind::kDouble:
        return RealNumber(value.real);
      default:
        return std::nullopt;
    }
  }

  template <class Each>
  void ForEachTensor(int32_t v, const Each& each) const {
    if (IsTensor(v)) return each(v);
    const Value& value = ValueAt(v);
    if (!IsTensorLike(value.kind)) return;
    for (const int32_t item : method_.Ints(value.items)) {
      if (item >= 0 && IsTensor(item)) each(item);
    }
  }

  SymbolicTensor TensorIn(int32_t v, bool reads) {
    const Handle& handle = handles_[static_cast<size_t>(v)];
    return {handle.shape, reads || handle.shape.varies ? Read(handle) : kNoBytes};
  }

  SymbolicArgument ArgumentOf(int32_t v, bool reads = true, bool as_float = false) {
    if (IsTensor(v)) return TensorIn(v, reads);
    if (const auto number = NumberIn(v)) {
      const bool converts = as_float && number->is_known();
      return converts ? RealNumber(RealOf(*number)) : *number;
    }
    const Value& value = ValueAt(v);
    switch (value.kind) {
      case ValueKind::kString:
        return method_.Text(value.items);
      case ValueKind::kIntList: {
        std::vector<SymbolicNumber> list;
        for (const int32_t item : method_.Ints(value.items)) {
          list.push_back(NumberIn(item).value_or(IntNumber(0)));
        }
        return list;
      }
      case ValueKind::kBoolList: {
        std::vector<SymbolicNumber> list;
        for (const int32_t item : method_.Ints(value.items)) list.push_back(BoolNumber(item != 0));
        return list;
      }
      case ValueKind::kDoubleList: {
        std::vector<SymbolicNumber> list;
        for (uint32_t i = 0; i < value.items.count; ++i) {
          list.push_back(RealNumber(method_.reals[value.items.first + i]));
        }
        return list;
      }
      case ValueKind::kTensorList:
      case ValueKind::kOptionalTensorList: {
        std::vector<std::optional<SymbolicTensor>> list;
        for (const int32_t item : method_.Ints(value.items)) {
          const bool none = item < 0 || !IsTensor(item);
          list.push_back(none ? std::nullopt : std::optional(TensorIn(item, reads)));
        }
        return list;
      }
      default:
        return std::monostate{};
    }
  }

  // --- Instructions.

  void Step(const Instruction& instruction, int32_t& next) {
    switch (instruction.kind) {
      case InstructionKind::kKernelCall:
        return Kernel(method_.operators[static_cast<size_t>(instruction.target)],
                      method_.Ints(instruction.args));
      case InstructionKind::kDelegateCall:
        return Unknown(CodeOf(table_, method_.delegates[static_cast<size_t>(instruction.target)]),
                       method_.Ints(instruction.args));
      case InstructionKind::kMove:
        return Move(instruction.target, instruction.other);
      case InstructionKind::kJumpFalse:
        return Jump(instruction, next);
      case InstructionKind::kFree:
        return;
    }
  }

  void Move(int32_t from, int32_t to) {
    const auto source = static_cast<size_t>(from);
    const auto target = static_cast<size_t>(to);
    if (IsTensor(from) != IsTensor(to)) return Stop("a value is moved to one of another kind");
    if (IsTensor(from)) {
      handles_[target] = handles_[source];
      return;
    }
    numbers_[target] = NumberIn(from);
    holder_[target] = holder_[source];
  }

  void Jump(const Instruction& jump, int32_t& next) {
    Condition condition;
    std::optional<bool> holds;
    if (IsTensor(jump.target)) {
      condition = {true, Read(handles_[static_cast<size_t>(jump.target)])};
      std::vector<std::byte> bytes;
      if (table_.BytesOf(condition.id, bytes)) {
        holds = std::ranges::find(bytes, std::byte{0}) == bytes.end();
      }
    } else if (const auto number = NumberIn(jump.target)) {
      if (number->is_known()) {
        holds = number->bits != 0;
      } else {
        condition = {false, static_cast<uint32_t>(number->bits)};
      }
    } else {
      return Refuse("the condition of a jump is not a bool");
    }
    if (Ended()) return;
    if (!holds) {
      const auto assumed = assumptions_.holds.find(condition);
      if (assumed == assumptions_.holds.end()) {
        trace_.open = condition;
        return;
      }
      holds = assumed->second;
    }
    if (!*holds) next = jump.other;
  }

  void Kernel(const Operator& op, std::span<const int32_t> args) {
    if (op.schema == nullptr) return Unknown(CodeOf(table_, op.name), args);
    if (args.size() < op.schema->args.size()) return Refuse("the call has too few arguments");
    if (op.schema->is_view) {
      return FindOperator(op.name) != nullptr ? View(args) : StatedView(*op.schema, args);
    }
    if (!IsNoOperation(*op.schema)) Call(*op.schema, args);
    if (op.schema->returns == ReturnSlot::kWritten && args.size() > op.schema->args.size()) {
      for (size_t a = 0; a < op.schema->args.size(); ++a) {
        const bool returned = op.schema->args[a].returned && args[a] != args.back();
        if (returned && IsTensor(args.back()) && IsTensor(args[a])) Move(args[a], args.back());
      }
    }
  }

  void View(std::span<const int32_t> args) {
    const Handle& self = handles_[static_cast<size_t>(args[0])];
    const auto asked = ArgumentOf(args[1]);
    const auto* list = std::get_if<std::vector<SymbolicNumber>>(&asked);
    if (list == nullptr) return Refuse("the sizes of a view are not a list");
    Sizes sizes;
    int64_t known = 1;
    if (self.shape.varies) return VaryingView(args, *list);
    for (const SymbolicNumber& size : *list) {
      if (!size.is_known()) return Stop("a size of a view is computed from data");
      sizes.push_back(IntOf(size));
      if (sizes.back() != -1 && __builtin_mul_overflow(known, sizes.back(), &known)) {
        return Refuse("a view has too many elements");
      }
    }
    const int64_t count = ElementCount(self.shape.sizes);
    for (int64_t& size : sizes) {
      if (size == -1) size = known == 0 ? 0 : count / known;
    }
    Handle view = handles_[static_cast<size_t>(args[2])];
    view.shape.sizes = std::move(sizes);
    PointTo(self, std::move(view), args[2]);
  }

  // The same bytes with sizes that nobody knows yet, as view_copy has them.
  void VaryingView(std::span<const int32_t> args, const std::vector<SymbolicNumber>& sizes) {
    const Handle self = handles_[static_cast<size_t>(args[0])];
    Handle& view = handles_[static_cast<size_t>(args[2])];
    view.shape.varies = true;
    const SymbolicArgument operands[] = {SymbolicTensor{self.shape, Read(self)}, sizes};
    if (Ended()) return;
    if (self.shape.nbytes() != view.shape.nbytes()) return Stop("a view has other bounds");
    const OpSchema* schema = FindOperator("aten::view_copy.out");
    const Applied applied = Apply(table_, *schema, operands, {&view.shape, 1}, trace_.effect);
    NoteCall(applied, trace_.effect);
    view.space = self.space;
    view.memory = self.memory;
    view.offset = self.offset;
    view.capacity = self.capacity;
    view.held = self.held;
    view.seen = table_[applied.contents.front()].runs().front().term;
    varying_.insert(view.seen);
  }

  void StatedView(const OpSchema& schema, std::span<const int32_t> args) {
    const auto result = static_cast<size_t>(args[schema.args.size() - 1]);
    PointTo(handles_[static_cast<size_t>(args[schema.viewed])], handles_[result],
            static_cast<int32_t>(result));
  }

  void PointTo(const Handle& base, Handle view, int32_t value) {
    if (base.shape.varies) return Stop("a view of a value whose sizes vary");
    const bool fits = view.shape.dtype == base.shape.dtype &&
                      ElementCount(view.shape.sizes) == ElementCount(base.shape.sizes);
    if (!fits) return Refuse("a view does not have the elements of its base");
    view.space = base.space;
    view.memory = base.memory;
    view.offset = base.offset;
    view.capacity = base.capacity;
    handles_[static_cast<size_t>(value)] = std::move(view);
  }

  // --- Calls.

  void Call(const OpSchema& schema, std::span<const int32_t> args) {
    if (schema.args[0].access == Access::kFill) return FillRow(args);
    std::vector<SymbolicArgument> operands;
    std::vector<OperandRead> reads;
    std::vector<int32_t> targets;
    for (size_t a = 0; a < schema.args.size(); ++a) {
      const ArgSchema& arg = schema.args[a];
      const bool is_read = arg.access == Access::kRead || arg.access == Access::kUpdate;
      const bool writes = !is_read && arg.access != Access::kNone;
      if (!arg.out) {
        operands.push_back(ArgumentOf(args[a], is_read, arg.kind == ArgKind::kFloat));
      }
      if (arg.access == Access::kRead) NoteReads(args[a], arg.elementwise, reads);
      if (writes || arg.access == Access::kUpdate) {
        ForEachTensor(args[a], [&](int32_t t) { targets.push_back(t); });
      }
    }
    if (Ended() || !Resize(schema, operands, targets)) return;
    std::vector<TensorShape> results;
    for (const int32_t t : targets) results.push_back(handles_[static_cast<size_t>(t)].shape);
    const TermId before = trace_.effect;
    const Applied applied = Apply(table_, schema, operands, results, trace_.effect);
    NoteCall(applied, before);
    if (schema.returns == ReturnSlot::kScalar) {
      if (applied.number) numbers_[static_cast<size_t>(args[schema.args.size()])] = applied.number;
      return;
    }
    Store(applied, targets, reads);
  }

  void NoteCall(const Applied& applied, TermId effect_before) {
    if (applied.call) trace_.made_by.try_emplace(*applied.call, at_);
    if (applied.call && trace_.effect != effect_before) trace_.effects.push_back(*applied.call);
  }

  void NoteReads(int32_t v, bool elementwise, std::vector<OperandRead>& reads) {
    ForEachTensor(v, [&](int32_t t) {
      const Handle& handle = handles_[static_cast<size_t>(t)];
      reads.push_back({SpanOf(handle), handle.shape, elementwise, t});
    });
  }

  // Gives the results of present sizes that vary. False: the call cannot be made.
  bool Resize(const OpSchema& schema, std::span<const SymbolicArgument> operands,
              std::span<const int32_t> targets) {
    const auto varies = [&](int32_t t) { return handles_[static_cast<size_t>(t)].bounded; };
    if (std::ranges::none_of(targets, varies)) return true;
    varies_by_data_ = false;
    if (schema.in_place) return true;  // its operand has its sizes already
    const auto sizes = ResultSizes(schema, operands);
    for (size_t r = 0; r < targets.size(); ++r) {
      Handle& handle = handles_[static_cast<size_t>(targets[r])];
      if (!handle.bounded) continue;
      const bool known = sizes && r < sizes->size();
      const Tensor& tensor = *method_.TensorOf(targets[r]);
      const auto bounds = method_.Ints(tensor.sizes);
      handle.shape.sizes = known ? (*sizes)[r] : Sizes(bounds.begin(), bounds.end());
      handle.shape.varies = !known || varies_by_data_ || AnyVaries(operands);
      if (handle.shape.nbytes() > handle.capacity) Refuse("a result does not fit its memory");
    }
    return !Ended();
  }

  [[nodiscard]] std::optional<std::vector<Sizes>> ResultSizes(
      const OpSchema& schema, std::span<const SymbolicArgument> operands) {
    std::vector<TensorType> types;
    types.reserve(CountTensors(operands));
    std::vector<TypeArgument> args;
    for (const SymbolicArgument& operand : operands) {
      auto arg = TypeOf(operand, types);
      if (!arg) return std::nullopt;
      args.push_back(*std::move(arg));
    }
    const auto ruled = ResultTypes(schema, args);
    if (!ruled.ok()) {
      if (!ruled.error().unknown) Refuse(ruled.error().explanation);
      return std::nullopt;
    }
    std::vector<Sizes> all;
    for (const TensorType& type : ruled.value()) {
      auto sizes = ConcreteSizes(type.sizes);
      if (!sizes) return std::nullopt;
      all.push_back(*std::move(sizes));
    }
    // The rule gives an upper bound where a size depends on data.
    varies_by_data_ = SizesDependOnData(schema);
    return all;
  }

  [[nodiscard]] static bool AnyVaries(std::span<const SymbolicArgument> operands) {
    return std::ranges::any_of(operands, [](const SymbolicArgument& operand) {
      if (const auto* tensor = std::get_if<SymbolicTensor>(&operand)) return tensor->shape.varies;
      const auto* list = std::get_if<std::vector<std::optional<SymbolicTensor>>>(&operand);
      return list != nullptr && std::ranges::any_of(*list, [](const auto& tensor) {
               return tensor.has_value() && tensor->shape.varies;
             });
    });
  }

  // Operators whose results are as long as their data say.
  [[nodiscard]] static bool SizesDependOnData(const OpSchema& schema) {
    return schema.name == "aten::nonzero.out" || schema.name == "aten::masked_select.out" ||
           schema.name.starts_with("aten::repeat_interleave");
  }

  [[nodiscard]] static size_t CountTensors(std::span<const SymbolicArgument> operands) {
    size_t count = 0;
    for (const SymbolicArgument& operand : operands) {
      const auto* list = std::get_if<std::vector<std::optional<SymbolicTensor>>>(&operand);
      count += list == nullptr ? 1 : list->size();
    }
    return count;
  }

  [[nodiscard]] static const TensorType* AddType(const TensorShape& shape,
                                                 std::vector<TensorType>& types) {
    TensorType& type = types.emplace_back();
    type.dtype = shape.dtype;
    type.sizes.assign(shape.sizes.begin(), shape.sizes.end());
    return &type;
  }

  [[nodiscard]] static std::optional<TypeArgument> TypeOf(const SymbolicArgument& operand,
                                                          std::vector<TensorType>& types) {
    if (const auto* tensor = std::get_if<SymbolicTensor>(&operand)) {
      return TypeArgument(AddType(tensor->shape, types));
    }
    if (const auto* text = std::get_if<std::string_view>(&operand)) return TypeArgument(*text);
    if (const auto* number = std::get_if<SymbolicNumber>(&operand)) {
      if (!number->is_known()) return std::nullopt;
      if (number->kind == SymbolicNumber::Kind::kBool) return TypeArgument(number->bits != 0);
      if (number->kind == SymbolicNumber::Kind::kReal) return TypeArgument(RealOf(*number));
      return TypeArgument(SizeExpr(IntOf(*number)));
    }
    if (const auto* list = std::get_if<std::vector<SymbolicNumber>>(&operand)) {
      const bool reals = !list->empty() && list->front().kind == SymbolicNumber::Kind::kReal;
      const bool flags = !list->empty() && list->front().kind == SymbolicNumber::Kind::kBool;
      std::vector<SizeExpr> ints;
      std::vector<double> floats;
      std::vector<bool> bools;
      for (const SymbolicNumber& number : *list) {
        if (!number.is_known()) return std::nullopt;
        ints.emplace_back(IntOf(number));
        floats.push_back(RealOf(number));
        bools.push_back(number.bits != 0);
      }
      if (reals) return TypeArgument(std::move(floats));
      return flags ? TypeArgument(std::move(bools)) : TypeArgument(std::move(ints));
    }
    if (const auto* list = std::get_if<std::vector<std::optional<SymbolicTensor>>>(&operand)) {
      std::vector<const TensorType*> tensors;
      for (const auto& tensor : *list) {
        tensors.push_back(tensor ? AddType(tensor->shape, types) : nullptr);
      }
      return TypeArgument(std::move(tensors));
    }
    return TypeArgument(std::monostate{});
  }

  // Row `index` of the first argument becomes the second.
  void FillRow(std::span<const int32_t> args) {
    const auto index = NumberIn(args[2]);
    if (!index || !index->is_known())
      return Stop("a row is collected at an index that is not known");
    Handle& whole = handles_[static_cast<size_t>(args[0])];
    const Handle row = handles_[static_cast<size_t>(args[1])];
    if (whole.shape.varies || row.shape.varies) return Stop("rows whose sizes vary are collected");
    const int64_t at = IntOf(*index);
    if (at < 0 || whole.shape.sizes.size() != row.shape.sizes.size() + 1) {
      return Refuse("a row does not fit the tensor that collects it");
    }
    if (whole.bounded) {
      whole.shape.sizes = row.shape.sizes;
      whole.shape.sizes.insert(whole.shape.sizes.begin(), at + 1);
    } else if (at >= whole.shape.sizes[0]) {
      return Refuse("a row is collected behind the last one");
    }
    if (whole.shape.nbytes() > whole.capacity) return Refuse("a row does not fit its memory");
    if (!whole.shape.order.empty() || !row.shape.order.empty()) {
      return Stop("rows in another memory order are collected");
    }
    const ContentId content = Read(row);
    Handle part = whole;
    part.shape = row.shape;
    part.offset += static_cast<uint64_t>(at) * row.shape.nbytes();
    Write(part, args[0], content);
  }

  void Unknown(const std::vector<uint64_t>& code, std::span<const int32_t> args) {
    std::vector<uint64_t> key = code;
    key.push_back(args.size());
    const auto [known, fresh] = planned_.splits->try_emplace(std::move(key));
    OpaqueSplit& split = known->second;
    const OpaqueCall told = planned_.opaque->At(at_);
    if (fresh) {
      const auto lists = [](const std::vector<int32_t>& values, int32_t v) {
        return std::ranges::find(values, v) != values.end();
      };
      for (size_t a = 0; a < args.size(); ++a) {
        if (lists(told.operands, args[a])) split.operands.push_back(a);
        if (lists(told.results, args[a])) split.results.push_back(a);
      }
    }
    OpaqueCall call;
    call.returned = told.returned;
    for (const size_t a : split.operands) call.operands.push_back(args[a]);
    for (const size_t a : split.results) {
      const bool is_new = std::ranges::find(call.results, args[a]) == call.results.end();
      if (is_new) call.results.push_back(args[a]);
    }
    Opaque(code, call);
  }

  void Opaque(const std::vector<uint64_t>& code, const OpaqueCall& call) {
    std::vector<SymbolicArgument> operands;
    std::vector<OperandRead> reads;
    for (const int32_t v : call.operands) {
      operands.push_back(ArgumentOf(v));
      NoteReads(v, false, reads);
    }
    std::vector<int32_t> targets;
    for (const int32_t v : call.results) {
      ForEachTensor(v, [&](int32_t t) { targets.push_back(t); });
    }
    std::erase_if(reads, [&](const OperandRead& read) {
      return std::ranges::find(targets, read.value) != targets.end();
    });
    if (Ended()) return;
    std::vector<TensorShape> results;
    for (const int32_t t : targets) {
      Handle& handle = handles_[static_cast<size_t>(t)];
      const auto bounds = method_.Ints(method_.TensorOf(t)->sizes);
      handle.shape.sizes.assign(bounds.begin(), bounds.end());
      handle.shape.varies = handle.bounded;
      results.push_back(handle.shape);
    }
    const TermId before = trace_.effect;
    const Applied applied = ApplyOpaque(table_, code, operands, results, trace_.effect);
    NoteCall(applied, before);
    Store(applied, targets, reads);
    for (const auto& [slot, result] : call.returned) Move(result, slot);
  }

  // --- Results.

  void Store(const Applied& applied, std::span<const int32_t> targets,
             std::span<const OperandRead> reads) {
    std::vector<Span> written;
    for (size_t r = 0; r < targets.size() && r < applied.contents.size(); ++r) {
      const Handle handle = handles_[static_cast<size_t>(targets[r])];
      ContentId content = applied.contents[r];
      const Span span = SpanOf(handle);
      if (const auto torn = TornBy(handle, content, reads)) {
        content = Torn(content, *torn);
      }
      for (const Span& other : written) {
        if (other.Meets(span)) content = Torn(content, {other.first - span.first, ~uint64_t{0}});
      }
      written.push_back(span);
      if (handle.shape.varies) NoteVarying(handles_[static_cast<size_t>(targets[r])], content);
      Write(handle, targets[r], content);
    }
  }

  struct Tear {
    uint64_t distance = 0;
    uint64_t operand = 0;
  };

  // The operand whose bytes the result takes while they are still read; nothing: the result may be
  // written where it lies.
  std::optional<Tear> TornBy(const Handle& result, ContentId content,
                             std::span<const OperandRead> reads) {
    const Span span = SpanOf(result);
    for (size_t n = 0; n < reads.size(); ++n) {
      const OperandRead& read = reads[n];
      if (read.span.first == read.span.end || !read.span.Meets(span)) continue;
      const bool in_step = read.elementwise && read.span == span &&
                           read.shape.order == result.shape.order &&
                           ElementSize(read.shape.dtype) == ElementSize(result.shape.dtype);
      if (in_step && read.shape.sizes == result.shape.sizes) continue;
      if (Read(result) == content) continue;  // each byte is written as it is
      return Tear{read.span.first - span.first, n};
    }
    return std::nullopt;
  }

  ContentId Torn(ContentId content, const Tear& tear) {
    const uint64_t words[] = {content, tear.distance, tear.operand};
    return table_.Whole(table_.Make(TermKind::kTorn, words), table_[content].bytes());
  }

  TermTable& table_;
  const PlannedMethod& planned_;
  const Method& method_;
  const Assumptions& assumptions_;
  std::vector<Handle> handles_;                         // per value
  std::vector<std::optional<SymbolicNumber>> numbers_;  // per value, where one was computed
  std::vector<int32_t> holder_;  // per value that is no tensor: the value of the file it stands for
  std::map<uint32_t, Memory> own_;  // of values without a placement
  std::map<int32_t, ContentId> constants_;
  std::unordered_set<TermId> varying_;                            // terms whose sizes vary
  bool varies_by_data_ = false;                                   // the results of the call at hand
  std::map<std::string, std::pair<uint32_t, uint64_t>> written_;  // by key: memory and bytes
  Trace trace_;
  int32_t at_ = -1;
};

}  // namespace

ContentId StoredContent(TermTable& table, const Program& program, const Method& method,
                        const Tensor& tensor, const DataFile* data) {
  if (tensor.external) {
    const std::string_view name = method.Text(tensor.name);
    if (data != nullptr) {
      const auto entry = std::ranges::find(data->entries, name, &DataEntry::key);
      if (entry != data->entries.end() && entry->blob.size() >= tensor.nbytes) {
        const Bytes bytes = entry->blob.first(tensor.nbytes);
        return table.Whole(table.Constant(bytes), bytes.size());
      }
    }
    const uint64_t word = table.TextOf(name);
    return table.Whole(table.Make(TermKind::kExternal, {&word, 1}), tensor.nbytes);
  }
  const auto& blobs = tensor.planned ? program.initial_values : program.constants;
  if (tensor.data_index == 0 || tensor.data_index >= blobs.size()) {
    return table.Whole(kZeroTerm, tensor.nbytes);
  }
  const Bytes blob = blobs[tensor.data_index];
  const Bytes bytes = blob.first(std::min<uint64_t>(blob.size(), tensor.nbytes));
  ContentBuilder builder;
  builder.Add(table.Constant(bytes), 0, bytes.size());
  builder.Add(kZeroTerm, 0, tensor.nbytes - bytes.size());
  return table.Intern(builder.Take());
}

Trace RunPlanned(TermTable& table, const PlannedMethod& planned, const Assumptions& assumptions) {
  return PlannedCall(table, planned, assumptions).Run();
}

}  // namespace pteproof::compare
