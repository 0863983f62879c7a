// How much memory a piece of work takes at once. Linking this file replaces operator new and
// delete, which then count.
#ifndef PTEPROOF_FUZZ_HEAP_METER_H_
#define PTEPROOF_FUZZ_HEAP_METER_H_

#include <cstdint>

namespace pteproof::fuzz {

// Of the thread that makes it, from its making on. Meters do not nest.
class HeapMeter {
 public:
  HeapMeter();
  // The most bytes that were allocated at one time, above what there was at the beginning.
  [[nodiscard]] int64_t Peak() const;

 private:
  int64_t before_;
};

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_HEAP_METER_H_
