// Idea. Values with a number in the text have that number; literals take the free numbers in the
// order in which they occur. So a file's numbers come back if its literals, read in the order of
// the text, have rising numbers. Exporters number them so; of other files the longest rising part
// of the literals stays, and the rest get lines with their numbers.
//
//   %4 = aten::add.out(%0, %1, 1)    the literal is v3, if v0, v1, v2 and v4 have lines
//   [1, 2]                           the items' numbers come before that of the list
//
// Invariant: an item is a literal only in a list that is one. Cost: O(n log n).
#include "runtime/pteasm/literals.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "runtime/pteasm/call_form.h"

namespace pteproof::pteasm {
namespace {

// What names values: calls visit(value) for each mention.
template <class Visit>
void ForEachMention(const Method& method, Visit visit) {
  for (const int32_t value : method.inputs) visit(value);
  for (const int32_t value : method.outputs) visit(value);
  for (const Value& value : method.values) {
    const bool lists_ints = value.kind == ValueKind::kIntList;
    if (!lists_ints && (value.kind == ValueKind::kTensor || !IsTensorLike(value.kind))) continue;
    for (const int32_t item : method.Ints(value.items)) {
      if (item >= 0) visit(item);
    }
  }
  for (const Instruction& instruction : method.instructions) {
    switch (instruction.kind) {
      case InstructionKind::kKernelCall:
      case InstructionKind::kDelegateCall:
        for (const int32_t value : method.Ints(instruction.args)) visit(value);
        break;
      case InstructionKind::kMove:
        visit(instruction.target);
        visit(instruction.other);
        break;
      case InstructionKind::kJumpFalse:
      case InstructionKind::kFree:
        visit(instruction.target);
        break;
    }
  }
}

// Constants that are mentioned once.
std::vector<bool> CandidatesOf(const Method& method) {
  std::vector<uint8_t> mentions(method.values.size());
  ForEachMention(method, [&](int32_t value) {
    uint8_t& count = mentions[static_cast<size_t>(value)];
    count = static_cast<uint8_t>(std::min(count + 1, 2));
  });
  std::vector<bool> candidates(method.values.size());
  for (size_t v = 0; v < candidates.size(); ++v) {
    candidates[v] = mentions[v] == 1 && method.values[v].kind != ValueKind::kTensor;
  }
  return candidates;
}

// The candidates in the order in which a text would hold them.
struct Order {
  const Method& method;
  const std::vector<bool>& candidates;
  std::vector<int32_t> values;

  void Take(int32_t value) {
    const auto index = static_cast<size_t>(value);
    if (!candidates[index]) return;
    if (method.values[index].kind == ValueKind::kIntList) {
      for (const int32_t item : method.Ints(method.values[index].items)) {
        if (candidates[static_cast<size_t>(item)]) values.push_back(item);
      }
    }
    values.push_back(value);
  }

  void TakeAll(std::span<const int32_t> all) {
    for (const int32_t value : all) Take(value);
  }

  void Take(const Instruction& instruction) {
    if (instruction.kind == InstructionKind::kKernelCall) {
      const CallParts parts = PartsOf(method, instruction, candidates);
      TakeAll(parts.operands);
      TakeAll(parts.lists);
    } else if (instruction.kind == InstructionKind::kDelegateCall) {
      TakeAll(method.Ints(instruction.args));
    } else if (instruction.kind == InstructionKind::kJumpFalse) {
      Take(instruction.target);
    }
  }
};

// Marks the longest rising part of the sequence.
void MarkRising(const std::vector<int32_t>& sequence, std::vector<bool>& marked) {
  std::vector<size_t> ends;  // by length: the position of the smallest last number
  std::vector<size_t> before(sequence.size());
  for (size_t i = 0; i < sequence.size(); ++i) {
    const auto at = std::ranges::lower_bound(ends, sequence[i], {},
                                             [&](size_t position) { return sequence[position]; });
    before[i] = at == ends.begin() ? i : *(at - 1);
    if (at == ends.end()) {
      ends.push_back(i);
    } else {
      *at = i;
    }
  }
  if (ends.empty()) return;
  size_t i = ends.back();
  for (size_t left = ends.size(); left > 0; --left, i = before[i]) {
    marked[static_cast<size_t>(sequence[i])] = true;
  }
}

}  // namespace

std::vector<bool> LiteralsOf(const Method& method) {
  const std::vector<bool> candidates = CandidatesOf(method);
  Order order{method, candidates, {}};
  for (const Instruction& instruction : method.instructions) order.Take(instruction);
  order.TakeAll(method.outputs);
  std::vector<bool> literals(method.values.size());
  MarkRising(order.values, literals);
  for (size_t v = 0; v < literals.size(); ++v) {
    if (literals[v] || method.values[v].kind != ValueKind::kIntList) continue;
    for (const int32_t item : method.Ints(method.values[v].items)) {
      literals[static_cast<size_t>(item)] = false;
    }
  }
  return literals;
}

}  // namespace pteproof::pteasm
