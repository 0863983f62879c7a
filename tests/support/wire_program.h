// `.pte` files for tests, described field by field, wrong ones included: whatever is optional here
// can be left out of the file. Not a writer: it lays out nothing by itself but the extended header.
#ifndef PTEPROOF_TESTS_SUPPORT_WIRE_PROGRAM_H_
#define PTEPROOF_TESTS_SUPPORT_WIRE_PROGRAM_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pteproof::wire {

// Tags of values and instructions, as the file format numbers them.
enum ValueTag : uint8_t {
  kNull = 1,
  kInt,
  kBool,
  kDouble,
  kTensor,
  kString,
  kIntList,
  kDoubleList,
  kBoolList,
  kTensorList,
  kOptionalTensorList,
};
enum InstructionTag : uint8_t { kKernelCall = 1, kDelegateCall, kMove, kJumpFalse, kFree };

struct Placement {
  uint32_t bank = 1;
  uint64_t offset = 0;
};

struct Extra {
  std::optional<std::string> name = {};
  int8_t source = 0;
  int8_t device = 0;
  int8_t device_index = 0;
  uint64_t mutable_segment = 0;
};

struct Tensor {
  int8_t type = 6;  // float32
  int32_t storage_offset = 0;
  std::optional<std::vector<int32_t>> sizes = std::vector<int32_t>{};
  std::optional<std::vector<uint8_t>> dim_order = std::vector<uint8_t>{};
  uint32_t data_index = 0;
  std::optional<Placement> placement = {};
  int8_t dynamism = 0;
  std::optional<Extra> extra = {};
};

struct Value {
  uint8_t tag = kNull;
  bool has_table = true;
  int64_t integer = 0;  // kInt, kBool: the byte
  double real = 0;
  std::optional<std::string> text = {};
  std::optional<std::vector<int64_t>> items = {};  // lists but kDoubleList
  std::optional<std::vector<double>> reals = {};
  Tensor tensor = {};
};

struct Instruction {
  uint8_t tag = kKernelCall;
  bool has_table = true;
  int32_t target = 0;  // operator, delegate, source, condition, value
  int32_t other = 0;   // destination: of a move, of a jump
  std::optional<std::vector<int32_t>> args = {};
};

struct Operator {
  std::optional<std::string> name = {};
  std::optional<std::string> overload = {};
};

struct Blob {
  int8_t source = 0;
  uint32_t index = 0;
};

struct CompileSpec {
  std::optional<std::string> key = {};
  std::optional<std::vector<uint8_t>> value = {};
};

struct Delegate {
  std::optional<std::string> id = "Backend";
  std::optional<Blob> blob = Blob{};
  std::optional<std::vector<CompileSpec>> specs = {};
};

struct BankDevice {
  int32_t bank = 1;
  int8_t device = 1;
  int8_t device_index = 0;
};

using Chain = std::optional<std::vector<Instruction>>;

struct Method {
  std::optional<std::string> name = "forward";
  std::optional<std::vector<Value>> values = std::vector<Value>{};
  std::optional<std::vector<int32_t>> inputs = std::vector<int32_t>{};
  std::optional<std::vector<int32_t>> outputs = std::vector<int32_t>{};
  std::optional<std::vector<Chain>> chains = std::vector<Chain>{std::vector<Instruction>{}};
  std::optional<std::vector<Operator>> operators = std::vector<Operator>{};
  std::optional<std::vector<Delegate>> delegates = std::vector<Delegate>{};
  std::optional<std::vector<int64_t>> bank_sizes = std::vector<int64_t>{0, 1024};
  std::vector<BankDevice> bank_devices = {};
};

struct Segment {
  uint64_t offset = 0;
  uint64_t size = 0;
};

struct Offsets {
  uint32_t segment_index = 0;
  std::optional<std::vector<uint64_t>> offsets = {};
};

struct NamedSegment {
  std::optional<std::string> key = {};
  uint32_t segment_index = 0;
};

using InlineBytes = std::optional<std::vector<uint8_t>>;

struct File {
  std::optional<std::vector<Method>> methods = std::vector<Method>{};
  std::vector<InlineBytes> inline_constants = {};
  std::optional<std::vector<InlineBytes>> inline_blobs = {};
  std::optional<std::vector<Segment>> segments = {};
  std::optional<Offsets> constants = Offsets{0, std::vector<uint64_t>{0}};
  std::vector<Offsets> initial_values = {};
  std::optional<std::vector<NamedSegment>> named_data = {};
  // The segment area. Without one the file gets no extended header.
  std::vector<std::byte> data = {};
  uint32_t header_length = 32;

  // The first method, its values and the instructions of its first chain: what most tests change.
  [[nodiscard]] Method& method() { return methods->at(0); }
  [[nodiscard]] Value& value(size_t index) { return method().values->at(index); }
  [[nodiscard]] Tensor& tensor(size_t index) { return value(index).tensor; }
  [[nodiscard]] std::vector<Instruction>& code() { return *method().chains->at(0); }
  // Appends a value; its index.
  int32_t Add(Value added);
};

[[nodiscard]] Value Null();
[[nodiscard]] Value Int(int64_t number);
[[nodiscard]] Value Bool(bool flag);
[[nodiscard]] Value Double(double number);
[[nodiscard]] Value Text(std::string text);
[[nodiscard]] Value List(ValueTag tag, std::vector<int64_t> items);
[[nodiscard]] Value Reals(std::vector<double> items);
// Contiguous, without memory; or at an offset of bank 1; or with stored data.
[[nodiscard]] Value Float(std::vector<int32_t> sizes);
[[nodiscard]] Value Planned(std::vector<int32_t> sizes, uint64_t offset);
[[nodiscard]] Value Stored(std::vector<int32_t> sizes, uint32_t data_index);

[[nodiscard]] Instruction Call(int32_t op, std::vector<int32_t> args);
[[nodiscard]] Instruction CallDelegate(int32_t delegate, std::vector<int32_t> args);
[[nodiscard]] Instruction Move(int32_t source, int32_t destination);
[[nodiscard]] Instruction JumpFalse(int32_t condition, int32_t destination);
[[nodiscard]] Instruction Free(int32_t value);

// A sound file that adds a stored constant to its input: values 0 constant [3], 1 input, 2 output,
// 3 alpha; both planned; one operator, aten::add.out; 12 bytes of constants in segment 0.
[[nodiscard]] File AddFile();

// The file's bytes, in a block of exactly their size.
[[nodiscard]] std::vector<std::byte> Build(const File& file);

}  // namespace pteproof::wire

#endif  // PTEPROOF_TESTS_SUPPORT_WIRE_PROGRAM_H_
