#include "fuzz/shrink/shrink_program.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "fuzz/mutate/plan/parts.h"

namespace pteproof::fuzz {
namespace {

// Per value: an instruction, a list or the caller has to do with it.
std::vector<bool> UsedValues(const Method& method) {
  std::vector<bool> used(method.values.size());
  const auto use = [&](int32_t v) {
    if (v >= 0) used[static_cast<size_t>(v)] = true;
  };
  for (const Instruction& instruction : method.instructions) {
    std::ranges::for_each(method.Ints(instruction.args), use);
    const bool is_call = instruction.kind == InstructionKind::kKernelCall ||
                         instruction.kind == InstructionKind::kDelegateCall;
    if (!is_call) use(instruction.target);
    if (instruction.kind == InstructionKind::kMove) use(instruction.other);
  }
  std::ranges::for_each(method.inputs, use);
  std::ranges::for_each(method.outputs, use);
  for (const Value& value : method.values) {
    const bool holds_values = value.kind == ValueKind::kIntList ||
                              (value.kind != ValueKind::kTensor && IsTensorLike(value.kind));
    if (holds_values) std::ranges::for_each(method.Ints(value.items), use);
  }
  return used;
}

class Shrinker {
 public:
  Shrinker(Program program, const std::function<bool(const Program&)>& fails)
      : best_(std::move(program)), fails_(fails) {}

  Program Go() && {
    do {
      smaller_ = false;
      Methods();
      for (size_t m = 0; m < best_.methods.size(); ++m) {
        Instructions(m);
        Boundary(m, &Method::outputs);
        Boundary(m, &Method::inputs);
        Values(m);
      }
      Try([](Program& p) { p.named_data.clear(); }, !best_.named_data.empty());
    } while (smaller_);
    return std::move(best_);
  }

 private:
  // Keeps the change if the program still fails.
  template <class Change>
  bool Try(const Change& change, bool changes = true) {
    if (!changes) return false;
    Program next = best_;
    change(next);
    if (!fails_(next)) return false;
    best_ = std::move(next);
    return smaller_ = true;
  }

  void Methods() {
    for (size_t m = best_.methods.size(); m-- > 0 && best_.methods.size() > 1;) {
      Try([&](Program& p) { p.methods.erase(p.methods.begin() + static_cast<ptrdiff_t>(m)); });
    }
  }

  // Halves, quarters, and so on down to single ones, from the end.
  void Instructions(size_t m) {
    for (size_t chunk = best_.methods[m].instructions.size(); chunk > 0; chunk /= 2) {
      for (size_t end = best_.methods[m].instructions.size(); end >= chunk && end > 0;) {
        const size_t first = end - chunk;
        Try([&](Program& p) {
          for (size_t n = 0; n < chunk; ++n) plan::EraseAt(p.methods[m], first);
        });
        end = first;
      }
    }
  }

  void Boundary(size_t m, std::vector<int32_t> Method::* boundary) {
    for (size_t k = (best_.methods[m].*boundary).size(); k-- > 0;) {
      Try([&](Program& p) {
        auto& values = p.methods[m].*boundary;
        values.erase(values.begin() + static_cast<ptrdiff_t>(k));
      });
    }
  }

  // Unused ones become null, and are left out at the end.
  void Values(size_t m) {
    const std::vector<bool> used = UsedValues(best_.methods[m]);
    for (size_t v = used.size(); v-- > 0;) {
      const bool last = v + 1 == best_.methods[m].values.size();
      const bool is_null = best_.methods[m].values[v].kind == ValueKind::kNull;
      if (used[v] || (is_null && !last)) continue;
      Try([&](Program& p) {
        auto& values = p.methods[m].values;
        values[v] = {};
        if (last) values.pop_back();
      });
    }
  }

  Program best_;
  const std::function<bool(const Program&)>& fails_;
  bool smaller_ = false;
};

}  // namespace

Program ShrunkProgram(Program program, const std::function<bool(const Program&)>& fails) {
  return Shrinker(std::move(program), fails).Go();
}

}  // namespace pteproof::fuzz
