// Idea: an attempt draws each operand by a recipe or by its name and kind, from few sizes, so that
// what must be equal often is; then the reference is asked, which knows what fits. Attempts go on
// until one is taken. Cost: attempts take microseconds, most operators take some.
#include "fuzz/calls/operands.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>

#include "fuzz/calls/recipe.h"
#include "reference/evaluate.h"
#include "runtime/kernels/base/kernel.h"

namespace pteproof::fuzz {
namespace {

constexpr int kAttempts = 400;
constexpr int64_t kMostElements = 2048;

constexpr std::array kTypes = {
    ScalarType::kFloat32, ScalarType::kFloat32,   ScalarType::kFloat32, ScalarType::kFloat32,
    ScalarType::kFloat32, ScalarType::kFloat64,   ScalarType::kFloat16, ScalarType::kBFloat16,
    ScalarType::kInt64,   ScalarType::kInt64,     ScalarType::kInt32,   ScalarType::kInt16,
    ScalarType::kInt8,    ScalarType::kUInt8,     ScalarType::kBool,    ScalarType::kComplex64,
    ScalarType::kUInt16,  ScalarType::kComplex128};

bool Contains(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

bool IsAmong(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

class Attempt {
 public:
  Attempt(const OpSchema& schema, std::span<const TensorValue* const> known, Random& random)
      : schema_(schema), known_(known), random_(random), recipe_(schema.name, random) {
    dtype_ = random_.Of(kTypes);
    for (int64_t& size : pool_) size = DrawSize();
    for (size_t d = DrawRank(); d > 0; --d) shape_.push_back(random_.Of(pool_));
  }

  // Whether all operands are there; whether they fit is for others to say.
  bool Draw(Operands& out) {
    out_ = &out;
    for (const ArgSchema& arg : schema_.args) {
      if (arg.out) continue;
      out.args.push_back(DrawArgument(arg));
      if (too_large_) return false;
    }
    return true;
  }

 private:
  int64_t DrawSize() {
    constexpr size_t kRarely = 24;
    if (random_.OneIn(kRarely)) return 0;
    if (random_.OneIn(kRarely)) return static_cast<int64_t>(1 + random_.Below(40));
    return static_cast<int64_t>(1 + random_.Below(5));
  }
  size_t DrawRank() {
    constexpr size_t kRarely = 32;
    if (random_.OneIn(kRarely)) return random_.Below(17);
    return random_.Below(5);
  }

  const TensorValue* Make(ScalarType dtype, const Sizes& sizes, int64_t below) {
    too_large_ = ElementCount(sizes) > kMostElements ||
                 std::ranges::any_of(sizes, [](int64_t s) { return s < 0 || s > kMostElements; });
    if (too_large_) return nullptr;
    TensorValue& made = out_->tensors.emplace_back(Zeros(dtype, sizes));
    const int64_t count = ElementCount(made);
    for (int64_t i = 0; i < count; ++i) {
      if (below > 0) {
        SetInt(made, i, static_cast<int64_t>(random_.Below(static_cast<size_t>(below))));
      } else {
        SetReal(made, i, static_cast<double>(random_.Below(33)) / 4.0 - 3.0);
      }
    }
    last_ = &made;
    if (first_ == nullptr) first_ = &made;
    return &made;
  }

  // Like the others of the call, to be stretched to them, of the same rank, or another.
  Sizes DrawShape() {
    Sizes sizes = shape_;
    const size_t kind = random_.Below(16);
    if (kind < 9) return sizes;
    if (kind < 12) {
      for (int64_t& size : sizes) size = random_.OneIn(2) ? 1 : size;
      sizes.erase(sizes.begin(),
                  sizes.begin() + static_cast<std::ptrdiff_t>(random_.Below(sizes.size() + 1)));
      return sizes;
    }
    if (kind > 13) sizes.resize(random_.Below(5));
    for (int64_t& size : sizes) size = random_.Of(pool_);
    return sizes;
  }

  int64_t SmallestSize() const {
    int64_t smallest = kMostElements;
    const Sizes& sizes = first_ == nullptr ? shape_ : first_->sizes;
    for (const int64_t size : sizes) smallest = std::min(smallest, std::max<int64_t>(size, 1));
    return sizes.empty() ? 1 : smallest;
  }

  const TensorValue* DrawTensor(std::string_view name) {
    constexpr size_t kKnown = 3;
    if (!known_.empty() && random_.OneIn(kKnown)) {
      last_ = random_.Of(known_);
      if (first_ == nullptr) first_ = last_;
      return last_;
    }
    if (Contains(name, "ind") || name == "repeats") {
      const Sizes line = {random_.Of(pool_)};
      return Make(random_.OneIn(6) ? ScalarType::kInt32 : ScalarType::kInt64,
                  random_.OneIn(2) ? line : DrawShape(), SmallestSize());
    }
    if (IsAmong(name, {"mask", "condition"})) return Make(ScalarType::kBool, DrawShape(), 2);
    if (Contains(name, "zero_point")) {
      return Make(random_.OneIn(2) ? ScalarType::kInt64 : ScalarType::kInt32,
                  random_.OneIn(2) ? Sizes{1} : Sizes{random_.Of(pool_)}, 4);
    }
    if (Contains(name, "scale")) {
      return Make(random_.OneIn(2) ? ScalarType::kFloat32 : ScalarType::kFloat64,
                  random_.OneIn(2) ? Sizes{1} : Sizes{random_.Of(pool_)}, 0);
    }
    if (IsAmong(name, {"weight", "bias", "running_mean", "running_var"}) && !random_.OneIn(4)) {
      const Sizes like = first_ == nullptr ? shape_ : first_->sizes;
      if (!like.empty()) return Make(dtype_, {random_.Of(like)}, 0);
    }
    if (IsAmong(name, {"exponent", "other"}) && random_.OneIn(2)) {
      return Make(dtype_, DrawShape(), 4);
    }
    if (name == "value" && random_.OneIn(2)) return Make(dtype_, {}, 0);
    return Make(random_.OneIn(8) ? random_.Of(kTypes) : dtype_, DrawShape(), 0);
  }

  std::vector<const TensorValue*> DrawTensors(const ArgSchema& arg) {
    std::vector<const TensorValue*> tensors;
    const bool indices = arg.kind == ArgKind::kOptionalTensorList;
    const size_t most = indices && first_ != nullptr ? first_->sizes.size() : 3;
    const Sizes line = {random_.Of(pool_)};
    for (size_t left = 1 + random_.Below(std::max<size_t>(most, 1)); left > 0; --left) {
      if (indices && random_.OneIn(4)) {
        tensors.push_back(nullptr);
      } else if (indices) {
        tensors.push_back(Make(ScalarType::kInt64, line, SmallestSize()));
      } else {
        tensors.push_back(random_.OneIn(3) ? DrawTensor(arg.name) : Make(dtype_, shape_, 0));
      }
      if (too_large_) break;
    }
    return tensors;
  }

  int64_t RankOfFirst() const {
    return static_cast<int64_t>(first_ == nullptr ? shape_.size() : first_->sizes.size());
  }

  int64_t DrawDimension() {
    const int64_t rank = std::max<int64_t>(RankOfFirst(), 1);
    return static_cast<int64_t>(random_.Below(static_cast<size_t>(2 * rank))) - rank;
  }

  int64_t DrawInt(std::string_view name) {
    if (Contains(name, "dtype")) {
      constexpr std::array kCodes = {6, 6, 7, 4, 1, 0, 1, 3};
      return random_.Of(kCodes);
    }
    if (Contains(name, "quant_min")) return random_.OneIn(2) ? -128 : 0;
    if (Contains(name, "quant_max")) return random_.OneIn(2) ? 127 : 255;
    if (Contains(name, "zero_point")) return static_cast<int64_t>(random_.Below(5));
    if (Contains(name, "dim") || name == "axis") return DrawDimension();
    if (IsAmong(name, {"memory_format", "interpolation_mode", "padding_mode", "normalization"})) {
      return static_cast<int64_t>(random_.Below(3));
    }
    if (random_.OneIn(8)) return -1 - static_cast<int64_t>(random_.Below(4));
    if (random_.OneIn(3)) return random_.Of(pool_);
    return static_cast<int64_t>(random_.Below(4));
  }

  // Sizes of as many elements as the first operand has.
  std::vector<int64_t> DrawViewSizes() {
    int64_t left = first_ == nullptr ? 1 : ElementCount(*first_);
    std::vector<int64_t> sizes;
    while (left > 1 && sizes.size() < 4) {
      std::vector<int64_t> divisors;
      for (int64_t d = 1; d <= left; ++d) {
        if (left % d == 0) divisors.push_back(d);
      }
      sizes.push_back(random_.Of(divisors));
      left /= sizes.back();
    }
    sizes.push_back(left);
    if (random_.OneIn(4)) random_.Of(sizes) = -1;
    return sizes;
  }

  std::vector<int64_t> DrawInts(std::string_view name) {
    std::vector<int64_t> items;
    const auto rank = static_cast<size_t>(RankOfFirst());
    if (Contains(name, "dim")) {
      items.resize(rank);
      std::iota(items.begin(), items.end(), int64_t{0});
      for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random_.Below(i)]);
      if (random_.OneIn(2)) items.resize(random_.Below(rank + 1));
      return items;
    }
    if (name == "size" && random_.OneIn(2)) return DrawViewSizes();
    if (name == "normalized_shape" && first_ != nullptr && rank > 0) {
      return {first_->sizes.end() - static_cast<std::ptrdiff_t>(1 + random_.Below(rank)),
              first_->sizes.end()};
    }
    if (IsAmong(name, {"size", "output_size"}) && random_.OneIn(2)) return DrawShape();
    const size_t count = random_.OneIn(2) ? 2 : random_.OneIn(2) ? rank : random_.Below(7);
    const bool positive = IsAmong(name, {"kernel_size", "stride", "dilation", "repeats"});
    for (size_t i = 0; i < count; ++i) {
      items.push_back(static_cast<int64_t>(random_.Below(3)) + (positive ? 1 : 0));
    }
    return items;
  }

  double DrawReal() { return static_cast<double>(random_.Below(17)) / 8.0 - 0.5; }

  std::string_view DrawText(std::string_view name) {
    if (name == "approximate") return random_.OneIn(2) ? "none" : "tanh";
    if (name == "rounding_mode") return random_.OneIn(2) ? "trunc" : "floor";
    return random_.OneIn(2) ? "softmax" : "sigmoid";
  }

  Argument DrawScalar(const ArgSchema& arg) {
    const size_t kind = random_.Below(8);
    if (kind == 0) return random_.OneIn(2);
    if (kind < 4) return DrawReal();
    return DrawInt(arg.name);
  }

  Argument FromRecipe(const ArgSchema& arg, const RecipeItem& item) {
    const int64_t number = item.numbers.empty() ? 0 : item.numbers[0];
    switch (arg.kind) {
      case ArgKind::kTensor:
        return Make(item.dtype.value_or(dtype_), item.numbers, item.below.value_or(0));
      case ArgKind::kTensorList:
      case ArgKind::kOptionalTensorList:
        return std::vector{Make(item.dtype.value_or(dtype_), item.numbers, item.below.value_or(0))};
      case ArgKind::kBool:
        return number != 0;
      case ArgKind::kFloat:
        return static_cast<double>(number);
      case ArgKind::kString:
        return item.text;
      case ArgKind::kIntList:
        return item.numbers;
      case ArgKind::kFloatList:
        return std::vector<double>(item.numbers.begin(), item.numbers.end());
      case ArgKind::kBoolList:
        return std::vector<bool>(item.numbers.begin(), item.numbers.end());
      default:
        return number;
    }
  }

  Argument DrawArgument(const ArgSchema& arg) {
    if (const auto item = recipe_.For(arg.name)) {
      if (item->none) return std::monostate();
      return FromRecipe(arg, *item);
    }
    if (arg.optional && random_.OneIn(2)) return std::monostate();
    switch (arg.kind) {
      case ArgKind::kTensor:
        return DrawTensor(arg.name);
      case ArgKind::kTensorList:
      case ArgKind::kOptionalTensorList:
        return DrawTensors(arg);
      case ArgKind::kScalar:
        return DrawScalar(arg);
      case ArgKind::kInt:
        return DrawInt(arg.name);
      case ArgKind::kBool:
        return random_.OneIn(2);
      case ArgKind::kFloat:
        return DrawReal();
      case ArgKind::kString:
        return DrawText(arg.name);
      case ArgKind::kIntList:
        return DrawInts(arg.name);
      case ArgKind::kFloatList:
        return std::vector<double>{1.0 + DrawReal(), 1.0 + DrawReal()};
      case ArgKind::kBoolList:
        return std::vector<bool>{random_.OneIn(2), random_.OneIn(2), random_.OneIn(2)};
    }
    return std::monostate();
  }

  const OpSchema& schema_;
  std::span<const TensorValue* const> known_;
  Random& random_;
  Recipe recipe_;
  ScalarType dtype_ = ScalarType::kFloat32;
  std::array<int64_t, 3> pool_ = {};
  Sizes shape_;
  const TensorValue* first_ = nullptr;
  const TensorValue* last_ = nullptr;
  bool too_large_ = false;
  Operands* out_ = nullptr;
};

// Whether the reference computes the call; then the results' forms are known.
bool AreTaken(const OpSchema& schema, Operands& operands) {
  if (FindMeaning(schema) == nullptr) return true;
  const auto types = ResultTypes(schema, std::span<const Argument>(operands.args));
  const bool number = schema.returns == ReturnSlot::kScalar;
  if (!number && !types.ok()) return false;
  if (!number) {
    for (const TensorType& type : types.value()) {
      const auto sizes = ConcreteSizes(type.sizes);
      if (!sizes || ElementCount(*sizes) > kMostElements) return false;
      operands.results.push_back({type.dtype, *sizes, false});
    }
  }
  const auto evaluated = Evaluate(schema, operands.args);
  if (!evaluated.ok()) return false;
  for (size_t r = 0; r < operands.results.size() && r < evaluated.value().results.size(); ++r) {
    operands.results[r].varies = evaluated.value().results[r].sizes != operands.results[r].sizes;
  }
  return true;
}

}  // namespace

std::optional<Operands> DrawOperands(const OpSchema& schema,
                                     std::span<const TensorValue* const> known, Random& random) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    Operands operands;
    Attempt draw(schema, known, random);
    if (draw.Draw(operands) && AreTaken(schema, operands)) return operands;
  }
  return std::nullopt;
}

const std::vector<const OpSchema*>& OperatorsWithKernels() {
  static const auto kOperators = [] {
    std::vector<const OpSchema*> operators;
    for (const OpSchema& schema : AllOperators()) {
      const Kernel* kernel = FindKernel(schema.name);
      if (kernel != nullptr && kernel->run != nullptr) operators.push_back(&schema);
    }
    return operators;
  }();
  return kOperators;
}

}  // namespace pteproof::fuzz
