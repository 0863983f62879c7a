// Runs a method of a program on terms. As it is planned, every value is bytes of a bank, and a byte
// that another value has overwritten is that value's byte. As it is meant, every value has a
// storage of its own (meant_values.h).
#ifndef PTEPROOF_PROPERTIES_COMPARE_RUN_PLANNED_CALL_H_
#define PTEPROOF_PROPERTIES_COMPARE_RUN_PLANNED_CALL_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "properties/compare/run/meant_values.h"
#include "properties/compare/run/state_keys.h"
#include "properties/compare/run/trace.h"
#include "properties/compare/terms/term_table.h"
#include "pteproof/program.h"
#include "runtime/execute/opaque_call.h"
#include "runtime/read_data.h"

namespace pteproof::compare {

// Which arguments of a call that nobody can look into are its results. The file does not say; the
// calls of the old side tell as they tell runs, and the new side follows them. If they tell
// several ways for one operator or blob, each call tells for itself. A Module tells for each call.
struct OpaqueSplit {
  std::vector<size_t> operands;  // positions
  std::vector<size_t> results;
  bool several = false;
};
using OpaqueSplits = std::map<std::vector<uint64_t>, OpaqueSplit>;  // by code, and argument count
using CallSplits = std::vector<std::pair<std::vector<uint64_t>, OpaqueSplit>>;  // in order of calls

// The words of a delegate of which the blob does not count.
[[nodiscard]] std::vector<uint64_t> CodeOfDelegate(TermTable& table, std::string_view id);

struct PlannedMethod {
  const Program* program = nullptr;
  const Method* method = nullptr;
  const OpaqueCalls* opaque = nullptr;  // of the method
  const DataFile* data = nullptr;       // may be null
  const Manifest* manifest = nullptr;   // likewise
  std::span<const StatePlace> states;
  OpaqueSplits* splits = nullptr;          // known so far
  bool tells_splits = true;                // the old side does
  const CallSplits* told = nullptr;        // the other side is a Module, and tells call by call
  std::span<const uint64_t> written = {};  // per constant: bytes, if an instruction writes to it
  const Meaning* meaning = nullptr;        // of the program; null: as it is planned
};

// Instructions of one call, at most.
inline constexpr int64_t kMostSteps = 1'000'000;

// O(instructions executed x log(values)), and what movements cost. `bounds` may be empty: inputs
// have the sizes of the file then.
[[nodiscard]] Trace RunPlanned(TermTable& table, const PlannedMethod& planned,
                               const Assumptions& assumptions);

// The stored bytes of a tensor, as a content: zeros where nothing is stored.
[[nodiscard]] ContentId StoredContent(TermTable& table, const Program& program,
                                      const Method& method, const Tensor& tensor,
                                      const DataFile* data);

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_RUN_PLANNED_CALL_H_
