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
#include <utility>

#include "properties/compare/run/planned_values.h"
#include "properties/compare/run/result_sizes.h"
#include "properties/compare/terms/apply.h"
#include "properties/oracles/replay_calls.h"
#include "runtime/delegates/opened_blob.h"
#include "runtime/placed_outs.h"

namespace pteproof::compare {
namespace {

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

class PlannedCall : PlannedValues {
 public:
  using PlannedValues::PlannedValues;

  Trace Run() && {
    Enter();
    const auto count = static_cast<int32_t>(method_.instructions.size());
    at_ = 0;
    while (at_ < count && !Ended()) {
      if (++trace_.steps > kMostSteps) {
        Stop("the call has more steps than are followed");
        break;
      }
      int32_t next = at_ + 1;
      if (meant_) meant_->Begin(at_);
      Step(method_.instructions[static_cast<size_t>(at_)], next);
      if (Ended()) break;
      if (meant_ && next > at_) meant_->End(at_, next);
      at_ = next;
    }
    if (trace_.open && assumptions_.snapshot) trace_.snapshot = Take();
    if (meant_ && !Ended()) meant_->Begin(count);
    if (!Ended()) Leave();
    trace_.stopped_at = at_;
    return std::move(trace_);
  }

 private:
  // --- Instructions.

  void Step(const Instruction& instruction, int32_t& next) {
    switch (instruction.kind) {
      case InstructionKind::kKernelCall:
        return Kernel(method_.operators[static_cast<size_t>(instruction.target)],
                      method_.Ints(instruction.args));
      case InstructionKind::kDelegateCall:
        return Delegated(static_cast<size_t>(instruction.target), method_.Ints(instruction.args));
      case InstructionKind::kMove:
        return Move(instruction.target, instruction.other);
      case InstructionKind::kJumpFalse:
        return Jump(instruction, next);
      case InstructionKind::kFree:
        return;
    }
  }

  void Move(int32_t from, int32_t to) {
    if (IsTensor(from) != IsTensor(to)) return Stop("a value is moved to one of another kind");
    if (IsTensor(from)) return Rename(from, to);
    const auto target = static_cast<size_t>(to);
    numbers_[target] = NumberIn(from);
    holder_[target] = holder_[static_cast<size_t>(from)];
  }

  void Jump(const Instruction& jump, int32_t& next) {
    Condition condition;
    auto holds = IsTrue(jump.target, condition);
    const auto cut = std::ranges::find(assumptions_.cuts, condition, &Cut::at);
    if (!Ended() && !holds && cut != assumptions_.cuts.end()) {
      PutInPlace(*cut);
      holds = IsTrue(jump.target, condition);
    }
    if (Ended()) return;
    if (!holds) {
      Decided& decided = decided_[at_];
      const auto assumed = assumptions_.holds.find(condition);
      if (assumed == assumptions_.holds.end()) {
        trace_.open = condition;
        trace_.open_at = at_;
        trace_.open_jumps = decided.times;
        trace_.open_before = decided.last;
        return;
      }
      trace_.jumps.push_back({at_, condition});
      ++decided.times;
      holds = decided.last = assumed->second;
    }
    if (!*holds) next = jump.other;
  }

  // Nothing, if it is not known: the condition is what it depends on.
  std::optional<bool> IsTrue(int32_t v, Condition& condition) {
    if (IsTensor(v)) {
      condition = {true, Read(v)};
      std::vector<std::byte> bytes;
      if (!table_.BytesOf(condition.id, bytes)) return std::nullopt;
      return std::ranges::find(bytes, std::byte{0}) == bytes.end();
    }
    const auto number = NumberIn(v);
    if (!number) {
      Refuse("the condition of a jump is not a bool");
      return std::nullopt;
    }
    if (number->is_known()) return number->bits != 0;
    condition = {false, static_cast<uint32_t>(number->bits)};
    return std::nullopt;
  }

  void Kernel(const Operator& op, std::span<const int32_t> args) {
    if (op.schema == nullptr) {
      AssumeOwnArguments("operator", op.name);
      return Unknown(CodeOf(table_, op.name), args);
    }
    if (FindOperator(op.name) == nullptr) {
      trace_.assumed.insert(fmt::format("the manifest states the signature of '{}'", op.name));
    }
    if (args.size() < op.schema->args.size()) return Refuse("the call has too few arguments");
    if (op.schema->is_view) {
      NeedMemory(args.first(op.schema->args.size() - 1));  // the view is given its own
      if (Ended()) return;
      return FindOperator(op.name) != nullptr ? View(args) : StatedView(*op.schema, args);
    }
    if (!Placed(*op.schema, args)) Call(*op.schema, args);
    if (Ended()) return;
    for (size_t a = 0; a < op.schema->args.size(); ++a) {
      const bool is_other = op.schema->PutsInSlot(a) && args[a] != args.back();
      if (is_other && IsTensor(args.back()) && IsTensor(args[a])) Move(args[a], args.back());
    }
  }

  void NeedMemory(std::span<const int32_t> args) {
    for (const int32_t v : args) {
      if (!HaveMemory(v)) Refuse("a tensor has neither a placement nor memory of the caller");
    }
  }

  // A call that changes nothing, because its outs lie where their bytes are, of which they are
  // names by now. As the program is meant, one that lies elsewhere is made.
  bool Placed(const OpSchema& schema, std::span<const int32_t> args) {
    const std::vector<PlacedOut> outs = placed_outs_.UnchangedBy(schema, args);
    if (!meant_) return !outs.empty() || IsNoOperation(schema);
    const bool fit =
        std::ranges::all_of(outs, [](const PlacedOut& out) { return out.fit == PlacedFit::kFits; });
    return !outs.empty() && fit;
  }

  void Delegated(size_t index, std::span<const int32_t> args) {
    const Delegate& delegate = method_.delegates[index];
    AssumeOwnArguments("delegate", delegate.id);
    if (planned_.told == nullptr) {
      AssumeNamedData(delegate);
      if (delegate_codes_.empty()) delegate_codes_ = CodesOfDelegates(table_, method_);
      return Unknown(delegate_codes_[index], args);
    }
    trace_.assumed.insert(
        fmt::format("the blob of delegate '{}' is what the Module means by it", delegate.id));
    Unknown(CodeOfDelegate(table_, delegate.id), args);
  }

  // What neither program holds is compared by its name.
  void AssumeNamedData(const Delegate& delegate) {
    if (delegate.opened == nullptr) return;
    for (const std::string& key : delegate.opened->data_keys) {
      if (std::ranges::find(planned_.program->named_data, key, &NamedBlob::key) !=
          planned_.program->named_data.end())
        continue;
      trace_.assumed.insert(fmt::format("the named data '{}' is one in both programs", key));
    }
  }

  void AssumeOwnArguments(std::string_view kind, std::string_view name) {
    trace_.assumed.insert(fmt::format(
        "{} '{}' reads and writes its arguments and a state of its own, and nothing else", kind,
        name));
  }

  void View(std::span<const int32_t> args) {
    const SymbolicTensor self = TensorIn(args[0], false);
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
    Handle view = HandleOf(args[2]);
    view.shape.sizes = std::move(sizes);
    View(self.shape, args[0], std::move(view), args[2]);
  }

  // The same bytes with sizes that nobody knows yet, as view_copy has them.
  void VaryingView(std::span<const int32_t> args, const std::vector<SymbolicNumber>& sizes) {
    const SymbolicTensor self = TensorIn(args[0], true);
    TensorShape& shape = HandleOf(args[2]).shape;
    shape.varies = true;
    const SymbolicArgument operands[] = {self, sizes};
    if (Ended()) return;
    if (self.shape.nbytes() != shape.nbytes()) return Stop("a view has other bounds");
    const OpSchema* schema = FindOperator("aten::view_copy.out");
    const Applied applied = Apply(table_, *schema, operands, {&shape, 1}, trace_.effect);
    NoteCall(applied, trace_.effect);
    PointToVarying(args[0], args[2], applied.contents.front());
  }

  void StatedView(const OpSchema& schema, std::span<const int32_t> args) {
    const int32_t base = args[schema.viewed];
    const int32_t result = args[schema.args.size() - 1];
    View(TensorIn(base, false).shape, base, HandleOf(result), result);
  }

  void View(const TensorShape& base, int32_t from, Handle view, int32_t to) {
    if (base.varies) return Stop("a view of a value whose sizes vary");
    const bool fits = view.shape.dtype == base.dtype &&
                      ElementCount(view.shape.sizes) == ElementCount(base.sizes);
    if (!fits) return Refuse("a view does not have the elements of its base");
    PointTo(from, std::move(view), to);
  }

  // --- Calls.

  void Call(const OpSchema& schema, std::span<const int32_t> args) {
    NeedMemory(args.first(schema.args.size()));
    if (Ended()) return;
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
    if (targets.size() == 1) NoteStore(schema.name, targets.front());
    Store(applied, targets, reads, [&](int32_t t) { return IsUpdated(schema, args, t); });
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
    if (schema.in_place) return true;  // its operand has its sizes already
    const ResultSizes ruled = SizesOfResults(schema, operands);
    if (ruled.refused) Refuse(*ruled.refused);
    for (size_t r = 0; r < targets.size(); ++r) {
      Handle& handle = handles_[static_cast<size_t>(targets[r])];
      if (!handle.bounded) continue;
      const bool known = ruled.sizes && r < ruled.sizes->size();
      const Tensor& tensor = *method_.TensorOf(targets[r]);
      const auto bounds = method_.Ints(tensor.sizes);
      handle.shape.sizes = known ? (*ruled.sizes)[r] : Sizes(bounds.begin(), bounds.end());
      handle.shape.varies = !known || ruled.by_data || AnyVaries(operands);
      if (handle.shape.nbytes() > handle.capacity) Refuse("a result does not fit its memory");
    }
    return !Ended();
  }

  // Row `index` of the first argument becomes the second.
  void FillRow(std::span<const int32_t> args) {
    const auto index = NumberIn(args[2]);
    if (!index || !index->is_known())
      return Stop("a row is collected at an index that is not known");
    if (meant_ && meant_->Holds(args[0])) static_cast<void>(Read(args[0]));
    Handle& whole = HandleOf(args[0]);
    const SymbolicTensor row = TensorIn(args[1], true);
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
    if (Ended()) return;
    WritePart(args[0], static_cast<uint64_t>(at) * row.shape.nbytes(), row.content);
  }

  // An argument is a result if all tensors in it are.
  [[nodiscard]] OpaqueSplit SplitOf(const OpaqueCall& told, std::span<const int32_t> args) const {
    OpaqueSplit split;
    for (size_t a = 0; a < args.size(); ++a) {
      if (std::ranges::find(told.operands, args[a]) != told.operands.end()) {
        split.operands.push_back(a);
      }
      bool any = false;
      bool all = true;
      ForEachTensor(args[a], [&](int32_t t) {
        any = true;
        all = all && std::ranges::find(told.results, t) != told.results.end();
      });
      if (any && all) split.results.push_back(a);
    }
    return split;
  }

  [[nodiscard]] bool HoldsStale(ContentId content) const {
    return std::ranges::any_of(table_[content].runs(), [&](const auto& run) {
      const Term term = table_.At(run.term);
      if (term.kind != TermKind::kState) return term.kind == TermKind::kStale;
      return IsUnnamedKey(table_.Text(static_cast<TextId>(term.words[0])));
    });
  }

  // Whether a tensor holds what something has made: its own value, or that of another one whose
  // bytes it names.
  [[nodiscard]] bool IsMade(int32_t t) {
    const ContentId content = Read(t);
    const bool was_there = std::ranges::all_of(table_[content].runs(), [&](const auto& run) {
      const TermKind kind = table_.At(run.term).kind;
      return kind == TermKind::kState || kind == TermKind::kConstant || kind == TermKind::kExternal;
    });
    const auto is_it = [&](const TracedWrite& write) { return write.content == content; };
    return !HoldsStale(content) && (was_there || std::ranges::any_of(trace_.writes, is_it));
  }

  // What the Module tells of this call.
  void TakeTold(const std::vector<uint64_t>& key, OpaqueSplit& split) {
    const size_t n = opaque_calls_++;
    const bool is_told = n < planned_.told->size() && (*planned_.told)[n].first == key;
    if (is_told) {
      split = (*planned_.told)[n].second;
    } else {
      trace_.doubt = at_;
    }
  }

  void TakeUsual(std::vector<uint64_t> key, std::span<const int32_t> args, OpaqueSplit& split) {
    OpaqueSplit& usual = planned_.splits->try_emplace(std::move(key), split).first->second;
    const bool same = usual.operands == split.operands && usual.results == split.results;
    if (planned_.tells_splits) usual.several |= !same;
    if (!same || usual.several) trace_.doubt = at_;
    if (planned_.tells_splits || usual.several) return;
    for (const size_t a : usual.operands) {
      if (std::ranges::find(split.operands, a) != split.operands.end()) continue;
      ForEachTensor(args[a], [&](int32_t t) { trace_.reads_unmade |= !IsMade(t); });
    }
    split = usual;
  }

  void Unknown(const std::vector<uint64_t>& code, std::span<const int32_t> args) {
    NeedMemory(args);
    if (Ended()) return;
    std::vector<uint64_t> key = code;
    key.push_back(args.size());
    const OpaqueCall& told = planned_.opaque->at(at_);
    OpaqueSplit split = SplitOf(told, args);
    if (planned_.told != nullptr) {
      TakeTold(key, split);
    } else {
      TakeUsual(std::move(key), args, split);
    }
    OpaqueCall call;
    call.returned = told.returned;
    for (const size_t a : split.operands) call.operands.push_back(args[a]);
    for (const size_t a : split.results) {
      ForEachTensor(args[a], [&](int32_t t) {
        const bool is_new = std::ranges::find(call.results, t) == call.results.end();
        if (is_new) call.results.push_back(t);
      });
    }
    // What a call updates has been written before; else it may as well be a result alone.
    for (const int32_t t : call.results) {
      const bool updates = std::ranges::find(call.operands, t) != call.operands.end();
      if (updates && HoldsStale(Read(t))) trace_.doubt = at_;
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
    Store(applied, targets, reads, [&](int32_t t) { return IsOperand(call, t); });
    for (const auto& [slot, result] : call.returned) Move(result, slot);
  }

  [[nodiscard]] bool IsOperand(const OpaqueCall& call, int32_t result) const {
    return std::ranges::any_of(call.operands, [&](int32_t v) {
      bool found = false;
      ForEachTensor(v, [&](int32_t t) { found |= t == result; });
      return found;
    });
  }

  // --- Results.

  struct Tear {
    uint64_t distance = 0;
    uint64_t operand = 0;
  };

  template <class Updates>
  void Store(const Applied& applied, std::span<const int32_t> targets,
             std::span<const OperandRead> reads, const Updates& updates) {
    const std::optional<Tear> tear = meant_ ? std::nullopt : TearOf(targets, reads);
    for (size_t r = 0; r < targets.size() && r < applied.contents.size(); ++r) {
      Handle& handle = HandleOf(targets[r]);
      const ContentId content = tear ? Torn(applied.contents[r], *tear, r) : applied.contents[r];
      if (handle.shape.varies) NoteVarying(handle, content);
      Write(targets[r], content, updates(targets[r]));
    }
  }

  // Whether results lie over an operand, or over each other: then none of them is what it should
  // be, as an operand may be read for any result after it was overwritten for one. A result that is
  // there twice holds what is written last.
  [[nodiscard]] std::optional<Tear> TearOf(std::span<const int32_t> targets,
                                           std::span<const OperandRead> reads) {
    std::vector<Span> written;
    for (size_t t = 0; t < targets.size(); ++t) {
      const auto before = targets.first(t);
      if (std::ranges::find(before, targets[t]) != before.end()) continue;
      const Handle& handle = HandleOf(targets[t]);
      const Span span = SpanOf(handle);
      if (const auto torn = TornBy(handle, reads)) return torn;
      for (const Span& other : written) {
        if (other.Meets(span)) return Tear{other.first - span.first, ~uint64_t{0}};
      }
      written.push_back(span);
    }
    return std::nullopt;
  }

  // The operand whose bytes the result takes while they are still read; nothing: the result may be
  // written where it lies.
  [[nodiscard]] static std::optional<Tear> TornBy(const Handle& result,
                                                  std::span<const OperandRead> reads) {
    const Span span = SpanOf(result);
    for (size_t n = 0; n < reads.size(); ++n) {
      const OperandRead& read = reads[n];
      if (read.span.first == read.span.end || !read.span.Meets(span)) continue;
      const bool in_step = read.elementwise && read.span == span &&
                           read.shape.order == result.shape.order &&
                           ElementSize(read.shape.dtype) == ElementSize(result.shape.dtype);
      if (in_step && read.shape.sizes == result.shape.sizes) continue;
      return Tear{read.span.first - span.first, n};
    }
    return std::nullopt;
  }

  ContentId Torn(ContentId content, const Tear& tear, size_t result) {
    const uint64_t words[] = {content, tear.distance, tear.operand, result};
    return table_.Whole(table_.Make(TermKind::kTorn, words), table_[content].bytes());
  }

  const PlacedOuts placed_outs_{method_};
  size_t opaque_calls_ = 0;  // so far
  struct Decided {           // by assumptions
    int64_t times = 0;
    bool last = false;
  };
  std::map<int32_t, Decided> decided_;  // by instruction
  std::vector<std::vector<uint64_t>> delegate_codes_;
};

}  // namespace

std::vector<uint64_t> CodeOfDelegate(TermTable& table, std::string_view id) {
  return CodeOf(table, fmt::format("delegate {}", id));
}

Trace RunPlanned(TermTable& table, const PlannedMethod& planned, const Assumptions& assumptions) {
  return PlannedCall(table, planned, assumptions).Run();
}

}  // namespace pteproof::compare
