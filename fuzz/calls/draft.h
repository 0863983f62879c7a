// A method while it is made: values and instructions that are easy to change in any way. What comes
// of it is a program that a file can hold, whether its plan makes sense or not.
#ifndef PTEPROOF_FUZZ_CALLS_DRAFT_H_
#define PTEPROOF_FUZZ_CALLS_DRAFT_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/datum.h"
#include "pteproof/program.h"

namespace pteproof::fuzz {

// Whose memory a tensor lies in.
enum class Home : uint8_t {
  kBank,      // planned
  kState,     // planned, with a stored value
  kConstant,  // stored in the file
  kCaller,    // the caller's: an input or an output
};

struct DraftTensor {
  ScalarType dtype = ScalarType::kFloat32;
  std::vector<int32_t> sizes;      // of the file
  std::vector<int32_t> dim_order;  // empty: row-major
  bool bounded = false;
  std::vector<int32_t> given;  // of an input whose sizes may vary: those of the first call
  Home home = Home::kBank;
  uint32_t bank = 0;  // 0: is given one
  uint64_t offset = 0;
  bool is_input = false;
  bool is_output = false;
  bool external = false;        // of a constant: it lies in a data file, which the file names
  std::vector<std::byte> data;  // in row-major order; of inputs, states and constants

  [[nodiscard]] bool planned() const { return home == Home::kBank || home == Home::kState; }
  [[nodiscard]] bool stored() const { return home == Home::kState || home == Home::kConstant; }
};

struct DraftValue {
  ValueKind kind = ValueKind::kNull;
  int64_t integer = 0;
  double real = 0;
  std::string text;
  std::vector<int32_t> items;  // values
  std::vector<double> reals;   // of lists of floats or bools
  bool is_input = false;       // numbers
  DraftTensor tensor;
};

struct DraftStep {
  InstructionKind kind = InstructionKind::kKernelCall;
  const OpSchema* op = nullptr;  // null: an operator that nobody knows
  int32_t target = 0;            // as Instruction's, but for calls
  int32_t other = 0;
  std::vector<int32_t> args;  // values, the return slot included
};

struct Draft {
  std::vector<DraftValue> values;
  std::vector<DraftStep> steps;

  int32_t Add(DraftValue value) {
    values.push_back(std::move(value));
    return static_cast<int32_t>(values.size()) - 1;
  }
  [[nodiscard]] DraftValue& At(int32_t v) { return values[static_cast<size_t>(v)]; }
  // Adds an instruction before that one; jumps keep their targets.
  void Insert(size_t at, DraftStep step);
};

[[nodiscard]] DraftStep StepOf(InstructionKind kind, int32_t target, int32_t other);
[[nodiscard]] DraftValue NumberValue(int64_t integer);
[[nodiscard]] DraftValue BoolValue(bool flag);
[[nodiscard]] DraftValue RealValue(double real);

// Bytes that the sizes take; nothing if 64 bits do not hold them.
[[nodiscard]] uint64_t ByteCountOf(const DraftTensor& tensor);

// Of the delegate that the draft's delegate call of that number names.
[[nodiscard]] std::string DelegateId(size_t number);

// As a `.pte`, and the draft's values that are inputs and outputs, in the order of the file.
struct WrittenDraft {
  std::vector<std::byte> file;  // empty: no file can hold it
  std::vector<int32_t> input_values;
  std::vector<int32_t> output_values;
};
[[nodiscard]] WrittenDraft WriteDraft(const Draft& draft);

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_CALLS_DRAFT_H_
