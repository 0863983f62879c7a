// Where tensors lie: bank, offset, or nowhere.
#include <array>
#include <optional>

#include "base/checked_math.h"
#include "fuzz/mutate/plan/change.h"
#include "fuzz/mutate/plan/parts.h"

namespace pteproof::fuzz::plan {
namespace {

// An offset that means something to the others in the bank: a border of one of them, a step beside
// it, or an end of the bank. It may wrap.
uint64_t TellingOffset(const Method& method, const Tensor& moved, const Tensor& other,
                       Random& random) {
  static constexpr std::array<uint64_t, 4> kSteps = {16, 1, uint64_t{0} - 16, uint64_t{0} - 1};
  const uint64_t end = method.bank_sizes[moved.bank];
  switch (random.Below(8)) {
    case 0:
      return other.offset;
    case 1:
      return other.offset + other.nbytes;
    case 2:
      return other.offset - moved.nbytes;
    case 3:
      return 0;
    case 4:
      return end - moved.nbytes;
    case 5:
      return end;
    default:
      return moved.offset + random.Of(kSteps);
  }
}

bool Place(Tensor& tensor, uint64_t offset) {
  if (offset == tensor.offset || !CheckedAdd(offset, tensor.nbytes)) return false;
  tensor.offset = offset;
  return true;
}

bool MoveOffset(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  if (method == nullptr) return false;
  Tensor* moved = AnyOf(method->tensors, random, IsPlanned);
  if (moved == nullptr) return false;
  const Tensor* other = AnyOf(method->tensors, random,
                              [&](const Tensor& t) { return t.planned && t.bank == moved->bank; });
  return Place(*moved, TellingOffset(*method, *moved, *other, random));
}

// With all the other names of its bytes.
bool MoveStorage(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  if (method == nullptr) return false;
  const Tensor* moved = AnyOf(method->tensors, random, IsPlanned);
  const Tensor* other = AnyOf(method->tensors, random, IsPlanned);
  if (moved == nullptr) return false;
  const Tensor from = *moved;
  const uint64_t offset = TellingOffset(*method, from, *other, random);
  bool any = false;
  for (Tensor& t : method->tensors) {
    const bool same = t.planned && t.bank == from.bank && t.offset == from.offset;
    if (same && Place(t, offset)) any = true;
  }
  return any;
}

bool MoveToBank(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  if (method == nullptr || method->bank_sizes.size() < 3) return false;
  Tensor* moved = AnyOf(method->tensors, random, IsPlanned);
  if (moved == nullptr) return false;
  const auto bank = static_cast<uint32_t>(1 + random.Below(method->bank_sizes.size() - 1));
  if (bank == moved->bank) return false;
  moved->bank = bank;
  return true;
}

// Another name of the other's bytes, or the beginning of one.
bool Alias(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  if (method == nullptr) return false;
  Tensor* over = AnyOf(method->tensors, random, IsPlanned);
  const Tensor* under = AnyOf(method->tensors, random, IsPlanned);
  if (over == nullptr || (over->bank == under->bank && over->offset == under->offset)) return false;
  if (!CheckedAdd(under->offset, over->nbytes)) return false;
  over->bank = under->bank;
  over->offset = under->offset;
  return true;
}

bool SwapPlaces(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  if (method == nullptr) return false;
  Tensor* a = AnyOf(method->tensors, random, IsPlanned);
  if (a == nullptr) return false;
  Tensor* b = AnyOf(method->tensors, random,
                    [&](const Tensor& t) { return t.planned && t.nbytes == a->nbytes; });
  if (a->bank == b->bank && a->offset == b->offset) return false;
  std::swap(a->bank, b->bank);
  std::swap(a->offset, b->offset);
  return true;
}

// Into the caller's memory, or into that of whoever writes it.
bool Unplan(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  Tensor* tensor = method == nullptr ? nullptr : AnyOf(method->tensors, random, IsPlanned);
  if (tensor == nullptr) return false;
  tensor->planned = false;
  tensor->bank = 0;
  tensor->offset = 0;
  tensor->data_index = 0;
  return true;
}

// Behind all others of a bank, which grows.
bool PlanAnew(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  if (method == nullptr || method->bank_sizes.size() < 2) return false;
  Tensor* tensor =
      AnyOf(method->tensors, random, [](const Tensor& t) { return !t.planned && !t.external; });
  if (tensor == nullptr) return false;
  const size_t bank = 1 + random.Below(method->bank_sizes.size() - 1);
  const uint64_t offset = (method->bank_sizes[bank] + 15) / 16 * 16;
  const std::optional<uint64_t> end = CheckedAdd(offset, tensor->nbytes);
  if (!end) return false;
  tensor->planned = true;
  tensor->bank = static_cast<uint32_t>(bank);
  tensor->offset = offset;
  tensor->data_index = 0;
  method->bank_sizes[bank] = *end;
  return true;
}

constexpr std::array kPlaceChanges = {
    Change{"move-offset", MoveOffset},  Change{"move-storage", MoveStorage},
    Change{"move-to-bank", MoveToBank}, Change{"alias", Alias},
    Change{"swap-places", SwapPlaces},  Change{"unplan", Unplan},
    Change{"plan-anew", PlanAnew},
};

}  // namespace

std::span<const Change> PlaceChanges() {
  return kPlaceChanges;
}

}  // namespace pteproof::fuzz::plan
