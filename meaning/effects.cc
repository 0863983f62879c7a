#include "meaning/effects.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "reference/op_schema.h"
#include "runtime/delegates/call_roles.h"
#include "runtime/placed_outs.h"

namespace pteproof::meaning {
namespace {

class Collector {
 public:
  Collector(const Method& method, const ManifestMethod* stated, const Reading* reading,
            Numbers numbers)
      : method_(method), stated_(stated), reading_(reading), numbers_(numbers) {
    defined_.resize(method.values.size());
    read_at_.resize(method.values.size());
    written_at_.resize(method.values.size());
    const size_t count = method.instructions.size();
    effects_.first.reserve(count + 1);
    effects_.reads.reserve(2 * count);
    effects_.writes.reserve(count);
    if (stated != nullptr) {
      for (const auto& [v, name] : stated->values) defined_[static_cast<size_t>(v)] = true;
    }
    if (!method.inputs.empty()) first_input_ = *std::ranges::min_element(method.inputs);
    for (const int32_t v : method.inputs) defined_[static_cast<size_t>(v)] = true;
    const bool delegates = std::ranges::any_of(method.instructions, [](const Instruction& i) {
      return i.kind == InstructionKind::kDelegateCall;
    });
    if (delegates) delegate_results_.emplace(method, numbers, defined_);
  }

  Effects Run() && {
    for (size_t i = 0; i < method_.instructions.size(); ++i) {
      BeginInstruction();
      Instruct(method_.instructions[i], static_cast<int32_t>(i));
    }
    BeginInstruction();
    return std::move(effects_);
  }

 private:
  void BeginInstruction() {
    effects_.first.push_back({static_cast<uint32_t>(effects_.reads.size()),
                              static_cast<uint32_t>(effects_.writes.size())});
  }

  void Instruct(const Instruction& instruction, int32_t at) {
    const auto args = method_.Ints(instruction.args);
    switch (instruction.kind) {
      case InstructionKind::kKernelCall: {
        const Operator& op = method_.operators[static_cast<size_t>(instruction.target)];
        if (op.schema != nullptr) {
          Known(*op.schema, args, at);
        } else {
          Unknown(op.name, args, at);
        }
        return;
      }
      case InstructionKind::kDelegateCall:
        return Delegated(instruction.target, args, at);
      case InstructionKind::kMove:
        if (method_.TensorOf(instruction.target) != nullptr) {
          effects_.renames.push_back({at, instruction.other, instruction.target, false});
          defined_[static_cast<size_t>(instruction.other)] = true;
        } else {
          // One of two that hold none makes no difference.
          const auto note = [&](int32_t) { effects_.moved_list = at; };
          ForEachTensor(instruction.target, note);
          ForEachTensor(instruction.other, note);
          WriteScalar(instruction.other);
        }
        return;
      case InstructionKind::kJumpFalse:
        return ReadValue(instruction.target, false);
      case InstructionKind::kFree:
        return;
    }
  }

  void Known(const OpSchema& op, std::span<const int32_t> args, int32_t at) {
    if (op.is_view) {
      effects_.renames.push_back({at, args.back(), args[op.viewed], false});
      defined_[static_cast<size_t>(args.back())] = true;
      return;
    }
    if (const auto copied = placed_outs_.CopiedBy(op, args)) {
      Place(*copied, at);
      return;
    }
    const bool repeats =
        op.in_place || std::ranges::count(op.args, true, &ArgSchema::elementwise) > 1 ||
        std::ranges::find(op.args, Access::kUpdate, &ArgSchema::access) != op.args.end();
    for (size_t a = 0; a < op.args.size(); ++a) {
      const ArgSchema& schema = op.args[a];
      if (schema.access == Access::kRead) {
        ReadValue(args[a], schema.elementwise, repeats);
      } else if (schema.access != Access::kNone) {
        const bool makes = (schema.out || !op.in_place) && schema.access != Access::kUpdate;
        WriteValue(args[a], schema.access, makes, schema.scratch);
      } else if (schema.returned && !op.IsPlaced(a)) {
        ForEachTensor(args[a], [&](int32_t t) { effects_.left_alone.push_back({t, false}); });
      }
    }
    for (const PlacedOut& out : placed_outs_.LeftBy(op, args)) Place(out, at);
    BeginCopies(op, args);
    if (op.returns == ReturnSlot::kScalar) {
      WriteScalar(args.back());
    } else {
      NameResult(op, args, at);
    }
  }

  // What such a copy reads is read again by the call that waits for the result: nothing may write
  // there in between.
  void BeginCopies(const OpSchema& op, std::span<const int32_t> args) {
    for (size_t a = 0; a < op.args.size(); ++a) {
      if (!op.args[a].lasting || method_.TensorOf(args.back()) == nullptr) continue;
      ForEachTensor(args[a], [&](int32_t t) { under_way_[args.back()] = t; });
    }
  }

  // The kernel does nothing, or copies bytes onto themselves: the out has the bytes of the
  // operands, if it lies in their place.
  void Place(const PlacedOut& placed, int32_t at) {
    defined_[static_cast<size_t>(placed.out)] = true;
    if (placed.fit == PlacedFit::kElsewhere) return effects_.misplaced.push_back(placed.out);
    if (placed.fit == PlacedFit::kVaries) effects_.varying.push_back(placed.out);
    for (const int32_t from : placed.operands) {
      effects_.renames.push_back({at, placed.out, from, false, true});
      if (const auto copy = under_way_.find(from); copy != under_way_.end()) {
        AddRead(copy->second, false);
      }
    }
  }

  // The return slot of a call in place may be another value than the argument that it returns:
  // another name of the same bytes.
  void NameResult(const OpSchema& op, std::span<const int32_t> args, int32_t at) {
    const int32_t slot = args.back();
    if (method_.TensorOf(slot) == nullptr) return;
    for (size_t a = 0; a < op.args.size(); ++a) {
      if (!op.PutsInSlot(a) || args[a] == slot || method_.TensorOf(args[a]) == nullptr) continue;
      effects_.renames.push_back({at, slot, args[a], true});
      defined_[static_cast<size_t>(slot)] = true;
    }
  }

  // "my::roll_.default": by PyTorch's convention it updates its operand.
  static bool IsNamedInPlace(std::string_view op) {
    const std::string_view base = op.substr(0, op.find('.'));
    return base.ends_with('_') && !base.ends_with("__");
  }

  // A kernel call's last value is its return slot. Of an operator that nobody knows, the arguments
  // that equal what the slot holds are its results; all others are read.
  //
  //     fuse.out(v6, v2, v7, v7)              v7 is made, v6 and v2 are read
  //     two.out(v8, v9, v10, [v9, v10])       v9 and v10 are made
  //     roll_(v3, v1, v3)                     v3 is updated
  //
  // An argument that is a result and held a value before keeps a part of it. Whether an operand is
  // updated too, or such a result made as a whole, is open. An operand that held nothing before the
  // call is then scratch memory, which the call overwrites. What stands in the slot alone the call
  // cannot see: it makes all of it.
  void Unknown(const std::string& op, std::span<const int32_t> args, int32_t at) {
    effects_.has_unknown_operator = true;
    if (args.empty()) return;
    const int32_t slot = args.back();
    if (!IsTensorLike(KindOf(slot))) WriteScalar(slot);
    const std::vector<int32_t> results = TensorsOf(args.last(1));
    const Alike alike = AlikeAmong(args.first(args.size() - 1), results);
    std::map<int32_t, int32_t> made;  // arguments that are results: the value, and its position
    for (const auto& [form, last] : alike) {
      if (last.position >= 0) made.emplace(last.value, last.position);
    }
    for (size_t a = 0; a + 1 < args.size(); ++a) {
      const auto position = static_cast<int32_t>(a);
      ForEachTensor(args[a], [&](int32_t t) { UnknownArgument(op, position, t, made, at); });
    }
    for (const int32_t r : results) {
      if (alike.at(FormOf(r)).position < 0) WriteValue(r, Access::kWrite, !HoldsAValue(r));
    }
    for (const int32_t r : results) NameSlot(r, alike.at(FormOf(r)), at);
  }

  // Two tensors are equal that have one place and type; one without a place is equal to itself.
  using Form = std::tuple<uint32_t, uint64_t, uint64_t, ScalarType, int32_t>;

  Form FormOf(int32_t v) const {
    const Tensor& t = *method_.TensorOf(v);
    if (!t.planned || t.nbytes == 0) return {0, 0, 0, t.dtype, v};
    return {t.bank, t.offset, t.nbytes, t.dtype, -1};
  }

  struct ArgumentAt {
    int32_t position = -1;  // -1: none
    int32_t value = 0;      // the tensor there
  };
  // By the form of what the slot holds: the last argument that is equal to it.
  using Alike = std::map<Form, ArgumentAt>;

  Alike AlikeAmong(std::span<const int32_t> args, std::span<const int32_t> results) const {
    Alike alike;
    for (const int32_t r : results) alike.try_emplace(FormOf(r));
    for (size_t a = 0; a < args.size(); ++a) {
      ForEachTensor(args[a], [&](int32_t t) {
        const auto found = alike.find(FormOf(t));
        if (found != alike.end()) found->second = {static_cast<int32_t>(a), t};
      });
    }
    return alike;
  }

  void UnknownArgument(const std::string& op, int32_t position, int32_t t,
                       const std::map<int32_t, int32_t>& made, int32_t at) {
    if (const auto result = made.find(t); result != made.end()) {
      if (position == result->second) return UnknownResult(op, position, t, at);
      return WriteValue(t, Access::kUpdate, false);
    }
    effects_.open.push_back({at, position, t, false});
    if (!IsOtherWay({DoubtKind::kOperandUpdated, op, 0, position})) return ReadValue(t, false);
    const bool is_scratch = numbers_ == Numbers::kTell && first_input_ >= 0 && !HoldsAValue(t);
    WriteValue(t, is_scratch ? Access::kWrite : Access::kUpdate, is_scratch);
  }

  void UnknownResult(const std::string& op, int32_t position, int32_t t, int32_t at) {
    if (!HoldsAValue(t) && !IsNamedInPlace(op)) return WriteValue(t, Access::kWrite, true);
    effects_.open.push_back({at, position, t, true});
    const bool fills = IsOtherWay({DoubtKind::kResultFilled, op, 0, position});
    WriteValue(t, fills ? Access::kWrite : Access::kUpdate, false);
  }

  // Something made it before, or it is there when the method is called.
  bool HoldsAValue(int32_t v) const {
    const Tensor& tensor = *method_.TensorOf(v);
    const bool is_buffer = numbers_ == Numbers::kTell && v < first_input_;
    return is_buffer || defined_[static_cast<size_t>(v)] || tensor.data_index > 0 ||
           tensor.external || tensor.name.count > 0;
  }

  void NameSlot(int32_t slot, const ArgumentAt& is, int32_t at) {
    if (is.position < 0 || slot == is.value) return;
    effects_.renames.push_back({at, slot, is.value, true});
    defined_[static_cast<size_t>(slot)] = true;
  }

  bool IsOtherWay(const Doubt& doubt) const {
    return reading_ != nullptr && reading_->contains(doubt);
  }

  void Delegated(int32_t delegate, std::span<const int32_t> args, int32_t at) {
    const auto roles =
        delegates::RolesOf(method_.delegates[static_cast<size_t>(delegate)], args.size());
    if (roles) {
      for (size_t a = 0; a < args.size(); ++a) PassToBlob(args[a], (*roles)[a]);
    } else {
      PassToOpaque(args, at);
    }
    ++delegate_calls_;
  }

  void PassToBlob(int32_t v, delegates::ArgumentRole role) {
    switch (role) {
      case delegates::ArgumentRole::kRead:
        return ReadValue(v, false);
      case delegates::ArgumentRole::kUpdated:
        return WriteValue(v, Access::kUpdate, false);
      case delegates::ArgumentRole::kWritten:
        if (!IsTensorLike(KindOf(v))) return WriteScalar(v);
        return WriteValue(v, Access::kWrite, true);
      case delegates::ArgumentRole::kUntouched:
        // What held nothing before is meant as a result.
        return ForEachTensor(v, [&](int32_t t) {
          if (!HoldsAValue(t)) WriteValue(t, Access::kWrite, true);
        });
    }
  }

  void PassToOpaque(std::span<const int32_t> args, int32_t at) {
    const ManifestDelegate* stated = StatedDelegate();
    size_t first_out = args.size();
    if (stated != nullptr) {
      first_out -= std::min(static_cast<size_t>(stated->outputs), args.size());
    } else {
      effects_.has_guessed_delegate = true;
      first_out = GuessedFirstResult(args, at);
    }
    for (size_t a = 0; a < first_out; ++a) {
      if (stated != nullptr && IsUpdated(*stated, static_cast<int32_t>(a))) {
        WriteValue(args[a], Access::kUpdate, false);
      } else {
        ReadValue(args[a], false);
      }
    }
    for (const int32_t v : args.subspan(first_out)) WriteValue(v, Access::kWrite, true);
  }

  static bool IsUpdated(const ManifestDelegate& stated, int32_t argument) {
    return stated.updates.has_value() &&
           std::ranges::find(*stated.updates, argument) != stated.updates->end();
  }

  size_t GuessedFirstResult(std::span<const int32_t> args, int32_t at) {
    size_t first = delegate_results_->FirstResult(at, args.size(), defined_);
    if (first == args.size()) {
      const bool open = !args.empty() && delegate_results_->MayBeResult(at, args.back(), defined_);
      if (!open || !DoubtArgument(args.size() - 1)) return first;
      return delegate_results_->FirstResult(at, args.size() - 1, defined_);
    }
    for (size_t a = first; a < args.size(); ++a) {
      if (!delegate_results_->IsDoubtful(at, args[a], defined_)) continue;
      if (DoubtArgument(a)) first = a + 1;
    }
    return first;
  }

  // Whether this reading takes the argument the other way.
  bool DoubtArgument(size_t position) {
    effects_.doubts.push_back({DoubtKind::kDelegateOperand, method_.name, delegate_calls_,
                               static_cast<int32_t>(position)});
    return IsOtherWay(effects_.doubts.back());
  }

  const ManifestDelegate* StatedDelegate() const {
    if (stated_ == nullptr) return nullptr;
    const auto found =
        std::ranges::find(stated_->delegates, delegate_calls_, &ManifestDelegate::index);
    return found == stated_->delegates.end() ? nullptr : &*found;
  }

  ValueKind KindOf(int32_t v) const { return method_.values[static_cast<size_t>(v)].kind; }

  template <class Each>
  void ForEachTensor(int32_t v, Each each) const {
    const Value& value = method_.values[static_cast<size_t>(v)];
    if (value.kind == ValueKind::kTensor) {
      each(v);
    } else if (IsTensorLike(value.kind)) {
      for (const int32_t item : method_.Ints(value.items)) {
        if (item >= 0) each(item);
      }
    }
  }

  // In ascending order.
  std::vector<int32_t> TensorsOf(std::span<const int32_t> args) const {
    std::vector<int32_t> tensors;
    for (const int32_t v : args) ForEachTensor(v, [&](int32_t t) { tensors.push_back(t); });
    std::ranges::sort(tensors);
    return tensors;
  }

  void ReadValue(int32_t v, bool elementwise, bool repeats = false) {
    ForEachTensor(v, [&](int32_t t) { AddRead(t, elementwise, repeats); });
  }

  void AddRead(int32_t t, bool elementwise, bool repeats = false) {
    read_at_[static_cast<size_t>(t)] = Now();
    effects_.reads.push_back({t, elementwise, elementwise && repeats});
  }

  void WriteScalar(int32_t v) {
    effects_.scalar_written.resize(method_.values.size());
    effects_.scalar_written[static_cast<size_t>(v)] = true;
  }

  void WriteValue(int32_t v, Access access, bool is_out, bool is_scratch = false) {
    ForEachTensor(v, [&](int32_t t) {
      if (WrittenNow(t)) return;
      written_at_[static_cast<size_t>(t)] = Now();
      defined_[static_cast<size_t>(t)] = true;
      if (access == Access::kUpdate) AddRead(t, false);
      if (delegate_results_ && !ReadNow(t)) {
        delegate_results_->NoteMade(t, static_cast<int32_t>(Now()) - 1);
      }
      effects_.writes.push_back({t, access, is_out, is_scratch});
    });
  }

  // Number of the instruction at hand, from 1.
  uint32_t Now() const { return static_cast<uint32_t>(effects_.first.size()); }
  bool ReadNow(int32_t v) const { return read_at_[static_cast<size_t>(v)] == Now(); }
  bool WrittenNow(int32_t v) const { return written_at_[static_cast<size_t>(v)] == Now(); }

  const Method& method_;
  const PlacedOuts placed_outs_{method_};
  const ManifestMethod* stated_;
  const Reading* reading_;
  Numbers numbers_;
  int32_t first_input_ = -1;  // the exporter numbers buffers below it; -1: no inputs
  Effects effects_;
  std::optional<DelegateResults> delegate_results_;  // if there are delegate calls
  std::vector<bool> defined_;         // per value: something before now made or named it
  std::vector<uint32_t> read_at_;     // per value: number of the last instruction that reads it,
                                      // from 1
  std::vector<uint32_t> written_at_;  // likewise, that writes it
  std::unordered_map<int32_t, int32_t> under_way_;  // by result: what a copy reads meanwhile
  int32_t delegate_calls_ = 0;
};

}  // namespace

Effects EffectsOf(const Method& method, const ManifestMethod* stated, const Reading* reading,
                  Numbers numbers) {
  return Collector(method, stated, reading, numbers).Run();
}

const ManifestMethod* StatedOf(const Manifest* manifest, const Method& method) {
  if (manifest == nullptr) return nullptr;
  const auto found = manifest->methods.find(method.name);
  return found == manifest->methods.end() ? nullptr : &found->second;
}

int32_t UpdatedInPlace(const Method& method, const Effects& effects, int32_t i) {
  const Instruction& at = method.instructions[static_cast<size_t>(i)];
  const bool stores = at.kind != InstructionKind::kKernelCall ||
                      method.operators[static_cast<size_t>(at.target)].name == "aten::copy_";
  const auto writes = effects.WritesOf(static_cast<size_t>(i));
  const auto update = std::ranges::find(writes, false, &Write::is_out);
  return stores || update == writes.end() ? -1 : update->value;
}

ReturnSlots::ReturnSlots(const Effects& effects) {
  for (const Rename& r : effects.renames) {
    if (r.after_write) written_.try_emplace(r.to, r.from);
  }
}

int32_t ReturnSlots::Written(int32_t name) const {
  std::unordered_set<int32_t> passed;  // names may go round in a circle
  for (auto at = written_.find(name); at != written_.end() && passed.insert(name).second;
       at = written_.find(name)) {
    name = at->second;
  }
  return name;
}

}  // namespace pteproof::meaning
