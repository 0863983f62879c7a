// A set of sections of time, as bits.
#ifndef PTEPROOF_PLANNER_PLACEMENT_SECTION_SET_H_
#define PTEPROOF_PLANNER_PLACEMENT_SECTION_SET_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pteproof::placement {

class SectionSet {
 public:
  explicit SectionSet(int32_t sections = 0)
      : words_((static_cast<size_t>(sections) + kBits - 1) / kBits) {}

  void Clear() { std::ranges::fill(words_, 0); }
  void Fill() { std::ranges::fill(words_, ~uint64_t{0}); }
  void Add(int32_t section) { words_[WordOf(section)] |= BitOf(section); }
  void AddAll(const SectionSet& other) {
    for (size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
  }
  [[nodiscard]] bool Holds(int32_t section) const {
    return (words_[WordOf(section)] & BitOf(section)) != 0;
  }
  [[nodiscard]] bool HoldsAny(std::span<const int32_t> sections) const {
    return std::ranges::any_of(sections, [&](int32_t section) { return Holds(section); });
  }

 private:
  static constexpr size_t kBits = 64;
  static size_t WordOf(int32_t section) { return static_cast<size_t>(section) / kBits; }
  static uint64_t BitOf(int32_t section) {
    return uint64_t{1} << (static_cast<size_t>(section) % kBits);
  }

  std::vector<uint64_t> words_;
};

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_SECTION_SET_H_
