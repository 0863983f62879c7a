// The decoded program: plain data, self-contained except for the blobs, safe to walk. Every index
// in it is in range, every range lies in its pool, every size fits; the reader saw to that. Nothing
// here says whether the memory plan is right. Offsets and sizes of banks and blobs are bytes, sizes
// of tensors are elements per dimension.
//
// Example:
//
//   #include "pteproof/read.h"
//
//   const auto file = pteproof::ReadProgramFile("add.pte");
//   if (!file.ok()) return 1;
//   uint64_t planned = 0;
//   for (const pteproof::Method& method : file.value().program.methods) {
//     for (const pteproof::Tensor& tensor : method.tensors) {
//       if (tensor.planned) planned += tensor.nbytes;
//     }
//   }
//   return planned == 24 ? 0 : 1;  // two vectors of three floats
#ifndef PTEPROOF_PROGRAM_H_
#define PTEPROOF_PROGRAM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/scalar_type.h"

namespace pteproof {

struct OpSchema;  // the entry of an operator in the table; opaque to callers of the library

using Bytes = std::span<const std::byte>;

// Elements [first, first + count) of one of the method's pools.
struct Range {
  uint32_t first = 0;
  uint32_t count = 0;
};

enum class ValueKind : uint8_t {
  kNull,
  kInt,
  kBool,
  kDouble,
  kTensor,
  kString,
  kIntList,             // items: value indices of Ints
  kDoubleList,          // items: literal
  kBoolList,            // items: literal, 0 or 1
  kTensorList,          // items: value indices of tensors
  kOptionalTensorList,  // items: value indices of tensors, -1 for none
};

// Whether arguments of this kind name tensors.
[[nodiscard]] constexpr bool IsTensorLike(ValueKind kind) {
  return kind == ValueKind::kTensor || kind == ValueKind::kTensorList ||
         kind == ValueKind::kOptionalTensorList;
}

enum class Dynamism : uint8_t { kStatic, kBounded };

struct Tensor {
  ScalarType dtype = ScalarType::kUInt8;
  Dynamism dynamism = Dynamism::kStatic;
  bool planned = false;     // has a placement: bank, offset
  bool external = false;    // its data come from a .ptd, by name
  uint8_t device_type = 0;  // 0: CPU
  int8_t device_index = 0;
  uint32_t data_index = 0;  // > 0: constant (unplanned) or stored initial value (planned)
  uint32_t bank = 0;        // memory id, 1-based; 0 when not planned
  uint64_t offset = 0;      // bytes from the bank's start
  uint64_t nbytes =
      0;            // at the sizes below, which are upper bounds for kBounded; offset + nbytes fits
  Range sizes;      // in Method::ints
  Range dim_order;  // in Method::ints, outermost dimension first; same count as sizes
  Range name;       // in Method::text: fully qualified name, empty without one
};

struct Value {
  ValueKind kind = ValueKind::kNull;
  uint32_t tensor = 0;  // kTensor: index in Method::tensors
  Range items = {};     // lists: in Method::ints (kDoubleList: reals); kString: in Method::text
  int64_t integer = 0;  // kInt, kBool
  double real = 0;      // kDouble
};

struct Operator {
  std::string name;                  // full name: "aten::add.out"
  const OpSchema* schema = nullptr;  // null: unknown to the table
};

struct CompileSpec {
  std::string key;
  Bytes value;  // in the file
};

namespace delegates {
struct OpenedBlob;
}

struct Delegate {
  std::string id;
  Bytes blob;  // in the file
  std::vector<CompileSpec> specs = {};
  // What the blob says, as the reader found it; null: its format is unknown.
  std::shared_ptr<const delegates::OpenedBlob> opened = {};
};

enum class InstructionKind : uint8_t { kKernelCall, kDelegateCall, kMove, kJumpFalse, kFree };

struct Instruction {
  InstructionKind kind = InstructionKind::kKernelCall;
  int32_t target = 0;  // kKernelCall: operator; kDelegateCall: delegate; kMove: source value;
                       // kJumpFalse: condition value; kFree: value
  int32_t other =
      0;       // kMove: destination value; kJumpFalse: next instruction when false (0 to count)
  Range args;  // calls: value indices, in Method::ints
};

struct BankDevice {
  int32_t bank = 0;
  uint8_t device_type = 0;
  int8_t device_index = 0;
};

struct Method {
  std::string name;
  std::vector<Value> values;
  std::vector<Tensor> tensors;
  std::vector<Instruction> instructions;  // all chains, one after the other, jump targets adjusted
  std::vector<Operator> operators;
  std::vector<Delegate> delegates;
  std::vector<int32_t> inputs;           // value indices
  std::vector<int32_t> outputs;          // value indices
  std::vector<uint64_t> bank_sizes;      // bytes by memory id; element 0 is reserved
  std::vector<BankDevice> bank_devices;  // only those that are not on the CPU
  std::vector<int32_t> ints;             // pool of sizes, dim orders, list items and arguments
  std::vector<double> reals;
  std::string text;
  // How Python packs the inputs and outputs (a tree as text; runtimes ignore it). Empty: flat
  // tuples.
  std::string input_structure;
  std::string output_structure;

  [[nodiscard]] std::span<const int32_t> Ints(Range r) const {
    return std::span(ints).subspan(r.first, r.count);
  }
  [[nodiscard]] std::string_view Text(Range r) const {
    return std::string_view(text).substr(r.first, r.count);
  }
  // The tensor that value v is, or null when it is of another kind.
  [[nodiscard]] const Tensor* TensorOf(int32_t v) const {
    const Value& value = values[static_cast<size_t>(v)];
    return value.kind == ValueKind::kTensor ? &tensors[value.tensor] : nullptr;
  }
  [[nodiscard]] std::string_view NameOf(int32_t v) const {
    const Tensor* t = TensorOf(v);
    return t == nullptr ? std::string_view{} : Text(t->name);
  }
};

struct NamedBlob {
  std::string key;
  Bytes blob;
};

struct Program {
  std::vector<Method> methods;
  // Blobs by data_index, index 0 empty. They point into the bytes the program was read from, which
  // must outlive it. A constant's blob runs to the segment's end: a tensor takes its first nbytes.
  std::vector<Bytes> constants;
  std::vector<Bytes> initial_values;
  std::vector<NamedBlob> named_data;
  std::shared_ptr<const void> signatures;  // owns schemas of operators that a user described
};

}  // namespace pteproof

#endif  // PTEPROOF_PROGRAM_H_
