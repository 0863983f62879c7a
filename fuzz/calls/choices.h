// Choices out of a record of bytes: each byte says something, and a record that has ended says 0.
#ifndef PTEPROOF_FUZZ_CALLS_CHOICES_H_
#define PTEPROOF_FUZZ_CALLS_CHOICES_H_

#include <cstddef>

#include "fuzz/byte_source.h"

namespace pteproof::fuzz {

class Choices {
 public:
  explicit Choices(Bytes record) : source_(record) {}

  // Below n, n > 0.
  [[nodiscard]] size_t Below(size_t n) {
    const size_t choice = n > 256 ? source_.Word(2) : source_.Byte();
    return choice % n;
  }
  template <class Items>
  [[nodiscard]] auto& Of(Items&& items) {
    return items[Below(items.size())];
  }

 private:
  ByteSource source_;
};

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_CALLS_CHOICES_H_
