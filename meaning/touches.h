// When each value of a method is needed: by an instruction that reads it, by a name that is taken
// from it, or by the caller. O(accesses).
#ifndef PTEPROOF_MEANING_TOUCHES_H_
#define PTEPROOF_MEANING_TOUCHES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "meaning/effects.h"
#include "pteproof/program.h"

namespace pteproof::meaning {

// The instructions that touch a value, ascending: reads, and names taken from it.
struct Touches {
  std::vector<uint32_t> first;  // per value, count + 1 entries
  std::vector<int32_t> at;

  [[nodiscard]] std::span<const int32_t> Of(int32_t v) const {
    const auto i = static_cast<size_t>(v);
    return std::span(at).subspan(first[i], first[i + 1] - first[i]);
  }
};

template <class Each>
void ForEachTouch(const Method& method, const Effects& effects, Each each) {
  size_t rename = 0;
  const auto count = static_cast<int32_t>(method.instructions.size());
  for (int32_t i = 0; i < count; ++i) {
    for (const Read& r : effects.ReadsOf(static_cast<size_t>(i))) each(r.value, i);
    for (; rename < effects.renames.size() && effects.renames[rename].instruction == i; ++rename) {
      if (!effects.renames[rename].after_write) each(effects.renames[rename].from, i);
    }
  }
  for (const int32_t v : method.outputs) {
    if (method.TensorOf(v) != nullptr) each(v, count);
  }
}

inline Touches TouchesOf(const Method& method, const Effects& effects) {
  Touches touches;
  touches.first.assign(method.values.size() + 1, 0);
  ForEachTouch(method, effects,
               [&](int32_t v, int32_t) { ++touches.first[static_cast<size_t>(v) + 1]; });
  for (size_t v = 1; v < touches.first.size(); ++v) touches.first[v] += touches.first[v - 1];
  touches.at.resize(touches.first.back());
  std::vector<uint32_t> next(touches.first.begin(), touches.first.end() - 1);
  ForEachTouch(method, effects,
               [&](int32_t v, int32_t i) { touches.at[next[static_cast<size_t>(v)]++] = i; });
  return touches;
}

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_TOUCHES_H_
