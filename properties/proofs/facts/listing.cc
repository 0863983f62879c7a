#include "properties/proofs/facts/listing.h"

#include <optional>
#include <set>
#include <utility>

#include "reference/op_schema.h"

namespace pteproof::proofs {
namespace {

template <class Each>
void ForTensorsIn(const Method& method, int32_t v, Each each) {
  const Value& value = method.values[static_cast<size_t>(v)];
  if (value.kind == ValueKind::kTensor) return each(v);
  if (!IsTensorLike(value.kind)) return;
  for (const int32_t item : method.Ints(value.items)) {
    if (item >= 0) each(item);
  }
}

class ListingReader {
 public:
  ListingReader(const Method& method, const ManifestMethod* stated)
      : method_(method),
        stated_(stated),
        known_(method.values.size()),
        written_at_(method.values.size(), -1) {
    listing_.number_set.resize(method.values.size());
    for (const int32_t v : method.inputs) known_[static_cast<size_t>(v)] = true;
  }

  Listing Run() && {
    const auto count = static_cast<int32_t>(method_.instructions.size());
    for (now_ = 0; now_ < count; ++now_) {
      Instruct(method_.instructions[static_cast<size_t>(now_)]);
    }
    return std::move(listing_);
  }

 private:
  void Instruct(const Instruction& instruction) {
    const auto args = method_.Ints(instruction.args);
    switch (instruction.kind) {
      case InstructionKind::kKernelCall:
        return Call(method_.operators[static_cast<size_t>(instruction.target)].schema, args);
      case InstructionKind::kDelegateCall:
        return Delegate(args);
      case InstructionKind::kMove:
        if (method_.TensorOf(instruction.target) == nullptr) return MoveOther(instruction);
        return Name(Step::kMove, instruction.other, instruction.target);
      case InstructionKind::kJumpFalse:
        return Read(instruction.target, false);
      case InstructionKind::kFree:
        return;
    }
  }

  void Call(const OpSchema* op, std::span<const int32_t> args) {
    if (op == nullptr) return CallUnknown(args);
    if (op->is_view) return Name(Step::kMove, args.back(), args.front());
    for (size_t a = 0; a < op->args.size(); ++a) Argument(*op, op->args[a], args[a]);
    if (op->returns == ReturnSlot::kScalar) SetNumber(args.back());
    if (op->returns != ReturnSlot::kWritten || method_.TensorOf(args.back()) == nullptr) return;
    for (size_t a = 0; a < op->args.size(); ++a) {
      const bool other = args[a] != args.back() && method_.TensorOf(args[a]) != nullptr;
      if (op->args[a].returned && other) Name(Step::kReturn, args.back(), args[a]);
    }
  }

  void Argument(const OpSchema& op, const ArgSchema& arg, int32_t v) {
    if (arg.access == Access::kRead) return Read(v, arg.elementwise);
    if (arg.access != Access::kNone) {
      return Write(v, arg.access, !op.in_place && arg.access != Access::kUpdate);
    }
    if (!arg.returned) return;
    ForTensorsIn(method_, v, [&](int32_t t) { listing_.left_alone.push_back(t); });
  }

  // Assumed: trailing tensors are results, the others are operands, and a tensor that is both is
  // updated. A number at the end is the result.
  void CallUnknown(std::span<const int32_t> args) {
    listing_.has_unknown_operator = true;
    const auto is_tensor = [&](int32_t v) {
      return IsTensorLike(method_.values[static_cast<size_t>(v)].kind);
    };
    size_t first = args.size();
    while (first > 0 && is_tensor(args[first - 1])) --first;
    if (first == args.size() && !args.empty()) SetNumber(args.back());
    if (first == 0 && !args.empty()) first = args.size() - 1;
    const auto results = args.subspan(first);
    std::set<int32_t> written;
    for (const int32_t v : results) {
      ForTensorsIn(method_, v, [&](int32_t t) { written.insert(t); });
    }
    for (const int32_t v : args.first(first)) {
      ForTensorsIn(method_, v, [&](int32_t t) {
        if (written.contains(t)) return Write(t, Access::kUpdate, false);
        return Read(t, false);
      });
    }
    for (const int32_t v : results) Write(v, Access::kWrite, true);
  }

  void Delegate(std::span<const int32_t> args) {
    const size_t results = ResultsOfDelegate(args);
    const size_t operands = args.size() - std::min(results, args.size());
    for (const int32_t v : args.first(operands)) Read(v, false);
    for (const int32_t v : args.subspan(operands)) Write(v, Access::kWrite, true);
    ++delegates_;
  }

  // As stated, else assumed: trailing tensors that nothing had to do with before.
  size_t ResultsOfDelegate(std::span<const int32_t> args) {
    if (stated_ != nullptr) {
      const auto said = std::ranges::find(stated_->delegates, delegates_, &ManifestDelegate::index);
      if (said != stated_->delegates.end()) return static_cast<size_t>(said->outputs);
    }
    listing_.has_guessed_delegate = true;
    size_t results = 0;
    while (results < args.size() && IsFresh(args[args.size() - 1 - results])) ++results;
    return results;
  }

  [[nodiscard]] bool IsFresh(int32_t v) const {
    const Tensor* tensor = method_.TensorOf(v);
    return tensor != nullptr && !known_[static_cast<size_t>(v)] && tensor->data_index == 0 &&
           !tensor->external && tensor->name.count == 0;
  }

  void Name(Step step, int32_t to, int32_t from) {
    listing_.takes.push_back({{now_, step}, to, {from}, true});
    known_[static_cast<size_t>(to)] = true;
  }

  void MoveOther(const Instruction& move) {
    ForTensorsIn(method_, move.target, [&](int32_t) { listing_.moves_list = true; });
    ForTensorsIn(method_, move.other, [&](int32_t) { listing_.moves_list = true; });
    SetNumber(move.other);
  }

  void SetNumber(int32_t v) { listing_.number_set[static_cast<size_t>(v)] = true; }

  void Read(int32_t v, bool elementwise) {
    ForTensorsIn(method_, v, [&](int32_t t) { listing_.reads.push_back({now_, t, elementwise}); });
  }

  // A tensor that stands in several arguments is written once.
  void Write(int32_t v, Access access, bool result) {
    ForTensorsIn(method_, v, [&](int32_t t) {
      if (std::exchange(written_at_[static_cast<size_t>(t)], now_) == now_) return;
      known_[static_cast<size_t>(t)] = true;
      if (access == Access::kUpdate) listing_.reads.push_back({now_, t, false});
      listing_.writes.push_back({now_, t, access, result});
    });
  }

  const Method& method_;
  const ManifestMethod* stated_;
  std::vector<bool> known_;          // per value: something before now made or named it
  std::vector<int32_t> written_at_;  // per value: last instruction that writes it, -1: none
  int32_t now_ = 0;
  int32_t delegates_ = 0;
  Listing listing_;
};

}  // namespace

Listing ListingOf(const Method& method, const ManifestMethod* stated) {
  return ListingReader(method, stated).Run();
}

}  // namespace pteproof::proofs
