// The gated delta rule: a linear recurrence over tokens. For each batch and head a state of key
// width times value width decays with every token, is corrected towards the token's value where its
// key points, and is read where its queries point.
#include <algorithm>
#include <array>

#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/packed.h"
#include "runtime/kernels/base/sizes.h"

namespace pteproof::kernels {
namespace {

// Arguments.
constexpr size_t kDeltaQuery = 0;
constexpr size_t kDeltaKey = 1;
constexpr size_t kDeltaValue = 2;
constexpr size_t kDeltaDecay = 3;
constexpr size_t kDeltaBeta = 4;
constexpr size_t kDeltaState = 5;
constexpr size_t kDeltaOut = 6;
constexpr size_t kDeltaLastState = 7;

struct DeltaRule {
  int64_t tokens = 0;
  int64_t width = 0;           // of queries and keys
  int64_t depth = 0;           // of values
  int64_t queries = 0;         // query heads that share a state
  bool decay_is_wide = false;  // one decay for each element of the key
};

bool HasSizes(const TensorRef& tensor, std::initializer_list<int64_t> sizes) {
  return std::ranges::equal(tensor.sizes, sizes);
}

KernelStatus DeltaRuleOf(const KernelCall& call, DeltaRule& rule) {
  for (size_t a = 0; a < 6; ++a) {
    if (TensorAt(call, a).dtype != ScalarType::kFloat32) return "all must be float32";
  }
  const auto query = TensorAt(call, kDeltaQuery).sizes;
  const auto key = TensorAt(call, kDeltaKey).sizes;
  const auto value = TensorAt(call, kDeltaValue).sizes;
  const TensorRef& decay = TensorAt(call, kDeltaDecay);
  if (key.size() != 4 || query.size() != 4 || value.size() != 4 || key[1] == 0 ||
      query[1] % key[1] != 0 ||
      !HasSizes(TensorAt(call, kDeltaQuery), {key[0], query[1], key[2], key[3]}) ||
      !HasSizes(TensorAt(call, kDeltaValue), {key[0], key[1], key[2], value[3]})) {
    return "query, key and value do not fit each other";
  }
  rule = {key[2], key[3], value[3], query[1] / key[1], decay.rank() == 4};
  const bool decays = rule.decay_is_wide ? HasSizes(decay, {key[0], key[1], key[2], key[3]})
                                         : HasSizes(decay, {key[0], key[1], key[2]});
  if (!decays || !HasSizes(TensorAt(call, kDeltaBeta), {key[0], key[1], key[2]}) ||
      !HasSizes(TensorAt(call, kDeltaState), {key[0], key[1], key[3], value[3]})) {
    return "decay, beta or initial_state does not fit the key and the value";
  }
  return nullptr;
}

// Packed operands and results, row-major.
struct DeltaNumbers {
  std::array<LentNumbers<double>, 6> in = {};
  LentNumbers<double> out;
  LentNumbers<double> step;  // the correction of one token, `depth` numbers
};

// `row` counts batches, heads and tokens; state: [width, depth].
void TakeToken(const DeltaRule& rule, const DeltaNumbers& numbers, int64_t row,
               const LentNumbers<double>& state) {
  const auto key = numbers.in[kDeltaKey].Part(row * rule.width, rule.width);
  const auto value = numbers.in[kDeltaValue].Part(row * rule.depth, rule.depth);
  const auto line_of = [&](int64_t k) { return state.Part(k * rule.depth, rule.depth).data(); };
  double* step = numbers.step.data();
  std::ranges::fill(numbers.step, 0.0);
  for (int64_t k = 0; k < rule.width; ++k) {
    const double decay = numbers.in[kDeltaDecay][rule.decay_is_wide ? row * rule.width + k : row];
    double* line = line_of(k);
    for (int64_t v = 0; v < rule.depth; ++v) {
      line[v] *= decay;
      step[v] += line[v] * key[k];
    }
  }
  for (int64_t v = 0; v < rule.depth; ++v) {
    step[v] = numbers.in[kDeltaBeta][row] * (value[v] - step[v]);
  }
  for (int64_t k = 0; k < rule.width; ++k) {
    double* line = line_of(k);
    for (int64_t v = 0; v < rule.depth; ++v) line[v] += key[k] * step[v];
  }
  const int64_t group = row / rule.tokens;
  for (int64_t q = 0; q < rule.queries; ++q) {
    const int64_t at = (group * rule.queries + q) * rule.tokens + row % rule.tokens;
    const auto query = numbers.in[kDeltaQuery].Part(at * rule.width, rule.width);
    const auto sums = numbers.out.Part(at * rule.depth, rule.depth);
    double* out = sums.data();
    std::ranges::fill(sums, 0.0);
    for (int64_t k = 0; k < rule.width; ++k) {
      const double* line = line_of(k);
      for (int64_t v = 0; v < rule.depth; ++v) out[v] += query[k] * line[v];
    }
  }
}

KernelStatus SizesOfDeltaRule(const KernelCall& call) {
  Region sizes = WholeOf(TensorAt(call, kDeltaQuery));
  const TensorRef& value = TensorAt(call, kDeltaValue);
  if (sizes.rank != 4 || value.rank() != 4) return "query and value must have four dimensions";
  sizes.sizes[3] = value.sizes[3];
  const KernelStatus status = ResizeTo(TensorAt(call, kDeltaOut), sizes);
  if (status != nullptr) return status;
  return ResizeTo(TensorAt(call, kDeltaLastState), WholeOf(TensorAt(call, kDeltaState)));
}

KernelStatus GatedDeltaRule(const KernelCall& call) {
  DeltaRule rule;
  if (const KernelStatus status = DeltaRuleOf(call, rule)) return status;
  DeltaNumbers numbers;
  for (size_t a = 0; a < 6; ++a) {
    numbers.in[a] = Packed<double>(WholeOf(TensorAt(call, a)), *call.scratch);
    if (!numbers.in[a].given()) return kNoMemory;
  }
  const Region out = WholeOf(TensorAt(call, kDeltaOut));
  numbers.out = RoomFor<double>(CountIn(out), *call.scratch);
  numbers.step = RoomFor<double>(rule.depth, *call.scratch);
  if (!numbers.out.given() || !numbers.step.given()) return kNoMemory;
  std::ranges::fill(numbers.out, 0.0);
  const int64_t rows = ElementCount(TensorAt(call, kDeltaBeta));
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t size = rule.width * rule.depth;
    call.scratch->work().TakeProduct(size, 1 + rule.queries);
    call.scratch->work().Take(rule.queries);
    TakeToken(rule, numbers, row, numbers.in[kDeltaState].Part(row / rule.tokens * size, size));
  }
  StorePacked(numbers.out, out);
  StorePacked(numbers.in[kDeltaState], WholeOf(TensorAt(call, kDeltaLastState)));
  return nullptr;
}

constexpr Kernel kDeltaRuleKernels[] = {
    {"llama::gated_delta_rule.out", SizesOfDeltaRule, GatedDeltaRule},
    {"llama::channelwise_gated_delta_rule.out", SizesOfDeltaRule, GatedDeltaRule},
};

}  // namespace

std::span<const Kernel> DeltaRuleKernels() {
  return kDeltaRuleKernels;
}

}  // namespace pteproof::kernels
