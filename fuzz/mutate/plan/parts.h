// Parts of a program that changes begin with: draws among them, and what is appended to pools.
#ifndef PTEPROOF_FUZZ_MUTATE_PLAN_PARTS_H_
#define PTEPROOF_FUZZ_MUTATE_PLAN_PARTS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/mutate/random.h"
#include "pteproof/program.h"

namespace pteproof::fuzz::plan {

// Null: the program has no method, or the method that was drawn no tensor, call... of the kind.
[[nodiscard]] Method* AnyMethod(Program& program, Random& random);

// The indices at which `wanted(element)` holds.
template <class Items, class Wanted>
[[nodiscard]] std::vector<size_t> Where(const Items& items, Wanted wanted) {
  std::vector<size_t> found;
  for (size_t i = 0; i < items.size(); ++i) {
    if (wanted(items[i])) found.push_back(i);
  }
  return found;
}

// One of the elements for which `wanted` holds, or null.
template <class Items, class Wanted>
[[nodiscard]] auto* AnyOf(Items& items, Random& random, Wanted wanted) {
  const std::vector<size_t> found = Where(items, wanted);
  return found.empty() ? nullptr : &items[random.Of(found)];
}

// Swaps two elements; false where there are not two.
template <class Items>
bool SwapTwo(Items& items, Random& random) {
  if (items.size() < 2) return false;
  const size_t a = random.Below(items.size());
  const size_t b = (a + 1 + random.Below(items.size() - 1)) % items.size();
  std::swap(items[a], items[b]);
  return true;
}

[[nodiscard]] inline bool IsPlanned(const Tensor& tensor) {
  return tensor.planned;
}

// Values of that kind.
[[nodiscard]] std::vector<int32_t> ValuesOfKind(const Method& method, ValueKind kind);

// Another value of the kind of `value`; `value` itself where it is the only one.
[[nodiscard]] int32_t LikeValue(const Method& method, int32_t value, Random& random);

// The elements as a new range of the pool.
[[nodiscard]] Range Append(std::vector<int32_t>& pool, std::span<const int32_t> ints);
[[nodiscard]] Range AppendText(std::string& pool, std::string_view text);

// A number that is often where things go wrong: small, at the ends of its width, a power of two, or
// next to `near`.
[[nodiscard]] int64_t InterestingInt(Random& random, int64_t near);

// Sets what follows from sizes and type. False: such a number of bytes does not exist.
[[nodiscard]] bool SetBytes(const Method& method, Tensor& tensor);

// The stored data that the tensor takes, and whether a file may have it take number `index`.
[[nodiscard]] bool IsStoredFor(const Program& program, const Tensor& tensor, uint32_t index);

// Code with one instruction more or less; jumps go where they went, or to what follows.
void InsertAt(Method& method, size_t at, const Instruction& instruction);
void EraseAt(Method& method, size_t at);

}  // namespace pteproof::fuzz::plan

#endif  // PTEPROOF_FUZZ_MUTATE_PLAN_PARTS_H_
