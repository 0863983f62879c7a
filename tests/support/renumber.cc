#include "tests/support/renumber.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <span>

#include "reference/op_schema.h"

namespace pteproof {
namespace {

std::vector<int32_t> RandomPermutation(size_t count, std::mt19937& random) {
  std::vector<int32_t> permutation(count);
  std::iota(permutation.begin(), permutation.end(), 0);
  // Not std::shuffle: libraries differ in it, and seeds in failure messages should mean one thing.
  for (size_t i = count; i > 1; --i) std::swap(permutation[i - 1], permutation[random() % i]);
  return permutation;
}

// Appends renamed copies of index lists to the pool: lists may share their items with other ranges,
// which must stay as they are.
class Renamer {
 public:
  Renamer(Method& method, const std::vector<int32_t>& new_index)
      : method_(method), new_index_(new_index) {}

  [[nodiscard]] int32_t Of(int32_t v) const {
    return v < 0 ? v : new_index_[static_cast<size_t>(v)];
  }

  [[nodiscard]] Range Of(Range list) {
    const Range renamed = {static_cast<uint32_t>(method_.ints.size()), list.count};
    for (uint32_t i = 0; i < list.count; ++i) {
      method_.ints.push_back(Of(method_.ints[list.first + i]));
    }
    return renamed;
  }

  void Rename(Value& value) {
    if (value.kind == ValueKind::kIntList || value.kind == ValueKind::kTensorList ||
        value.kind == ValueKind::kOptionalTensorList) {
      value.items = Of(value.items);
    }
  }

  void Rename(Instruction& instruction) {
    switch (instruction.kind) {
      case InstructionKind::kKernelCall:
      case InstructionKind::kDelegateCall:
        instruction.args = Of(instruction.args);
        return;
      case InstructionKind::kMove:
        instruction.other = Of(instruction.other);
        [[fallthrough]];
      case InstructionKind::kJumpFalse:
      case InstructionKind::kFree:
        instruction.target = Of(instruction.target);
    }
  }

 private:
  Method& method_;
  const std::vector<int32_t>& new_index_;
};

}  // namespace

Method WithValuesRenamed(const Method& method, const std::vector<int32_t>& new_index) {
  Method renamed = method;
  Renamer renamer(renamed, new_index);
  for (size_t v = 0; v < method.values.size(); ++v) {
    Value& value = renamed.values[static_cast<size_t>(new_index[v])];
    value = method.values[v];
    renamer.Rename(value);
  }
  for (Instruction& instruction : renamed.instructions) renamer.Rename(instruction);
  for (int32_t& v : renamed.inputs) v = renamer.Of(v);
  for (int32_t& v : renamed.outputs) v = renamer.Of(v);
  return renamed;
}

Program Renumbered(const Program& program, uint32_t seed) {
  std::mt19937 random(seed);
  Program renumbered = program;
  for (Method& method : renumbered.methods) {
    method = WithValuesRenamed(method, RandomPermutation(method.values.size(), random));
  }
  return renumbered;
}

Program WithMethodsShuffled(const Program& program, uint32_t seed) {
  std::mt19937 random(seed);
  Program shuffled = program;
  const auto order = RandomPermutation(program.methods.size(), random);
  for (size_t m = 0; m < order.size(); ++m) {
    shuffled.methods[m] = program.methods[static_cast<size_t>(order[m])];
  }
  return shuffled;
}

Program WithOperatorsShuffled(const Program& program, uint32_t seed) {
  std::mt19937 random(seed);
  Program shuffled = program;
  for (Method& method : shuffled.methods) {
    const std::vector<Operator> before = method.operators;
    const auto new_index = RandomPermutation(before.size(), random);
    for (size_t o = 0; o < before.size(); ++o) {
      method.operators[static_cast<size_t>(new_index[o])] = before[o];
    }
    for (Instruction& instruction : method.instructions) {
      if (instruction.kind != InstructionKind::kKernelCall) continue;
      instruction.target = new_index[static_cast<size_t>(instruction.target)];
    }
  }
  return shuffled;
}

namespace {

// The Ints of the lists that tell an operator the order of its result.
std::set<int32_t> OrdersOf(const Method& method) {
  std::set<int32_t> ints;
  for (const Instruction& at : method.instructions) {
    if (at.kind != InstructionKind::kKernelCall) continue;
    const OpSchema* schema = method.operators[static_cast<size_t>(at.target)].schema;
    if (schema == nullptr) continue;
    for (size_t a = 0; a < schema->args.size(); ++a) {
      const int32_t list = method.Ints(at.args)[a];
      if (schema->args[a].name != "dim_order" || list < 0) continue;
      const auto items = method.Ints(method.values[static_cast<size_t>(list)].items);
      ints.insert(items.begin(), items.end());
    }
  }
  return ints;
}

}  // namespace

Program WithOtherLiterals(const Program& program, uint32_t seed) {
  std::mt19937 random(seed);
  Program changed = program;
  for (Method& method : changed.methods) {
    const std::set<int32_t> orders = OrdersOf(method);
    for (size_t v = 0; v < method.values.size(); ++v) {
      Value& value = method.values[v];
      if (value.kind != ValueKind::kInt || orders.contains(static_cast<int32_t>(v))) continue;
      value.integer = static_cast<int64_t>(random() % 1000);
    }
  }
  return changed;
}

Program WithMethodTwice(const Program& program, size_t index) {
  Program doubled = program;
  Method copy = program.methods[index];
  copy.name = "~" + copy.name;
  doubled.methods.push_back(copy);
  return doubled;
}

}  // namespace pteproof
