// Idea. The exporter leaves instructions out that only name bytes anew, and keeps the values that
// they made: planned, read, and written by nobody before. Their place tells whose bytes they are,
// and their number when they were made, since values are numbered in the order of the source.
//
//   v1 [0, 32)  'state'                         state
//   v4 [64, 96)             2: fills v4         a storage of its own
//   v5 [64, 96)             4: reads v5         v4's bytes, as they are before the first
//   instruction
//                                               that uses v6 or a higher number
//   v6 [96, 160)            5: reads v6         what [96, 128) and [128, 160) hold, one behind the
//                                               other
//
// Invariant: a derived value comes from values of lower numbers, from state, or from values that an
// instruction makes before it is read; there are no circles. Each planned value that is read before
// anything writes it is state or derived. Cost: O(n log n) for places, and the values of a bank for
// each value that may be a slice.
#include "planner/lift/names.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "planner/lift/byte_owners.h"
#include "planner/lift/webs.h"
#include "runtime/slice_form.h"

namespace pteproof::planner {
namespace {

constexpr int32_t kNever = INT32_MAX;

class Christener {
 public:
  Christener(const Method& method, const MethodTouches& touches)
      : method_(method), touches_(touches), is_input_(method.values.size()) {
    names_.is_state.resize(method.values.size());
    names_.uses.resize(method.values.size());
    is_derived_.resize(method.values.size());
    for (const int32_t v : method.inputs) {
      is_input_[IndexOf(v)] = true;
      first_input_ = std::min(first_input_, v);
    }
  }

  MethodNames Go() {
    NoteUses();
    NoteHighest();
    for (int32_t v = 0; v < Count(); ++v) {
      if (IsPlanned(v)) places_[BytesOf(method_, v)].push_back(v);
    }
    for (int32_t v = 0; v < Count(); ++v) {
      if (IsNamed(v)) NameBuffer(v);
    }
    for (int32_t v = 0; v < Count(); ++v) {
      if (IsPlanned(v) && !IsNamed(v) && IsExposed(v)) NameExposed(v);
    }
    std::ranges::sort(names_.derived, {}, &DerivedName::value);
    return std::move(names_);
  }

 private:
  [[nodiscard]] int32_t Count() const { return static_cast<int32_t>(method_.values.size()); }
  [[nodiscard]] int32_t Instructions() const {
    return static_cast<int32_t>(touches_.of_instruction.size());
  }
  [[nodiscard]] const ValueUse& UseOf(int32_t v) const { return names_.uses[IndexOf(v)]; }

  [[nodiscard]] bool IsPlanned(int32_t v) const {
    const Tensor* tensor = method_.TensorOf(v);
    return tensor != nullptr && tensor->planned;
  }

  // A buffer that the file names, or stores contents for.
  [[nodiscard]] bool IsNamed(int32_t v) const {
    if (!IsPlanned(v) || is_input_[IndexOf(v)]) return false;
    const Tensor& tensor = *method_.TensorOf(v);
    return tensor.data_index > 0 || tensor.external || tensor.name.count > 0;
  }

  // Read before anything writes it.
  [[nodiscard]] bool IsExposed(int32_t v) const {
    return !is_input_[IndexOf(v)] && UseOf(v).used != kNever && UseOf(v).used <= UseOf(v).made;
  }

  void NoteUses() {
    const int32_t count = Instructions();
    for (int32_t i = 0; i < count; ++i) {
      const Touch& touch = touches_.of_instruction[IndexOf(i)];
      for (const int32_t v : touch.reads) NoteUse(v, i);
      for (const int32_t v : touch.moves) NoteUse(v, i);
      for (const int32_t v : touch.may_read) NoteUse(v, i);
      for (const int32_t v : touch.fills) NoteMade(v, i);
      for (const int32_t v : touch.updates) {
        const bool reads = std::ranges::find(touch.reads, v) != touch.reads.end() ||
                           std::ranges::find(touch.may_read, v) != touch.may_read.end();
        if (!reads) NoteMade(v, i);
        names_.uses[IndexOf(v)].updated = true;
      }
    }
    for (const int32_t v : touches_.outputs) NoteUse(v, count);
    for (const int32_t v : touches_.may_be_outputs) NoteUse(v, count);
  }
  void NoteUse(int32_t v, int32_t at) {
    names_.uses[IndexOf(v)].used = std::min(UseOf(v).used, at);
  }
  void NoteMade(int32_t v, int32_t at) {
    names_.uses[IndexOf(v)].made = std::min(UseOf(v).made, at);
    names_.uses[IndexOf(v)].last_made = at;
  }

  void NoteHighest() {
    int32_t highest = -1;
    for (const Instruction& instruction : method_.instructions) {
      switch (instruction.kind) {
        case InstructionKind::kMove:
          highest = std::max({highest, instruction.target, instruction.other});
          break;
        case InstructionKind::kJumpFalse:
        case InstructionKind::kFree:
          highest = std::max(highest, instruction.target);
          break;
        case InstructionKind::kKernelCall:
        case InstructionKind::kDelegateCall:
          for (const int32_t v : method_.Ints(instruction.args)) highest = std::max(highest, v);
      }
      names_.highest.push_back(highest);
    }
  }

  void NameBuffer(int32_t v) {
    const Tensor& tensor = *method_.TensorOf(v);
    const auto [first, fresh] = buffers_.try_emplace({BytesOf(method_, v), method_.NameOf(v)}, v);
    const bool is_written = UseOf(v).made != kNever || UseOf(v).updated;
    if (fresh && !IsViewOfLoaded(v, is_written)) {
      names_.is_state[IndexOf(v)] = true;
    } else {
      const int32_t base =
          fresh ? loaded_.at({BytesOf(method_, v), tensor.data_index}) : first->second;
      Derive(v, {{base, 0}});
      names_.derived.back().is_buffer = is_written;
    }
  }

  // Exporters give a view of a buffer the buffer's stored contents, not always its name.
  bool IsViewOfLoaded(int32_t v, bool is_written) {
    const Tensor& tensor = *method_.TensorOf(v);
    if (tensor.data_index == 0) return false;
    const auto [first, fresh] = loaded_.try_emplace({BytesOf(method_, v), tensor.data_index}, v);
    return !fresh && !is_written && method_.NameOf(v).empty();
  }

  void NameExposed(int32_t v) {
    const int32_t told = MayHaveLiterals(method_, v) ? AroundOf(v, true) : -1;
    if (v < first_input_ && first_input_ != kNever) {
      names_.is_state[IndexOf(v)] = true;
    } else if (told >= 0 && !IsMadeLaterThan(BaseOf(v), told, UseOf(v).used)) {
      DeriveSlice(v, told);
    } else if (const auto base = BaseOf(v)) {
      Derive(v, {{BufferOf(*base), 0}});
    } else if (auto parts = PartsOf(v); !parts.empty()) {
      Derive(v, std::move(parts));
    } else if (const int32_t around = AroundOf(v, first_input_ == kNever); around >= 0) {
      DeriveSlice(v, around);
    } else {
      names_.is_state[IndexOf(v)] = true;
    }
  }

  void DeriveSlice(int32_t v, int32_t around) {
    const auto from = static_cast<int64_t>(method_.TensorOf(around)->offset);
    Derive(v, {{around, from - static_cast<int64_t>(method_.TensorOf(v)->offset)}});
  }

  void Derive(int32_t v, std::vector<NamedBytes> bytes) {
    const auto number = std::ranges::upper_bound(names_.highest, v) - names_.highest.begin();
    auto made_before = std::min(static_cast<int32_t>(number), UseOf(v).used);
    for (const NamedBytes& each : bytes) {  // of what is made later: made when it is used
      if (IsThereAtEntry(each.of) || UseOf(each.of).made < made_before) continue;
      made_before = UseOf(v).used;
    }
    names_.derived.push_back({v, std::move(bytes), made_before, false});
    is_derived_[IndexOf(v)] = true;
  }

  // The buffer of which a value is a view that nothing writes, or the value itself: a view of such
  // a view is one of the buffer as it is then.
  [[nodiscard]] int32_t BufferOf(int32_t v) const {
    int32_t at = v;
    while (is_derived_[IndexOf(at)] && UseOf(at).made == kNever && !UseOf(at).updated) {
      const auto name = std::ranges::find(names_.derived, at, &DerivedName::value);
      if (name->bytes.size() != 1 || name->bytes.front().at != 0) return v;
      at = name->bytes.front().of;
    }
    return names_.is_state[IndexOf(at)] ? at : v;
  }

  [[nodiscard]] bool IsThereAtEntry(int32_t v) const {
    return is_input_[IndexOf(v)] || names_.is_state[IndexOf(v)] || is_derived_[IndexOf(v)];
  }

  // The last write before a use; -1: it is there at entry, -2: there is none.
  [[nodiscard]] int32_t LastMadeBefore(int32_t v, int32_t use) {
    const ValueUse& of = UseOf(v);
    for (const int32_t made : {of.last_made, of.made}) {
      if (made >= 0 && made < use && LeadsTo(made, use)) return made;
    }
    return IsThereAtEntry(v) ? -1 : -2;
  }

  [[nodiscard]] bool IsMadeLaterThan(std::optional<int32_t> v, int32_t other, int32_t use) {
    return v && LastMadeBefore(*v, use) >= LastMadeBefore(other, use);
  }

  [[nodiscard]] bool IsAlike(int32_t a, int32_t b) const {
    return method_.TensorOf(a)->dtype == method_.TensorOf(b)->dtype;
  }

  // Whether it is made before that use, and on no path that leads to it.
  [[nodiscard]] bool IsMadeInOtherBranches(int32_t v, int32_t use) {
    const auto& [made, last] = std::pair(UseOf(v).made, UseOf(v).last_made);
    if (IsThereAtEntry(v) || IsExposed(v) || made >= use) return false;
    return !LeadsTo(made, use) && (last >= use || !LeadsTo(last, use));
  }

  // Whether a path leads from an instruction to a later one, within one round of each loop.
  // O(blocks) for the first question about a use.
  [[nodiscard]] bool LeadsTo(int32_t from, int32_t to) {
    if (touches_.jumps.empty()) return true;
    if (blocks_.empty()) blocks_ = BlocksOf(Instructions(), touches_.jumps);
    const auto block_of = [&](int32_t i) {
      const auto after = std::ranges::upper_bound(blocks_, i, {}, &Block::first);
      return static_cast<int32_t>(after - blocks_.begin()) - 1;
    };
    if (const int32_t goal = block_of(to); goal != goal_) FindWaysTo(goal);
    return leads_to_goal_[IndexOf(block_of(from))];
  }

  // Blocks above the goal, the last one first: what leads on from a block is known before it.
  void FindWaysTo(int32_t goal) {
    goal_ = goal;
    leads_to_goal_.assign(blocks_.size(), false);
    leads_to_goal_[IndexOf(goal)] = true;
    for (int32_t block = goal; block >= 0; --block) {
      if (!leads_to_goal_[IndexOf(block)]) continue;
      for (const int32_t before : blocks_[IndexOf(block)].predecessors) {
        if (before < block) leads_to_goal_[IndexOf(before)] = true;
      }
    }
  }

  // The last value of a lower number in exactly its place, else one that is made before it is used;
  // none that only other branches make.
  [[nodiscard]] std::optional<int32_t> BaseOf(int32_t v) {
    const auto& there = places_.at(BytesOf(method_, v));
    const auto own = std::ranges::lower_bound(there, v) - there.begin();
    const auto holds = [&](int32_t u) {
      return IsAlike(u, v) && (IsThereAtEntry(u) || UseOf(u).made <= UseOf(v).used) &&
             !IsMadeInOtherBranches(u, UseOf(v).used);
    };
    for (auto n = own - 1; n >= 0; --n) {
      if (holds(there[static_cast<size_t>(n)])) return there[static_cast<size_t>(n)];
    }
    for (auto n = static_cast<size_t>(own) + 1; n < there.size(); ++n) {
      if (!IsExposed(there[n]) && holds(there[n])) return there[n];
    }
    return std::nullopt;
  }

  // Values one behind the other in exactly its bytes; none if there is a gap.
  [[nodiscard]] std::vector<NamedBytes> PartsOf(int32_t v) {
    const BankBytes whole = BytesOf(method_, v);
    std::vector<NamedBytes> parts;
    for (uint64_t at = whole.lo; at < whole.hi;) {
      const int32_t part = PartAt({whole.bank, at, whole.hi}, v);
      if (part < 0) return {};
      parts.push_back({part, static_cast<int64_t>(at - whole.lo)});
      at += method_.TensorOf(part)->nbytes;
    }
    return parts;
  }

  // The value at the first of these bytes that is made last before `whole` is used; -1: none.
  [[nodiscard]] int32_t PartAt(const BankBytes& bytes, int32_t whole) {
    int32_t best = -1;
    int32_t best_made = -1;
    for (auto it = places_.lower_bound({bytes.bank, bytes.lo, bytes.lo + 1});
         it != places_.end() && it->first.bank == bytes.bank && it->first.lo == bytes.lo; ++it) {
      if (it->first.hi > bytes.hi) break;
      for (const int32_t u : it->second) {
        const int32_t made = LastMadeBefore(u, UseOf(whole).used);
        const bool fits =
            u < whole && IsAlike(u, whole) && method_.TensorOf(u)->dynamism == Dynamism::kStatic;
        if (!fits || made < best_made) continue;
        best = u;
        best_made = made;
      }
    }
    return best;
  }

  // The value of a lower number, made last before this one is used, of which this one can be a
  // slice; -1: none. `told`: only if literals say so.
  [[nodiscard]] int32_t AroundOf(int32_t v, bool told) {
    const BankBytes part = BytesOf(method_, v);
    int32_t best = -1;
    int32_t best_made = -2;
    for (const auto& [place, values] : places_) {
      if (place.bank != part.bank || place.lo > part.lo || place.hi < part.hi) continue;
      for (const int32_t u : values) {
        if (u >= v) break;
        const auto form = SliceFormOf(method_, v, u);
        if (!form || (told && !LiteralsTell(method_, v, u, *form))) continue;
        const int32_t made = LastMadeBefore(u, UseOf(v).used);
        if (made <= best_made) continue;
        best = u;
        best_made = made;
      }
    }
    return best;
  }

  const Method& method_;
  const MethodTouches& touches_;
  MethodNames names_;
  std::vector<bool> is_input_;
  int32_t first_input_ = kNever;
  std::map<BankBytes, std::vector<int32_t>> places_;
  std::map<std::pair<BankBytes, std::string_view>, int32_t> buffers_;  // the first of each name
  std::map<std::pair<BankBytes, uint32_t>, int32_t> loaded_;           // of each stored content
  std::vector<bool> is_derived_;
  std::vector<Block> blocks_;        // of a method with jumps, once they are asked for
  int32_t goal_ = -1;                // the block that was asked for last
  std::vector<bool> leads_to_goal_;  // by block
};

}  // namespace

MethodNames NamesOf(const Method& method, const MethodTouches& touches) {
  return Christener(method, touches).Go();
}

}  // namespace pteproof::planner
