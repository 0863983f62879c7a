// What the witness is asked and what it answers, as plain data and as the bytes that cross the
// border between the processes.
#ifndef PTEPROOF_TESTS_EXECUTORCH_WITNESS_JOB_H_
#define PTEPROOF_TESTS_EXECUTORCH_WITNESS_JOB_H_

#include <cstddef>
#include <string>
#include <vector>

#include "pteproof/finding.h"
#include "reference/datum.h"

namespace pteproof::witness {

struct Call {
  std::string method;
  std::vector<Datum> inputs;
};

// Whether a job counts what loading allocates (counted_load.h), in place of calls, or what its
// calls ask the temporary allocator for, in place of their outputs.
enum class CountOf : uint8_t { kNothing, kHand, kModule, kTemporary };

inline constexpr size_t kLargeBlock = 1024;  // from the heap, in bytes

// One program, loaded afresh, and what is called on it, in order.
struct Job {
  std::vector<std::byte> program;  // a `.pte`
  std::vector<std::byte> data;     // a `.ptd`; empty: none
  Policy banks = Policy::kPrivate;
  bool loads_all_first = false;  // all methods by name, before the first call; else when called
  std::vector<Call> calls;
  CountOf count = CountOf::kNothing;
};

// What came of loading (no outputs) or of a call. `error` is empty when it went well; after a call
// that failed the others are not made.
struct Outcome {
  std::vector<Datum> outputs;
  std::string error;
};

using Wire = std::vector<std::byte>;

// Appends to the wire; takes from its front what was appended. Taking from a wire that holds
// something else ends the process.
void Put(Wire& wire, const Job& job);
void Put(Wire& wire, const Outcome& outcome);
void Put(Wire& wire, uint64_t number);
void Take(std::span<const std::byte>& wire, Job& job);
void Take(std::span<const std::byte>& wire, Outcome& outcome);
void Take(std::span<const std::byte>& wire, uint64_t& number);

}  // namespace pteproof::witness

#endif  // PTEPROOF_TESTS_EXECUTORCH_WITNESS_JOB_H_
