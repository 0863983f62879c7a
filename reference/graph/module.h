// The multi-method graph: buffers by fully qualified name, methods in SSA form, regions for control
// flow. What a program means before anything is planned: no banks, offsets or files. Plain data;
// validate.h says what makes it well-formed.
//
//   buffers   @k @v ...                 state, shared by the methods that use it
//   method    inputs, buffers at entry -> body -> outputs, stores to buffers and inputs at exit
//   node      one operator, delegate or control-flow operator; results are new values
#ifndef PTEPROOF_REFERENCE_GRAPH_MODULE_H_
#define PTEPROOF_REFERENCE_GRAPH_MODULE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "reference/op_schema.h"
#include "reference/tensor_type.h"
#include "reference/tensor_value.h"
#include "reference/text/data_ref.h"

namespace pteproof::graph {

// Index in Method::values; values of regions are numbered with their method's.
using ValueId = int32_t;

enum class NumberType : uint8_t { kInt, kBool, kReal };

// A tensor, or a number that sizes and conditions are computed from.
using ValueType = std::variant<TensorType, NumberType>;

// A dim that varies from call to call.
struct DimSymbol {
  std::string name;
  int64_t lo = 1;  // smallest and largest value that a caller may choose
  int64_t hi = 1;
  std::optional<int64_t> hint;  // the value at export

  bool operator==(const DimSymbol&) const = default;
};

using text::DataRef;

// A mutable buffer. Its sizes are numbers.
struct Buffer {
  std::string name;  // fully qualified: "layers.0.cache_k"
  TensorType type;
  std::optional<TensorValue> initial;  // zeros without one
  bool shared = false;                 // methods see each other's stores
  std::optional<DataRef> data = {};    // where `initial` comes from, if not from the text

  bool operator==(const Buffer&) const = default;
};

struct Operand;
using OperandList = std::vector<Operand>;

// What a node is given: nothing, a value, an integer that may depend on the dims, a bool, a float,
// a text, or a list.
struct Operand {
  struct Value {
    ValueId id = -1;
    bool operator==(const Value&) const = default;
  };
  std::variant<std::monostate, Value, SizeExpr, bool, double, std::string, OperandList> held;

  bool operator==(const Operand&) const = default;
};

enum class NodeKind : uint8_t {
  kCall,      // operator `op`
  kDelegate,  // opaque: `op` is its id, result types are declared
  // Control flow. A region sees its parameters only.
  kCond,   // (predicate, args...) { then(args...) } { else(args...) }
  kWhile,  // (carried..., args...) { test(carried..., args...) } { body(carried..., args...) }
  kMap,    // (mapped..., args...) { body(rows..., args...) }; results are stacked
  kScan,   // (carried..., mapped..., args...) { body(carried..., rows..., args...) }:
           // carried values' last and all others stacked
};

// How a delegate stands to a buffer.
enum class DelegateRole : uint8_t {
  kOwns,    // consumed by it: invisible to all else
  kShares,  // passed in and out
  kUses,    // one of several users
};

struct DelegateBuffer {
  int32_t buffer = 0;  // index in Module::buffers
  DelegateRole role = DelegateRole::kUses;
  bool writes = false;  // its contents at exit are the delegate's

  bool operator==(const DelegateBuffer&) const = default;
};

struct Node;

struct Region {
  std::vector<ValueId> params;
  std::vector<Node> nodes;
  std::vector<ValueId> results;

  bool operator==(const Region&) const;
};

struct Node {
  NodeKind kind = NodeKind::kCall;
  std::string op;  // full name of the operator, or the delegate's id
  const OpSchema* schema =
      nullptr;                    // kCall: of `op`; null for an operator that is not in the table
  std::vector<Operand> operands;  // kCall: the schema's arguments without `out`
  std::vector<ValueId> results;
  std::vector<Region> regions;
  int32_t carried = 0;  // kWhile, kScan: leading operands that are carried
  int32_t mapped = 0;   // kMap, kScan: operands after those that go row by row

  // The result is another name of operand 0's bytes: a view, and stores through it reach the base.
  bool view = false;
  // The first result is computed in the bytes of this operand, which the call returns (functional
  // operators only; in_place.h says when that is right).
  std::optional<int32_t> in_place;
  // Runs after the nodes that make these values, although it does not use them.
  std::vector<ValueId> after;
  std::string pool;  // opaque wish for a bank; empty: none
  std::vector<DelegateBuffer> buffers;

  bool operator==(const Node&) const = default;
};

inline bool Region::operator==(const Region&) const = default;

struct Input {
  std::string name;  // may equal a buffer's
  ValueId value = -1;
  bool in_place = false;  // the caller lets the method overwrite it

  bool operator==(const Input&) const = default;
};

// A buffer's contents when the method is entered.
struct BufferEntry {
  int32_t buffer = 0;  // index in Module::buffers
  ValueId value = -1;

  bool operator==(const BufferEntry&) const = default;
};

// At exit, all at once: the buffer, or the input, becomes what the value is.
struct BufferStore {
  int32_t buffer = 0;
  ValueId value = -1;

  bool operator==(const BufferStore&) const = default;
};
struct InputStore {
  int32_t input = 0;  // index in Method::inputs
  ValueId value = -1;

  bool operator==(const InputStore&) const = default;
};

struct Method {
  std::string name;
  std::vector<DimSymbol> dims;
  std::vector<ValueType> values;  // by ValueId
  std::vector<Input> inputs;
  std::vector<BufferEntry> buffers;  // at most one per buffer
  Region body;                       // no parameters; results are the outputs
  std::vector<BufferStore> stores;   // at most one per buffer
  std::vector<InputStore> input_stores;

  bool operator==(const Method&) const = default;
};

struct Module {
  std::vector<Buffer> buffers;
  std::vector<Method> methods;

  bool operator==(const Module&) const = default;
};

// The tensor type of a value, or null for a number.
[[nodiscard]] inline const TensorType* TensorTypeOf(const Method& method, ValueId value) {
  return std::get_if<TensorType>(&method.values[static_cast<size_t>(value)]);
}

// Whether a call writes its first operand and returns it: `aten::add_.Tensor`, `aten::copy_`.
[[nodiscard]] inline bool Mutates(const Node& node) {
  return node.kind == NodeKind::kCall && node.schema != nullptr && node.schema->in_place;
}

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_MODULE_H_
