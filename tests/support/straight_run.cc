#include "tests/support/straight_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "reference/op_schema.h"

namespace pteproof {
namespace {

using Tag = uint32_t;
constexpr Tag kNothing = 0;
constexpr Tag kTorn = 1;  // two writes at once
constexpr uint64_t kMaxBankSize = 1U << 20;

struct Span {
  uint32_t bank = 0;
  uint64_t lo = 0;
  uint64_t hi = 0;

  [[nodiscard]] bool Meets(const Span& o) const {
    return bank != 0 && bank == o.bank && std::max(lo, o.lo) < std::min(hi, o.hi);
  }
  bool operator==(const Span&) const = default;
};

Span BytesOf(const Tensor* t) {
  if (t == nullptr || !t->planned) return {};
  return {t->bank, t->offset, t->offset + t->nbytes};
}

// The tensors that an argument holds: itself or its items.
std::vector<int32_t> TensorsIn(const Method& method, int32_t v) {
  const Value& value = method.values[static_cast<size_t>(v)];
  if (value.kind == ValueKind::kTensor) return {v};
  std::vector<int32_t> tensors;
  if (value.kind == ValueKind::kTensorList || value.kind == ValueKind::kOptionalTensorList) {
    for (const int32_t item : method.Ints(value.items)) {
      if (item >= 0) tensors.push_back(item);
    }
  }
  return tensors;
}

// A tensor with the part that it plays in one call.
struct Operand {
  int32_t value = 0;
  const ArgSchema* schema = nullptr;
};

std::vector<Operand> OperandsOf(const Method& method, const Instruction& call) {
  const OpSchema& op = *method.operators[static_cast<size_t>(call.target)].schema;
  const auto args = method.Ints(call.args);
  std::vector<Operand> operands;
  for (size_t a = 0; a < op.args.size(); ++a) {
    for (const int32_t t : TensorsIn(method, args[a])) operands.push_back({t, &op.args[a]});
  }
  return operands;
}

bool IsRead(const Operand& o) {
  return o.schema->access == Access::kRead || o.schema->access == Access::kUpdate;
}
bool IsWritten(const Operand& o) {
  return o.schema->access == Access::kWrite || o.schema->access == Access::kUpdate;
}

bool CanFollow(const Method& method, const Instruction& call) {
  if (call.kind != InstructionKind::kKernelCall) return false;
  const OpSchema* op = method.operators[static_cast<size_t>(call.target)].schema;
  if (op == nullptr || op->is_view) return false;
  return std::ranges::all_of(OperandsOf(method, call),
                             [](const Operand& o) { return IsRead(o) || IsWritten(o); });
}

// Element i lies at the same distance from the start in both.
bool SameElementOrder(const Method& method, const Tensor& a, const Tensor& b) {
  const auto count = [&](const Tensor& t) {
    int64_t elements = 1;
    for (const int32_t size : method.Ints(t.sizes)) elements *= size;
    return elements;
  };
  const auto row_major = [&](const Tensor& t) {
    return std::ranges::is_sorted(method.Ints(t.dim_order));
  };
  const bool same_order = std::ranges::equal(method.Ints(a.dim_order), method.Ints(b.dim_order)) &&
                          std::ranges::equal(method.Ints(a.sizes), method.Ints(b.sizes));
  return count(a) == count(b) && (same_order || (row_major(a) && row_major(b)));
}

class Runner {
 public:
  explicit Runner(const Method& method) : method_(method), count_(method.values.size()) {}

  StraightRun Run() && {
    Prepare();
    Enter();
    for (size_t i = 0; i < method_.instructions.size(); ++i) {
      MakeViews(static_cast<int32_t>(i));
      Call(static_cast<int32_t>(i));
    }
    MakeViews(static_cast<int32_t>(method_.instructions.size()));
    Leave();
    return std::move(run_);
  }

 private:
  const Tensor* TensorAt(int32_t v) const { return method_.TensorOf(v); }
  Span At(int32_t v) const { return BytesOf(TensorAt(v)); }
  bool IsInput(int32_t v) const {
    return std::ranges::find(method_.inputs, v) != method_.inputs.end();
  }
  void Say(std::string what) { run_.violations.push_back(std::move(what)); }

  void Prepare() {
    content_.resize(count_);
    base_.assign(count_, -1);
    written_.resize(count_);
    used_.resize(count_);
    stored_.resize(count_);
    state_tag_.resize(count_);
    banks_.resize(method_.bank_sizes.size());
    for (size_t b = 0; b < banks_.size(); ++b) banks_[b].resize(method_.bank_sizes[b]);
    for (const Instruction& call : method_.instructions) {
      for (const Operand& o : OperandsOf(method_, call)) {
        if (IsRead(o)) used_[static_cast<size_t>(o.value)] = true;
        if (IsWritten(o)) written_[static_cast<size_t>(o.value)] = true;
      }
      if (!method_.operators[static_cast<size_t>(call.target)].schema->in_place) continue;
      for (const int32_t t : TensorsIn(method_, method_.Ints(call.args).back()))
        returned_.push_back(t);
    }
    for (const int32_t v : method_.outputs) {
      if (TensorAt(v) != nullptr) used_[static_cast<size_t>(v)] = true;
    }
    PlaceChecks();
    FindViews();
  }

  void PlaceChecks() {
    for (int32_t v = 0; v < static_cast<int32_t>(count_); ++v) {
      const Span at = At(v);
      if (at.bank == 0) continue;
      if (at.hi > method_.bank_sizes[at.bank]) Say(fmt::format("v{} ends past its bank", v));
      if (at.hi > banks_[at.bank].size()) banks_[at.bank].resize(at.hi);
    }
  }

  // Buffers stand before the user inputs.
  bool IsState(int32_t v) const {
    return At(v).bank != 0 && !method_.inputs.empty() &&
           v < *std::ranges::min_element(method_.inputs);
  }

  bool IsReturned(int32_t v) const { return std::ranges::find(returned_, v) != returned_.end(); }

  bool Holds(int32_t v) const {
    const auto i = static_cast<size_t>(v);
    return IsState(v) || IsInput(v) || written_[i] || used_[i];
  }

  // A value that nothing writes is a view of the last earlier value of its place, made before the
  // first instruction that uses a later value.
  void FindViews() {
    views_at_.resize(method_.instructions.size() + 1);
    for (int32_t v = 0; v < static_cast<int32_t>(count_); ++v) {
      const auto i = static_cast<size_t>(v);
      const Span at = At(v);
      if (at.bank == 0 || at.lo == at.hi || !Holds(v) || IsState(v) || IsInput(v)) continue;
      if (IsReturned(v) && !written_[i]) continue;  // named by its instruction
      if (written_[i] && !FirstTouchReads(v)) continue;
      for (int32_t u = v - 1; u >= 0 && base_[i] < 0; --u) {
        if (At(u) == at && TensorAt(u)->dtype == TensorAt(v)->dtype && Holds(u)) base_[i] = u;
      }
      if (base_[i] < 0) run_.certain = false;
      views_at_[FirstUseOfLater(v)].push_back(v);
    }
  }

  // A value that is read, or updated, before anything else writes it.
  bool FirstTouchReads(int32_t v) const {
    for (const Instruction& call : method_.instructions) {
      bool writes = false;
      for (const Operand& o : OperandsOf(method_, call)) {
        if (o.value == v && IsRead(o)) return true;
        writes |= o.value == v && IsWritten(o);
      }
      if (writes) return false;
    }
    return true;
  }

  size_t FirstUseOfLater(int32_t v) const {
    for (size_t i = 0; i < method_.instructions.size(); ++i) {
      for (const int32_t a : method_.Ints(method_.instructions[i].args)) {
        if (a >= v) return i;
      }
    }
    return method_.instructions.size();
  }

  Tag Fresh() { return next_++; }

  void Paint(const Span& at, Tag tag) {
    for (uint64_t b = at.lo; at.bank != 0 && b < at.hi; ++b) banks_[at.bank][b] = tag;
  }

  bool Intact(const Span& at, Tag tag) const {
    for (uint64_t b = at.lo; at.bank != 0 && b < at.hi; ++b) {
      if (banks_[at.bank][b] != tag) return false;
    }
    return true;
  }

  void Enter() {
    std::vector<int32_t> painted;
    for (int32_t v = 0; v < static_cast<int32_t>(count_); ++v) {
      if (!IsState(v)) continue;
      for (const int32_t u : painted) {
        if (At(u).Meets(At(v))) Say(fmt::format("states v{} and v{} share bytes", u, v));
      }
      painted.push_back(v);
      Begin(v);
      state_tag_[static_cast<size_t>(v)] = content_[static_cast<size_t>(v)];
    }
    std::vector<int32_t> set;
    for (const int32_t v : method_.inputs) {
      if (TensorAt(v) == nullptr) continue;
      Begin(v);
      for (const int32_t u : set) Tear(u, v);
      set.push_back(v);
    }
  }

  void Begin(int32_t v) {
    content_[static_cast<size_t>(v)] = Fresh();
    Paint(At(v), content_[static_cast<size_t>(v)]);
  }

  // Both are written, in an order that nobody promises.
  void Tear(int32_t u, int32_t v) {
    const Span a = At(u);
    const Span b = At(v);
    if (a.Meets(b)) Paint({a.bank, std::max(a.lo, b.lo), std::min(a.hi, b.hi)}, kTorn);
  }

  void MakeViews(int32_t before) {
    for (const int32_t v : views_at_[static_cast<size_t>(before)]) {
      const int32_t base = base_[static_cast<size_t>(v)];
      if (base < 0) continue;
      content_[static_cast<size_t>(v)] = content_[static_cast<size_t>(base)];
      if (content_[static_cast<size_t>(v)] == kNothing) run_.certain = false;
    }
  }

  void Read(int32_t v, int32_t i) {
    const Span at = At(v);
    if (at.bank == 0 || at.lo == at.hi) return;
    const Tag tag = content_[static_cast<size_t>(v)];
    if (tag == kNothing || !Intact(at, tag)) {
      Say(fmt::format("instruction {} reads v{} in bank {} [{},{}), which holds something else", i,
                      v, at.bank, at.lo, at.hi));
    }
  }

  void Call(int32_t i) {
    const Instruction& call = method_.instructions[static_cast<size_t>(i)];
    const auto operands = OperandsOf(method_, call);
    for (const Operand& o : operands) {
      if (IsRead(o)) Read(o.value, i);
    }
    for (const Operand& w : operands) {
      if (!IsWritten(w)) continue;
      for (const Operand& o : operands) {
        if (&o != &w && o.schema->access == Access::kRead) MeetWithin(o, w, i);
      }
    }
    std::vector<int32_t> now;
    for (const Operand& w : operands) {
      if (!IsWritten(w)) continue;
      Write(w.value, i);
      for (const int32_t u : now) {
        if (u != w.value) Tear(u, w.value);
      }
      now.push_back(w.value);
    }
    const OpSchema& op = *method_.operators[static_cast<size_t>(call.target)].schema;
    if (op.in_place) NameResult(call, now);
    if (op.name == "aten::copy_" && !now.empty()) {
      stored_[static_cast<size_t>(now.front())] = true;
      self_copy_ |= operands.size() > 1 && operands[0].value == operands[1].value;
    }
  }

  // A result over an operand that is still being read.
  void MeetWithin(const Operand& read, const Operand& written, int32_t i) {
    const Span from = At(read.value);
    const Span to = At(written.value);
    const bool same_unplanned = read.value == written.value && to.bank == 0;
    if (!from.Meets(to) && !same_unplanned) return;
    if (read.schema->elementwise && from == to &&
        SameElementOrder(method_, *TensorAt(read.value), *TensorAt(written.value))) {
      return;
    }
    Say(fmt::format("instruction {} writes v{} over its operand v{}", i, written.value,
                    read.value));
  }

  void Write(int32_t v, int32_t i) {
    const Tensor& t = *TensorAt(v);
    if (!t.planned && (t.data_index != 0 || t.external)) {
      Say(fmt::format("instruction {} writes the constant v{}", i, v));
    }
    Begin(v);
    const int32_t root = RootOf(v);
    if (IsState(root)) state_tag_[static_cast<size_t>(root)] = content_[static_cast<size_t>(v)];
    if (IsState(root)) written_[static_cast<size_t>(root)] = true;
  }

  // An in-place result may be a value of its own.
  void NameResult(const Instruction& call, const std::vector<int32_t>& now) {
    const int32_t slot = method_.Ints(call.args).back();
    if (TensorAt(slot) == nullptr || now.size() != 1 || now.front() == slot) return;
    content_[static_cast<size_t>(slot)] = content_[static_cast<size_t>(now.front())];
    base_[static_cast<size_t>(slot)] = now.front();
  }

  int32_t RootOf(int32_t v) const {
    for (size_t hops = 0; base_[static_cast<size_t>(v)] >= 0 && hops < count_; ++hops) {
      v = base_[static_cast<size_t>(v)];
    }
    return v;
  }

  void Leave() {
    std::vector<int32_t> seen;
    for (const int32_t v : method_.outputs) {
      if (TensorAt(v) == nullptr) continue;
      Read(v, static_cast<int32_t>(method_.instructions.size()));
      const bool again = std::ranges::find(seen, v) != seen.end();
      if (stored_[static_cast<size_t>(v)] && (IsState(v) || (IsInput(v) && again))) {
        Say(fmt::format("output v{} stands for the value before the store to it", v));
      }
      seen.push_back(v);
    }
    for (int32_t v = 0; v < static_cast<int32_t>(count_); ++v) {
      if (IsState(v)) LeaveState(v);
    }
  }

  void LeaveState(int32_t s) {
    const auto i = static_cast<size_t>(s);
    if (!Intact(At(s), state_tag_[i])) Say(fmt::format("state v{} is overwritten", s));
    bool used = used_[i];
    for (int32_t v = 0; v < static_cast<int32_t>(count_); ++v) {
      used |= used_[static_cast<size_t>(v)] && RootOf(v) == s;
    }
    if (written_[i] || TensorAt(s)->data_index != 0) return;
    if (used) Say(fmt::format("state v{} is read, and nothing ever gives it a value", s));
    if (!used && self_copy_) Say(fmt::format("the store to state v{} went elsewhere", s));
  }

  const Method& method_;
  const size_t count_;
  StraightRun run_;
  Tag next_ = kTorn + 1;
  std::vector<std::vector<Tag>> banks_;
  std::vector<Tag> content_;    // per value: the tag that a read of it must see
  std::vector<Tag> state_tag_;  // per state: the last tag stored to it on purpose
  std::vector<int32_t> base_;   // per value: what it is another name of, or -1
  std::vector<bool> written_;
  std::vector<bool> used_;
  std::vector<bool> stored_;  // by copy_
  std::vector<int32_t> returned_;
  std::vector<std::vector<int32_t>> views_at_;  // per instruction: views made before it
  bool self_copy_ = false;
};

}  // namespace

bool CanRunStraight(const Method& method) {
  const auto fits = [](uint64_t size) { return size <= kMaxBankSize; };
  const auto is_static = [](const Tensor& t) { return t.dynamism == Dynamism::kStatic; };
  return !method.inputs.empty() && std::ranges::all_of(method.bank_sizes, fits) &&
         std::ranges::all_of(method.tensors, is_static) &&
         std::ranges::all_of(method.instructions,
                             [&](const Instruction& call) { return CanFollow(method, call); });
}

StraightRun RunStraight(const Method& method) {
  return Runner(method).Run();
}

}  // namespace pteproof
