// Idea. A call whose result has bytes of its operand, unchanged and in order, has nothing to do if
// the result lies in the operand. A concatenation has nothing to do if its parts lie in the result:
//
//   1: clone.out(v3, v4)          v4 lies over v3
//   2: slice_copy.out(v4, v5)     v5 lies in v4, and in v3
//   3: cat.out([v6, v7], v8)      v6 and v7 are made in v8
//
// Readers of the file take a value that nothing writes for a view of what lies in its place, and
// one that values tile for their concatenation, as far as numbers and literals tell.
//
// Invariant: but for the call, no instruction writes the value that is only a name then, and as
// long as the name is read, none writes the bytes that were copied. So each reads what it read.
// Offsets stay as aligned as they are. Calls go one after the other, each in the method as the ones
// before left it. Methods with jumps or moves stay as they are. Cost: for each call that goes,
// lifting the method and O(arguments).
#include "planner/replan/dropped_copies.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "planner/lift/renumber.h"
#include "planner/replan/order.h"
#include "reference/kept_operand.h"
#include "reference/op_schema.h"

namespace pteproof::planner {
namespace {

constexpr std::string_view kSlice = "aten::slice_copy.Tensor_out";
constexpr std::string_view kSelect = "aten::select_copy.int_out";
constexpr std::string_view kSplit = "aten::split_copy.Tensor_out";
constexpr std::string_view kSplitBySizes = "aten::split_with_sizes_copy.out";
constexpr std::string_view kConcat = "aten::cat.out";

// A value that lies in another one, that many bytes behind its start, and moves there.
struct Inside {
  int32_t value = 0;
  int32_t whole = 0;
  uint64_t at = 0;
};

bool MayGo(std::string_view op) {
  return KeptOperand(op) || op == kSlice || op == kSelect || op == kSplit || op == kSplitBySizes ||
         op == kConcat;
}

class CopyFinder {
 public:
  CopyFinder(const meaning::MethodMeaning& meant, const MethodWebs& webs)
      : meant_(meant), method_(*meant.method), webs_(webs) {
    for (size_t v = 0; v < method_.values.size(); ++v) {
      const Tensor* tensor = method_.TensorOf(static_cast<int32_t>(v));
      if (tensor == nullptr || !tensor->planned) continue;
      if (tensor->bank >= offsets_.size()) offsets_.resize(tensor->bank + 1);
      offsets_[tensor->bank] |= tensor->offset;
    }
  }

  // What moves if that call goes; empty: it stays.
  [[nodiscard]] std::vector<Inside> MovesOf(int32_t i) const {
    const Instruction& call = method_.instructions[IndexOf(i)];
    if (call.kind != InstructionKind::kKernelCall) return {};
    const Operator& op = method_.operators[IndexOf(call.target)];
    if (op.schema == nullptr || !MayGo(op.name)) return {};
    if (call.args.count < op.schema->args.size()) return {};
    std::vector<Inside> moves = LaidInside(op.name, method_.Ints(call.args));
    const bool backward = op.name == kConcat;
    return !moves.empty() && MayLieThere(i, moves, backward) ? moves : std::vector<Inside>();
  }

  // Gives them, and all that moves with them, their new places.
  void Move(std::span<const Inside> moves, Method& method) const {
    for (const Inside& each : moves) {
      const uint64_t from = method_.TensorOf(each.value)->offset;
      const uint64_t to = method_.TensorOf(each.whole)->offset + each.at;
      for (const int32_t v : MembersOf(each.value)) {
        Tensor& tensor = method.tensors[method.values[IndexOf(v)].tensor];
        tensor.offset = to + (tensor.offset - from);
      }
    }
  }

 private:
  [[nodiscard]] const Tensor* Planned(int32_t v) const {
    const Tensor* tensor = v < 0 ? nullptr : method_.TensorOf(v);
    const bool fits = tensor != nullptr && tensor->planned && tensor->nbytes > 0 &&
                      tensor->dynamism == Dynamism::kStatic &&
                      webs_.touches.sources[IndexOf(v)].empty();
    return fits ? tensor : nullptr;
  }

  [[nodiscard]] bool IsRowMajor(const Tensor& tensor) const {
    return std::ranges::is_sorted(method_.Ints(tensor.dim_order));
  }

  [[nodiscard]] std::optional<int64_t> NumberOf(int32_t v) const {
    const Value& value = method_.values[IndexOf(v)];
    if (value.kind != ValueKind::kInt || meant_.effects.IsScalarWritten(v)) return std::nullopt;
    return value.integer;
  }

  // Whether rows along that dimension are runs of a tensor's bytes: all dimensions ahead are 1.
  [[nodiscard]] bool IsOutermost(const Tensor& tensor, std::optional<int64_t> dim) const {
    const auto sizes = method_.Ints(tensor.sizes);
    if (!dim || !IsRowMajor(tensor)) return false;
    const int64_t at = *dim < 0 ? *dim + static_cast<int64_t>(sizes.size()) : *dim;
    if (at < 0 || at >= static_cast<int64_t>(sizes.size())) return false;
    return std::ranges::all_of(sizes.first(static_cast<size_t>(at)),
                               [](int32_t size) { return size == 1; });
  }

  [[nodiscard]] std::vector<Inside> LaidInside(std::string_view op,
                                               std::span<const int32_t> args) const {
    if (const auto kept = KeptOperand(op)) return Kept(op, args[*kept], args.back());
    if (op == kSlice || op == kSelect) return Part(op, args);
    if (op == kConcat) return Tiles(args.back(), args[0], NumberOf(args[1]), true);
    return Tiles(args[0], args.back(), NumberOf(args[2]), false);
  }

  [[nodiscard]] std::vector<Inside> Kept(std::string_view op, int32_t source,
                                         int32_t result) const {
    const Tensor* a = Planned(source);
    const Tensor* b = Planned(result);
    if (a == nullptr || b == nullptr || a->dtype != b->dtype || a->nbytes != b->nbytes) return {};
    const bool one_form =
        std::ranges::equal(method_.Ints(a->sizes), method_.Ints(b->sizes)) &&
        std::ranges::equal(method_.Ints(a->dim_order), method_.Ints(b->dim_order));
    const bool one_order = op != "aten::copy.out" && IsRowMajor(*a) && IsRowMajor(*b);
    if (!one_form && !one_order) return {};
    return {{result, source, 0}};
  }

  [[nodiscard]] std::vector<Inside> Part(std::string_view op, std::span<const int32_t> args) const {
    const Tensor* whole = Planned(args[0]);
    const Tensor* part = Planned(args.back());
    if (whole == nullptr || part == nullptr || whole->dtype != part->dtype) return {};
    const auto dim = NumberOf(args[1]);
    const bool from_start = method_.values[IndexOf(args[2])].kind == ValueKind::kNull;
    const auto first = from_start ? std::optional<int64_t>(0) : NumberOf(args[2]);
    const auto step = op == kSlice ? NumberOf(args[4]) : std::optional<int64_t>(1);
    if (!IsOutermost(*whole, dim) || !IsRowMajor(*part) || !first || step != 1) return {};
    const auto sizes = method_.Ints(whole->sizes);
    const int64_t size = sizes[static_cast<size_t>(*dim < 0 ? *dim + std::ssize(sizes) : *dim)];
    const int64_t at = std::clamp<int64_t>(*first < 0 ? *first + size : *first, 0, size);
    const uint64_t offset = whole->nbytes / static_cast<uint64_t>(size) * static_cast<uint64_t>(at);
    if (offset + part->nbytes > whole->nbytes) return {};
    return {{args.back(), args[0], offset}};
  }

  // A list of values that lie one behind the other in a whole: parts of a concatenation, or a
  // split.
  [[nodiscard]] std::vector<Inside> Tiles(int32_t whole_value, int32_t list,
                                          std::optional<int64_t> dim, bool parts_move) const {
    const Tensor* whole = Planned(whole_value);
    if (whole == nullptr || !IsTensorLike(method_.values[IndexOf(list)].kind)) return {};
    if (!IsOutermost(*whole, dim)) return {};
    std::vector<Inside> moves;
    uint64_t at = 0;
    for (const int32_t v : method_.Ints(method_.values[IndexOf(list)].items)) {
      const Tensor* part = Planned(v);
      const bool fits = part != nullptr && part->dtype == whole->dtype && IsRowMajor(*part) &&
                        part->sizes.count == whole->sizes.count;
      if (!fits) return {};
      moves.push_back({v, whole_value, at});
      at += part->nbytes;
    }
    const bool is_whole = at == whole->nbytes && (parts_move || moves.size() > 1);
    return is_whole ? moves : std::vector<Inside>();
  }

  [[nodiscard]] int32_t WebOf(int32_t v) const { return webs_.web[IndexOf(v)]; }

  [[nodiscard]] std::vector<int32_t> MembersOf(int32_t value) const {
    std::vector<int32_t> members;
    for (size_t v = 0; v < webs_.web.size(); ++v) {
      if (WebOf(value) >= 0 && webs_.web[v] == WebOf(value)) {
        members.push_back(static_cast<int32_t>(v));
      }
    }
    return members;
  }

  static bool IsIn(const std::vector<int32_t>& list, int32_t v) {
    return std::ranges::find(list, v) != list.end();
  }
  [[nodiscard]] bool IsOutput(int32_t v) const {
    return IsIn(webs_.touches.outputs, v) || IsIn(webs_.touches.may_be_outputs, v);
  }

  [[nodiscard]] bool MayLieThere(int32_t i, std::span<const Inside> moves, bool backward) const {
    std::vector<int32_t> seen;
    for (const Inside& each : moves) {
      if (WebOf(each.value) < 0 || IsIn(seen, WebOf(each.value))) return false;
      seen.push_back(WebOf(each.value));
      if (WebOf(each.whole) < 0 || WebOf(each.whole) == WebOf(each.value)) return false;
      const int32_t name = backward ? each.whole : each.value;
      const int32_t source = backward ? each.value : each.whole;
      const bool fits = FitsIn(each) && MovesAlone(each.value, backward) && IsNameOnly(i, name) &&
                        KeepsBytes(i, source, name) && MayBeRead(source, name);
      if (!fits) return false;
    }
    return !backward || IsAloneThere(moves.front().whole);
  }

  [[nodiscard]] bool FitsIn(const Inside& each) const {
    const Tensor& value = *method_.TensorOf(each.value);
    const Tensor& whole = *method_.TensorOf(each.whole);
    const uint64_t alignment = uint64_t{1} << std::countr_zero(offsets_[whole.bank] | 1U << 16);
    return value.bank == whole.bank && each.at % alignment == 0;
  }

  // It, and what moves with it, is a storage of this method and of this call alone.
  [[nodiscard]] bool MovesAlone(int32_t value, bool backward) const {
    const BankBytes bytes = BytesOf(method_, value);
    return std::ranges::all_of(MembersOf(value), [&](int32_t v) {
      const BankBytes own = BytesOf(method_, v);
      return own.bank == bytes.bank && own.lo >= bytes.lo && own.hi <= bytes.hi &&
             !IsIn(webs_.stateful, v) && !IsIn(webs_.touches.inputs, v) &&
             !(backward && IsOutput(v));
    });
  }

  // Only this call writes it, and no delegate gets it: that must be seen to be written.
  [[nodiscard]] bool IsNameOnly(int32_t call, int32_t name) const {
    if (IsIn(webs_.stateful, name) || IsIn(webs_.touches.inputs, name)) return false;
    const auto is_there = [&](int32_t v) { return WebOf(v) == WebOf(name); };
    for (size_t i = 0; i < method_.instructions.size(); ++i) {
      const Touch& touch = webs_.touches.of_instruction[i];
      const bool writes = std::ranges::any_of(touch.fills, is_there) ||
                          std::ranges::any_of(touch.updates, is_there);
      if (writes && static_cast<int32_t>(i) != call) return false;
      if (method_.instructions[i].kind != InstructionKind::kDelegateCall) continue;
      if (std::ranges::any_of(method_.Ints(method_.instructions[i].args), [&](int32_t v) {
            return v >= 0 && method_.TensorOf(v) != nullptr && is_there(v);
          })) {
        return false;
      }
    }
    return true;
  }

  // From the call on, nothing writes what it copied as long as the name is read.
  [[nodiscard]] bool KeepsBytes(int32_t call, int32_t source, int32_t name) const {
    const BankBytes bytes = BytesOf(method_, source);
    const auto meets = [&](int32_t v) { return Meet(BytesOf(method_, v), bytes); };
    const auto is_there = [&](int32_t v) { return WebOf(v) == WebOf(name); };
    bool written = false;
    for (auto i = IndexOf(call) + 1; i < method_.instructions.size(); ++i) {
      const Touch& touch = webs_.touches.of_instruction[i];
      written = written || std::ranges::any_of(touch.fills, meets) ||
                std::ranges::any_of(touch.updates, meets);
      const bool reads = std::ranges::any_of(touch.reads, is_there) ||
                         std::ranges::any_of(touch.may_read, is_there);
      if (written && reads) return false;
    }
    return !written || std::ranges::none_of(webs_.touches.outputs, is_there);
  }

  // The caller does not find one storage under two names.
  [[nodiscard]] bool MayBeRead(int32_t source, int32_t name) const {
    const auto members = MembersOf(name);
    if (std::ranges::none_of(members, [&](int32_t v) { return IsOutput(v); })) return true;
    return std::ranges::none_of(MembersOf(source), [&](int32_t v) {
      return IsOutput(v) || IsIn(webs_.stateful, v) || IsIn(webs_.touches.inputs, v);
    });
  }

  // Nothing but names of it is ever in its bytes.
  [[nodiscard]] bool IsAloneThere(int32_t whole) const {
    const BankBytes bytes = BytesOf(method_, whole);
    for (size_t v = 0; v < webs_.web.size(); ++v) {
      const auto value = static_cast<int32_t>(v);
      if (webs_.web[v] < 0 || webs_.web[v] == WebOf(whole)) continue;
      if (Meet(BytesOf(method_, value), bytes)) return false;
    }
    return true;
  }

  const meaning::MethodMeaning& meant_;
  const Method& method_;
  const MethodWebs& webs_;
  std::vector<uint64_t> offsets_;  // by bank: all of them, bit by bit
};

// A method with what is recovered of it, which refers to it.
struct LiftedMethod {
  Method method;
  meaning::MethodMeaning meant;
  MethodWebs webs;
  CopyFinder finder;

  LiftedMethod(Method lifted, const Manifest* manifest, double numberings)
      : method(std::move(lifted)),
        meant(meaning::MeaningOf(method, manifest, nullptr, numberings)),
        webs(WebsOf(meant, method)),
        finder(meant, webs) {}

  // What the file does not show of names.
  [[nodiscard]] std::array<size_t, 4> Open() const {
    const auto nameless = std::ranges::count_if(
        meant.roles.states, [](const meaning::StateSlot& slot) { return slot.key.empty(); });
    return {meant.aliases.uncertain.size(), meant.aliases.unsure_slices.size(),
            static_cast<size_t>(nameless), meant.unmade.size()};
  }
};

// Drops the calls of a method; `origin`: per instruction, its number in the old method. `lift`
// makes a LiftedMethod of a method. A call stays if the file does not show without it what its
// result is a name of.
template <class Lift>
std::vector<int32_t> DropFrom(const Lift& lift, Method& method, std::vector<int32_t>& origin) {
  std::vector<int32_t> dropped;
  auto now = lift(method);
  for (size_t i = 0; i < now->method.instructions.size();) {
    const std::vector<Inside> moves = now->finder.MovesOf(static_cast<int32_t>(i));
    if (moves.empty()) {
      ++i;
      continue;
    }
    Method changed = now->method;
    now->finder.Move(moves, changed);
    changed.instructions.erase(changed.instructions.begin() + static_cast<ptrdiff_t>(i));
    auto then = lift(std::move(changed));
    const bool is_told = std::ranges::equal(then->Open(), now->Open(), std::less_equal());
    if (!is_told) {
      ++i;
      continue;
    }
    now = std::move(then);
    dropped.push_back(origin[i]);
    origin.erase(origin.begin() + static_cast<ptrdiff_t>(i));
  }
  method = std::move(now->method);
  return dropped;
}

}  // namespace

bool DroppedCopies::changes() const {
  return std::ranges::any_of(dropped, [](const auto& method) { return !method.empty(); });
}

bool MayDropCopies(const Program& program) {
  return std::ranges::any_of(program.methods, [](const Method& method) {
    return IsStraight(method) &&
           std::ranges::any_of(method.operators, [](const Operator& op) { return MayGo(op.name); });
  });
}

DroppedCopies DropCopies(const Program& program, const Manifest* manifest) {
  DroppedCopies made = {program, {}, {}};
  made.dropped.resize(program.methods.size());
  made.now_at.resize(program.methods.size());
  const double numberings = meaning::NumberingsOf(program);
  const auto lift = [&](Method method) {
    return std::make_unique<LiftedMethod>(std::move(method), manifest, numberings);
  };
  for (size_t m = 0; m < program.methods.size(); ++m) {
    Method& method = made.program.methods[m];
    if (!IsStraight(method)) continue;
    std::vector<int32_t> origin(method.instructions.size());
    std::iota(origin.begin(), origin.end(), 0);
    made.dropped[m] = DropFrom(lift, method, origin);
    if (made.dropped[m].empty()) continue;
    made.now_at[m] = Inverse(origin, program.methods[m].instructions.size());
  }
  return made;
}

}  // namespace pteproof::planner
