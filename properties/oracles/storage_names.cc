// Idea: a replay without banks needs to know which values are names of other values' bytes. The
// listing tells who makes a value and who uses it. A planned value that has a name, or that is used
// before an instruction makes it, is one of:
//
//   v0 'state' [0,32)    named, or with stored data                    kState
//   v1 [64,96)           numbered before the first input, in order     kState
//   v4 [0,32)            place and type of an earlier value            kView of it
//   v5 [96,160)          [96,128) v6 and [128,160) v7 fill it          kConcat of v6, v7
//   v8 [0,16)            a slice of an earlier value           kSlice of it
//   v8 [104,112)         within an older input or buffer               kPart: cannot be replayed
//   v9                   none of these                                 kState
//
// A view made before a store keeps the old content: made_before is the first instruction that uses
// a higher number.
//
// Invariant: bases and tiles never form a circle. A tile is a lower value. A base is a lower value,
// a buffer, or a value that is made before it is used.
//
// Cost: O(n log n) in values and arguments, and exposed values times inputs and named buffers for
// kPart.
#include "properties/oracles/storage_names.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "meaning/opaque_calls.h"
#include "properties/oracles/value_order.h"
#include "reference/op_schema.h"
#include "runtime/literal_bools.h"
#include "runtime/slice_form.h"

namespace pteproof {
namespace {

constexpr int32_t kNever = INT32_MAX;

// How the listing touches a value.
struct Touch {
  int32_t made = kNever;   // first instruction that gives it contents or a name of its own
  int32_t last_made = -1;  // last one that does
  int32_t used = kNever;   // first that needs what it holds
  bool stored_to = false;  // by an operator that updates its operand
  bool renamed = false;    // as a return slot it becomes another value, which may lie elsewhere
};

class Touches {
 public:
  Touches(const Method& method, const OpaqueCalls& opaque)
      : method_(method), opaque_(opaque), touch_(method.values.size()) {
    const auto count = static_cast<int32_t>(method.instructions.size());
    for (int32_t i = 0; i < count; ++i) Note(method.instructions[static_cast<size_t>(i)], i);
    for (const int32_t v : method.outputs) Use(v, count);
  }
  [[nodiscard]] const Touch& operator[](int32_t v) const { return touch_[static_cast<size_t>(v)]; }
  // A call that nobody can look into.
  [[nodiscard]] bool MeetsOpaque() const { return !opaque_.empty(); }

 private:
  void Note(const Instruction& instruction, int32_t i) {
    const auto args = method_.Ints(instruction.args);
    switch (instruction.kind) {
      case InstructionKind::kKernelCall:
        return Call(method_.operators[static_cast<size_t>(instruction.target)], args, i);
      case InstructionKind::kDelegateCall:
        return Opaque(i);
      case InstructionKind::kMove:
        Use(instruction.target, i);
        return Make(instruction.other, i);
      case InstructionKind::kJumpFalse:
        return Use(instruction.target, i);
      case InstructionKind::kFree:
        return;
    }
  }

  // A call that nobody can look into uses its operands and makes its results; what is both, it
  // stores to.
  void Opaque(int32_t i) {
    const OpaqueCall& call = opaque_.at(i);
    std::vector<int32_t> used;
    for (const int32_t v : call.operands) {
      Use(v, i);
      ForEachTensor(v, [&](int32_t t) { used.push_back(t); });
    }
    for (const int32_t v : call.results) {
      if (std::ranges::find(used, v) == used.end()) {
        Make(v, i);
      } else {
        Store(v);
      }
    }
    for (const auto& [slot, result] : call.returned) Rename(slot, i);
  }

  void Call(const Operator& op, std::span<const int32_t> args, int32_t i) {
    if (op.schema == nullptr) return Opaque(i);
    const size_t known = op.schema->args.size();
    int32_t untouched = -1;  // an out that is there for the form of it
    for (size_t a = 0; a < args.size(); ++a) {
      if (a >= known) {
        if (args[a] != untouched) MakeReturned(args.first(known), args[a], i);
        continue;
      }
      const ArgSchema& schema = op.schema->args[a];
      if (schema.access == Access::kNone && schema.out && !op.schema->IsPlaced(a)) {
        untouched = args[a];
        continue;
      }
      // Rows are made one by one, and the old content of the target is gone.
      const bool makes =
          schema.out || schema.access == Access::kFill || (op.schema->is_view && a + 1 == known);
      if (makes) {
        Make(args[a], i);
      } else {
        Use(args[a], i);
        if (schema.access != Access::kRead && schema.access != Access::kNone) Store(args[a]);
      }
    }
  }

  // Of several results, those that the call was given.
  void MakeReturned(std::span<const int32_t> given, int32_t slot, int32_t i) {
    const bool alone = method_.TensorOf(slot) != nullptr;
    ForEachTensor(slot, [&](int32_t t) {
      const bool is_given = std::ranges::find(given, t) != given.end();
      if (alone && !is_given) Rename(t, i);
      if (is_given) Make(t, i);
    });
  }

  template <class Each>
  void ForEachTensor(int32_t v, Each each) {
    const Value& value = method_.values[static_cast<size_t>(v)];
    if (value.kind == ValueKind::kTensor) return each(v);
    if (value.kind != ValueKind::kTensorList && value.kind != ValueKind::kOptionalTensorList)
      return;
    for (const int32_t item : method_.Ints(value.items)) {
      if (item >= 0) each(item);
    }
  }
  void Make(int32_t v, int32_t i) {
    ForEachTensor(v, [&](int32_t t) {
      Touch& touch = touch_[static_cast<size_t>(t)];
      touch.made = std::min(touch.made, i);
      touch.last_made = i;
    });
  }
  void Rename(int32_t t, int32_t i) {
    Make(t, i);
    touch_[static_cast<size_t>(t)].renamed = true;
  }
  void Use(int32_t v, int32_t i) {
    ForEachTensor(v, [&](int32_t t) {
      int32_t& used = touch_[static_cast<size_t>(t)].used;
      used = std::min(used, i);
    });
  }
  void Store(int32_t v) {
    ForEachTensor(v, [&](int32_t t) { touch_[static_cast<size_t>(t)].stored_to = true; });
  }

  const Method& method_;
  const OpaqueCalls& opaque_;
  std::vector<Touch> touch_;
};

class Namer {
 public:
  Namer(const Method& method, const OpaqueCalls& opaque)
      : method_(method), touches_(method, opaque), names_(method.values.size()) {
    first_input_ = kNever;
    is_input_.resize(method.values.size());
    has_jumps_ = std::ranges::any_of(method.instructions, [](const Instruction& each) {
      return each.kind == InstructionKind::kJumpFalse;
    });
    if (has_jumps_) literal_bools_ = LiteralBoolsOf(method);
    for (const int32_t v : method.inputs) {
      is_input_[static_cast<size_t>(v)] = true;
      first_input_ = std::min(first_input_, v);
    }
    NoteHighest();
    std::vector<int32_t> maker;
    for (int32_t v = 0; v < Count(); ++v) {
      const Touch& touch = touches_[v];
      maker.push_back(touch.made == kNever || touch.renamed ? -1 : touch.made);
    }
    ascending_ = AscendingValues(method, maker);
    for (int32_t v = 0; v < Count(); ++v) {
      const Tensor* t = method.TensorOf(v);
      if (t == nullptr || !t->planned) continue;
      places_[PlaceOf(v)].push_back(v);
      if (is_input_[static_cast<size_t>(v)] || IsNamed(v)) old_.push_back(v);
    }
  }

  // Values in the exporter's order; -1: they are not in order.
  [[nodiscard]] int Ascending() const { return ascending_; }
  [[nodiscard]] bool MeetsOpaque() const { return touches_.MeetsOpaque(); }

  // `in_order`: whether all methods of the program are.
  std::vector<StorageName> Run(bool in_order) && {
    ordered_ = (in_order && !touches_.MeetsOpaque()) || IsNoAccident({&ascending_, 1});
    for (int32_t v = 0; v < Count(); ++v) {
      if (IsNamed(v)) NameBuffer(v);
    }
    for (int32_t v = 0; v < Count(); ++v) {
      if (names_[static_cast<size_t>(v)].kind == NameKind::kOwn && IsExposed(v)) NameExposed(v);
    }
    return std::move(names_);
  }

 private:
  using Place = std::tuple<uint32_t, uint64_t, uint64_t>;  // bank, offset, bytes

  [[nodiscard]] int32_t Count() const { return static_cast<int32_t>(method_.values.size()); }
  [[nodiscard]] Place PlaceOf(int32_t v) const {
    const Tensor& t = *method_.TensorOf(v);
    return {t.bank, t.offset, t.nbytes};
  }

  void NoteHighest() {
    int32_t highest = -1;
    for (const Instruction& instruction : method_.instructions) {
      if (instruction.kind == InstructionKind::kMove) {
        highest = std::max({highest, instruction.target, instruction.other});
      } else if (instruction.kind == InstructionKind::kJumpFalse) {
        highest = std::max(highest, instruction.target);
      } else {
        for (const int32_t v : method_.Ints(instruction.args)) highest = std::max(highest, v);
      }
      highest_.push_back(highest);
    }
  }

  // A buffer that the file names, or stores an initial value for. One without a placement is the
  // caller's, and an input.
  [[nodiscard]] bool IsNamed(int32_t v) const {
    const Tensor* t = method_.TensorOf(v);
    if (t == nullptr || is_input_[static_cast<size_t>(v)]) return false;
    return t->planned && (t->data_index > 0 || t->name.count > 0);
  }

  void NameBuffer(int32_t v) {
    StorageName& name = names_[static_cast<size_t>(v)];
    if (const auto buffer = LoadedAlike(v)) {
      NameView(v, *buffer);
      name.made_before = std::min(name.made_before, touches_[v].used);
      return;
    }
    const auto [first, fresh] = buffers_.try_emplace({PlaceOf(v), method_.NameOf(v)}, v);
    if (fresh) {
      name.kind = NameKind::kState;
    } else if (method_.TensorOf(v)->data_index == 0 && IsThereFirst(v)) {
      NameView(v, first->second);
      name.made_before = std::min(name.made_before, touches_[v].used);
      name.same_buffer = touches_[v].made != kNever;  // once it is written
    } else {  // what is loaded, or written, is the buffer and no view of it
      name = {.kind = NameKind::kView, .base = first->second, .tiles = {}, .made_before = kNever};
      name.same_buffer = true;
    }
  }

  // The buffer that an elided view is of: exporters give views the stored value of their buffer,
  // and its name if it has one. Nothing if some instruction writes the value, or no older one is
  // alike.
  [[nodiscard]] std::optional<int32_t> LoadedAlike(int32_t v) {
    const Tensor& t = *method_.TensorOf(v);
    if (t.data_index == 0 || t.external) return std::nullopt;
    const auto [first, fresh] = loaded_.try_emplace({PlaceOf(v), t.dtype, t.data_index}, v);
    const bool is_written = touches_[v].made != kNever || touches_[v].stored_to;
    const std::string_view own = method_.NameOf(v);
    const bool same_name = own.empty() || own == method_.NameOf(first->second);
    return fresh || is_written || !same_name ? std::nullopt : std::optional(first->second);
  }

  // Nothing makes it, or not before it is used.
  [[nodiscard]] bool IsThereFirst(int32_t v) const {
    return touches_[v].made == kNever || IsExposed(v);
  }

  // Planned, and used before anything made it.
  [[nodiscard]] bool IsExposed(int32_t v) const {
    const Tensor* t = method_.TensorOf(v);
    if (t == nullptr || !t->planned || is_input_[static_cast<size_t>(v)]) return false;
    return touches_[v].used != kNever && touches_[v].used <= touches_[v].made;
  }

  void NameView(int32_t v, int32_t base) {
    StorageName& name = names_[static_cast<size_t>(v)];
    name.kind = NameKind::kView;
    name.base = base;
    NoteMade(v, name);
    NotBefore(base, v, name);
    if (IsThereAtEntry(base) && touches_[base].renamed)
      name.remade = false;  // its place keeps the old content
  }

  [[nodiscard]] bool IsThereAtEntry(int32_t v) const {
    return is_input_[static_cast<size_t>(v)] || IsExposed(v) ||
           names_[static_cast<size_t>(v)].kind != NameKind::kOwn;
  }

  // If nothing has made the base by then, the listing is not in order, and the name is made when it
  // is used. So is a name of such a view.
  void NotBefore(int32_t base, int32_t v, StorageName& name) const {
    const StorageName& of = names_[static_cast<size_t>(base)];
    if (!IsThereAtEntry(base) && touches_[base].made >= name.made_before)
      name.made_before = touches_[v].used;
    if (of.kind == NameKind::kView && !of.same_buffer)
      name.made_before = std::max(name.made_before, of.made_before);
  }

  void NoteMade(int32_t v, StorageName& name) const {
    name.made_before =
        static_cast<int32_t>(std::ranges::upper_bound(highest_, v) - highest_.begin());
    name.remade = touches_[v].made == kNever && !touches_[v].stored_to;
  }

  void NameExposed(int32_t v) {
    StorageName& name = names_[static_cast<size_t>(v)];
    if (ordered_ && v < first_input_ && first_input_ != kNever) {
      name.kind = NameKind::kState;
    } else if (const int32_t around = YoungerAround(v); around >= 0) {
      NameSlice(v, around);
    } else if (const auto base = BaseOf(v)) {
      NameView(v, BufferOf(*base).value_or(*base));
    } else if (auto tiles = TilesOf(v); !tiles.empty()) {
      name.kind = NameKind::kConcat;
      name.tiles = std::move(tiles);
      NoteMade(v, name);
      name.made_before = std::min(name.made_before, touches_[v].used);
      for (const int32_t tile : name.tiles) NotBefore(tile, v, name);
    } else if (const int32_t around = AroundOf(v); around >= 0) {
      NameSlice(v, around);
    } else {
      name.kind = IsInsideOlder(v) ? NameKind::kPart : NameKind::kState;
    }
  }

  void NameSlice(int32_t v, int32_t around) {
    StorageName& name = names_[static_cast<size_t>(v)];
    name.kind = NameKind::kSlice;
    name.tiles = {around};
    NoteMade(v, name);
    name.made_before = std::min(name.made_before, touches_[v].used);
    NotBefore(around, v, name);
  }

  // The buffer of which a value is a view, by any number of views that nothing writes. A view of
  // such a view is one of the buffer as it is then, with names and without.
  [[nodiscard]] std::optional<int32_t> BufferOf(int32_t v) const {
    while (names_[static_cast<size_t>(v)].kind == NameKind::kView && touches_[v].made == kNever &&
           !touches_[v].stored_to) {
      v = names_[static_cast<size_t>(v)].base;
    }
    if (names_[static_cast<size_t>(v)].kind != NameKind::kState) return std::nullopt;
    return v;
  }

  // What it is a slice of by its literals, if nothing in its own place was made later; -1: nothing.
  [[nodiscard]] int32_t YoungerAround(int32_t v) const {
    const int32_t around = MayHaveLiterals(method_, v) ? AroundOf(v, true) : -1;
    if (around < 0) return -1;
    const auto twin = BaseOf(v);
    const int32_t used = touches_[v].used;
    const bool older = twin && LastMadeBefore(*twin, used) >= LastMadeBefore(around, used);
    return older ? -1 : around;
  }

  // The older value made last before this one, of those that this one can be a slice of, or whose
  // view it can be a slice of; -1: none. Without inputs there may be buffers at any number, and
  // only literals tell a slice from one.
  [[nodiscard]] int32_t AroundOf(int32_t v, bool told = false) const {
    int32_t best = -1;
    int32_t best_made = -2;
    for (int32_t u = 0; u < v; ++u) {
      const Tensor* t = method_.TensorOf(u);
      if (t == nullptr || !t->planned || t->bank != method_.TensorOf(v)->bank) continue;
      const auto form = SliceFormOf(method_, v, u);
      if (!form.has_value()) continue;
      const bool wants_literals = told || first_input_ == kNever;
      if (wants_literals && !LiteralsTell(method_, v, u, *form)) continue;
      const int32_t base = MadeAt(u, touches_[v].used);
      const int32_t made = base < 0 ? -2 : LastMadeBefore(base, touches_[v].used);
      if (made <= best_made) continue;
      best = base;
      best_made = made;
    }
    return best;
  }

  // Whether what an instruction makes reaches no later use but by a jump back: then it is of
  // another branch, or of another round of a loop. O(instructions) for the first question about a
  // use.
  [[nodiscard]] bool IsInOtherBranch(int32_t made, int32_t use) const {
    const auto count = static_cast<int32_t>(method_.instructions.size());
    if (!has_jumps_ || made < 0 || use >= count) return false;
    if (use != reached_use_) FindWhatReaches(use);
    return !reaches_[static_cast<size_t>(made) + 1];
  }

  void FindWhatReaches(int32_t use) const {
    reached_use_ = use;
    reaches_.assign(static_cast<size_t>(use) + 1, false);
    reaches_.back() = true;
    for (int32_t i = use; i-- > 0;) {
      const Instruction& at = method_.instructions[static_cast<size_t>(i)];
      const bool jumps = at.kind == InstructionKind::kJumpFalse;
      const bool falls = !jumps || !IsFalseForGood(at.target);
      const bool lands = jumps && at.other > i && at.other <= use;
      reaches_[static_cast<size_t>(i)] = (falls && reaches_[static_cast<size_t>(i) + 1]) ||
                                         (lands && reaches_[static_cast<size_t>(at.other)]);
    }
  }

  [[nodiscard]] bool IsFalseForGood(int32_t v) const {
    const auto at = static_cast<size_t>(v);
    return literal_bools_[at] && method_.values[at].integer == 0;
  }

  // The value, or if nothing makes it, the one that is made last in its place before its own first
  // use; -1: none.
  [[nodiscard]] int32_t MadeAt(int32_t v, int32_t use) const {
    if (LastMadeBefore(v, use) != -2) return v;
    use = std::min(use, touches_[v].used);
    int32_t last = -1;
    for (const int32_t u : places_.at(PlaceOf(v))) {
      if (!SameType(u, v) || LastMadeBefore(u, use) == -2) continue;
      if (last < 0 || LastMadeBefore(u, use) > LastMadeBefore(last, use)) last = u;
    }
    return last;
  }

  // An input or a named buffer, which exists from the start, is lower and contains the bytes.
  [[nodiscard]] bool IsInsideOlder(int32_t v) const {
    const auto [bank, first, bytes] = PlaceOf(v);
    return std::ranges::any_of(old_, [&, bank = bank, first = first, bytes = bytes](int32_t u) {
      const auto [its_bank, its_first, its_bytes] = PlaceOf(u);
      return u < v && its_bank == bank && its_first <= first && bytes <= its_bytes &&
             first - its_first <= its_bytes - bytes;
    });
  }

  [[nodiscard]] bool SameType(int32_t a, int32_t b) const {
    return method_.TensorOf(a)->dtype == method_.TensorOf(b)->dtype;
  }

  // Whether it is made before that use, and on no path that leads to it.
  [[nodiscard]] bool IsMadeInOtherBranches(int32_t v, int32_t use) const {
    const auto& [made, last_made] = std::pair(touches_[v].made, touches_[v].last_made);
    const bool local = !is_input_[static_cast<size_t>(v)] && !IsExposed(v) &&
                       names_[static_cast<size_t>(v)].kind == NameKind::kOwn;
    if (!local || made >= use || !IsInOtherBranch(made, use)) return false;
    return last_made >= use || IsInOtherBranch(last_made, use);
  }

  // The last earlier value of the same place and type, else any value that was made there before.
  // What only other branches make is neither.
  [[nodiscard]] std::optional<int32_t> BaseOf(int32_t v) const {
    const auto& same = places_.at(PlaceOf(v));
    const auto holds = [&](int32_t u) {
      if (u == v || !SameType(u, v) || IsMadeInOtherBranches(u, touches_[v].used)) return false;
      return is_input_[static_cast<size_t>(u)] || touches_[u].made <= touches_[v].used ||
             names_[static_cast<size_t>(u)].kind != NameKind::kOwn;
    };
    const auto own = std::ranges::lower_bound(same, v);
    const auto earlier = std::find_if(std::reverse_iterator(own), same.rend(), holds);
    if (earlier != same.rend()) return *earlier;
    // One that will not become a name itself: else names could go in circles.
    const auto later = std::find_if(own, same.end(), [&](int32_t u) {
      const bool settled = names_[static_cast<size_t>(u)].kind != NameKind::kOwn || !IsExposed(u);
      return settled && holds(u);
    });
    return later == same.end() ? std::nullopt : std::optional(*later);
  }

  // Values that lie one behind the other in exactly this value's bytes.
  [[nodiscard]] std::vector<int32_t> TilesOf(int32_t v) const {
    const auto [bank, first, bytes] = PlaceOf(v);
    std::vector<int32_t> tiles;
    for (uint64_t at = first; at < first + bytes;) {
      const int32_t tile = TileAt(bank, at, first + bytes, v);
      if (tile < 0) return {};
      tiles.push_back(tile);
      at += method_.TensorOf(tile)->nbytes;
    }
    return tiles;
  }

  // The older value from that byte on, and not past the end, that is made last before `whole` is
  // used: on every path it holds what was put there.
  [[nodiscard]] int32_t TileAt(uint32_t bank, uint64_t at, uint64_t end, int32_t whole) const {
    const int32_t used = touches_[whole].used;
    int32_t best = -1;
    int32_t best_made = -1;  // at entry
    for (auto it = places_.lower_bound({bank, at, 1});
         it != places_.end() && std::get<0>(it->first) == bank && std::get<1>(it->first) == at;
         ++it) {
      if (at + std::get<2>(it->first) > end) break;
      for (const int32_t u : it->second) {
        const int32_t made = LastMadeBefore(u, used);
        const bool fits =
            u < whole && SameType(u, whole) && method_.TensorOf(u)->dynamism == Dynamism::kStatic;
        if (fits && made >= best_made) {
          best = u;
          best_made = made;
        }
      }
    }
    return best;
  }

  // The last instruction that makes the value before a use; -1: it is there at entry, -2: none.
  [[nodiscard]] int32_t LastMadeBefore(int32_t v, int32_t use) const {
    const Touch& touch = touches_[v];
    for (const int32_t made : {touch.last_made, touch.made}) {
      if (made >= 0 && made < use && !IsInOtherBranch(made, use)) return made;
    }
    const auto i = static_cast<size_t>(v);
    return is_input_[i] || names_[i].kind == NameKind::kState ? -1 : -2;
  }

  const Method& method_;
  Touches touches_;
  std::vector<StorageName> names_;
  std::vector<bool> is_input_;
  bool has_jumps_ = false;
  std::vector<bool> literal_bools_;  // of a method with jumps
  // What is known of the use that was asked about last.
  mutable int32_t reached_use_ = -1;
  mutable std::vector<bool> reaches_;  // per instruction up to the use
  int32_t first_input_;
  int ascending_ = -1;            // values in the exporter's order
  bool ordered_ = false;          // there are enough of them
  std::vector<int32_t> highest_;  // per instruction: highest value index up to it
  std::map<Place, std::vector<int32_t>> places_;
  std::vector<int32_t> old_;  // there from the start: inputs, named buffers
  std::map<std::pair<Place, std::string_view>, int32_t> buffers_;  // the first of each name
  std::map<std::tuple<Place, ScalarType, uint32_t>, int32_t>
      loaded_;  // the first of each stored value in a place
};

}  // namespace

std::vector<StorageName> StorageNamesOf(const Method& method, const OpaqueCalls& opaque) {
  return Namer(method, opaque).Run(false);
}

std::vector<StorageName> StorageNamesOf(const Method& method) {
  return StorageNamesOf(method, meaning::OpaqueCallsOf(method, nullptr));
}

ProgramNames StorageNamesOf(const Program& program, const std::vector<OpaqueCalls>& opaque) {
  std::vector<Namer> namers;
  namers.reserve(program.methods.size());
  std::vector<int> ascending;
  for (size_t m = 0; m < program.methods.size(); ++m) {
    const Namer& namer = namers.emplace_back(program.methods[m], opaque[m]);
    // Of opaque calls the numbers told what they make.
    const bool counts = namer.Ascending() < 0 || !namer.MeetsOpaque();
    ascending.push_back(counts ? namer.Ascending() : 0);
  }
  const bool in_order = IsNoAccident(ascending);
  ProgramNames names;
  names.reserve(namers.size());
  for (Namer& namer : namers) names.push_back(std::move(namer).Run(in_order));
  return names;
}

}  // namespace pteproof
