// The lines of `eval` and `run`: one for each call and, at the end, one of counts; as text for
// people or as JSON, one object a line.
#ifndef PTEPROOF_CLI_RENDER_CALL_LINES_H_
#define PTEPROOF_CLI_RENDER_CALL_LINES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "properties/oracles/compare.h"
#include "properties/oracles/recorded_calls.h"

namespace pteproof {

// The files that lines are about. JSON names them in each line.
struct CallFiles {
  std::string program;
  std::string recording;  // calls.json; empty: random inputs
  std::string manifest;   // in use; empty: none
};

// Of a call that is compared with nothing.
struct CallDigests {
  std::vector<uint64_t> outputs;
  std::vector<uint64_t> changed_inputs;
  uint64_t state = 0;  // 0: there is none
};

struct CallLine {
  std::string_view result;                  // agrees, differs, fails, ...
  std::string reason;                       // may be empty
  std::optional<RecordedSides> sides = {};  // if the recorded outputs differ
  std::optional<CallDigests> digests = {};
  std::string not_admitted = {};  // why the manifest does not admit it; empty: it does
};

[[nodiscard]] std::string CallText(const RecordedSequence& sequence, size_t call,
                                   const CallLine& line);
[[nodiscard]] std::string CallJson(const CallFiles& files, const RecordedSequence& sequence,
                                   size_t call, const CallLine& line);

struct CallCounts {
  int agree = 0;
  int differ = 0;
  int not_compared = 0;
  int not_made = 0;                    // one before them in their sequence failed
  int not_admitted = 0;                // by the manifest, whatever came out
  int stopped = 0;                     // for a reason that need not be the program's
  std::map<std::string, int> unknown;  // calls by operator
  // Calls of which PyTorch's and ExecuTorch's recorded outputs differ, and which the results equal.
  int disputed = 0;
  int as_executorch = 0;
  int as_eager = 0;
};

// `runner`: "runtime" or "reference".
[[nodiscard]] std::string CountsText(const CallCounts& counts, std::string_view runner);
[[nodiscard]] std::string CountsJson(const CallFiles& files, std::string_view verdict,
                                     const CallCounts& counts);

// The keys of `files`, with which every line begins.
[[nodiscard]] nlohmann::ordered_json FilesJson(const CallFiles& files);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_CALL_LINES_H_
