#include "properties/proofs/facts/listing.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "properties/proofs/facts/horizon.h"
#include "properties/proofs/facts/place.h"
#include "reference/op_schema.h"
#include "runtime/placed_outs.h"

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
  ListingReader(const Method& method, const ManifestMethod* stated, const Reading& other,
                bool by_number)
      : method_(method),
        stated_(stated),
        other_(other),
        by_number_(by_number),
        known_(method.values.size()),
        written_at_(method.values.size(), -1) {
    listing_.number_set.resize(method.values.size());
    if (stated != nullptr) {
      for (const auto& [v, name] : stated->values) known_[static_cast<size_t>(v)] = true;
    }
    for (const int32_t v : method.inputs) known_[static_cast<size_t>(v)] = true;
    for (const Instruction& i : method.instructions) {
      if (i.kind == InstructionKind::kDelegateCall && !horizon_)
        horizon_.emplace(method, by_number, known_);
    }
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
        return Call(method_.operators[static_cast<size_t>(instruction.target)], args);
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

  void Call(const Operator& called, std::span<const int32_t> args) {
    const OpSchema* op = called.schema;
    if (op == nullptr) return CallUnknown(called.name, args);
    if (op->is_view) return Name(Step::kMove, args.back(), args[op->viewed]);
    for (const PlacedOut& out : PlacedOutsOf(method_, *op, args)) LeaveInPlace(out);
    for (size_t a = 0; a < op->args.size(); ++a) {
      if (!op->IsPlaced(a)) Argument(*op, op->args[a], args[a]);
    }
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
      return Write(v, arg.access, (arg.out || !op.in_place) && arg.access != Access::kUpdate);
    }
    if (!arg.returned) return;
    ForTensorsIn(method_, v, [&](int32_t t) { listing_.left_alone.push_back(t); });
  }

  // Nobody knows the operator. Its last value is what it returns: an argument that is returned is
  // a result, from the right the first one of each; further to the left it is updated. Whatever
  // else it is given it reads.
  void CallUnknown(const std::string& op, std::span<const int32_t> args) {
    listing_.has_unknown_operator = true;
    if (args.empty()) return;
    const auto slot = static_cast<int32_t>(args.size()) - 1;
    if (!IsTensorLike(method_.values[static_cast<size_t>(args.back())].kind))
      SetNumber(args.back());
    std::set<int32_t> returned;  // tensors of the slot
    ForTensorsIn(method_, args.back(), [&](int32_t t) { returned.insert(t); });
    std::set<int32_t> left = returned;                 // not seen among the arguments yet
    std::vector<std::pair<int32_t, int32_t>> results;  // position and tensor, from the right
    for (int32_t a = slot; a-- > 0;) {
      ForTensorsIn(method_, args[static_cast<size_t>(a)], [&](int32_t t) {
        const auto found = std::erase_if(left, [&](int32_t r) {
          if (!IsSame(t, r)) return false;
          if (r != t) Name(Step::kReturn, r, t);
          return true;
        });
        if (found > 0) results.emplace_back(a, t);
      });
    }
    for (int32_t a = 0; a < slot; ++a) {
      ForTensorsIn(method_, args[static_cast<size_t>(a)], [&](int32_t t) {
        if (std::ranges::find(results, std::pair(a, t)) != results.end())
          return Result(op, a, t, UpdatesByName(op));
        const bool again = std::ranges::any_of(returned, [&](int32_t r) { return IsSame(t, r); });
        if (again) return Write(t, Access::kUpdate, false);
        Operand(op, a, t);
      });
    }
    for (const int32_t r : left) Result(op, slot, r, false);
  }

  // A trailing underscore before the overload's name says that the operator works in place.
  [[nodiscard]] static bool UpdatesByName(const std::string& op) {
    const size_t end = std::min(op.find('.'), op.size());
    return end > 1 && op[end - 1] == '_' && op[end - 2] != '_';
  }

  // One tensor, or two that the file puts at one place as one type.
  [[nodiscard]] bool IsSame(int32_t a, int32_t b) const {
    const Extent place = ExtentOf(method_, a);
    return a == b || (!place.empty() && place == ExtentOf(method_, b) &&
                      method_.TensorOf(a)->dtype == method_.TensorOf(b)->dtype);
  }

  void Operand(const std::string& op, int32_t argument, int32_t t) {
    const Doubt doubt = {DoubtKind::kOperandUpdated, op, 0, argument};
    listing_.open.push_back({doubt, t});
    if (!other_.contains(doubt)) return Read(t, false);
    // Scratch memory holds nothing before the call.
    const bool scratch = IsFresh(t) && by_number_ && !method_.inputs.empty() && !IsNumberedFirst(t);
    Write(t, scratch ? Access::kWrite : Access::kUpdate, scratch);
  }

  // The exporter numbers buffers below the inputs.
  [[nodiscard]] bool IsNumberedFirst(int32_t v) const {
    return by_number_ && !method_.inputs.empty() && v < std::ranges::min(method_.inputs);
  }

  // New where nothing was there before; else it keeps a part of that.
  void Result(const std::string& op, int32_t argument, int32_t t, bool may_update) {
    if (IsFresh(t) && !IsNumberedFirst(t) && !may_update) return Write(t, Access::kWrite, true);
    const Doubt doubt = {DoubtKind::kResultFilled, op, 0, argument};
    listing_.open.push_back({doubt, -1});
    Write(t, other_.contains(doubt) ? Access::kWrite : Access::kUpdate, false);
  }

  void Delegate(std::span<const int32_t> args) {
    const ManifestDelegate* said = SaidOfDelegate();
    const size_t results =
        said != nullptr ? static_cast<size_t>(said->outputs) : ResultsOfDelegate(args);
    const size_t operands = args.size() - std::min(results, args.size());
    for (size_t a = 0; a < operands; ++a) {
      const bool updated =
          said != nullptr && said->updates.has_value() &&
          std::ranges::find(*said->updates, static_cast<int32_t>(a)) != said->updates->end();
      if (updated) {
        Write(args[a], Access::kUpdate, false);
      } else {
        Read(args[a], false);
      }
    }
    for (const int32_t v : args.subspan(operands)) Write(v, Access::kWrite, true);
    ++delegates_;
  }

  [[nodiscard]] const ManifestDelegate* SaidOfDelegate() const {
    if (stated_ == nullptr) return nullptr;
    const auto said = std::ranges::find(stated_->delegates, delegates_, &ManifestDelegate::index);
    return said == stated_->delegates.end() ? nullptr : &*said;
  }

  // Not stated: results are the trailing tensors that nothing shows to be there before the call.
  // A buffer may be among them that nobody uses any more. A call without results may have some, if
  // its last argument is only taken for a view.
  size_t ResultsOfDelegate(std::span<const int32_t> args) {
    listing_.has_guessed_delegate = true;
    size_t results = FreshFrom(args, 0);
    if (results == 0) {
      const bool is_open = !args.empty() && IsFresh(args.back()) &&
                           !horizon_->IsSurelyOlder(now_, args.back()) &&
                           horizon_->IsUsedAfter(now_, args.back());
      return is_open && IsOther(args.size() - 1) ? FreshFrom(args, 1) : 0;
    }
    for (size_t a = args.size() - results; a < args.size(); ++a) {
      if (horizon_->IsOpen(now_, args[a], known_) && IsOther(a)) results = args.size() - a - 1;
    }
    return results;
  }

  // The trailing arguments that are new, of which `results` are known to be. What a call makes is
  // numbered last and in one go, so an argument with a lower number than one to its left was there
  // before, and so was one with a gap behind it.
  size_t FreshFrom(std::span<const int32_t> args, size_t results) {
    std::vector<int32_t> highest(args.begin(), args.end());  // up to each argument
    std::inclusive_scan(args.begin(), args.end(), highest.begin(),
                        [](int32_t a, int32_t b) { return std::max(a, b); });
    for (size_t a = args.size() - results; a-- > 0; ++results) {
      const int32_t v = args[a];
      const bool is_passed = by_number_ && a > 0 && v < highest[a - 1];
      const bool is_apart = by_number_ && results > 0 && (v > args[a + 1] || v < args[a + 1] - 1);
      if (!IsFresh(v) || is_passed || is_apart || horizon_->IsOlderThan(now_, v, known_)) break;
    }
    return results;
  }

  // Notes that an argument has two readings; whether the one at hand is not the usual one.
  bool IsOther(size_t argument) {
    const Doubt doubt = {DoubtKind::kDelegateOperand, method_.name, delegates_,
                         static_cast<int32_t>(argument)};
    listing_.open.push_back({doubt, -1});
    return other_.contains(doubt);
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

  // Nothing is written: the out is what lies at its place, if that is the operands' bytes.
  void LeaveInPlace(const PlacedOut& placed) {
    known_[static_cast<size_t>(placed.out)] = true;
    if (placed.fit == PlacedFit::kElsewhere) return listing_.elsewhere.push_back(placed.out);
    if (placed.fit == PlacedFit::kVaries) listing_.varying.push_back(placed.out);
    if (placed.operands.empty()) return;
    listing_.takes.push_back({{now_, Step::kBefore}, placed.out, placed.operands, false});
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
      if (horizon_ && !IsReadNow(t)) horizon_->Overwrite(now_, t);
    });
  }

  [[nodiscard]] bool IsReadNow(int32_t t) const {
    for (auto read = listing_.reads.rbegin(); read != listing_.reads.rend(); ++read) {
      if (read->instruction != now_) return false;
      if (read->value == t) return true;
    }
    return false;
  }

  const Method& method_;
  const ManifestMethod* stated_;
  const Reading& other_;
  bool by_number_;
  std::optional<Horizon> horizon_;   // if there are delegate calls
  std::vector<bool> known_;          // per value: something before now made or named it
  std::vector<int32_t> written_at_;  // per value: last instruction that writes it, -1: none
  int32_t now_ = 0;
  int32_t delegates_ = 0;
  Listing listing_;
};

}  // namespace

Listing ListingOf(const Method& method, const ManifestMethod* stated, const Reading& other,
                  bool by_number) {
  return ListingReader(method, stated, other, by_number).Run();
}

}  // namespace pteproof::proofs
