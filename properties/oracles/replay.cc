#include "properties/oracles/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "properties/oracles/decode_tensor.h"
#include "reference/evaluate.h"
#include "reference/run/hash_semantics.h"
#include "reference/run/index_range.h"

namespace pteproof {
namespace {

using Contents = std::shared_ptr<const TensorValue>;
using States = std::map<std::string, Contents>;

bool Shares(Policy policy, uint32_t bank) {
  return policy == Policy::kShareAll || (policy == Policy::kShare12 && bank <= 2);
}

// Several small tensors' bytes, one behind the other.
TensorValue Joined(std::span<const Contents> parts, ScalarType dtype, Sizes sizes) {
  TensorValue whole = Zeros(dtype, std::move(sizes));
  size_t at = 0;
  for (const Contents& part : parts) {
    const size_t count = std::min(part->bytes.size(), whole.bytes.size() - at);
    std::copy_n(part->bytes.begin(), count, whole.bytes.begin() + static_cast<std::ptrdiff_t>(at));
    at += count;
  }
  return whole;
}

// The sizes of a view whose base has fewer elements than the file's upper bounds say: one dimension
// shrinks, or the base's own sizes do.
Sizes SizesOfView(Sizes bounds, const TensorValue& base) {
  const int64_t count = ElementCount(base);
  const int64_t most = ElementCount(bounds);
  if (most == count || base.sizes.size() == bounds.size()) {
    return most == count ? bounds : base.sizes;
  }
  for (int64_t& size : bounds) {
    const int64_t rest = size == 0 ? 0 : most / size;
    if (rest > 0 && count % rest == 0 && count / rest <= size) {
      size = count / rest;
      return bounds;
    }
  }
  return base.sizes;
}

// One call of one method.
class Run {
 public:
  Run(const Program& program, const Method& method, const std::vector<StorageName>& names,
      const ReplayOptions& options, States& states)
      : program_(program),
        method_(method),
        names_(names),
        options_(options),
        states_(states),
        slots_(method.values.size()),
        numbers_(method.values.size()),
        views_of_(method.values.size()) {
    for (size_t v = 0; v < names.size(); ++v) {
      if (names[v].kind == NameKind::kView) {
        views_of_[static_cast<size_t>(names[v].base)].push_back(static_cast<int32_t>(v));
      }
    }
  }

  Result<std::vector<Datum>, ReplayError> Go(std::span<const Datum> inputs) {
    if (const std::string why = Bind(inputs); !why.empty()) return Refused(-1, why);
    int64_t fuel = kReplayFuel;
    const auto count = static_cast<int32_t>(method_.instructions.size());
    for (int32_t i = 0; i < count;) {
      if (fuel-- == 0) {
        return ReplayError{ReplayError::Kind::kFuel, "", i, "the call does not end"};
      }
      at_ = i;
      int32_t next = i + 1;
      if (auto error = Step(method_.instructions[static_cast<size_t>(i)], next)) return *error;
      i = next;
    }
    std::vector<Datum> outputs;
    for (const int32_t v : method_.outputs) outputs.push_back(Output(v));
    return outputs;
  }

 private:
  using Fault = std::optional<ReplayError>;

  [[nodiscard]] static ReplayError Refused(int32_t at, std::string why) {
    return {ReplayError::Kind::kRefused, "", at, std::move(why)};
  }
  [[nodiscard]] const Value& ValueAt(int32_t v) const {
    return method_.values[static_cast<size_t>(v)];
  }
  [[nodiscard]] const StorageName& NameAt(int32_t v) const {
    return names_[static_cast<size_t>(v)];
  }
  Contents& Slot(int32_t v) { return slots_[static_cast<size_t>(v)]; }

  // Puts the inputs in their values. Returns why they do not fit.
  std::string Bind(std::span<const Datum> inputs) {
    if (inputs.size() != method_.inputs.size()) {
      return fmt::format("the method takes {} inputs, given were {}", method_.inputs.size(),
                         inputs.size());
    }
    for (size_t n = 0; n < inputs.size(); ++n) {
      const int32_t v = method_.inputs[n];
      if (const auto* tensor = std::get_if<TensorValue>(&inputs[n])) {
        const Tensor* wanted = method_.TensorOf(v);
        if (wanted == nullptr || wanted->dtype != tensor->dtype) {
          return fmt::format("input {} is of another type than the method takes", n);
        }
        Slot(v) = std::make_shared<const TensorValue>(*tensor);
      } else if (method_.TensorOf(v) != nullptr) {
        return fmt::format("input {} must be a tensor", n);
      } else {
        numbers_[static_cast<size_t>(v)] = NumberOf(inputs[n]);
      }
    }
    return {};
  }

  static std::optional<ScalarResult> NumberOf(const Datum& datum) {
    if (const auto* integer = std::get_if<int64_t>(&datum)) return *integer;
    if (const auto* flag = std::get_if<bool>(&datum)) return *flag;
    if (const auto* real = std::get_if<double>(&datum)) return *real;
    return std::nullopt;
  }

  // The number that a value holds now; nothing when it is none.
  [[nodiscard]] std::optional<ScalarResult> NumberIn(int32_t v) const {
    if (numbers_[static_cast<size_t>(v)]) return numbers_[static_cast<size_t>(v)];
    const Value& value = ValueAt(v);
    switch (value.kind) {
      case ValueKind::kInt:
        return value.integer;
      case ValueKind::kBool:
        return value.integer != 0;
      case ValueKind::kDouble:
        return value.real;
      default:
        return std::nullopt;
    }
  }

  // Methods that share a bank share a buffer where place and name agree.
  [[nodiscard]] std::string StateKey(int32_t v) const {
    const Tensor& t = *method_.TensorOf(v);
    const std::string_view scope =
        Shares(options_.policy, t.bank) ? std::string_view() : std::string_view(method_.name);
    return fmt::format("{}|{}:{}|{}", scope, t.bank, t.offset, NameOfState(v));
  }

  [[nodiscard]] std::string_view NameOfState(int32_t v) const {
    const std::string_view name = method_.NameOf(v);
    if (!name.empty() || options_.manifest == nullptr) return name;
    const auto stated = options_.manifest->methods.find(method_.name);
    if (stated == options_.manifest->methods.end()) return name;
    const auto found = stated->second.values.find(v);
    return found == stated->second.values.end() ? name : std::string_view(found->second);
  }

  [[nodiscard]] Bytes Stored(const Tensor& t) const {
    if (t.external && options_.data != nullptr) {
      const auto& entries = options_.data->entries;
      const auto entry = std::ranges::find(entries, method_.Text(t.name), &DataEntry::key);
      if (entry != entries.end()) return entry->blob;
    }
    const auto& blobs = t.planned ? program_.initial_values : program_.constants;
    return t.data_index < blobs.size() ? blobs[t.data_index] : Bytes{};
  }

  Contents Initial(const Tensor& t) const {
    return std::make_shared<const TensorValue>(DecodeTensor(method_, t, Stored(t)));
  }

  // What a tensor value holds now. Names of names may be as many as a file likes: no recursion.
  Contents Read(int32_t v) {
    std::vector<int32_t> open = {v};
    while (!open.empty()) {
      const int32_t next = open.back();
      const size_t before = open.size();
      if (Slot(next) == nullptr) AddMissing(NameAt(next), open);
      if (open.size() > before) continue;
      if (Slot(next) == nullptr) Slot(next) = Made(next);
      open.pop_back();
    }
    return Slot(v);
  }

  // The values that a name's contents are made of, where they are not known yet.
  void AddMissing(const StorageName& name, std::vector<int32_t>& open) {
    const auto add = [&](int32_t of) {
      if (Slot(of) == nullptr) open.push_back(of);
    };
    if (name.kind == NameKind::kView) add(name.base);
    if (name.kind == NameKind::kConcat) std::ranges::for_each(name.tiles, add);
  }

  // The contents of a value, when all that they are made of is known.
  Contents Made(int32_t v) {
    const Tensor& t = *method_.TensorOf(v);
    const StorageName& name = NameAt(v);
    switch (name.kind) {
      case NameKind::kView: {
        TensorValue view = *Slot(name.base);
        view.sizes = SizesOfView(SizesOf(method_, t), view);
        view.dtype = t.dtype;
        return std::make_shared<const TensorValue>(std::move(view));
      }
      case NameKind::kConcat: {
        std::vector<Contents> tiles;
        for (const int32_t tile : name.tiles) tiles.push_back(Slot(tile));
        return std::make_shared<const TensorValue>(Joined(tiles, t.dtype, SizesOf(method_, t)));
      }
      case NameKind::kState: {
        const auto [it, fresh] = states_.try_emplace(StateKey(v));
        if (fresh) it->second = Initial(t);
        return it->second;
      }
      case NameKind::kOwn:
        break;
    }
    return Initial(t);  // a constant, or zeros where nothing was written
  }

  // New contents for a value. What it held before stays with those who saw it.
  void Write(int32_t v, TensorValue contents, bool in_place) {
    Preserve(v);
    Slot(v) = std::make_shared<const TensorValue>(std::move(contents));
    if (!in_place) return;
    int32_t root = v;
    while (NameAt(root).kind == NameKind::kView) root = NameAt(root).base;
    if (NameAt(root).kind != NameKind::kState) return;
    TensorValue state = *Slot(v);
    state.sizes = SizesOf(method_, *method_.TensorOf(root));
    auto stored = std::make_shared<const TensorValue>(std::move(state));
    if (root != v) {
      Preserve(root);
      Slot(root) = stored;
    }
    states_[StateKey(root)] = std::move(stored);
  }

  // Views made before now keep what their base holds; those made later will see the new contents.
  void Preserve(int32_t base) {
    std::vector<int32_t> later = {base};
    for (size_t n = 0; n < later.size(); ++n) {
      const int32_t of = later[n];
      for (const int32_t view : views_of_[static_cast<size_t>(of)]) {
        const bool knows_base = Slot(of) != nullptr || NameAt(of).kind != NameKind::kOwn;
        if (NameAt(view).made_before <= at_ && knows_base) {
          static_cast<void>(Read(view));
        } else {
          later.push_back(view);
        }
      }
    }
    for (const int32_t view : std::span(later).subspan(1)) Slot(view) = nullptr;
  }

  Fault Step(const Instruction& instruction, int32_t& next) {
    switch (instruction.kind) {
      case InstructionKind::kKernelCall:
        return Kernel(method_.operators[static_cast<size_t>(instruction.target)],
                      method_.Ints(instruction.args));
      case InstructionKind::kDelegateCall:
        return Delegate(method_.delegates[static_cast<size_t>(instruction.target)].id,
                        method_.Ints(instruction.args));
      case InstructionKind::kMove:
        Move(instruction.target, instruction.other);
        return std::nullopt;
      case InstructionKind::kJumpFalse:
        if (!IsTrue(instruction.target)) next = instruction.other;
        return std::nullopt;
      case InstructionKind::kFree:
        return std::nullopt;
    }
    return std::nullopt;
  }

  void Move(int32_t from, int32_t to) {
    if (method_.TensorOf(from) != nullptr) {
      const Contents moved = Read(from);
      Preserve(to);
      Slot(to) = moved;
    } else {
      numbers_[static_cast<size_t>(to)] = NumberIn(from);
    }
  }

  bool IsTrue(int32_t v) {
    if (method_.TensorOf(v) != nullptr) {
      const Contents flag = Read(v);
      return ElementCount(*flag) > 0 && IntAt(*flag, 0) != 0;
    }
    const auto number = NumberIn(v);
    return number && std::visit([](auto held) { return held != 0; }, *number);
  }

  // Its outputs are the trailing tensors that nothing made before.
  Fault Delegate(const std::string& id, std::span<const int32_t> args) {
    if (!hashes()) return Unknown(id, "what a delegate computes is not in the file");
    size_t outputs = 0;
    while (outputs < args.size() && IsUnmade(args[args.size() - 1 - outputs])) ++outputs;
    Opaque(id, args, args.size() - outputs);
    return std::nullopt;
  }

  [[nodiscard]] bool IsUnmade(int32_t v) {
    const Tensor* t = method_.TensorOf(v);
    return t != nullptr && Slot(v) == nullptr && NameAt(v).kind == NameKind::kOwn &&
           t->data_index == 0 && !t->external;
  }

  // Nothing is known of it but its operands and which of them are results.
  void Opaque(const std::string& name, std::span<const int32_t> args, size_t first_result) {
    held_.clear();
    std::vector<Argument> operands;
    for (const int32_t v : args.first(first_result)) operands.push_back(Operand({}, v));
    std::vector<int32_t> targets;
    for (const int32_t v : args.subspan(first_result)) {
      ForEachTensor(v, [&](int32_t t) { targets.push_back(t); });
    }
    std::vector<TensorValue> results = Blank(targets, std::nullopt);
    HashCall(name, nullptr, operands, results);
    for (size_t r = 0; r < targets.size(); ++r) Write(targets[r], std::move(results[r]), false);
  }

  // Nothing where no type rule gives admissible sizes.
  static std::optional<std::vector<Sizes>> SizesByRule(const OpSchema& schema,
                                                       std::span<const Argument> operands) {
    const auto types = ResultTypes(schema, operands);
    if (!types.ok()) return std::nullopt;
    std::vector<Sizes> all;
    for (const TensorType& type : types.value()) {
      auto sizes = ConcreteSizes(type.sizes);
      if (!sizes) return std::nullopt;
      all.push_back(*std::move(sizes));
    }
    return all;
  }

  // Tensors of the targets' types, of the sizes given or those of the file.
  [[nodiscard]] std::vector<TensorValue> Blank(std::span<const int32_t> targets,
                                               const std::optional<std::vector<Sizes>>& sizes) {
    std::vector<TensorValue> results;
    for (size_t r = 0; r < targets.size(); ++r) {
      const Tensor& t = *method_.TensorOf(targets[r]);
      const bool known = sizes && r < sizes->size();
      results.push_back(Zeros(t.dtype, known ? (*sizes)[r] : SizesOf(method_, t)));
    }
    return results;
  }

  // The standing assumption on operators that nobody knows: the trailing tensors are results.
  Fault UnknownKernel(const Operator& op, std::span<const int32_t> args) {
    if (!hashes()) return Unknown(op.name, "the operator is not in the table");
    size_t first = args.size();
    while (first > 0 && method_.TensorOf(args[first - 1]) != nullptr) --first;
    if (first == 0 && !args.empty()) first = args.size() - 1;
    Opaque(op.name, args, first);
    return std::nullopt;
  }

  [[nodiscard]] bool hashes() const { return options_.semantics == Semantics::kHash; }

  // What the call writes, by its meaning or by mixing.
  Result<Evaluated, EvaluateError> Compute(const OpSchema& schema, std::span<Argument> operands,
                                           std::span<const int32_t> targets) {
    if (hashes() && !KeepsMeaning(schema)) {
      Evaluated evaluated;
      evaluated.results = Blank(targets, SizesByRule(schema, operands));
      HashKnownCall(schema, operands, evaluated.results);
      return evaluated;
    }
    if (hashes()) KeepIndicesInRange(schema, operands);
    std::vector<ScalarType> dtypes;
    for (const int32_t t : targets) dtypes.push_back(method_.TensorOf(t)->dtype);
    return Evaluate(schema, operands, dtypes);
  }

  Fault Kernel(const Operator& op, std::span<const int32_t> args) {
    if (op.schema == nullptr) return UnknownKernel(op, args);
    if (op.schema->is_view) return View(args);
    held_.clear();
    std::vector<Argument> operands;
    std::vector<int32_t> targets;
    for (size_t a = 0; a < op.schema->args.size(); ++a) {
      const ArgSchema& schema = op.schema->args[a];
      if (!schema.out) operands.push_back(Operand(schema, args[a]));
      if (schema.access != Access::kRead && (schema.access != Access::kNone || schema.out)) {
        ForEachTensor(args[a], [&](int32_t t) { targets.push_back(t); });
      }
    }
    auto evaluated = Compute(*op.schema, operands, targets);
    if (!evaluated.ok()) {
      if (evaluated.error().unknown) return Unknown(op.name, evaluated.error().story);
      return Refused(at_, evaluated.error().story);
    }
    Store(*op.schema, args, targets, std::move(evaluated).value());
    return std::nullopt;
  }

  [[nodiscard]] Fault Unknown(const std::string& op, std::string story) const {
    return ReplayError{ReplayError::Kind::kUnknown, op, at_, std::move(story)};
  }

  void Store(const OpSchema& schema, std::span<const int32_t> args,
             std::span<const int32_t> targets, Evaluated evaluated) {
    if (evaluated.scalar) {
      numbers_[static_cast<size_t>(args.back())] = evaluated.scalar;
      return;
    }
    const size_t count = std::min(targets.size(), evaluated.results.size());
    for (size_t r = 0; r < count; ++r) {
      Write(targets[r], std::move(evaluated.results[r]), IsUpdated(schema, args, targets[r]));
    }
    if (schema.returns != ReturnSlot::kWritten || method_.TensorOf(args.back()) == nullptr) return;
    for (size_t a = 0; a < schema.args.size(); ++a) {
      if (schema.args[a].returned && args[a] != args.back()) Move(args[a], args.back());
    }
  }

  static bool IsUpdated(const OpSchema& schema, std::span<const int32_t> args, int32_t v) {
    for (size_t a = 0; a < schema.args.size(); ++a) {
      if (args[a] == v && !schema.args[a].out && schema.args[a].access != Access::kRead) {
        return true;
      }
    }
    return false;
  }

  // et_view: another name of the same bytes, with the sizes that stand in a list.
  Fault View(std::span<const int32_t> args) {
    TensorValue view = *Read(args[0]);
    Sizes sizes;
    int64_t known = 1;
    for (const int32_t item : method_.Ints(ValueAt(args[1]).items)) {
      const auto number = NumberIn(item);
      const auto* size = number ? std::get_if<int64_t>(&*number) : nullptr;
      if (size == nullptr) return Refused(at_, "a size of the view is no integer");
      sizes.push_back(*size);
      if (*size != -1) known *= *size;
    }
    for (int64_t& size : sizes) {
      if (size == -1) size = known == 0 ? 0 : ElementCount(view) / known;
    }
    if (ElementCount(sizes) != ElementCount(view)) {
      return Refused(at_, "the view has another number of elements than its base");
    }
    view.sizes = std::move(sizes);
    Write(args.back(), std::move(view), false);
    return std::nullopt;
  }

  template <class Each>
  void ForEachTensor(int32_t v, Each each) const {
    const Value& value = ValueAt(v);
    if (value.kind == ValueKind::kTensor) return each(v);
    if (value.kind != ValueKind::kTensorList) return;
    for (const int32_t item : method_.Ints(value.items)) each(item);
  }

  const TensorValue* Hold(int32_t v) {
    if (v < 0) return nullptr;
    held_.push_back(Read(v));
    return held_.back().get();
  }

  Argument Operand(const ArgSchema& schema, int32_t v) {
    const Value& value = ValueAt(v);
    if (const auto number = NumberIn(v)) {
      // The file has 1 where a float is meant, and the other way round.
      if (schema.kind == ArgKind::kFloat) {
        return std::visit([](auto held) { return static_cast<double>(held); }, *number);
      }
      return std::visit([](auto held) { return Argument(held); }, *number);
    }
    switch (value.kind) {
      case ValueKind::kTensor:
        return Hold(v);
      case ValueKind::kString:
        return method_.Text(value.items);
      case ValueKind::kIntList:
        return IntList(value);
      case ValueKind::kDoubleList: {
        const auto first = method_.reals.begin() + value.items.first;
        return std::vector<double>(first, first + value.items.count);
      }
      case ValueKind::kBoolList: {
        const auto flags = method_.Ints(value.items);
        return std::vector<bool>(flags.begin(), flags.end());
      }
      case ValueKind::kTensorList:
      case ValueKind::kOptionalTensorList: {
        std::vector<const TensorValue*> list;
        for (const int32_t item : method_.Ints(value.items)) {
          const bool none = item < 0 || method_.TensorOf(item) == nullptr;
          list.push_back(none ? nullptr : Hold(item));
        }
        return list;
      }
      default:
        return std::monostate{};
    }
  }

  [[nodiscard]] Argument IntList(const Value& value) const {
    std::vector<int64_t> list;
    for (const int32_t item : method_.Ints(value.items)) {
      const auto number = NumberIn(item);
      list.push_back(
          number ? std::visit([](auto held) { return static_cast<int64_t>(held); }, *number) : 0);
    }
    return list;
  }

  Datum Output(int32_t v) {
    if (method_.TensorOf(v) != nullptr) return *Read(v);
    if (const auto number = NumberIn(v)) {
      return std::visit([](auto held) { return Datum(held); }, *number);
    }
    const Value& value = ValueAt(v);
    if (value.kind == ValueKind::kString) return std::string(method_.Text(value.items));
    return std::monostate{};
  }

  const Program& program_;
  const Method& method_;
  const std::vector<StorageName>& names_;
  const ReplayOptions& options_;
  States& states_;
  std::vector<Contents> slots_;  // per value; null: not known yet
  std::vector<std::optional<ScalarResult>> numbers_;
  std::vector<std::vector<int32_t>> views_of_;
  std::vector<Contents> held_;  // operands of the call at hand
  int32_t at_ = 0;
};

}  // namespace

Replay::Replay(const Program& program, const ReplayOptions& options)
    : program_(program), options_(options) {
  names_.reserve(program.methods.size());
  for (const Method& method : program.methods) names_.push_back(StorageNamesOf(method));
}

int32_t Replay::MethodNamed(std::string_view name) const {
  const auto found = std::ranges::find(program_.methods, name, &Method::name);
  return found == program_.methods.end() ? -1
                                         : static_cast<int32_t>(found - program_.methods.begin());
}

Result<std::vector<Datum>, ReplayError> Replay::Call(int32_t method,
                                                     std::span<const Datum> inputs) {
  const auto m = static_cast<size_t>(method);
  return Run(program_, program_.methods[m], names_[m], options_, states_).Go(inputs);
}

}  // namespace pteproof
