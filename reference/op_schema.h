// What an operator's signature promises: argument kinds, what it writes, what aliases what, and
// whether it goes element by element. One entry per operator, in PyTorch's schema notation. No
// shape rule, no meaning and no kernel: those are registered by name elsewhere.
#ifndef PTEPROOF_REFERENCE_OP_SCHEMA_H_
#define PTEPROOF_REFERENCE_OP_SCHEMA_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace pteproof {

enum class ArgKind : uint8_t {
  kTensor,
  kTensorList,          // Tensor[]
  kOptionalTensorList,  // Tensor?[]
  kScalar,              // an integer, a float or a bool
  kInt,                 // also SymInt, ScalarType, Layout, MemoryFormat
  kBool,
  kFloat,
  kString,
  kIntList,
  kFloatList,
  kBoolList,
};

// What a call does to a tensor argument.
enum class Access : uint8_t {
  kRead,
  kWrite,   // overwrites every byte and reads none: `Tensor(a!) out`, and self of copy_
  kUpdate,  // reads the old bytes and writes some of them: `Tensor(a!) self` of index_put_
  kFill,    // writes a part and leaves the rest, reads nothing: et_copy_index's destination
  kNone,    // neither reads nor writes bytes: a size query, an out that the kernel leaves alone
};

struct ArgSchema {
  std::string_view name;
  ArgKind kind = ArgKind::kTensor;
  bool optional = false;  // a None value is admitted
  Access access = Access::kRead;
  // Elementwise over this operand: element i is read only to write element i of the result, so that
  // the result may take a dying operand's bytes (design, "Names of one storage").
  bool elementwise = false;
  bool returned = false;  // the return slot is this argument, or lists it
  bool out = false;       // memory for a result, no operand: after the `*`, and in a set
  // An `out` among the operands: memory to work in, whose contents are no result.
  bool scratch = false;
  // Read until a call waits for the result: a unit of its own does the work meanwhile.
  bool lasting = false;
  // Shares this set with another argument, and nothing writes either (then `access` is kNone). An
  // `out` in a set holds what lies at its own place: the bytes of the set's operands, or of a part.
  char set = '\0';
};

// The content of the return slots, the last arguments of an instruction.
enum class ReturnSlot : uint8_t {
  kNone,         // et_view, et_copy_index: no slot
  kWritten,      // one slot: the written argument (out or self)
  kWrittenList,  // one slot: a TensorList of the written arguments, or a second list of the out
                 // list
  kScalar,       // one slot: an Int, Bool or Double value that the call replaces
};

struct OpSchema {
  std::string_view name;       // "aten::add.out"; no trailing dot without an overload
  std::string_view signature;  // the entry as it stands in the table
  std::span<const ArgSchema> args;
  ReturnSlot returns = ReturnSlot::kWritten;
  bool is_view = false;   // et_view: the last argument becomes another name of `viewed`'s bytes
  size_t viewed = 0;      // position
  bool in_place = false;  // mutates an argument that is not an `out`

  // Whether that argument is an out that the kernel leaves alone, as its place makes it a name of
  // operands.
  [[nodiscard]] bool IsPlaced(size_t a) const { return args[a].out && args[a].set != '\0'; }

  // Whether the call makes its one return slot another name of that argument. ExecuTorch's calls of
  // `out` variants leave the slot as it is: exporters put the `out` there.
  [[nodiscard]] bool PutsInSlot(size_t a) const {
    return returns == ReturnSlot::kWritten && args[a].returned && !args[a].out;
  }

  // Length of a KernelCall's argument vector, return slot included.
  [[nodiscard]] size_t ArgumentCount() const {
    return args.size() + (returns == ReturnSlot::kNone ? 0 : 1);
  }
};

// The argument that operand number `operand` of a Module's node is given for: `out` arguments have
// no operand. Null: there are fewer.
[[nodiscard]] const ArgSchema* OperandSchema(const OpSchema& schema, size_t operand);

// The operator of that full name ("aten::add.out"), or null when the table does not know it. O(1).
[[nodiscard]] const OpSchema* FindOperator(std::string_view full_name);

// An operator that only names bytes anew, of those that exporters emit; null: none of that name. No
// kernel runs it, and no Module has it. O(1).
[[nodiscard]] const OpSchema* FindAliasOperator(std::string_view full_name);

// All operators but those, sorted by name.
[[nodiscard]] std::span<const OpSchema> AllOperators();

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OP_SCHEMA_H_
