// Idea. A call goes if its result may lie in its operand, or a concatenation's parts in their whole
// (dropped_copies.h). What that asks is asked of webs, and known of each before the first call is
// looked at. Calls are gone through from the last one to the first, so that the next write of any
// bytes is known too.
//
// Invariant: but for the call, no instruction writes the value that is only a name then, and as
// long as the name is read, none writes the bytes that were copied. So each reads what it read.
// Offsets stay as aligned as they are.
#include "planner/replan/copy_calls.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "planner/lift/next_writes.h"
#include "reference/kept_operand.h"
#include "reference/op_schema.h"

namespace pteproof::planner {
namespace {

constexpr std::string_view kSlice = "aten::slice_copy.Tensor_out";
constexpr std::string_view kSelect = "aten::select_copy.int_out";
constexpr std::string_view kSplit = "aten::split_copy.Tensor_out";
constexpr std::string_view kSplitBySizes = "aten::split_with_sizes_copy.out";
constexpr std::string_view kConcat = "aten::cat.out";

// What the conditions ask of a web, at once for all its values.
struct WebFacts {
  std::optional<BankBytes> bytes;  // of all of them, if they are in one bank
  bool one_bank = true;
  bool is_stateful = false;
  bool is_input = false;
  bool is_output = false;
  bool is_read_at_end = false;
  bool goes_to_delegate = false;
  int32_t writer = -1;  // the only instruction that writes it; -1: none, kSeveral: more
  int32_t last_reader = -1;

  static constexpr int32_t kSeveral = -2;
};

// Counts ranges that meet another one.
struct Ranges {
  std::vector<uint64_t> begins;
  std::vector<uint64_t> ends;

  void Sort() {
    std::ranges::sort(begins);
    std::ranges::sort(ends);
  }
  [[nodiscard]] int64_t Meeting(const BankBytes& bytes) const {
    return (std::ranges::lower_bound(begins, bytes.hi) - begins.begin()) -
           (std::ranges::upper_bound(ends, bytes.lo) - ends.begin());
  }
};

class CopyFinder {
 public:
  CopyFinder(const meaning::MethodMeaning& meant, const MethodWebs& webs)
      : meant_(meant), method_(*meant.method), webs_(webs), facts_(method_.values.size()) {
    for (size_t v = 0; v < method_.values.size(); ++v) {
      const Tensor* tensor = method_.TensorOf(static_cast<int32_t>(v));
      if (tensor == nullptr || !tensor->planned) continue;
      if (tensor->bank >= offsets_.size()) offsets_.resize(tensor->bank + 1);
      offsets_[tensor->bank] |= tensor->offset;
      if (WebOf(static_cast<int32_t>(v)) >= 0) NoteValue(static_cast<int32_t>(v));
    }
    for (auto& [of, ranges] : ranges_) ranges.Sort();
    for (const int32_t v : webs_.stateful) Note(v, &WebFacts::is_stateful);
    for (const int32_t v : webs_.touches.inputs) Note(v, &WebFacts::is_input);
    for (const int32_t v : webs_.touches.may_be_outputs) Note(v, &WebFacts::is_output);
    for (const int32_t v : webs_.touches.outputs) {
      Note(v, &WebFacts::is_output);
      Note(v, &WebFacts::is_read_at_end);
    }
    for (size_t i = 0; i < method_.instructions.size(); ++i) NoteUses(static_cast<int32_t>(i));
  }

  // All that may go, each if it were the only one; by instruction.
  [[nodiscard]] std::map<int32_t, CopyCall> Find() const {
    std::map<int32_t, CopyCall> found;
    NextWrites writes(written_);
    for (auto i = static_cast<int32_t>(method_.instructions.size()) - 1; i >= 0; --i) {
      CopyCall call = CallAt(i);
      if (!call.moves.empty() && MayLieThere(i, call, writes)) found.emplace(i, std::move(call));
      const Touch& touch = webs_.touches.of_instruction[IndexOf(i)];
      for (const auto* written : {&touch.fills, &touch.updates}) {
        for (const int32_t v : *written) writes.Write(BytesOf(method_, v), i);
      }
    }
    return found;
  }

 private:
  [[nodiscard]] const WebFacts& Of(int32_t v) const { return facts_[IndexOf(WebOf(v))]; }

  void Note(int32_t v, bool WebFacts::* what) {
    if (WebOf(v) >= 0) facts_[IndexOf(WebOf(v))].*what = true;
  }

  void NoteValue(int32_t v) {
    WebFacts& facts = facts_[IndexOf(WebOf(v))];
    const BankBytes bytes = BytesOf(method_, v);
    if (!facts.bytes) facts.bytes = bytes;
    facts.one_bank = facts.one_bank && bytes.bank == facts.bytes->bank;
    facts.bytes->lo = std::min(facts.bytes->lo, bytes.lo);
    facts.bytes->hi = std::max(facts.bytes->hi, bytes.hi);
    if (bytes.lo == bytes.hi) return;
    for (const int32_t of : {WebOf(v), kAllWebs}) {
      Ranges& ranges = ranges_[{of, bytes.bank}];
      ranges.begins.push_back(bytes.lo);
      ranges.ends.push_back(bytes.hi);
    }
  }

  void NoteUses(int32_t i) {
    const Touch& touch = webs_.touches.of_instruction[IndexOf(i)];
    for (const auto* written : {&touch.fills, &touch.updates}) {
      for (const int32_t v : *written) {
        written_.push_back(BytesOf(method_, v));
        if (WebOf(v) < 0) continue;
        int32_t& writer = facts_[IndexOf(WebOf(v))].writer;
        writer = writer == -1 || writer == i ? i : WebFacts::kSeveral;
      }
    }
    for (const auto* read : {&touch.reads, &touch.may_read}) {
      for (const int32_t v : *read) {
        if (WebOf(v) >= 0) facts_[IndexOf(WebOf(v))].last_reader = i;
      }
    }
    const Instruction& call = method_.instructions[IndexOf(i)];
    if (call.kind != InstructionKind::kDelegateCall) return;
    for (const int32_t v : method_.Ints(call.args)) {
      if (v >= 0 && method_.TensorOf(v) != nullptr) Note(v, &WebFacts::goes_to_delegate);
    }
  }

  // What moves if that call goes, as far as it alone tells.
  [[nodiscard]] CopyCall CallAt(int32_t i) const {
    const Instruction& call = method_.instructions[IndexOf(i)];
    if (call.kind != InstructionKind::kKernelCall) return {};
    const Operator& op = method_.operators[IndexOf(call.target)];
    if (op.schema == nullptr || !MayOnlyCopy(op.name)) return {};
    if (call.args.count < op.schema->args.size()) return {};
    const bool is_concat = op.name == kConcat;
    CopyCall copy = {LaidInside(op.name, method_.Ints(call.args)), is_concat, !is_concat};
    for (const Inside& each : copy.moves) {
      copy.may_share = copy.may_share && WebOf(each.value) >= 0 && !Of(each.value).is_output;
    }
    return copy;
  }

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

  [[nodiscard]] bool MayLieThere(int32_t i, const CopyCall& call, const NextWrites& writes) const {
    std::vector<int32_t> moving;
    for (const Inside& each : call.moves) {
      if (WebOf(each.value) < 0 || WebOf(each.whole) < 0) return false;
      if (WebOf(each.whole) == WebOf(each.value)) return false;
      moving.push_back(WebOf(each.value));
      const int32_t name = call.parts_move ? each.whole : each.value;
      const int32_t source = call.parts_move ? each.value : each.whole;
      const bool fits = FitsIn(each) && MovesAlone(each.value, call.parts_move) &&
                        IsNameOnly(i, name) && KeepsBytes(source, name, writes) &&
                        MayBeRead(source, name);
      if (!fits) return false;
    }
    std::ranges::sort(moving);
    if (std::ranges::adjacent_find(moving) != moving.end()) return false;
    return !call.parts_move || IsAloneThere(call.moves.front().whole);
  }

  [[nodiscard]] bool FitsIn(const Inside& each) const {
    const Tensor& value = *method_.TensorOf(each.value);
    const Tensor& whole = *method_.TensorOf(each.whole);
    const uint64_t alignment = uint64_t{1} << std::countr_zero(offsets_[whole.bank] | 1U << 16);
    return value.bank == whole.bank && each.at % alignment == 0;
  }

  // It, and what moves with it, is a storage of this method and of this call alone.
  [[nodiscard]] bool MovesAlone(int32_t value, bool is_part) const {
    const WebFacts& facts = Of(value);
    return facts.one_bank && facts.bytes == BytesOf(method_, value) && !facts.is_stateful &&
           !facts.is_input && !(is_part && facts.is_output);
  }

  // Only this call writes it, and no delegate gets it: that must be seen to be written.
  [[nodiscard]] bool IsNameOnly(int32_t call, int32_t name) const {
    const WebFacts& facts = Of(name);
    const bool is_written = facts.writer != -1 && facts.writer != call;
    return !facts.is_stateful && !facts.is_input && !is_written && !facts.goes_to_delegate;
  }

  // From the call on, nothing writes what it copied as long as the name is read. `writes`: behind
  // the call.
  [[nodiscard]] bool KeepsBytes(int32_t source, int32_t name, const NextWrites& writes) const {
    const WebFacts& facts = Of(name);
    const int32_t next = writes.Of(BytesOf(method_, source));
    return facts.is_read_at_end ? next == NextWrites::kNone : next > facts.last_reader;
  }

  // The caller does not find one storage under two names.
  [[nodiscard]] bool MayBeRead(int32_t source, int32_t name) const {
    const WebFacts& facts = Of(source);
    return !Of(name).is_output || !(facts.is_output || facts.is_stateful || facts.is_input);
  }

  // Nothing but names of it is ever in its bytes.
  [[nodiscard]] bool IsAloneThere(int32_t whole) const {
    const BankBytes bytes = BytesOf(method_, whole);
    return ranges_.at({kAllWebs, bytes.bank}).Meeting(bytes) ==
           ranges_.at({WebOf(whole), bytes.bank}).Meeting(bytes);
  }

  static constexpr int32_t kAllWebs = -1;

  const meaning::MethodMeaning& meant_;
  const Method& method_;
  const MethodWebs& webs_;
  std::vector<uint64_t> offsets_;                          // by bank: all of them, bit by bit
  std::vector<WebFacts> facts_;                            // by web
  std::vector<BankBytes> written_;                         // by some instruction
  std::map<std::pair<int32_t, uint32_t>, Ranges> ranges_;  // by web and bank
};

}  // namespace

bool MayOnlyCopy(std::string_view op) {
  return KeptOperand(op) || op == kSlice || op == kSelect || op == kSplit || op == kSplitBySizes ||
         op == kConcat;
}

std::map<int32_t, CopyCall> CopyCallsOf(const meaning::MethodMeaning& meant,
                                        const MethodWebs& webs) {
  return CopyFinder(meant, webs).Find();
}

}  // namespace pteproof::planner
