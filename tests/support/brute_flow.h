// Runs a small method by hand, one byte at a time, along one path: each byte holds the tag of the
// make that wrote it, and each read must find the tags of its own value's last make. Slow, and
// shares no analysis with the checks, so that it can judge them.
#ifndef PTEPROOF_TESTS_SUPPORT_BRUTE_FLOW_H_
#define PTEPROOF_TESTS_SUPPORT_BRUTE_FLOW_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "pteproof/program.h"

namespace pteproof {

// A read that found other bytes than its value's own.
struct WrongRead {
  int32_t instruction = 0;  // the instruction count: at the method's end
  int32_t value = 0;
};

// Before this instruction, `view` becomes another name of what `base` holds then.
struct BruteView {
  int32_t instruction = 0;
  int32_t view = 0;
  int32_t base = 0;
};

// In which order a kernel goes through its result's elements.
enum class ElementOrder : uint8_t { kUp, kDown };

// A path of more instructions than this is left as it is: what it read so far counts.
inline constexpr int kMaxBruteSteps = 80;

// The first wrong read along the path that `jumps` chooses, asked at each jump that can go both
// ways. Knows add.out, mul.out, flip.out, copy_, index_put_, moves and jumps, float32 tensors of
// one dimension; planned tensors with a name are state. Bytes that two inputs share belong to
// neither.
[[nodiscard]] std::optional<WrongRead> RunByBytes(const Method& method,
                                                  std::span<const BruteView> views,
                                                  ElementOrder order,
                                                  const std::function<bool()>& jumps);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_SUPPORT_BRUTE_FLOW_H_
