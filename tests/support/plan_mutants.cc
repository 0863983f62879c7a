#include "tests/support/plan_mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace pteproof {
namespace {

size_t Draw(std::mt19937& random, size_t count) {
  return random() % count;
}

std::vector<size_t> PlannedTensors(const Method& method) {
  std::vector<size_t> planned;
  for (size_t t = 0; t < method.tensors.size(); ++t) {
    if (method.tensors[t].planned && method.tensors[t].nbytes > 0) planned.push_back(t);
  }
  return planned;
}

// Values of one exact place read as names of one storage: that is no damage but another program.
bool IsPlaceOf(const Method& method, uint32_t bank, uint64_t offset, uint64_t nbytes) {
  return std::ranges::any_of(method.tensors, [&](const Tensor& t) {
    return t.planned && t.bank == bank && t.offset == offset && t.nbytes == nbytes;
  });
}

std::optional<Mutant> MovePlace(const Method& method, std::mt19937& random) {
  const auto planned = PlannedTensors(method);
  if (planned.size() < 2) return std::nullopt;
  const Tensor from = method.tensors[planned[Draw(random, planned.size())]];
  const Tensor& onto = method.tensors[planned[Draw(random, planned.size())]];
  const uint64_t offset = onto.offset + 16 * Draw(random, onto.nbytes / 16 + 1);
  if (IsPlaceOf(method, onto.bank, offset, from.nbytes)) return std::nullopt;
  if (offset + from.nbytes > method.bank_sizes[onto.bank]) return std::nullopt;
  Mutant mutant = {method, fmt::format("bank {} [{},{}) moved to bank {} {}", from.bank,
                                       from.offset, from.offset + from.nbytes, onto.bank, offset)};
  for (Tensor& t : mutant.method.tensors) {
    if (!t.planned || t.bank != from.bank || t.offset != from.offset || t.nbytes != from.nbytes) {
      continue;
    }
    t.bank = onto.bank;
    t.offset = offset;
  }
  return mutant;
}

std::optional<Mutant> ShrinkBank(const Method& method, std::mt19937& random) {
  const size_t bank = Draw(random, method.bank_sizes.size());
  if (method.bank_sizes[bank] < 16) return std::nullopt;
  Mutant mutant = {method, fmt::format("bank {} is 16 bytes smaller", bank)};
  mutant.method.bank_sizes[bank] -= 16;
  return mutant;
}

std::optional<Mutant> LoseStore(const Method& method, std::mt19937& random) {
  std::vector<size_t> stores;
  for (size_t i = 0; i < method.instructions.size(); ++i) {
    const Instruction& call = method.instructions[i];
    if (call.kind == InstructionKind::kKernelCall &&
        method.operators[static_cast<size_t>(call.target)].name == "aten::copy_") {
      stores.push_back(i);
    }
  }
  if (stores.empty()) return std::nullopt;
  const size_t at = stores[Draw(random, stores.size())];
  Mutant mutant = {method, fmt::format("instruction {} stores its source onto itself", at)};
  const uint32_t args = method.instructions[at].args.first;
  const int32_t source = method.ints[args + 1];
  mutant.method.ints[args] = source;
  mutant.method.ints[args + method.instructions[at].args.count - 1] = source;
  return mutant;
}

std::optional<Mutant> SwapOutputs(const Method& method, std::mt19937& random) {
  const size_t count = method.outputs.size();
  if (count < 2) return std::nullopt;
  const size_t a = Draw(random, count);
  const size_t b = Draw(random, count);
  if (a == b) return std::nullopt;
  Mutant mutant = {method, fmt::format("outputs {} and {} swapped", a, b)};
  std::swap(mutant.method.outputs[a], mutant.method.outputs[b]);
  return mutant;
}

}  // namespace

std::optional<Mutant> DrawMutant(const Method& method, std::mt19937& random) {
  switch (Draw(random, 10)) {
    case 0:
      return ShrinkBank(method, random);
    case 1:
      return LoseStore(method, random);
    case 2:
      return SwapOutputs(method, random);
    default:
      return MovePlace(method, random);
  }
}

}  // namespace pteproof
