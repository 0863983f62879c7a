// Straight code of values that are made at an offset of bank 1 and used, for tests of what is lost.
#ifndef PTEPROOF_TESTS_PROPERTIES_CHECKS_MADE_NAMES_H_
#define PTEPROOF_TESTS_PROPERTIES_CHECKS_MADE_NAMES_H_

#include <gtest/gtest.h>

#include <cstdint>

#include "tests/support/method_builder.h"

namespace pteproof::checks {

class MadeNames : public ::testing::Test {
 protected:
  MadeNames() : x_(b_.Planned(2, 0, {4})) { b_.Input(x_); }

  // Four floats, made from the input.
  int32_t Made(uint64_t offset) {
    const int32_t v = b_.Planned(1, offset, {4});
    b_.Mul(x_, x_, v);
    return v;
  }
  // Reads a value, and writes where nothing else lies.
  int32_t Use(int32_t v) { return b_.Mul(v, x_, b_.Planned(3, 16 * far_++, {4})); }
  // Enough results in order for the exporter's order to be trusted.
  void KeepOrder() {
    for (int i = 0; i < 5; ++i) Use(x_);
  }

  MethodBuilder b_;
  int32_t x_;
  uint64_t far_ = 0;
};

}  // namespace pteproof::checks

#endif  // PTEPROOF_TESTS_PROPERTIES_CHECKS_MADE_NAMES_H_
