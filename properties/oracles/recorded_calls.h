// Recorded call sequences (calls.json and calls.bin): the inputs of each call, its outputs, and the
// outputs that another implementation has to give. docs/reference/calls.md describes the format.
#ifndef PTEPROOF_PROPERTIES_ORACLES_RECORDED_CALLS_H_
#define PTEPROOF_PROPERTIES_ORACLES_RECORDED_CALLS_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pteproof/finding.h"
#include "pteproof/result.h"
#include "reference/datum.h"
#include "reference/run/interpret.h"

namespace pteproof {

// The outputs that a call is compared with.
enum class Truth : uint8_t { kExecutorch, kEager, kEither, kShape, kSkip };

struct RecordedCall {
  std::string method;
  std::string label;  // what it exercises, where the recording says so
  std::string op;     // the one operator of the method, where the recording says so
  std::vector<Datum> inputs;
  std::optional<std::vector<Datum>> eager;       // PyTorch's outputs
  std::optional<std::vector<Datum>> executorch;  // the runtime's; nothing when it refused
  std::string executorch_error;                  // its words then
  std::optional<Truth> truth;
};

// Starts from a freshly loaded program.
struct RecordedSequence {
  std::string name;
  Policy policy = Policy::kPrivate;  // of the loader that it was recorded with
  bool loads_all_first = false;
  Semantics semantics = Semantics::kReal;  // that the outputs are of
  std::vector<RecordedCall> calls;
};

// Numbers agree that are within any of these bounds; all zero: equal ones.
struct Tolerance {
  double rtol = 0;  // times the expected number, with atol added; of floats
  double atol = 0;
  int64_t ulp = 0;           // steps from one number of the type to the next; of integers too
  bool by_type = false;      // rtol and atol are those of the element type
  double of_largest = 0;     // times the largest finite number of the tensor; of floats
  int64_t codes = 0;         // steps between quantised numbers, which have one byte
  double code_distance = 0;  // one such step as a float
};

struct Recording {
  std::string program;             // file name; empty: it is linked of `parts`
  std::vector<std::string> parts;  // file names
  std::optional<std::string> data;
  std::optional<Tolerance> tolerance;
  std::vector<RecordedSequence> sequences;
  bool made_up = false;  // of random inputs: nobody knows what comes out
};

// Reads calls.json and the calls.bin beside it. The error names the file and the place in it.
[[nodiscard]] Result<Recording, std::string> ReadRecording(const std::filesystem::path& calls_json);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_RECORDED_CALLS_H_
