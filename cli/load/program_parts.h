// A program file with what lies beside it.
#ifndef PTEPROOF_CLI_LOAD_PROGRAM_PARTS_H_
#define PTEPROOF_CLI_LOAD_PROGRAM_PARTS_H_

#include <memory>
#include <string>
#include <vector>

#include "cli/io/exit_code.h"
#include "cli/load/load_program.h"
#include "cli/load/trust.h"
#include "pteproof/manifest.h"
#include "pteproof/result.h"

namespace pteproof {

struct ProgramParts {
  LoadedProgram program;
  std::vector<LoadedData> data;              // the files, whose bytes `weights` points into
  std::unique_ptr<const DataFile> weights;   // of all of them; null without one
  std::unique_ptr<const Manifest> manifest;  // null without one
  ManifestSource manifest_source;            // of it

  [[nodiscard]] const Program& source() const { return program.program; }
  [[nodiscard]] const DataFile* data_file() const { return weights.get(); }
};

struct PartsFailure {
  ExitCode code = ExitCode::kUnreadable;
  std::string why;
};

struct PartsRequest {
  std::string file;
  std::vector<std::string> data;  // weights outside the program (.ptd)
  ManifestChoice manifest = {};
};

// Reads them all. Of two weights of one name in several data files the first counts.
[[nodiscard]] Result<ProgramParts, PartsFailure> LoadParts(const PartsRequest& request);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_PROGRAM_PARTS_H_
