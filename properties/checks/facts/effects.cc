#include "properties/checks/facts/effects.h"

#include <algorithm>
#include <optional>

#include "reference/op_schema.h"

namespace pteproof::checks {
namespace {

class Collector {
 public:
  Collector(const Method& method, const ManifestMethod* stated) : method_(method), stated_(stated) {
    seen_.resize(method.values.size());
    const size_t count = method.instructions.size();
    effects_.first.reserve(count + 1);
    effects_.reads.reserve(2 * count);
    effects_.writes.reserve(count);
    for (const int32_t v : method.inputs) seen_[static_cast<size_t>(v)].defined = true;
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
  struct Seen {
    uint32_t written_at = 0;  // number of the last instruction that writes it, from 1
    bool defined = false;
  };

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
          Unknown(args);
        }
        return;
      }
      case InstructionKind::kDelegateCall:
        return Delegated(args);
      case InstructionKind::kMove:
        if (method_.TensorOf(instruction.target) != nullptr) {
          effects_.renames.push_back({at, instruction.other, instruction.target, false});
          seen_[static_cast<size_t>(instruction.other)].defined = true;
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
      effects_.renames.push_back({at, args.back(), args.front(), false});
      seen_[static_cast<size_t>(args.back())].defined = true;
      return;
    }
    for (size_t a = 0; a < op.args.size(); ++a) {
      const ArgSchema& schema = op.args[a];
      if (schema.access == Access::kRead) {
        ReadValue(args[a], schema.elementwise);
      } else if (schema.access != Access::kNone) {
        WriteValue(args[a], schema.access, !op.in_place && schema.access != Access::kUpdate);
      } else if (schema.returned) {
        ForEachTensor(args[a], [&](int32_t t) { effects_.left_alone.push_back({t, false}); });
      }
    }
    if (op.returns == ReturnSlot::kScalar) {
      WriteScalar(args.back());
    } else if (op.returns == ReturnSlot::kWritten) {
      NameResult(op, args, at);
    }
  }

  // The return slot may be another value than the argument it returns: another name of the same
  // bytes.
  void NameResult(const OpSchema& op, std::span<const int32_t> args, int32_t at) {
    const int32_t slot = args.back();
    if (method_.TensorOf(slot) == nullptr) return;
    for (size_t a = 0; a < op.args.size(); ++a) {
      if (!op.args[a].returned || args[a] == slot || method_.TensorOf(args[a]) == nullptr) continue;
      effects_.renames.push_back({at, slot, args[a], true});
      seen_[static_cast<size_t>(slot)].defined = true;
    }
  }

  // Standing assumption: tensor arguments are read; those after the last other argument, and the
  // return slot, are written; what is both, alone or in a list, is updated. Where the last is a
  // number, that is the return slot.
  void Unknown(std::span<const int32_t> args) {
    effects_.has_unknown_operator = true;
    size_t outs = args.size();
    while (outs > 0 && IsTensorLike(KindOf(args[outs - 1]))) --outs;
    if (outs == args.size() && !args.empty()) WriteScalar(args.back());
    if (outs == 0 && !args.empty()) outs = args.size() - 1;
    const auto results = args.subspan(outs);
    const std::vector<int32_t> written = TensorsOf(results);
    for (const int32_t v : args.first(outs)) {
      ForEachTensor(v, [&](int32_t t) {
        if (std::ranges::binary_search(written, t)) {
          WriteValue(t, Access::kUpdate, false);
        } else {
          ReadValue(t, false);
        }
      });
    }
    for (const int32_t v : results) WriteValue(v, Access::kWrite, true);
  }

  // A file does not say which arguments of a delegate are its outputs. Standing assumption: the
  // trailing ones that nothing defined before.
  void Delegated(std::span<const int32_t> args) {
    const std::optional<size_t> outputs = StatedOutputs();
    size_t first_out = args.size();
    if (outputs.has_value()) {
      first_out -= std::min(*outputs, args.size());
    } else {
      effects_.has_guessed_delegate = true;
      while (first_out > 0 && IsUndefinedTensor(args[first_out - 1])) --first_out;
    }
    for (size_t a = 0; a < args.size(); ++a) {
      if (a < first_out) {
        ReadValue(args[a], false);
      } else {
        WriteValue(args[a], Access::kWrite, true);
      }
    }
    ++delegate_calls_;
  }

  std::optional<size_t> StatedOutputs() const {
    if (stated_ == nullptr) return std::nullopt;
    for (const ManifestDelegate& d : stated_->delegates) {
      if (d.index == delegate_calls_) return static_cast<size_t>(d.outputs);
    }
    return std::nullopt;
  }

  bool IsUndefinedTensor(int32_t v) const {
    const Tensor* tensor = method_.TensorOf(v);
    if (tensor == nullptr || seen_[static_cast<size_t>(v)].defined) return false;
    return tensor->data_index == 0 && !tensor->external && tensor->name.count == 0;
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

  void ReadValue(int32_t v, bool elementwise) {
    ForEachTensor(v, [&](int32_t t) { effects_.reads.push_back({t, elementwise}); });
  }

  void WriteScalar(int32_t v) {
    effects_.scalar_written.resize(method_.values.size());
    effects_.scalar_written[static_cast<size_t>(v)] = true;
  }

  void WriteValue(int32_t v, Access access, bool is_out) {
    ForEachTensor(v, [&](int32_t t) {
      if (WrittenNow(t)) return;
      seen_[static_cast<size_t>(t)] = {Now(), true};
      if (access == Access::kUpdate) effects_.reads.push_back({t, false});
      effects_.writes.push_back({t, access, is_out});
    });
  }

  // Number of the instruction at hand, from 1.
  uint32_t Now() const { return static_cast<uint32_t>(effects_.first.size()); }
  bool WrittenNow(int32_t v) const { return seen_[static_cast<size_t>(v)].written_at == Now(); }

  const Method& method_;
  const ManifestMethod* stated_;
  Effects effects_;
  std::vector<Seen> seen_;  // per value
  int32_t delegate_calls_ = 0;
};

}  // namespace

Effects EffectsOf(const Method& method, const ManifestMethod* stated) {
  return Collector(method, stated).Run();
}

int32_t UpdatedInPlace(const Method& method, const Effects& effects, int32_t i) {
  const Instruction& at = method.instructions[static_cast<size_t>(i)];
  const bool stores = at.kind != InstructionKind::kKernelCall ||
                      method.operators[static_cast<size_t>(at.target)].name == "aten::copy_";
  const auto writes = effects.WritesOf(static_cast<size_t>(i));
  const auto update = std::ranges::find(writes, false, &Write::is_out);
  return stores || update == writes.end() ? -1 : update->value;
}

}  // namespace pteproof::checks
