#include "properties/proofs/sizes/value_sizes.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "reference/evaluate.h"
#include "reference/op_meaning.h"
#include "reference/op_schema.h"

namespace pteproof::proofs {
namespace {

// The same expression over symbols with larger numbers.
struct Shift {
  using Value = SizeExpr;
  int32_t by = 0;

  static Value Number(int64_t n) { return {n}; }
  [[nodiscard]] Value Symbol(int32_t id) const { return SizeExpr::Symbol(id + by); }
  static Value Add(const Value& a, const Value& b) { return a + b; }
  static Value Multiply(const Value& a, const Value& b) { return a * b; }
  static Value FloorDivide(const Value& a, const Value& b) { return FloorDiv(a, b); }
  static Value Modulo(const Value& a, const Value& b) { return Mod(a, b); }
  static Value Minimum(const Value& a, const Value& b) { return Min(a, b); }
  static Value Maximum(const Value& a, const Value& b) { return Max(a, b); }
};

// The known type of a value so far: nothing yet, one type, or none that holds on all paths.
template <class T>
class Known {
 public:
  // Whether that is news.
  bool Join(std::optional<T> found) {
    if (open_ || (known_ && found == known_)) return false;
    if (!found || known_) open_ = true;
    known_ = open_ ? std::nullopt : std::move(found);
    return true;
  }
  [[nodiscard]] const std::optional<T>& get() const { return known_; }

 private:
  bool open_ = false;
  std::optional<T> known_;
};

class MethodSizes {
 public:
  explicit MethodSizes(const Method& method)
      : method_(method), types_(method.values.size()), numbers_(method.values.size()) {
    for (int32_t v = 0; v < Count(); ++v) {
      const Tensor* tensor = method.TensorOf(v);
      if (tensor != nullptr && tensor->dynamism == Dynamism::kStatic) {
        TypeOf(v).Join(TensorType{tensor->dtype, SizesIn(*tensor)});
      }
    }
  }

  void SetInput(int32_t v, TensorType type) {
    if (method_.TensorOf(v) != nullptr) TypeOf(v).Join(std::move(type));
  }

  std::vector<std::optional<SizeExpr>> Run() && {
    NoteConstants();
    for (bool news = true; news;) {
      news = false;
      for (const Instruction& at : method_.instructions) news = Instruct(at) || news;
    }
    std::vector<std::optional<SizeExpr>> bytes(method_.values.size());
    for (int32_t v = 0; v < Count(); ++v) {
      const Tensor* tensor = method_.TensorOf(v);
      const auto& type = TypeOf(v).get();
      if (tensor == nullptr || tensor->dynamism == Dynamism::kStatic || !type) continue;
      SizeExpr size = static_cast<int64_t>(ElementSize(tensor->dtype));
      for (const SizeExpr& dim : type->sizes) size = size * dim;
      bytes[static_cast<size_t>(v)] = size;
    }
    return bytes;
  }

 private:
  [[nodiscard]] int32_t Count() const { return static_cast<int32_t>(method_.values.size()); }
  [[nodiscard]] Known<TensorType>& TypeOf(int32_t v) { return types_[static_cast<size_t>(v)]; }
  [[nodiscard]] Known<SizeExpr>& NumberOf(int32_t v) { return numbers_[static_cast<size_t>(v)]; }
  [[nodiscard]] const Value& ValueAt(int32_t v) const {
    return method_.values[static_cast<size_t>(v)];
  }

  [[nodiscard]] std::vector<SizeExpr> SizesIn(const Tensor& tensor) const {
    const auto sizes = method_.Ints(tensor.sizes);
    return {sizes.begin(), sizes.end()};
  }

  // Integers that no instruction sets and the caller does not pass.
  void NoteConstants() {
    std::vector<bool> set(method_.values.size());
    for (const int32_t v : method_.inputs) set[static_cast<size_t>(v)] = true;
    for (const Instruction& at : method_.instructions) {
      if (at.kind == InstructionKind::kMove) set[static_cast<size_t>(at.other)] = true;
      const auto args = method_.Ints(at.args);
      if (!args.empty()) set[static_cast<size_t>(args.back())] = true;
    }
    for (int32_t v = 0; v < Count(); ++v) {
      const bool constant = ValueAt(v).kind == ValueKind::kInt && !set[static_cast<size_t>(v)];
      if (constant) NumberOf(v).Join(SizeExpr(ValueAt(v).integer));
    }
  }

  bool Instruct(const Instruction& at) {
    if (at.kind == InstructionKind::kMove) {
      if (method_.TensorOf(at.target) != nullptr) return Give(at.other, TypeOf(at.target).get());
      return NumberOf(at.other).Join(NumberOf(at.target).get());
    }
    if (at.kind != InstructionKind::kKernelCall) return false;
    const OpSchema* op = method_.operators[static_cast<size_t>(at.target)].schema;
    return op != nullptr && Call(*op, method_.Ints(at.args));
  }

  // Static results have the file's sizes.
  bool Give(int32_t v, const std::optional<TensorType>& type) {
    const Tensor* tensor = method_.TensorOf(v);
    if (tensor == nullptr || tensor->dynamism == Dynamism::kStatic) return false;
    return TypeOf(v).Join(type);
  }

  bool Call(const OpSchema& op, std::span<const int32_t> args) {
    const std::optional<std::vector<TensorType>> types = TypesOf(op, args);
    if (op.returns == ReturnSlot::kScalar) return SetNumber(op, args);
    bool news = false;
    size_t written = 0;
    for (size_t a = 0; a < op.args.size(); ++a) {
      const bool target = op.is_view ? a + 1 == op.args.size() : op.args[a].out || IsWritten(op, a);
      if (!target) continue;
      for (const int32_t v : TensorsIn(args[a])) {
        const bool told = types.has_value() && written < types->size();
        news = Give(v, told ? std::optional((*types)[written]) : std::nullopt) || news;
        ++written;
      }
    }
    for (size_t a = 0; a < op.args.size(); ++a) {
      const bool told = types.has_value() && !types->empty();
      const auto type = told ? std::optional(types->front()) : std::nullopt;
      if (op.PutsInSlot(a)) news = Give(args.back(), type) || news;
    }
    return news;
  }

  static bool IsWritten(const OpSchema& op, size_t a) {
    return op.args[a].access != Access::kRead && op.args[a].access != Access::kNone;
  }

  [[nodiscard]] std::vector<int32_t> TensorsIn(int32_t v) const {
    if (ValueAt(v).kind == ValueKind::kTensor) return {v};
    if (!IsTensorLike(ValueAt(v).kind)) return {};
    const auto items = method_.Ints(ValueAt(v).items);
    return {items.begin(), items.end()};
  }

  // The types of the results of a call; nothing if the type of an operand is unknown.
  std::optional<std::vector<TensorType>> TypesOf(const OpSchema& op,
                                                 std::span<const int32_t> args) {
    if (op.is_view) return ViewType(args);
    const auto operands = OperandsOf(op, args);
    if (!operands || FindMeaning(op) == nullptr || FindMeaning(op)->types == nullptr) {
      return std::nullopt;
    }
    auto types = ResultTypes(op, *operands);
    if (!types.ok()) return std::nullopt;
    return std::move(types).value();
  }

  // et_view(self, sizes): as many elements, one size may be -1.
  std::optional<std::vector<TensorType>> ViewType(std::span<const int32_t> args) {
    const auto& of = TypeOf(args[0]).get();
    if (!of || ValueAt(args[1]).kind != ValueKind::kIntList) return std::nullopt;
    SizeExpr elements = 1;
    for (const SizeExpr& size : of->sizes) elements = elements * size;
    TensorType type = {of->dtype, {}};
    std::optional<size_t> open;
    SizeExpr told = 1;
    for (const int32_t item : method_.Ints(ValueAt(args[1]).items)) {
      const auto& number = NumberOf(item).get();
      if (!number) return std::nullopt;
      if (number->Is(-1)) open = type.sizes.size();
      if (!number->Is(-1)) told = told * *number;
      type.sizes.push_back(*number);
    }
    if (open) type.sizes[*open] = FloorDiv(elements, told);
    return std::vector{type};
  }

  bool SetNumber(const OpSchema& op, std::span<const int32_t> args) {
    const OpMeaning* meaning = FindMeaning(op);
    const auto operands = OperandsOf(op, args);
    std::optional<SizeExpr> number;
    if (operands && meaning != nullptr && meaning->scalar_rule != nullptr) {
      number = meaning->scalar_rule({&op, *operands});
    }
    return NumberOf(args.back()).Join(number);
  }

  std::optional<std::vector<TypeArgument>> OperandsOf(const OpSchema& op,
                                                      std::span<const int32_t> args) {
    std::vector<TypeArgument> operands;
    for (size_t a = 0; a < op.args.size(); ++a) {
      if (op.args[a].out) continue;
      auto operand = OperandOf(op.args[a], args[a]);
      if (!operand) return std::nullopt;
      operands.push_back(*std::move(operand));
    }
    return operands;
  }

  std::optional<TypeArgument> OperandOf(const ArgSchema& arg, int32_t v) {
    const Value& value = ValueAt(v);
    const auto items = [&] { return method_.Ints(value.items); };
    switch (value.kind) {
      case ValueKind::kInt: {
        const auto& number = NumberOf(v).get();
        if (!number) return std::nullopt;
        if (arg.kind != ArgKind::kFloat) return TypeArgument(*number);
        const auto constant = number->Constant();
        if (!constant) return std::nullopt;
        return TypeArgument(static_cast<double>(*constant));
      }
      case ValueKind::kBool:
        return TypeArgument(value.integer != 0);
      case ValueKind::kDouble:
        return TypeArgument(value.real);
      case ValueKind::kString:
        return TypeArgument(method_.Text(value.items));
      case ValueKind::kTensor: {
        const auto& type = TypeOf(v).get();
        if (!type) return std::nullopt;
        return TypeArgument(&*type);
      }
      case ValueKind::kIntList: {
        std::vector<SizeExpr> list;
        for (const int32_t item : items()) {
          if (!NumberOf(item).get()) return std::nullopt;
          list.push_back(*NumberOf(item).get());
        }
        return TypeArgument(std::move(list));
      }
      case ValueKind::kDoubleList: {
        const auto first = method_.reals.begin() + value.items.first;
        return TypeArgument(std::vector<double>(first, first + value.items.count));
      }
      case ValueKind::kBoolList:
        return TypeArgument(std::vector<bool>(items().begin(), items().end()));
      case ValueKind::kTensorList:
      case ValueKind::kOptionalTensorList: {
        std::vector<const TensorType*> list;
        for (const int32_t item : items()) {
          const bool none = item < 0 || method_.TensorOf(item) == nullptr;
          if (!none && !TypeOf(item).get()) return std::nullopt;
          list.push_back(none ? nullptr : &*TypeOf(item).get());
        }
        return TypeArgument(std::move(list));
      }
      case ValueKind::kNull:
        return TypeArgument(std::monostate{});
    }
    return std::nullopt;
  }

  const Method& method_;
  std::vector<Known<TensorType>> types_;
  std::vector<Known<SizeExpr>> numbers_;
};

const graph::Method* MethodNamed(const graph::Module& module, const std::string& name) {
  const auto found = std::ranges::find(module.methods, name, &graph::Method::name);
  return found == module.methods.end() ? nullptr : &*found;
}

}  // namespace

ValueSizes ValueSizesOf(const Program& program, const graph::Module& module) {
  ValueSizes all;
  for (const Method& method : program.methods) {
    MethodSizes sizes(method);
    Shift shift = {static_cast<int32_t>(all.dims.size())};
    if (const graph::Method* meant = MethodNamed(module, method.name)) {
      for (const graph::DimSymbol& dim : meant->dims) {
        all.dims.push_back(
            {.name = method.name + "." + dim.name, .lo = dim.lo, .hi = dim.hi, .definition = {}});
      }
      const size_t inputs = std::min(meant->inputs.size(), method.inputs.size());
      for (size_t k = 0; k < inputs; ++k) {
        const TensorType* type = graph::TensorTypeOf(*meant, meant->inputs[k].value);
        if (type == nullptr) continue;
        TensorType shifted = {type->dtype, {}};
        for (const SizeExpr& size : type->sizes) shifted.sizes.push_back(size.In(shift));
        sizes.SetInput(method.inputs[k], std::move(shifted));
      }
    }
    all.bytes.push_back(std::move(sizes).Run());
  }
  return all;
}

}  // namespace pteproof::proofs
