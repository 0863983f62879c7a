#include "fuzz/fields/numbers.h"

#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace pteproof::fuzz::fields {
namespace {

using Numbers = std::vector<uint64_t>;

uint64_t MaskOf(uint8_t width) {
  return width == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * width)) - 1;
}

// Of 8 bits all, of more those at which something changes: an element's width, a page, what an
// integer or a float holds.
void AddPowers(uint8_t width, Numbers& numbers) {
  constexpr std::array kPowers = {1,  2,  3,  4,  5,  6,  8,  10, 12, 15, 16, 20, 24,
                                  28, 30, 31, 32, 33, 40, 48, 53, 60, 61, 62, 63};
  for (const int power : kPowers) {
    if (power < 8 * width) numbers.push_back(uint64_t{1} << power);
  }
  if (width == 1) numbers.push_back(uint64_t{1} << 7);
}

void AddReals(double now, Numbers& numbers) {
  using Limits = std::numeric_limits<double>;
  for (const double real : {0.0,
                            -0.0,
                            1.0,
                            -1.0,
                            0.5,
                            now + 1,
                            now - 1,
                            now / 2,
                            2 * now,
                            -now,
                            1.5,
                            Limits::min(),
                            Limits::denorm_min(),
                            Limits::max(),
                            Limits::lowest(),
                            Limits::infinity(),
                            -Limits::infinity(),
                            Limits::quiet_NaN(),
                            2147483647.0,
                            2147483648.0,
                            -2147483649.0,
                            4294967296.0,
                            9007199254740993.0,
                            9223372036854775808.0,
                            -9223372036854775808.0,
                            18446744073709551616.0,
                            1e300,
                            1e39}) {
    numbers.push_back(std::bit_cast<uint64_t>(real));
  }
}

void AddIntegers(uint8_t width, uint64_t now, Numbers& numbers) {
  const uint64_t sign = uint64_t{1} << (8 * width - 1);
  for (const uint64_t number :
       {uint64_t{0}, uint64_t{1}, ~uint64_t{0}, now + 1, now - 1, sign - 1, sign, sign + 1}) {
    numbers.push_back(number);
  }
  AddPowers(width, numbers);
}

}  // namespace

Numbers NumbersToTry(const Declared& declared, uint64_t now, Numbers more) {
  const uint64_t mask = MaskOf(declared.width);
  if (declared.is_real && declared.width == 8) {
    AddReals(std::bit_cast<double>(now), more);
  } else {
    AddIntegers(declared.width, now, more);
  }
  if (declared.type != nullptr) {
    for (uint64_t number = 0; number <= declared.type->num_elems; ++number) more.push_back(number);
  }
  for (uint64_t& number : more) number &= mask;
  std::ranges::sort(more);
  const auto repeated = std::ranges::unique(more);
  more.erase(repeated.begin(), repeated.end());
  std::erase(more, now);
  return more;
}

std::string TextOfNumber(const Declared& declared, uint64_t number) {
  if (declared.is_real && declared.width == 8) {
    return fmt::format("{}", std::bit_cast<double>(number));
  }
  if (!declared.is_signed) return fmt::format("{}", number);
  const int unused = 64 - 8 * declared.width;
  return fmt::format("{}", static_cast<int64_t>(number << unused) >> unused);
}

}  // namespace pteproof::fuzz::fields
