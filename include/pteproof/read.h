// Bytes or a file to Program, or every reason why not.
//
// Example:
//
//   #include "pteproof/rules.h"
//
//   const auto file = pteproof::ReadProgramFile("add.pte");
//   if (!file.ok() || file.value().program.methods.size() != 1) return 1;
//   const std::vector<uint8_t> junk(100);
//   const auto refused = pteproof::ReadProgram(junk);
//   if (refused.ok()) return 1;
//   const auto reasons = pteproof::Explained(refused.error());
//   return reasons.front().rule == "file-identifier" ? 0 : 1;
#ifndef PTEPROOF_READ_H_
#define PTEPROOF_READ_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pteproof/finding.h"
#include "pteproof/program.h"
#include "pteproof/result.h"

namespace pteproof {

// Decodes a `.pte` file. `file` may have any address and any content; it must outlive the Program,
// whose blobs point into it. A file that is refused gets findings of file-* rules (severity error,
// `bytes` is the place in the file, if one is known), at most kMaxFileFindings of them. Time and
// memory are at most 16 x the file's size + 1 MB. No findings: there was not as much memory, and
// nothing is said of the file.
[[nodiscard]] Result<Program, std::vector<Finding>> ReadProgram(Bytes file);
[[nodiscard]] inline Result<Program, std::vector<Finding>> ReadProgram(
    std::span<const uint8_t> file) {
  return ReadProgram(std::as_bytes(file));
}

// The same of a `.pte` file, or of a bundle (`.bpte`) with a program inside, whose cases must fit
// the program. Places in findings are those of `file`.
[[nodiscard]] Result<Program, std::vector<Finding>> ReadPackedProgram(Bytes file);

// Whether a reader refused a file because memory ran out. The question needs no memory.
[[nodiscard]] inline bool RanOutOfMemory(const std::vector<Finding>& refusal) {
  return refusal.empty();
}

// Further reasons are left out, and the last one says so.
inline constexpr int kMaxFileFindings = 50;

// A program with the bytes that its blobs point into. Copies share them. A Program that is taken
// out must not outlive them.
struct ProgramFile {
  std::shared_ptr<const std::vector<std::byte>> bytes;
  Program program;
};

// Why a file gives no program.
struct ReadFailure {
  enum class Kind : uint8_t {
    kUnreadable,   // `why` is the message of the system, without the name of the file
    kMalformed,    // `findings` name the mistakes in the file
    kOutOfMemory,  // nothing is said of the file
  };
  Kind kind = Kind::kUnreadable;
  std::string why;
  std::vector<Finding> findings = {};
};

// Reads a regular file and decodes the program in it (ReadPackedProgram). Throws nothing.
[[nodiscard]] Result<ProgramFile, ReadFailure> ReadProgramFile(const std::filesystem::path& path);

}  // namespace pteproof

#endif  // PTEPROOF_READ_H_
