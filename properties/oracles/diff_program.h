// The differential run of any program: calls as planned (CallSchedule), with random inputs, and
// with a storage of its own for every value. Operators mix the bytes of their operands, so their
// meaning does not matter: if the two runs differ, the plan lost a byte. Beside them a tagged run
// follows the writer of every byte; it tells where the byte was lost, and finds wrong reads that
// reach no output. Banks of devices lie in the host's memory here: who reaches them is the check's
// question.
#ifndef PTEPROOF_PROPERTIES_ORACLES_DIFF_PROGRAM_H_
#define PTEPROOF_PROPERTIES_ORACLES_DIFF_PROGRAM_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "properties/oracles/tags/tag_machine.h"
#include "pteproof/finding.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"
#include "runtime/read_data.h"

namespace pteproof {

struct DiffOptions {
  Policy policy = Policy::kPrivate;
  uint64_t seed = 0;
  int sequences = 20;  // each from a freshly loaded program, at most
  int longest = 8;     // calls of a sequence, at most
  // Instructions of a call beyond one pass: loops on mixed bytes need not end.
  int64_t fuel = 20'000;
  // No sequence but the first begins later.
  std::optional<std::chrono::steady_clock::time_point> end = {};
  const DataFile* data = nullptr;
  // Names of buffers that the file does not name, which sizes inputs may have, and the protocol:
  // only prefixes of its words are drawn.
  const Manifest* manifest = nullptr;
  bool by_file_alone = false;  // the manifest tells inputs and calls, and nothing of what is meant
};

// The first call that shows a lost byte.
struct Disagreement {
  std::vector<std::string> methods;      // the calls of its sequence up to it
  std::string what;                      // which output and element; empty: none
  std::optional<TagFinding> wrong_read;  // which instruction reads what another write left
};

struct DiffReport {
  int64_t compared = 0;
  std::map<std::string, int64_t> not_compared;  // calls that were not made, by reason
  std::set<std::string> never_compared;         // methods that were called, and never to the end
  // Pairs of methods of which one touches bytes of the other's state, and those of them of which
  // calls in both orders were compared.
  size_t pairs = 0;
  size_t pairs_tried = 0;
  // Memory ran out, for this reason, where there is one; nothing else is said of the program then.
  std::optional<std::string> out_of_memory;
  bool unplaced = false;  // a reason is that a tensor has no memory, whatever the inputs are
  std::optional<Disagreement> disagreement;
};

// A pure function, but for `end`. Ends at the first disagreement, or when memory runs out.
[[nodiscard]] DiffReport DiffProgram(const Program& program, const DiffOptions& options);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_DIFF_PROGRAM_H_
