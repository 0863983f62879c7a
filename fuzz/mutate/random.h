// Random numbers that a seed fixes: equal seeds give equal mutations on every machine.
#ifndef PTEPROOF_FUZZ_MUTATE_RANDOM_H_
#define PTEPROOF_FUZZ_MUTATE_RANDOM_H_

#include <cstddef>
#include <cstdint>

namespace pteproof::fuzz {

// SplitMix64.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  // Below n, n > 0.
  size_t Below(size_t n) { return static_cast<size_t>(Next() % n); }
  bool OneIn(size_t n) { return Below(n) == 0; }
  bool Percent(size_t of_hundred) { return Below(100) < of_hundred; }

  // One of the elements of a container that has some.
  template <class Items>
  auto& Of(Items&& items) {
    return items[Below(items.size())];
  }

 private:
  uint64_t state_;
};

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_MUTATE_RANDOM_H_
