#include "fuzz/mutate/plan/parts.h"

#include <array>
#include <limits>

#include "base/checked_math.h"
#include "pteproof/scalar_type.h"

namespace pteproof::fuzz::plan {

Method* AnyMethod(Program& program, Random& random) {
  return program.methods.empty() ? nullptr : &random.Of(program.methods);
}

std::vector<int32_t> ValuesOfKind(const Method& method, ValueKind kind) {
  std::vector<int32_t> found;
  for (size_t v = 0; v < method.values.size(); ++v) {
    if (method.values[v].kind == kind) found.push_back(static_cast<int32_t>(v));
  }
  return found;
}

int32_t LikeValue(const Method& method, int32_t value, Random& random) {
  return random.Of(ValuesOfKind(method, method.values[static_cast<size_t>(value)].kind));
}

Range Append(std::vector<int32_t>& pool, std::span<const int32_t> ints) {
  const Range range{static_cast<uint32_t>(pool.size()), static_cast<uint32_t>(ints.size())};
  // The elements may lie in the pool itself.
  const std::vector<int32_t> copy(ints.begin(), ints.end());
  pool.insert(pool.end(), copy.begin(), copy.end());
  return range;
}

Range AppendText(std::string& pool, std::string_view text) {
  const Range range{static_cast<uint32_t>(pool.size()), static_cast<uint32_t>(text.size())};
  pool += std::string(text);
  return range;
}

int64_t InterestingInt(Random& random, int64_t near) {
  static constexpr std::array<int64_t, 10> kNumbers = {
      0, 1, -1, 2, 16, INT8_MAX, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
  switch (random.Below(4)) {
    case 0:
      return random.Of(kNumbers);
    case 1:
      return static_cast<int64_t>(uint64_t{1} << random.Below(64));
    case 2:
      return static_cast<int64_t>(random.Below(9));
    default:
      return static_cast<int64_t>(static_cast<uint64_t>(near) + random.Below(5) - 2);
  }
}

bool SetBytes(const Method& method, Tensor& tensor) {
  std::optional<uint64_t> bytes = ElementSize(tensor.dtype);
  for (const int32_t size : method.Ints(tensor.sizes)) {
    if (size < 0) return false;
    if (bytes) bytes = CheckedMul(*bytes, static_cast<uint64_t>(size));
  }
  if (!bytes || !CheckedAdd(tensor.offset, *bytes)) return false;
  tensor.nbytes = *bytes;
  return true;
}

bool IsStoredFor(const Program& program, const Tensor& tensor, uint32_t index) {
  const auto& table = tensor.planned ? program.initial_values : program.constants;
  return index == 0 || tensor.external ||
         (index < table.size() && tensor.nbytes <= table[index].size());
}

void InsertAt(Method& method, size_t at, const Instruction& instruction) {
  for (Instruction& jump : method.instructions) {
    const bool behind = jump.other > static_cast<int32_t>(at);
    if (jump.kind == InstructionKind::kJumpFalse && behind) ++jump.other;
  }
  method.instructions.insert(method.instructions.begin() + static_cast<ptrdiff_t>(at), instruction);
}

void EraseAt(Method& method, size_t at) {
  method.instructions.erase(method.instructions.begin() + static_cast<ptrdiff_t>(at));
  for (Instruction& jump : method.instructions) {
    const bool behind = jump.other > static_cast<int32_t>(at);
    if (jump.kind == InstructionKind::kJumpFalse && behind) --jump.other;
  }
}

}  // namespace pteproof::fuzz::plan
