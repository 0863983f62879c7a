// Idea. Loading a method is a walk over its tables, and each object that the walk makes is a
// request:
//
//   values     the table of values, flags of inputs, external constants; then value by value:
//              a tensor's strides and object (with varying sizes: sizes and dim order first),
//              a list's pointers, elements and object
//   delegates  their table, a map that joins data; then one by one their compile specs
//   chains     their table; kernels and argument lists; then call by call: the arguments, and
//              what the lookup of the kernel needs
//
// Read from the public source of ExecuTorch's `Method::init`, and measured for the wheel on x86-64
// (tests/executorch/allocator_test.cc). Sizes of objects differ by processor: a row of kObjects
// each.
//
// Cost: O(values + instructions and their arguments).
#include "properties/memory/method_allocator.h"

#include <algorithm>

namespace pteproof::memory {
namespace {

struct Object {
  uint32_t size = 0;
  uint32_t alignment = 0;
};

// What the runtime makes objects of, by its class.
struct Objects {
  Object pointer;
  Object value;            // EValue
  Object tensor;           // TensorImpl
  Object tensor_handle;    // Tensor
  Object optional_tensor;  // optional<Tensor>
  Object boxed_list;       // BoxedEvalueList
  Object array;            // ArrayRef
  Object external;         // NamedData
  Object delegate;         // BackendDelegate
  Object compile_spec;     // CompileSpec
  Object joined_data;      // MergedDataMap
  Object chain;            // Chain
  Object arguments;        // InstructionArgs
  Object lookup;           // TensorMeta
};

constexpr Objects kX64Objects = {{8, 8},  {16, 8}, {64, 8}, {8, 8},  {16, 8}, {24, 8}, {16, 8},
                                 {48, 8}, {56, 8}, {24, 8}, {24, 8}, {32, 8}, {16, 8}, {24, 8}};
constexpr Objects kArm32Objects = {{4, 4},  {16, 8}, {32, 4}, {4, 4},  {8, 4},  {12, 4}, {8, 4},
                                   {40, 8}, {40, 8}, {12, 4}, {12, 4}, {16, 4}, {8, 4},  {12, 4}};
constexpr Object kSize = {4, 4};      // of a dimension, and of a stride
constexpr Object kDimOrder = {1, 1};  // of a dimension
constexpr Object kInteger = {8, 8};
constexpr Object kFlag = {1, 1};

constexpr uint64_t kBase = 64;  // what the allocator's first byte is a multiple of

bool IsExternalConstant(const Tensor& tensor) {
  return tensor.external && !tensor.planned;
}

class Log {
 public:
  Log(const Method& method, const LoadContext& context, const Objects& objects)
      : method_(method), context_(context), objects_(objects) {}

  std::vector<Request> Load() {
    Add(objects_.value, method_.values.size());
    if (!method_.inputs.empty()) Add(kFlag, method_.inputs.size());
    AddExternalConstants();
    for (const Value& value : method_.values) AddValue(value);
    AddDelegates();
    AddChains();
    return std::move(log_);
  }

 private:
  void Add(const Object& object, uint64_t count = 1, RequestKind kind = RequestKind::kRequest) {
    log_.push_back({kind, object.size * count, object.alignment});
  }

  void AddExternalConstants() {
    const auto count = std::ranges::count_if(method_.values, [&](const Value& value) {
      return value.kind == ValueKind::kTensor && IsExternalConstant(method_.tensors[value.tensor]);
    });
    if (count > 0) Add(objects_.external, static_cast<uint64_t>(count));
  }

  void AddTensor(const Tensor& tensor) {
    if (tensor.dynamism != Dynamism::kStatic) {
      Add(kSize, tensor.sizes.count);
      Add(kDimOrder, tensor.sizes.count);
    }
    Add(kSize, tensor.sizes.count);
    Add(objects_.tensor);
  }

  void AddValue(const Value& value) {
    switch (value.kind) {
      case ValueKind::kNull:
      case ValueKind::kInt:
      case ValueKind::kBool:
      case ValueKind::kDouble:
        return;
      case ValueKind::kTensor:
        return AddTensor(method_.tensors[value.tensor]);
      case ValueKind::kString:
      case ValueKind::kDoubleList:
      case ValueKind::kBoolList:
        return Add(objects_.array);
      case ValueKind::kIntList:
        Add(objects_.pointer, value.items.count);
        Add(kInteger, value.items.count);
        return Add(objects_.boxed_list);
      case ValueKind::kTensorList:
        Add(objects_.tensor_handle, value.items.count);
        Add(objects_.pointer, value.items.count);
        return Add(objects_.boxed_list);
      case ValueKind::kOptionalTensorList:
        Add(objects_.pointer, value.items.count);
        Add(objects_.optional_tensor, value.items.count);
        return Add(objects_.boxed_list);
    }
  }

  void AddDelegates() {
    Add(objects_.delegate, method_.delegates.size());
    if (context_.has_data && context_.has_named_data) Add(objects_.joined_data);
    for (const Delegate& delegate : method_.delegates) {
      Add(objects_.compile_spec, delegate.specs.size());
      log_.push_back({RequestKind::kBackend, 0, 1});
    }
  }

  // Exporters write one chain. Of a file with several the objects of the others are missing.
  void AddChains() {
    Add(objects_.chain);
    Add(objects_.pointer, method_.instructions.size());  // kernels
    Add(objects_.arguments, method_.instructions.size());
    for (const Instruction& instruction : method_.instructions) {
      const bool is_kernel = instruction.kind == InstructionKind::kKernelCall;
      if (!is_kernel && instruction.kind != InstructionKind::kDelegateCall) continue;
      Add(objects_.pointer, instruction.args.count);
      if (is_kernel) AddLookup(instruction);
    }
  }

  void AddLookup(const Instruction& call) {
    Add(objects_.lookup, call.args.count, RequestKind::kLookup);
    for (const int32_t arg : method_.Ints(call.args)) {
      const Tensor* tensor = method_.TensorOf(arg);
      if (tensor != nullptr) Add(kDimOrder, tensor->sizes.count, RequestKind::kLookup);
    }
  }

  const Method& method_;
  const LoadContext& context_;
  const Objects& objects_;
  std::vector<Request> log_;
};

}  // namespace

std::string_view Name(Abi abi) {
  return abi == Abi::kX64 ? "x86-64" : "arm32";
}

LoadContext ContextOf(const Program& program, bool has_data) {
  return {has_data, !program.named_data.empty()};
}

std::vector<Request> RequestsOf(const Method& method, const LoadContext& context, Abi abi) {
  return Log(method, context, abi == Abi::kX64 ? kX64Objects : kArm32Objects).Load();
}

uint64_t EndOf(const std::vector<Request>& requests) {
  uint64_t end = 0;
  for (const Request& request : requests) {
    const uint64_t alignment = std::min<uint64_t>(request.alignment, kBase);
    end = (end + alignment - 1) / alignment * alignment + request.size;
  }
  return end;
}

AllocatorUse AllocatorUseOf(const Method& method, const LoadContext& context) {
  const std::vector<Request> requests = RequestsOf(method, context, Abi::kX64);
  AllocatorUse use;
  for (const Request& request : requests) {
    if (request.kind == RequestKind::kBackend) continue;
    ++use.requests;
    use.requested += request.size;
    if (request.kind == RequestKind::kLookup) use.lookups += request.size;
  }
  use.end = EndOf(requests);
  use.end_arm32 = EndOf(RequestsOf(method, context, Abi::kArm32));
  return use;
}

}  // namespace pteproof::memory
