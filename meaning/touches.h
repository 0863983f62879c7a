// The instructions that need a value of a method, and those that make it.
#ifndef PTEPROOF_MEANING_TOUCHES_H_
#define PTEPROOF_MEANING_TOUCHES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "meaning/effects.h"
#include "pteproof/program.h"

namespace pteproof::meaning {

// Instructions by value, ascending.
struct Touches {
  std::vector<uint32_t> first;  // per value, count + 1 entries
  std::vector<int32_t> at;

  [[nodiscard]] std::span<const int32_t> Of(int32_t v) const {
    const auto i = static_cast<size_t>(v);
    return std::span(at).subspan(first[i], first[i + 1] - first[i]);
  }
};

// Reads, names that are taken from a value, and the caller.
template <class Each>
void ForEachUse(const Method& method, const Effects& effects, Each each) {
  const auto count = static_cast<int32_t>(method.instructions.size());
  for (int32_t i = 0; i < count; ++i) {
    const auto at = static_cast<size_t>(i);
    for (const Read& r : effects.ReadsOf(at)) each(r.value, i);
    for (const Rename& r : effects.RenamesOf(at)) {
      if (!r.after_write) each(r.from, i);
    }
  }
  for (const int32_t v : method.outputs) {
    if (method.TensorOf(v) != nullptr) each(v, count);
  }
}

// Writes, and names that a value takes.
template <class Each>
void ForEachMaking(const Method& method, const Effects& effects, Each each) {
  for (size_t i = 0; i < method.instructions.size(); ++i) {
    const auto at = static_cast<int32_t>(i);
    for (const Write& w : effects.WritesOf(i)) each(w.value, at);
    for (const Rename& r : effects.RenamesOf(i)) each(r.to, at);
  }
}

// `for_each(each)` calls each(value, instruction), by ascending instructions, twice the same.
template <class ForEach>
Touches CollectTouches(size_t values, const ForEach& for_each) {
  Touches touches;
  touches.first.assign(values + 1, 0);
  for_each([&](int32_t v, int32_t) { ++touches.first[static_cast<size_t>(v) + 1]; });
  for (size_t v = 1; v < touches.first.size(); ++v) touches.first[v] += touches.first[v - 1];
  touches.at.resize(touches.first.back());
  std::vector<uint32_t> next(touches.first.begin(), touches.first.end() - 1);
  for_each([&](int32_t v, int32_t i) { touches.at[next[static_cast<size_t>(v)]++] = i; });
  return touches;
}

// O(accesses).
inline Touches UsesOf(const Method& method, const Effects& effects) {
  return CollectTouches(method.values.size(),
                        [&](const auto& each) { ForEachUse(method, effects, each); });
}
inline Touches MakingsOf(const Method& method, const Effects& effects) {
  return CollectTouches(method.values.size(),
                        [&](const auto& each) { ForEachMaking(method, effects, each); });
}

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_TOUCHES_H_
