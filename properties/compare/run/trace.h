// A symbolic call of one method: what it leaves behind, and which instruction made which term.
#ifndef PTEPROOF_PROPERTIES_COMPARE_RUN_TRACE_H_
#define PTEPROOF_PROPERTIES_COMPARE_RUN_TRACE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "properties/compare/terms/forms.h"
#include "properties/compare/terms/memory.h"

namespace pteproof::compare {

// Conditions that are not known, by term (of a number) or content (of a tensor); equal on both
// sides of a comparison.
struct Condition {
  bool is_tensor = false;
  uint32_t id = 0;
  auto operator<=>(const Condition&) const = default;
};

// What a side holds at a condition. Memories have numbers of the side's own.
struct Snapshot {
  std::map<uint64_t, Memory> memories;
  std::vector<std::optional<SymbolicNumber>> numbers;  // per value
  TermId effect = kZeroTerm;
  std::vector<uint64_t> form;  // all else: where values are, and their sizes
};

// What is put in place of what a side holds at the head of a loop (induction.h).
struct Cut {
  struct NewBytes {
    uint64_t memory = 0;
    uint64_t first = 0;
    ContentId content = kNoBytes;
  };
  Condition at;
  std::vector<NewBytes> bytes;
  std::vector<std::pair<size_t, SymbolicNumber>> numbers;  // by value
  TermId effect = kZeroTerm;
};

// What a call is supposed to be: the sizes of its inputs, and the way at each condition.
struct Assumptions {
  std::vector<Sizes> input_sizes;  // per input; of those that are no tensors empty
  std::map<Condition, bool> holds;
  bool open_sizes = false;     // inputs that may vary have any sizes up to their bounds
  std::vector<Cut> cuts = {};  // of the side at hand
  bool snapshot = false;       // the trace holds one, if the call ends at an open condition
};

struct TracedOutput {
  SymbolicArgument value;
  int32_t from = -1;  // value in the file
};

// What an instruction wrote to a value.
struct TracedWrite {
  int32_t instruction = -1;  // -1: an input
  int32_t value = -1;
  ContentId content = kNoBytes;
};

// A jump that an assumption has decided.
struct DecidedJump {
  int32_t instruction = -1;
  Condition condition;
};

struct Trace {
  std::vector<TracedOutput> outputs;
  std::map<std::string, ContentId> state;      // at exit, by key
  std::map<size_t, ContentId> changed_inputs;  // memory of the caller, by input
  TermId effect = kZeroTerm;
  std::vector<TermId> effects;                  // of each call that counts, in order
  std::vector<TracedWrite> writes;              // in order
  std::vector<DecidedJump> jumps;               // likewise
  std::unordered_map<TermId, int32_t> made_by;  // call terms, by the first instruction
  std::map<uint32_t, Memory> banks;             // at exit, by memory id
  std::set<std::string> assumed;                // what the files do not say, and the terms rest on
  int64_t steps = 0;
  bool sizes_by_data = false;  // of some value: then equal values may be other terms
  int32_t doubt = -1;  // an opaque call whose results the two programs tell otherwise; -1: none
  bool reads_unmade = false;  // what the other program calls an operand was made by nothing here

  // How the call ended before its last instruction.
  std::optional<Condition> open;     // a condition without an assumption
  int32_t open_at = -1;              // the jump, by a number of the side's own
  int64_t open_jumps = 0;            // how often the open jump was decided by an assumption before
  bool open_before = false;          // the last of these assumptions
  std::optional<Snapshot> snapshot;  // none: nobody asked for it, or sizes vary
  std::optional<std::string> refused;  // no run makes this call
  std::optional<std::string> stopped;  // what this comparison cannot follow
  int32_t stopped_at = -1;
};

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_RUN_TRACE_H_
