// The verb `place`: lifetimes to offsets.
#ifndef PTEPROOF_CLI_VERBS_PLACE_COMMAND_H_
#define PTEPROOF_CLI_VERBS_PLACE_COMMAND_H_

#include <cstdint>
#include <optional>
#include <string>

#include "cli/io/exit_code.h"
#include "planner/placement/algorithms.h"

namespace pteproof {

struct PlaceRequest {
  std::string file;  // a table of lifetimes (lifetime_table.h), or - for standard input
  placement::Algorithm algorithm = placement::Algorithm::kBest;
  int64_t alignment = 1;            // the least of every storage; a power of two
  std::optional<int64_t> capacity;  // bytes of every bank; none: as many as it takes
  size_t jobs = 1;                  // threads of the search
  std::optional<double> seconds;  // for all banks, if the algorithm searches; none: its own effort
  std::string output;             // a file; empty or -: standard output
  bool json = false;              // a line of JSON per bank, and the table only to a named file
  bool verify = false;            // places nothing, but looks at the offsets of the table
};

// Writes the same rows with their offsets, and to standard error a line per bank: peak, peak live
// bytes, and how far from the best. Under `json` that line is JSON, holds the offsets too, and goes
// to standard output; the table is written only to a file that is named. kUnsafe: some bank does
// not fit the capacity, and nothing is written but which storages do not fit together; kMalformed:
// no such table (FILE:LINE: why), or fixed offsets at odds; kUnreadable: a file cannot be read or
// written; kUsage: standard output would take two forms. Under `verify` only a line per bank is
// written, to standard output, and kUnsafe says that its offsets are not a layout.
[[nodiscard]] ExitCode RunPlace(const PlaceRequest& request);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_PLACE_COMMAND_H_
