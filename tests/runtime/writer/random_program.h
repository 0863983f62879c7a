// Random programs that hold everything a file can, and would be refused for nothing. They mean
// nothing.
#ifndef PTEPROOF_TESTS_RUNTIME_WRITER_RANDOM_PROGRAM_H_
#define PTEPROOF_TESTS_RUNTIME_WRITER_RANDOM_PROGRAM_H_

#include <cstdint>
#include <memory>

#include "pteproof/program.h"

namespace pteproof {

struct RandomProgram {
  std::unique_ptr<const std::string> bytes;  // what the blobs point into
  Program program;
};

[[nodiscard]] RandomProgram MakeRandomProgram(uint32_t seed);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_RUNTIME_WRITER_RANDOM_PROGRAM_H_
