#include "fuzz/mutate/plan/extremes.h"

#include <array>
#include <numeric>
#include <vector>

#include "fuzz/mutate/plan/parts.h"
#include "pteproof/read.h"
#include "pteproof/write.h"
#include "runtime/dense_layout.h"

namespace pteproof::fuzz::plan {
namespace {

int32_t TellingIndex(Random& random, size_t count) {
  return static_cast<int32_t>(InterestingInt(random, static_cast<int64_t>(count)));
}

bool SetOffset(Method& method, Random& random) {
  Tensor* tensor = AnyOf(method.tensors, random, IsPlanned);
  if (tensor == nullptr) return false;
  // Where the end just fits 64 bits, and where it does not.
  const auto last = static_cast<int64_t>(uint64_t{0} - tensor->nbytes);
  tensor->offset = static_cast<uint64_t>(InterestingInt(random, last));
  return true;
}

bool SetBank(Method& method, Random& random) {
  Tensor* tensor = AnyOf(method.tensors, random, IsPlanned);
  if (tensor == nullptr) return false;
  tensor->bank = static_cast<uint32_t>(TellingIndex(random, method.bank_sizes.size()));
  return true;
}

bool SetDeviceBank(Method& method, Random& random) {
  if (method.bank_devices.empty()) method.bank_devices.push_back({.bank = 1, .device_type = 1});
  random.Of(method.bank_devices).bank = TellingIndex(random, method.bank_sizes.size());
  return true;
}

// Of one number, all of them: their product is what overflows.
bool SetSizes(Method& method, Random& random) {
  Tensor* tensor = AnyOf(method.tensors, random, [](const Tensor& t) { return t.sizes.count > 0; });
  if (tensor == nullptr) return false;
  const std::vector<int32_t> sizes(tensor->sizes.count, TellingIndex(random, 1));
  tensor->sizes = Append(method.ints, sizes);
  return true;
}

// As many dimensions as there may be, or about as many as some number of bits; all of size 1.
bool SetRank(Method& method, Random& random) {
  if (method.tensors.empty()) return false;
  Tensor& tensor = random.Of(method.tensors);
  const size_t most = random.Of(std::array<size_t, 3>{kMaxRank, 32, 64});
  const size_t rank = most - 1 + random.Below(3);
  std::vector<int32_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  tensor.sizes = Append(method.ints, std::vector<int32_t>(rank, 1));
  tensor.dim_order = Append(method.ints, order);
  return true;
}

// A size, a dimension of an order, an item of a list or an argument.
bool SetInt(Method& method, Random& random) {
  if (method.ints.empty()) return false;
  random.Of(method.ints) = TellingIndex(random, method.values.size());
  return true;
}

bool SetTarget(Method& method, Random& random) {
  if (method.instructions.empty()) return false;
  Instruction& at = random.Of(method.instructions);
  switch (at.kind) {
    case InstructionKind::kKernelCall:
      at.target = TellingIndex(random, method.operators.size());
      return true;
    case InstructionKind::kDelegateCall:
      at.target = TellingIndex(random, method.delegates.size());
      return true;
    default:
      at.target = TellingIndex(random, method.values.size());
      return true;
  }
}

bool SetOther(Method& method, Random& random) {
  Instruction* at = AnyOf(method.instructions, random, [](const Instruction& i) {
    return i.kind == InstructionKind::kMove || i.kind == InstructionKind::kJumpFalse;
  });
  if (at == nullptr) return false;
  const bool jump = at->kind == InstructionKind::kJumpFalse;
  at->other = TellingIndex(random, jump ? method.instructions.size() : method.values.size());
  return true;
}

constexpr std::array kNumbers = {SetOffset, SetBank, SetDeviceBank, SetSizes,
                                 SetRank,   SetInt,  SetTarget,     SetOther};

bool SetOne(Program& program, Random& random) {
  constexpr int kDraws = 8;
  for (int draw = 0; draw < kDraws; ++draw) {
    Method* method = AnyMethod(program, random);
    if (method != nullptr && random.Of(kNumbers)(*method, random)) return true;
  }
  return false;
}

}  // namespace

std::optional<Buffer> MutateExtremes(Bytes input, Random& random) {
  auto read = ReadProgram(input);
  if (!read.ok()) return std::nullopt;
  Program program = std::move(read).value();
  const int count = random.OneIn(4) ? 2 : 1;
  for (int i = 0; i < count; ++i) {
    if (!SetOne(program, random)) return std::nullopt;
  }
  auto written = WriteProgram(program);
  if (!written.ok()) return std::nullopt;
  return std::move(written).value();
}

}  // namespace pteproof::fuzz::plan
