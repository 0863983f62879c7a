#include "reference/evaluate.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/work.h"
#include "reference/op_schema.h"
#include "reference/operands.h"

namespace pteproof {
namespace {

template <class Arg, class Int, class Tensor>
bool IsOfKind(const Arg& arg, ArgKind kind) {
  switch (kind) {
    case ArgKind::kTensor:
      return std::holds_alternative<const Tensor*>(arg);
    case ArgKind::kTensorList:
    case ArgKind::kOptionalTensorList:
      return std::holds_alternative<std::vector<const Tensor*>>(arg);
    case ArgKind::kScalar:
      return std::holds_alternative<Int>(arg) || std::holds_alternative<bool>(arg) ||
             std::holds_alternative<double>(arg);
    case ArgKind::kInt:
      return std::holds_alternative<Int>(arg);
    case ArgKind::kBool:
      return std::holds_alternative<bool>(arg);
    case ArgKind::kFloat:
      return std::holds_alternative<double>(arg);
    case ArgKind::kString:
      return std::holds_alternative<std::string_view>(arg);
    case ArgKind::kIntList:
      return std::holds_alternative<std::vector<Int>>(arg);
    case ArgKind::kFloatList:
      return std::holds_alternative<std::vector<double>>(arg);
    case ArgKind::kBoolList:
      return std::holds_alternative<std::vector<bool>>(arg);
  }
  return false;
}

std::string WrongOperand(const ArgSchema& arg, std::string_view what) {
  return "operand '" + std::string(arg.name) + "' is " + std::string(what);
}

// What is wrong with the operands' number and kinds; empty: nothing.
template <class Arg, class Int, class Tensor>
std::string OperandFault(const OpSchema& schema, std::span<const Arg> args) {
  size_t next = 0;
  for (const ArgSchema& arg : schema.args) {
    if (arg.out) continue;
    if (next == args.size()) return WrongOperand(arg, "missing");
    const Arg& given = args[next++];
    const bool none = std::holds_alternative<std::monostate>(given);
    if (none ? !arg.optional : !IsOfKind<Arg, Int, Tensor>(given, arg.kind)) {
      return WrongOperand(arg, "of another kind than in the signature");
    }
  }
  return next == args.size() ? "" : "the call has more operands than the signature";
}

// The arguments of a run as a type rule sees them: everything constant. Holds the types.
class ConstantArguments {
 public:
  explicit ConstantArguments(std::span<const Argument> args) {
    types_.reserve(TensorsAmong(args));
    args_.reserve(args.size());
    for (const Argument& arg : args) {
      args_.push_back(std::visit([&](const auto& held) { return Take(held); }, arg));
    }
  }
  [[nodiscard]] std::span<const TypeArgument> args() const { return args_; }

 private:
  static size_t TensorsAmong(std::span<const Argument> args) {
    size_t count = 0;
    for (const Argument& arg : args) {
      const auto* list = std::get_if<std::vector<const TensorValue*>>(&arg);
      count += list == nullptr ? 1 : list->size();
    }
    return count;
  }

  template <class T>
  TypeArgument Take(const T& held) {
    return held;
  }
  TypeArgument Take(int64_t held) { return SizeExpr(held); }
  TypeArgument Take(const TensorValue* tensor) { return TypeOf(tensor); }
  TypeArgument Take(const std::vector<int64_t>& list) {
    return std::vector<SizeExpr>(list.begin(), list.end());
  }
  TypeArgument Take(const std::vector<const TensorValue*>& list) {
    std::vector<const TensorType*> types;
    for (const TensorValue* tensor : list) types.push_back(TypeOf(tensor));
    return types;
  }
  const TensorType* TypeOf(const TensorValue* tensor) {
    if (tensor == nullptr) return nullptr;
    return &types_.emplace_back(
        TensorType{tensor->dtype, {tensor->sizes.begin(), tensor->sizes.end()}});
  }

  std::vector<TensorType> types_;  // never grows: the arguments point into it
  std::vector<TypeArgument> args_;
};

// Whether a tensor has the bytes that its sizes say. Operators count on it.
bool IsWhole(const TensorValue* tensor) {
  return tensor == nullptr ||
         CappedProduct({ElementCount(*tensor), ElementSize(tensor->dtype)}) ==
             static_cast<int64_t>(tensor->bytes.size());
}

// The same of all tensors among the operands whose bytes count. Counts the operands: a list may
// have many.
bool AreWhole(const OpSchema& schema, std::span<const Argument> args) {
  bool all = true;
  size_t next = 0;
  for (const ArgSchema& of : schema.args) {
    if (of.out) continue;
    const Argument& arg = args[next++];
    if (of.access == Access::kNone) continue;
    const auto visit = [&]<class T>(const T& held) -> size_t {
      if constexpr (std::is_same_v<T, const TensorValue*>) all = all && IsWhole(held);
      if constexpr (std::is_same_v<T, std::vector<const TensorValue*>>) {
        all = all && std::ranges::all_of(held, IsWhole);
      }
      if constexpr (requires { held.begin(); }) return held.size();
      return 1;
    };
    Spend(static_cast<int64_t>(std::visit(visit, arg)));
  }
  return all;
}

EvaluateError Refused(const OpSchema& schema, const std::string& why) {
  return {false, std::string(schema.name) + ": " + why};
}

EvaluateError Unknown(const OpSchema& schema, std::string_view what) {
  return {true, "no " + std::string(what) + " for " + std::string(schema.name)};
}

Result<std::vector<TensorValue>, EvaluateError> Allocate(const OpSchema& schema,
                                                         std::span<const TensorType> types,
                                                         std::span<const ScalarType> dtypes) {
  Spend(static_cast<int64_t>(types.size()));
  std::vector<TensorValue> results;
  results.reserve(types.size());
  for (size_t r = 0; r < types.size(); ++r) {
    auto sizes = ConcreteSizes(types[r].sizes);
    if (!sizes) return Refused(schema, "the size of a result is out of range");
    results.push_back(Zeros(r < dtypes.size() ? dtypes[r] : types[r].dtype, *std::move(sizes)));
  }
  return results;
}

// Whether PyTorch stores results of one element type in a tensor of another: not what loses the
// fraction, the imaginary part, or all but truth.
bool CanStore(ScalarType result, ScalarType in) {
  const auto rank = [](ScalarType t) {
    return IsComplex(t) ? 3 : IsFloat(t) ? 2 : t == ScalarType::kBool ? 0 : 1;
  };
  return rank(result) <= rank(in);
}

// The type rule's answer; an in-place form keeps its first operand's type.
Types TypesOf(const OpMeaning& meaning, const TypeCall& call) {
  Types types = meaning.types(call);
  if (!types.ok() || meaning.name == call.schema->name) return types;
  const TensorType& self = TensorAt(call, 0);
  if (types.value().front().sizes != self.sizes)
    return std::string("the sizes of the result differ from the sizes of self");
  ScalarType& dtype = types.value().front().dtype;
  if (!CanStore(dtype, self.dtype)) {
    return "a result of " + std::string(Name(dtype)) + " cannot be stored in " +
           std::string(Name(self.dtype));
  }
  dtype = self.dtype;
  return types;
}

}  // namespace

Result<std::vector<TensorType>, EvaluateError> ResultTypes(const OpSchema& schema,
                                                           std::span<const TypeArgument> args) {
  const OpMeaning* meaning = FindMeaning(schema);
  if (meaning == nullptr || meaning->types == nullptr) {
    return Unknown(schema, "type rule");
  }
  const std::string fault = OperandFault<TypeArgument, SizeExpr, TensorType>(schema, args);
  if (!fault.empty()) return Refused(schema, fault);
  Types types = TypesOf(*meaning, {&schema, args});
  if (!types.ok()) return Refused(schema, types.error());
  return std::move(types).value();
}

Result<std::vector<TensorType>, EvaluateError> ResultTypes(const OpSchema& schema,
                                                           std::span<const Argument> args) {
  return ResultTypes(schema, ConstantArguments(args).args());
}

std::optional<Sizes> ConcreteSizes(std::span<const SizeExpr> sizes, std::span<const int64_t> dims) {
  Sizes numbers;
  numbers.reserve(sizes.size());
  for (const SizeExpr& size : sizes) {
    if (size.HighestSymbol() >= static_cast<int32_t>(dims.size())) return std::nullopt;
    numbers.push_back(size.At(dims));
    if (numbers.back() < 0 || numbers.back() > kMaxSize) return std::nullopt;
  }
  if (ElementCount(numbers) > kMaxResultElements) return std::nullopt;
  return numbers;
}

Result<Evaluated, EvaluateError> Evaluate(const OpSchema& schema, std::span<const Argument> args,
                                          std::span<const ScalarType> dtypes) {
  const OpMeaning* meaning = FindMeaning(schema);
  if (meaning == nullptr) {
    return Unknown(schema, "meaning");
  }
  const std::string fault = OperandFault<Argument, int64_t, TensorValue>(schema, args);
  if (!fault.empty()) return Refused(schema, fault);
  if (!AreWhole(schema, args)) {
    return Refused(schema, "the bytes of an operand are not those of its sizes");
  }
  Evaluated evaluated;
  if (meaning->scalar != nullptr) {
    auto scalar = meaning->scalar({&schema, args});
    if (!scalar.ok()) return Refused(schema, scalar.error());
    evaluated.scalar = scalar.value();
    return evaluated;
  }
  const ConstantArguments constants(args);
  const Types types = TypesOf(*meaning, {&schema, constants.args()});
  if (!types.ok()) return Refused(schema, types.error());
  auto results = Allocate(schema, types.value(), dtypes);
  if (!results.ok()) return results.error();
  evaluated.results = std::move(results).value();
  const std::string why = meaning->run({&schema, args}, evaluated.results);
  if (!why.empty()) return Refused(schema, why);
  return evaluated;
}

}  // namespace pteproof
