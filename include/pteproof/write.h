// Program to bytes: the way back of read.h.
//
// Example:
//
//   #include "pteproof/read.h"
//
//   const auto file = pteproof::ReadProgramFile("add.pte");
//   if (!file.ok()) return 1;
//   const auto bytes = pteproof::WriteProgram(file.value().program);
//   return bytes.ok() && pteproof::ReadProgram(bytes.value()).ok() ? 0 : 1;
#ifndef PTEPROOF_WRITE_H_
#define PTEPROOF_WRITE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "pteproof/program.h"
#include "pteproof/result.h"

namespace pteproof {

// The bytes of a `.pte` file that ReadProgram and ExecuTorch load, methods in the
// program's order. Equal programs give equal bytes, also if their pools and data indices differ:
// stored blobs are numbered by first use and kept once each, unused ones are left out.
// The program must be one that a file can hold: indices in range, lists of tensors after their
// tensors. An error says which tensor's stored data are not there, or that the tables would not fit
// the 2 GiB of a flatbuffer.
[[nodiscard]] Result<std::vector<std::byte>, std::string> WriteProgram(const Program& program);

}  // namespace pteproof

#endif  // PTEPROOF_WRITE_H_
