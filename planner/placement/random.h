// Numbers that look random, the same on every machine.
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

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_RANDOM_H_
