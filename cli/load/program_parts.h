// A program file with what lies beside it.
#ifndef PTEPROOF_CLI_LOAD_PROGRAM_PARTS_H_
#define PTEPROOF_CLI_LOAD_PROGRAM_PARTS_H_

#include <memory>
#include <string>

#include "cli/io/exit_code.h"
#include "cli/load/load_program.h"
#include "cli/load/trust.h"
#include "pteproof/manifest.h"
#include "pteproof/result.h"

namespace pteproof {

struct ProgramParts {
  LoadedProgram program;
  std::unique_ptr<const LoadedData> data;    // null without one
  std::unique_ptr<const Manifest> manifest;  // null without one
  ManifestSource manifest_source;            // of it

  [[nodiscard]] const Program& source() const { return program.program; }
  [[nodiscard]] const DataFile* data_file() const { return data ? &data->file : nullptr; }
};

struct PartsFailure {
  ExitCode code = ExitCode::kUnreadable;
  std::string why;
};

// Reads the program, the manifest that was chosen, if there is one, and weights outside the program
// (.ptd) from the file `data`, unless that is empty.
[[nodiscard]] Result<ProgramParts, PartsFailure> LoadParts(const std::string& file,
                                                           const std::string& data,
                                                           const ManifestChoice& choice);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_PROGRAM_PARTS_H_
