// Bytes and times as people read them on an axis.
#ifndef PTEPROOF_CLI_MAP_UNITS_H_
#define PTEPROOF_CLI_MAP_UNITS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "properties/picture/picture.h"

namespace pteproof {

// "528 B", "4 KiB", "4.25 KiB": at most two decimals.
[[nodiscard]] std::string BytesText(uint64_t bytes);

// The same with all digits where it rounds or scales: "528 bytes", "4.25 KiB (4,352 bytes)".
[[nodiscard]] std::string ExactBytesText(uint64_t bytes);

// Multiples of a power of two from 0 up to `extent`, at most `most` + 1 of them.
[[nodiscard]] std::vector<uint64_t> ByteTicks(uint64_t extent, int64_t most);

// The least of 1, 2, 5, 10, 20 ... that is not below `least`: instructions between two ticks.
[[nodiscard]] int64_t TickStep(double least);

// "entry..4", "2..7", "9..end", in instructions, of a stretch of the axis' time.
[[nodiscard]] std::string LifeText(const PointSpan& span, const picture::MethodAxis& axis);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_MAP_UNITS_H_
