// Numbers that look random, the same on every machine, and how long to try with each.
#ifndef PTEPROOF_PLANNER_PLACEMENT_RANDOM_H_
#define PTEPROOF_PLANNER_PLACEMENT_RANDOM_H_

#include <cstdint>

namespace pteproof::placement {

// splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  [[nodiscard]] uint64_t Next() {
    state_ += 0x9e3779b97f4a7c15;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  // At least 0, below 1.
  [[nodiscard]] double Fraction() { return static_cast<double>(Next() >> 11) * 0x1p-53; }

 private:
  uint64_t state_;
};

// 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ... from 1 on: how long to go on where some searches end soon and
// others never (Luby, Sinclair, Zuckerman: Optimal speedup of Las Vegas algorithms, 1993).
[[nodiscard]] inline int64_t Luby(int64_t i) {
  int64_t size = 1;
  while (size < i + 1) size *= 2;
  return size == i + 1 ? size / 2 : Luby(i - size / 2 + 1);
}

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_RANDOM_H_
