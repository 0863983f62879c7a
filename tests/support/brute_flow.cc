#include "tests/support/brute_flow.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace pteproof {
namespace {

constexpr uint64_t kElementBytes = 4;

using Tags = std::vector<uint64_t>;

struct Operand {
  int32_t value = 0;
  bool reversed = false;
};

struct Kernel {
  std::vector<Operand> operands;
  int32_t result = 0;
  int32_t slot = 0;
};

class BruteRun {
 public:
  BruteRun(const Method& method, std::span<const BruteView> views, ElementOrder order)
      : method_(method), views_(views), order_(order) {
    lies_at_.resize(method.values.size());
    for (size_t v = 0; v < lies_at_.size(); ++v) lies_at_[v] = static_cast<int32_t>(v);
    expected_.resize(method.values.size());
    scalar_changes_.resize(method.values.size());
    for (const Instruction& i : method.instructions) {
      if (i.kind == InstructionKind::kMove) scalar_changes_[static_cast<size_t>(i.other)] = true;
    }
  }

  std::optional<WrongRead> Run(const std::function<bool()>& jumps) {
    Enter();
    const auto count = static_cast<int32_t>(method_.instructions.size());
    int steps = 0;
    for (now_ = 0; now_ < count && !wrong_ && ++steps <= kMaxBruteSteps;) {
      TakeViews();
      now_ = Step(method_.instructions[static_cast<size_t>(now_)], jumps);
    }
    if (!wrong_ && now_ == count) {
      TakeViews();
      Leave();
    }
    return wrong_;
  }

 private:
  uint64_t ElementsOf(int32_t v) const { return method_.TensorOf(v)->nbytes / kElementBytes; }
  Tags& ExpectedOf(int32_t v) { return expected_[static_cast<size_t>(v)]; }

  uint64_t& ByteAt(int32_t v, uint64_t byte) {
    const Tensor& home = *method_.TensorOf(lies_at_[static_cast<size_t>(v)]);
    return memory_[{home.bank, home.offset + byte}];
  }

  Tags FreshTags(int32_t v) {
    Tags tags(method_.TensorOf(v)->nbytes);
    for (uint64_t& tag : tags) tag = ++last_tag_;
    return tags;
  }

  void MakeAtEntry(int32_t v) {
    ExpectedOf(v) = FreshTags(v);
    for (uint64_t b = 0; b < ExpectedOf(v).size(); ++b) ByteAt(v, b) = ExpectedOf(v)[b];
  }

  void Enter() {
    for (size_t v = 0; v < method_.values.size(); ++v) {
      if (IsState(static_cast<int32_t>(v))) MakeAtEntry(static_cast<int32_t>(v));
    }
    for (const int32_t v : method_.inputs) MakeAtEntry(v);
    std::map<std::pair<uint32_t, uint64_t>, int> inputs_at;
    for (const int32_t v : method_.inputs) {
      const Tensor& t = *method_.TensorOf(v);
      for (uint64_t b = 0; b < t.nbytes; ++b) ++inputs_at[{t.bank, t.offset + b}];
    }
    for (const auto& [place, inputs] : inputs_at) {
      if (inputs > 1) memory_[place] = 0;
    }
  }

  bool IsState(int32_t v) const {
    return method_.TensorOf(v) != nullptr && !method_.NameOf(v).empty();
  }

  void TakeViews() {
    for (const BruteView& view : views_) {
      if (view.instruction == now_) ExpectedOf(view.view) = ExpectedOf(view.base);
    }
  }

  int32_t Step(const Instruction& at, const std::function<bool()>& jumps) {
    switch (at.kind) {
      case InstructionKind::kMove:
        if (method_.TensorOf(at.target) == nullptr) break;
        ExpectedOf(at.other) = ExpectedOf(at.target);
        lies_at_[static_cast<size_t>(at.other)] = lies_at_[static_cast<size_t>(at.target)];
        break;
      case InstructionKind::kJumpFalse:
        return Jumps(at, jumps) ? at.other : now_ + 1;
      default:
        Run(KernelOf(at));
    }
    return now_ + 1;
  }

  bool Jumps(const Instruction& at, const std::function<bool()>& jumps) const {
    const auto condition = static_cast<size_t>(at.target);
    if (!scalar_changes_[condition]) return method_.values[condition].integer == 0;
    return jumps();
  }

  Kernel KernelOf(const Instruction& at) const {
    const auto args = method_.Ints(at.args);
    const std::string_view name = method_.operators[static_cast<size_t>(at.target)].name;
    if (name == "aten::copy_") return {{{args[1], false}}, args[0], args.back()};
    if (name == "aten::flip.out") return {{{args[0], true}}, args[2], args.back()};
    if (name == "aten::index_put_")
      return {{{args[0], false}, {args[2], false}}, args[0], args.back()};
    return {{{args[0], false}, {args[1], false}}, args[args.size() - 2], args.back()};
  }

  void Run(const Kernel& kernel) {
    const Tags made = FreshTags(kernel.result);
    const uint64_t count = ElementsOf(kernel.result);
    for (uint64_t step = 0; step < count; ++step) {
      const uint64_t element = order_ == ElementOrder::kUp ? step : count - 1 - step;
      for (const Operand& operand : kernel.operands) ReadElement(operand, element, count);
      for (uint64_t b = element * kElementBytes; b < (element + 1) * kElementBytes; ++b) {
        ByteAt(kernel.result, b) = made[b];
      }
    }
    ExpectedOf(kernel.result) = made;
    if (kernel.slot == kernel.result) return;
    ExpectedOf(kernel.slot) = made;
    lies_at_[static_cast<size_t>(kernel.slot)] = lies_at_[static_cast<size_t>(kernel.result)];
  }

  // Operands of one element stand for as many as the result has.
  void ReadElement(const Operand& operand, uint64_t element, uint64_t count) {
    if (ElementsOf(operand.value) == 1) {
      element = 0;
    } else if (operand.reversed) {
      element = count - 1 - element;
    }
    for (uint64_t b = element * kElementBytes; b < (element + 1) * kElementBytes; ++b) {
      ReadByte(operand.value, b);
    }
  }

  void ReadByte(int32_t v, uint64_t byte) {
    const Tags& own = ExpectedOf(v);
    if (wrong_ || (!own.empty() && ByteAt(v, byte) == own[byte])) return;
    wrong_ = WrongRead{now_, v};
  }

  void Leave() {
    for (size_t v = 0; v < method_.values.size(); ++v) {
      const auto value = static_cast<int32_t>(v);
      const bool read = std::ranges::count(method_.outputs, value) > 0 || IsState(value);
      for (uint64_t b = 0; read && b < method_.TensorOf(value)->nbytes; ++b) ReadByte(value, b);
    }
  }

  const Method& method_;
  std::span<const BruteView> views_;
  ElementOrder order_;
  std::map<std::pair<uint32_t, uint64_t>, uint64_t> memory_;
  std::vector<Tags> expected_;    // per value: tags of its last make
  std::vector<int32_t> lies_at_;  // per value: whose placement it has
  std::vector<bool> scalar_changes_;
  uint64_t last_tag_ = 0;
  int32_t now_ = 0;
  std::optional<WrongRead> wrong_;
};

}  // namespace

std::optional<WrongRead> RunByBytes(const Method& method, std::span<const BruteView> views,
                                    ElementOrder order, const std::function<bool()>& jumps) {
  return BruteRun(method, views, order).Run(jumps);
}

}  // namespace pteproof
