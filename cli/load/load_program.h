// From a path to a decoded program, whether it lies alone (.pte), in a bundle (.bpte) or as text
// (.pteasm).
#ifndef PTEPROOF_CLI_LOAD_LOAD_PROGRAM_H_
#define PTEPROOF_CLI_LOAD_LOAD_PROGRAM_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "cli/io/load_file.h"
#include "cli/load/file_report.h"
#include "pteproof/finding.h"
#include "pteproof/program.h"
#include "pteproof/read.h"
#include "pteproof/result.h"
#include "runtime/pteasm/parse.h"
#include "runtime/read_data.h"

namespace pteproof {

// A program with the bytes that its blobs point into. Copies share them.
struct LoadedProgram {
  HeldBytes bytes;
  Program program;
  std::shared_ptr<const pteasm::ProgramText> text = nullptr;  // that it was read from, if it was
};

// Why there is no program: the file cannot be read, is malformed, or is something else.
struct LoadFailure {
  Outcome outcome = Outcome::kUnreadable;
  std::string error;              // kUnreadable
  std::vector<Finding> findings;  // kMalformed, kOtherVerbs
  bool known = false;             // kMalformed: it is something else (known_file.h)
};

// In one line, for verbs that print no report: "m.pte: malformed (file-header): ...".
[[nodiscard]] std::string TextOf(const std::string& file, const LoadFailure& failure);
[[nodiscard]] ExitCode ExitCodeOf(const LoadFailure& failure);

// Reads a program file, or a bundle with the program inside and its cases. Bytes of findings are
// those of the file, also for a program inside; of a text, lines and columns stand for them.
[[nodiscard]] Result<LoadedProgram, LoadFailure> LoadProgram(const std::string& path);

struct LoadedData {
  HeldBytes bytes;  // the entries' blobs point into them
  DataFile file;
};

// Reads a .ptd file.
[[nodiscard]] Result<LoadedData, LoadFailure> LoadData(const std::string& path);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_LOAD_PROGRAM_H_
