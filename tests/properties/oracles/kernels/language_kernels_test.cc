// Kernels of language models and of quantised tensors, beside what the reference says they mean.
#include <cstring>

#include "tests/properties/oracles/kernels/drawn.h"

namespace pteproof {
namespace {

const std::vector<ScalarType> kSingle = {ScalarType::kFloat32};
const std::vector<ScalarType> kCodes = {ScalarType::kInt8, ScalarType::kUInt8, ScalarType::kInt16,
                                        ScalarType::kInt32};

// --- Caches and attention.

std::vector<Operands> UpdateCalls(Draw& draw, ScalarType dtype) {
  const TensorValue value = draw.Numbers(dtype, {2, 3, 2, 4});
  const TensorValue cache = draw.Numbers(dtype, {2, 8, 2, 4});
  return {{value, cache, 0},
          {value, cache, 5},
          {draw.Numbers(dtype, {2, 0, 2, 4}), cache, 8},
          {draw.Numbers(dtype, {1, 1, 1, 1}), draw.Numbers(dtype, {1, 1, 1, 1}), 0},
          {value, cache, 6},
          {value, cache, -1},
          {value, draw.Numbers(dtype, {2, 8, 3, 4}), 0},
          {draw.Numbers(dtype, {3, 2, 4}), cache, 0}};
}

std::vector<Operands> UpdateAtIndicesCalls(Draw& draw, ScalarType dtype) {
  const TensorValue value = draw.Numbers(dtype, {2, 3, 2, 4});
  const TensorValue cache = draw.Numbers(dtype, {2, 8, 2, 4});
  return {{value, cache, 0, Tensor<int64_t>({2, 3}, {0, 3, 7, 1, 1, 2})},
          {value, cache, 99, Tensor<int64_t>({2, 3}, {7, 6, 5, 0, 1, 0})},
          {draw.Numbers(dtype, {2, 0, 2, 4}), cache, 0, Tensor<int64_t>({2, 0}, {})},
          {value, cache, 0, Tensor<int64_t>({2, 3}, {0, 3, 8, 1, 1, 2})},
          {value, cache, 0, Tensor<int64_t>({2, 3}, {0, 3, -1, 1, 1, 2})},
          {value, cache, 0, Tensor<int32_t>({2, 3}, {0, 3, 1, 1, 1, 2})},
          {value, cache, 0, Tensor<int64_t>({3, 2}, {0, 3, 1, 1, 1, 2})}};
}

// Scores that are not all the same, and a mask that hides some.
TensorValue MaskOf(Draw& draw, int64_t queries, int64_t keys) {
  TensorValue mask = draw.Numbers(ScalarType::kFloat32, {queries, keys}, -2, 2);
  for (int64_t i = 0; i < queries * keys; ++i) {
    if (draw.Number(0, 3) == 0 && i % keys != 0) SetReal(mask, i, -kInf);
  }
  return mask;
}

std::vector<Operands> SdpaCalls(Draw& draw, ScalarType dtype) {
  const TensorValue query = draw.Numbers(dtype, {2, 3, 4, 8}, -1, 1);
  const TensorValue key = draw.Numbers(dtype, {2, 6, 2, 8}, -1, 1);
  const TensorValue value = draw.Numbers(dtype, {2, 6, 2, 8});
  return {{query, key, value, 0, kNone, 0.0, true, kNone},
          {query, key, value, 2, kNone, 0.0, true, 0.5},
          {query, key, value, 3, kNone, 0.0, false, kNone},
          {query, key, value, 1, MaskOf(draw, 3, 6), 0.0, false, kNone},
          {draw.Numbers(dtype, {1, 1, 1, 1}), draw.Numbers(dtype, {1, 1, 1, 1}),
           draw.Numbers(dtype, {1, 1, 1, 1}), 0, kNone, 0.0, true, kNone},
          {draw.Numbers(dtype, {2, 0, 4, 8}), key, value, 0, kNone, 0.0, true, kNone},
          {query, key, value, 4, kNone, 0.0, true, kNone},
          {query, key, value, -1, kNone, 0.0, true, kNone},
          {query, key, value, 0, MaskOf(draw, 3, 6), 0.0, true, kNone},
          {query, key, value, 0, MaskOf(draw, 3, 5), 0.0, false, kNone},
          {draw.Numbers(dtype, {2, 3, 3, 8}), key, value, 0, kNone, 0.0, true, kNone},
          {query, key, draw.Numbers(dtype, {2, 6, 2, 7}), 0, kNone, 0.0, true, kNone}};
}

std::vector<Operands> SdpaWithCacheCalls(Draw& draw, ScalarType dtype) {
  const auto vectors = [&](Sizes sizes) { return draw.Numbers(dtype, std::move(sizes), -1, 1); };
  const TensorValue query = vectors({2, 3, 4, 8});
  const TensorValue key = vectors({2, 3, 2, 8});
  const TensorValue value = vectors({2, 3, 2, 8});
  const TensorValue key_cache = vectors({2, 9, 2, 8});
  const TensorValue value_cache = vectors({2, 9, 2, 8});
  return {{query, key, value, key_cache, value_cache, 0, 3, kNone, 0.0, true, kNone},
          {query, key, value, key_cache, value_cache, 6, 3, kNone, 0.0, true, 0.25},
          {query, key, value, key_cache, value_cache, 2, 3, kNone, 0.0, false, kNone},
          {query, key, value, key_cache, value_cache, 4, 3, MaskOf(draw, 3, 9), 0.0, false, kNone},
          {query, key, value, key_cache, value_cache, 7, 3, kNone, 0.0, true, kNone},
          {query, key, value, key_cache, value_cache, 7, 2, kNone, 0.0, true, kNone},
          {query, key, value, key_cache, vectors({2, 9, 1, 8}), 0, 3, kNone, 0.0, true, kNone},
          {query, key, value, key_cache, value_cache, 0, 3, MaskOf(draw, 3, 9), 0.0, true, kNone}};
}

// Of floats, and of int8 with a scale and a zero point for each vector.
std::vector<Operands> QuantizedSdpaCalls(Draw& draw, ScalarType dtype) {
  std::vector<Operands> calls;
  for (const bool heads_first : {false, true}) {
    const auto sizes = [&](int64_t tokens, int64_t heads, int64_t width) {
      return heads_first ? Sizes{2, heads, tokens, width} : Sizes{2, tokens, heads, width};
    };
    const auto zero_points = [&](int64_t tokens, int64_t heads) {
      return draw.Ints(ScalarType::kInt8, sizes(tokens, heads, 1), -3, 3);
    };
    const auto scales = [&](int64_t tokens, int64_t heads) {
      return draw.Numbers(ScalarType::kFloat32, sizes(tokens, heads, 1), 1, 2);
    };
    const TensorValue query = draw.Numbers(dtype, sizes(3, 4, 8), -1, 1);
    const TensorValue key = draw.Numbers(dtype, sizes(6, 2, 8), -1, 1);
    const TensorValue value = draw.Numbers(dtype, sizes(6, 2, 8), -2, 2);
    if (dtype != ScalarType::kInt8) {
      calls.push_back({query, key, value, 1, kNone, 0.0, true, kNone, kNone, kNone, kNone, kNone,
                       kNone, kNone, heads_first});
      continue;
    }
    const Operands quantized = {query,
                                key,
                                value,
                                3,
                                kNone,
                                0.0,
                                true,
                                0.125,
                                zero_points(3, 4),
                                scales(3, 4),
                                zero_points(6, 2),
                                scales(6, 2),
                                zero_points(6, 2),
                                scales(6, 2),
                                heads_first};
    calls.push_back(quantized);
    Operands masked = quantized;
    masked[4] = Operand(MaskOf(draw, 3, 6));
    masked[6] = Operand(false);
    calls.push_back(masked);
    Operands without = quantized;
    without[9] = Operand(kNone);
    calls.push_back(without);
    Operands misfit = quantized;
    misfit[11] = Operand(scales(5, 2));
    calls.push_back(misfit);
  }
  return calls;
}

std::vector<Operands> DeltaRuleCalls(Draw& draw, ScalarType dtype) {
  const auto share = [&](Sizes sizes) { return draw.Numbers(dtype, std::move(sizes), 0, 1); };
  const auto vectors = [&](Sizes sizes) { return draw.Numbers(dtype, std::move(sizes), -1, 1); };
  return {{vectors({2, 4, 3, 5}), vectors({2, 2, 3, 5}), vectors({2, 2, 3, 6}), share({2, 2, 3}),
           share({2, 2, 3}), vectors({2, 2, 5, 6})},
          {vectors({1, 2, 7, 4}), vectors({1, 2, 7, 4}), vectors({1, 2, 7, 3}), share({1, 2, 7, 4}),
           share({1, 2, 7}), vectors({1, 2, 4, 3})},
          {vectors({1, 1, 1, 1}), vectors({1, 1, 1, 1}), vectors({1, 1, 1, 1}), share({1, 1, 1}),
           share({1, 1, 1}), vectors({1, 1, 1, 1})},
          {vectors({1, 2, 0, 4}), vectors({1, 2, 0, 4}), vectors({1, 2, 0, 3}), share({1, 2, 0}),
           share({1, 2, 0}), vectors({1, 2, 4, 3})},
          {vectors({1, 3, 2, 4}), vectors({1, 2, 2, 4}), vectors({1, 2, 2, 3}), share({1, 2, 2}),
           share({1, 2, 2}), vectors({1, 2, 4, 3})},
          {vectors({1, 2, 2, 4}), vectors({1, 2, 2, 4}), vectors({1, 2, 2, 3}), share({1, 2, 3}),
           share({1, 2, 2}), vectors({1, 2, 4, 3})},
          {vectors({1, 2, 2, 4}), vectors({1, 2, 2, 4}), vectors({1, 2, 2, 3}), share({1, 2, 2}),
           share({1, 2, 2}), vectors({1, 2, 3, 4})}};
}

std::vector<Operands> HadamardCalls(Draw& draw, ScalarType dtype) {
  std::vector<Operands> calls;
  for (const int64_t length : {1, 2, 8, 256, 28, 56, 224}) {
    calls.push_back({draw.Numbers(dtype, {2, 3, length})});
  }
  calls.push_back({draw.Numbers(dtype, {0, 8})});
  calls.push_back({draw.Numbers(dtype, {2, 6})});
  calls.push_back({draw.Numbers(dtype, {2, 84})});
  calls.push_back({draw.Numbers(dtype, {})});
  return calls;
}

// --- Experts.

// Any codes, with a scale for each row behind each group of columns.
TensorValue PackedWeights(Draw& draw, int64_t experts, int64_t rows, int64_t columns, int64_t group,
                          int64_t bits) {
  const int64_t codes = 8 * group * bits / 8;
  const int64_t size = 64 + (rows + 7) / 8 * (columns / group) * (codes + 64);
  TensorValue weights = draw.Ints(ScalarType::kUInt8, {experts, size}, 0, 255);
  for (int64_t e = 0; e < experts; ++e) {
    for (int64_t at = 64; at < size; at += codes + 64) {
      for (int64_t row = 0; row < 8; ++row) {
        const float scale = static_cast<float>(draw.Number(1, 8)) / 1024;
        std::memcpy(weights.bytes.data() + e * size + at + codes + 4 * row, &scale, sizeof scale);
      }
    }
  }
  return weights;
}

std::vector<Operands> ExpertCalls(Draw& draw, ScalarType dtype) {
  std::vector<Operands> calls;
  for (const int bits : {4, 8}) {
    const TensorValue up = PackedWeights(draw, 3, 2 * 16, 32, 16, bits);
    const TensorValue down = PackedWeights(draw, 3, 32, 16, 16, bits);
    const TensorValue x = draw.Numbers(dtype, {4, 32}, -1, 1);
    const TensorValue gate = draw.Numbers(dtype, {3, 32}, -1, 1);
    const TensorValue bias = draw.Numbers(dtype, {3}, -1, 1);
    const TensorValue none = draw.Numbers(dtype, {0});
    const auto call = [&](const TensorValue& tokens, const TensorValue& biases, int chosen,
                          int group, const char* scores) {
      calls.push_back(
          {tokens, gate, biases, up, down, chosen, 3, 16, 32, group, bits, scores, 1.5});
    };
    call(x, bias, 2, 16, "sigmoid");
    call(x, none, 3, 16, "sigmoid");
    call(x, none, 1, 16, "softmax");
    call(x, none, 2, 16, "softmax");
    call(draw.Numbers(dtype, {0, 32}), none, 2, 16, "softmax");
    call(x, bias, 2, 16, "softmax");
    call(x, bias, 4, 16, "sigmoid");
    call(x, bias, 2, 8, "sigmoid");
    call(x, bias, 2, 16, "tanh");
    call(draw.Numbers(dtype, {4, 31}), bias, 2, 16, "sigmoid");
  }
  return calls;
}

// --- Quantised tensors.

std::vector<Operands> QuantizePerTokenCalls(Draw& draw, ScalarType dtype) {
  const auto scales = [&](Sizes sizes) {
    return draw.Numbers(ScalarType::kFloat64, std::move(sizes), 1, 3);
  };
  const auto zeros = [&](Sizes sizes) {
    return draw.Ints(ScalarType::kInt64, std::move(sizes), -4, 4);
  };
  return {{draw.Numbers(dtype, {2, 3, 5}, -200, 200), scales({2, 3, 1}), zeros({2, 3, 1}), -128,
           127, 1},
          {draw.Special(dtype, {4, 300}), scales({4, 1}), zeros({4, 1}), -8, 7, 1},
          {draw.Numbers(dtype, {6}), scales({1}), zeros({1}), -128, 127, 1},
          {draw.Numbers(dtype, {3, 0}), scales({3, 1}), zeros({3, 1}), -128, 127, 1},
          {draw.Numbers(dtype, {3, 2}), scales({2, 1}), zeros({3, 1}), -128, 127, 1},
          {draw.Numbers(dtype, {3, 2}), scales({3, 1}), zeros({3, 1}), -129, 127, 1}};
}

std::vector<Operands> DequantizePerTokenCalls(Draw& draw, ScalarType dtype) {
  const auto scales = [&](Sizes sizes) {
    return draw.Numbers(ScalarType::kFloat64, std::move(sizes), 1, 3);
  };
  const auto zeros = [&](Sizes sizes) {
    return draw.Ints(ScalarType::kInt64, std::move(sizes), -4, 4);
  };
  const int least = dtype == ScalarType::kUInt8 ? 0 : -128;
  const int type = static_cast<int>(dtype);
  std::vector<Operands> calls;
  for (const int to : {6, 7}) {
    calls.push_back({draw.Numbers(dtype, {2, 3, 5}, -100, 100), scales({2, 3, 1}), zeros({2, 3, 1}),
                     least, 127, type, to});
    calls.push_back(
        {draw.Numbers(dtype, {4, 300}), scales({4, 1}), zeros({4, 1}), least, 127, type, to});
  }
  calls.push_back(
      {draw.Numbers(dtype, {0, 3}), scales({0, 1}), zeros({0, 1}), least, 127, type, 6});
  calls.push_back({draw.Numbers(dtype, {2, 3}), scales({2, 1}), zeros({2, 1}), least, 127,
                   0 + (type == 3 ? 2 : 3), 6});
  calls.push_back({draw.Numbers(dtype, {}), scales({1}), zeros({1}), least, 127, type, 6});
  return calls;
}

std::vector<Operands> ChooseCalls(Draw& draw, ScalarType dtype) {
  const int type = static_cast<int>(ScalarType::kInt8);
  return {{draw.Numbers(dtype, {2, 3, 7}), type}, {draw.Numbers(dtype, {5}, 0, 9), type},
          {Zeros(dtype, {2, 4}), type},           {draw.Numbers(dtype, {0, 4}), type},
          {draw.Numbers(dtype, {2, 0}), type},    {Reals(dtype, {2, 2}, {1, 2, 3, kInf}), type},
          {draw.Numbers(dtype, {}), type}};
}

std::vector<Operands> QuantizedAddCalls(Draw& draw, ScalarType dtype) {
  const int least = dtype == ScalarType::kUInt8 ? 0 : -128;
  const auto codes = [&](Sizes sizes) { return draw.Numbers(dtype, std::move(sizes), -100, 100); };
  const auto call = [&](Sizes a, Sizes b, int most) {
    return Operands{codes(std::move(a)),
                    0.5,
                    3,
                    least,
                    127,
                    codes(std::move(b)),
                    0.25,
                    1,
                    least,
                    127,
                    0.7,
                    2,
                    least,
                    most};
  };
  return {call({2, 3, 4}, {2, 3, 4}, 127), call({600}, {600}, 100), call({}, {}, 127),
          call({0, 2}, {0, 2}, 127),       call({3}, {1}, 127),     call({3}, {3}, -200)};
}

template <int kBits>
std::vector<Operands> QuantizedEmbeddingCalls(Draw& draw, ScalarType dtype) {
  constexpr int kPerByte = 8 / kBits;
  const bool by_byte = kBits == 8;
  const auto codes = [&](Sizes sizes) {
    return by_byte ? draw.Ints(ScalarType::kInt8, std::move(sizes), -128, 127)
                   : draw.Ints(ScalarType::kUInt8, std::move(sizes), 0, 255);
  };
  const auto scales = [&](Sizes sizes) { return draw.Numbers(dtype, std::move(sizes), 1, 3); };
  const TensorValue indices = draw.Ints(ScalarType::kInt64, {2, 3}, 0, 3);
  return {{codes({4, 8}), scales({4}), kNone, -8, 7, indices},
          {codes({4, 8}), scales({4, 2}), scales({4, 2}), -8, 7, indices},
          {codes({4, 300}), scales({4, 4 * kPerByte}), kNone, -8, 7,
           draw.Ints(ScalarType::kInt32, {5}, 0, 3)},
          {codes({4, 8}), scales({4}), kNone, -8, 7, draw.Ints(ScalarType::kInt64, {0}, 0, 3)},
          {codes({4, 8}), scales({4}), kNone, -8, 7, Tensor<int64_t>({2}, {0, 4})},
          {codes({4, 8}), scales({4, 5}), kNone, -8, 7, indices},
          {codes({4, 8}), scales({3}), kNone, -8, 7, indices},
          {codes({4, 8}), scales({4}), scales({4, 1}), -8, 7, indices}};
}

template <int kBits>
std::vector<Operands> TypedEmbeddingCalls(Draw& draw, ScalarType dtype) {
  std::vector<Operands> calls;
  for (const int type : {5, 6}) {
    for (Operands& call : QuantizedEmbeddingCalls<kBits>(draw, dtype)) {
      call.emplace_back(type);
      calls.push_back(std::move(call));
    }
  }
  return calls;
}

std::vector<Operands> MixedCalls(Draw& draw, ScalarType dtype, bool turned) {
  const auto codes = [&](int64_t inner, int64_t columns) {
    return draw.Ints(ScalarType::kInt8, turned ? Sizes{columns, inner} : Sizes{inner, columns}, -9,
                     9);
  };
  const auto scales = [&](Sizes sizes) { return draw.Numbers(dtype, std::move(sizes), 1, 2); };
  return {{draw.Numbers(dtype, {3, 8}), codes(8, 4), scales({turned ? 4 : 8}), kNone},
          {draw.Numbers(dtype, {2, 6}), codes(6, 6), scales({6, 2}), scales({6, 2})},
          {draw.Numbers(dtype, {1, 1}), codes(1, 1), scales({1}), kNone},
          {draw.Numbers(dtype, {0, 4}), codes(4, 3), scales({turned ? 3 : 4}), kNone},
          {draw.Numbers(dtype, {2, 5}), codes(4, 3), scales({turned ? 3 : 4}), kNone},
          {draw.Numbers(dtype, {2, 6}), codes(6, 6), scales({6, 4}), kNone},
          {draw.Numbers(dtype, {2, 6}), codes(6, 6), scales({6}), scales({6, 1})}};
}

std::vector<Operands> MixedMmCalls(Draw& draw, ScalarType dtype) {
  return MixedCalls(draw, dtype, false);
}

std::vector<Operands> MixedLinearCalls(Draw& draw, ScalarType dtype) {
  std::vector<Operands> calls;
  for (Operands& call : MixedCalls(draw, dtype, true)) {
    call.emplace_back(kNone);
    calls.push_back(call);
    call.back() = Operand(6);
    calls.push_back(std::move(call));
  }
  return calls;
}

std::vector<ScalarType> FloatsAndInt8() {
  std::vector<ScalarType> types = kFloats;
  types.push_back(ScalarType::kInt8);
  return types;
}

const KernelCase kLanguageCases[] = {
    {"llama::update_cache.out", kElements, UpdateCalls},
    {"llama::update_cache_with_indices.out", kElements, UpdateAtIndicesCalls},
    {"llama::custom_sdpa.out", kFloats, SdpaCalls},
    {"llama::sdpa_with_kv_cache.out", kFloats, SdpaWithCacheCalls},
    {"llama::custom_quantized_sdpa.out", FloatsAndInt8(), QuantizedSdpaCalls},
    {"llama::gated_delta_rule.out", kSingle, DeltaRuleCalls},
    {"llama::channelwise_gated_delta_rule.out", kSingle, DeltaRuleCalls},
    {"llama::fast_hadamard_transform.out", kFloats, HadamardCalls},
    {"llama::quantized_moe_ffn.out", kSingle, ExpertCalls, false},
    {"quantized_decomposed::quantize_per_token.out", kFloats, QuantizePerTokenCalls, false},
    {"quantized_decomposed::dequantize_per_token.out", kCodes, DequantizePerTokenCalls, false},
    {"quantized_decomposed::choose_qparams_per_token_asymmetric.out", kSingle, ChooseCalls},
    {"quantized_decomposed::add.out", {ScalarType::kInt8, ScalarType::kUInt8}, QuantizedAddCalls},
    {"quantized_decomposed::embedding_byte.out", kFloats, QuantizedEmbeddingCalls<8>},
    {"quantized_decomposed::embedding_4bit.out", kFloats, QuantizedEmbeddingCalls<4>},
    {"quantized_decomposed::embedding_2bit.out", kFloats, QuantizedEmbeddingCalls<2>},
    {"quantized_decomposed::embedding_byte.dtype_out", kFloats, TypedEmbeddingCalls<8>},
    {"quantized_decomposed::embedding_4bit.dtype_out", kFloats, TypedEmbeddingCalls<4>},
    {"quantized_decomposed::embedding_2bit.dtype_out", kFloats, TypedEmbeddingCalls<2>},
    {"quantized_decomposed::mixed_mm.out", kFloats, MixedMmCalls},
    {"quantized_decomposed::mixed_linear.out", kFloats, MixedLinearCalls},
};

class LanguageKernels : public testing::TestWithParam<KernelCase> {};

TEST_P(LanguageKernels, DoWhatTheReferenceSays) {
  EXPECT_GE(CountAccepted(GetParam()), 3);
  ExpectAgreement(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Kernels, LanguageKernels, testing::ValuesIn(kLanguageCases),
                         KernelCaseName);

}  // namespace
}  // namespace pteproof
