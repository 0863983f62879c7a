#include "runtime/sha256.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

namespace pteproof {
namespace {

constexpr size_t kBlockSize = 64;
using State = std::array<uint32_t, 8>;

// FIPS 180-4, section 4.2.2: fractional parts of the cube roots of the first 64 primes.
constexpr std::array<uint32_t, 64> kRoundConstants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

// Section 5.3.3: fractional parts of the square roots of the first eight primes.
constexpr State kInitialState = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

uint32_t BigEndian(Bytes four) {
  uint32_t word = 0;
  for (const std::byte b : four) word = (word << 8) | std::to_integer<uint32_t>(b);
  return word;
}

std::array<uint32_t, 64> MessageSchedule(Bytes block) {
  std::array<uint32_t, 64> w{};
  for (size_t t = 0; t < 16; ++t) w[t] = BigEndian(block.subspan(4 * t, 4));
  for (size_t t = 16; t < 64; ++t) {
    const uint32_t a = w[t - 15];
    const uint32_t b = w[t - 2];
    const uint32_t sigma0 = std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3);
    const uint32_t sigma1 = std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10);
    w[t] = sigma1 + w[t - 7] + sigma0 + w[t - 16];
  }
  return w;
}

// One step of section 6.2.2; the letters a to h are the standard's.
void Compress(State& state, Bytes block) {
  const std::array<uint32_t, 64> w = MessageSchedule(block);
  auto [a, b, c, d, e, f, g, h] = state;
  for (size_t t = 0; t < 64; ++t) {
    const uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const uint32_t choice = (e & f) ^ (~e & g);
    const uint32_t t1 = h + sum1 + choice + kRoundConstants[t] + w[t];
    const uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + sum0 + majority;
  }
  const State step = {a, b, c, d, e, f, g, h};
  for (size_t i = 0; i < state.size(); ++i) state[i] += step[i];
}

// Section 5.1.1: a one bit, zeros, and the length in bits, in one or two blocks after `rest`.
void CompressTail(State& state, Bytes rest, uint64_t total_bytes) {
  std::array<std::byte, 2 * kBlockSize> tail{};
  std::copy(rest.begin(), rest.end(), tail.begin());
  tail[rest.size()] = std::byte{0x80};
  const size_t length = rest.size() + 1 + 8 <= kBlockSize ? kBlockSize : 2 * kBlockSize;
  const uint64_t bits = total_bytes * 8;
  for (size_t i = 0; i < 8; ++i) tail[length - 1 - i] = static_cast<std::byte>(bits >> (8 * i));
  const Bytes padded(tail.data(), length);
  for (size_t at = 0; at < length; at += kBlockSize)
    Compress(state, padded.subspan(at, kBlockSize));
}

}  // namespace

std::string Sha256Hex(Bytes bytes) {
  State state = kInitialState;
  Bytes rest = bytes;
  for (; rest.size() >= kBlockSize; rest = rest.subspan(kBlockSize)) {
    Compress(state, rest.first(kBlockSize));
  }
  CompressTail(state, rest, bytes.size());

  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const uint32_t word : state) {
    for (int shift = 28; shift >= 0; shift -= 4) hex.push_back(kDigits[(word >> shift) & 0xF]);
  }
  return hex;
}

}  // namespace pteproof
