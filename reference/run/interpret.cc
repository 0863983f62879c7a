#include "reference/run/interpret.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "reference/evaluate.h"
#include "reference/run/bind_dims.h"
#include "reference/run/cells.h"
#include "reference/run/hash_semantics.h"

namespace pteproof {
namespace {

using graph::Method;
using graph::Node;
using graph::NodeKind;
using graph::Operand;
using graph::Region;
using graph::ValueId;
using Fault = std::optional<RunError>;

RunError Refused(std::string story) {
  return {RunError::Kind::kRefused, "", std::move(story)};
}

// One call of one method.
class Run {
 public:
  Run(const graph::Module& module, size_t method, State& state, const RunOptions& options)
      : module_(module),
        method_index_(method),
        method_(module.methods[method]),
        state_(state),
        options_(options),
        fuel_(options.fuel) {
    cells_.Reset(method_.values.size());
  }

  Result<CallOutcome, RunError> Go(std::span<const Datum> inputs) {
    auto dims = BindDims(method_, inputs);
    if (!dims.ok()) return Refused(dims.error());
    dims_ = std::move(dims).value();
    for (size_t n = 0; n < inputs.size(); ++n) Enter(method_.inputs[n].value, inputs[n]);
    for (const graph::BufferEntry& entry : method_.buffers) {
      cells_.Make(entry.value, state_.Get(method_index_, static_cast<size_t>(entry.buffer)));
    }
    if (Fault fault = Nodes(method_.body.nodes)) return *fault;
    CallOutcome outcome;
    for (const ValueId v : method_.body.results) outcome.outputs.push_back(Leave(v));
    Exit(outcome);
    return outcome;
  }

 private:
  void Enter(ValueId value, const Datum& datum) {
    if (const auto* tensor = std::get_if<TensorValue>(&datum)) {
      cells_.Make(value, std::make_shared<const TensorValue>(*tensor));
    } else if (const auto* flag = std::get_if<bool>(&datum)) {
      cells_[value].number = *flag;
    } else if (const auto* integer = std::get_if<int64_t>(&datum)) {
      cells_[value].number = *integer;
    } else if (const auto* real = std::get_if<double>(&datum)) {
      cells_[value].number = *real;
    }
  }

  [[nodiscard]] Datum Leave(ValueId value) const {
    if (cells_[value].storage >= 0) return *cells_.Read(value);
    return std::visit([](auto held) { return Datum(held); }, cells_[value].number);
  }

  // What mutating operators did to storages stands already; the stores all see the values before
  // any of them.
  void Exit(CallOutcome& outcome) {
    std::vector<std::pair<size_t, Contents>> buffers;
    for (const graph::BufferEntry& entry : method_.buffers) {
      buffers.emplace_back(entry.buffer, cells_.StorageOf(entry.value));
    }
    for (const graph::BufferStore& store : method_.stores) {
      buffers.emplace_back(store.buffer, cells_.Read(store.value));
    }
    buffers.insert(buffers.end(), delegate_stores_.begin(), delegate_stores_.end());
    for (const graph::Input& input : method_.inputs) {
      outcome.inputs_after.push_back(Leave(input.value));
    }
    for (const graph::InputStore& store : method_.input_stores) {
      outcome.inputs_after[static_cast<size_t>(store.input)] = Leave(store.value);
    }
    for (auto& [buffer, contents] : buffers) state_.Set(method_index_, buffer, std::move(contents));
  }

  Fault Nodes(std::span<const Node> nodes) {
    for (const Node& node : nodes) {
      if (fuel_-- <= 0) return RunError{RunError::Kind::kFuel, "", "the call does not end"};
      if (Fault fault = Step(node)) return fault;
    }
    return std::nullopt;
  }

  Fault Step(const Node& node) {
    switch (node.kind) {
      case NodeKind::kCall:
        return Call(node);
      case NodeKind::kDelegate:
        return Delegate(node);
      case NodeKind::kCond:
        return Cond(node);
      case NodeKind::kWhile:
        return While(node);
      case NodeKind::kMap:
      case NodeKind::kScan:
        return Rows(node);
    }
    return std::nullopt;
  }

  // Operands as arguments; tensors live in held_ for as long as the call.
  std::vector<Argument> Arguments(const Node& node) {
    held_.clear();
    std::vector<Argument> args;
    args.reserve(node.operands.size());
    for (size_t o = 0; o < node.operands.size(); ++o) {
      const bool lists_numbers = node.schema == nullptr || !ListsTensors(*node.schema, o);
      args.push_back(ArgumentOfOperand(node.operands[o], lists_numbers));
      WidenToReal(node, o, args.back());
    }
    return args;
  }

  static const ArgSchema* SchemaOf(const OpSchema& schema, size_t operand) {
    for (const ArgSchema& arg : schema.args) {
      if (!arg.out && operand-- == 0) return &arg;
    }
    return nullptr;
  }
  static bool ListsTensors(const OpSchema& schema, size_t operand) {
    const ArgSchema* arg = SchemaOf(schema, operand);
    return arg != nullptr &&
           (arg->kind == ArgKind::kTensorList || arg->kind == ArgKind::kOptionalTensorList);
  }
  static void WidenToReal(const Node& node, size_t operand, Argument& argument) {
    const auto* integer = std::get_if<int64_t>(&argument);
    if (integer == nullptr || node.schema == nullptr) return;
    const ArgSchema* arg = SchemaOf(*node.schema, operand);
    if (arg != nullptr && arg->kind == ArgKind::kFloat) argument = static_cast<double>(*integer);
  }

  Argument ArgumentOfOperand(const Operand& operand, bool lists_numbers) {
    if (const auto* value = std::get_if<Operand::Value>(&operand.held))
      return ValueArgument(*value);
    if (const auto* size = std::get_if<SizeExpr>(&operand.held)) return size->At(dims_);
    if (const auto* flag = std::get_if<bool>(&operand.held)) return *flag;
    if (const auto* real = std::get_if<double>(&operand.held)) return *real;
    if (const auto* text = std::get_if<std::string>(&operand.held)) return std::string_view(*text);
    if (const auto* list = std::get_if<graph::OperandList>(&operand.held)) {
      return lists_numbers ? NumberList(*list) : TensorList(*list);
    }
    return std::monostate{};
  }

  Argument ValueArgument(Operand::Value value) {
    if (cells_[value.id].storage < 0) {
      return std::visit([](auto held) { return Argument(held); }, cells_[value.id].number);
    }
    return Hold(cells_.Read(value.id));
  }

  const TensorValue* Hold(Contents contents) {
    held_.push_back(std::move(contents));
    return held_.back().get();
  }

  Argument TensorList(const graph::OperandList& list) {
    std::vector<const TensorValue*> tensors;
    for (const Operand& item : list) {
      const auto* value = std::get_if<Operand::Value>(&item.held);
      tensors.push_back(value == nullptr ? nullptr : Hold(cells_.Read(value->id)));
    }
    return tensors;
  }

  // A list of integers, floats or bools, as its items are.
  Argument NumberList(const graph::OperandList& list) {
    std::vector<int64_t> integers;
    std::vector<double> reals;
    std::vector<bool> flags;
    for (const Operand& item : list) {
      const Argument number = ArgumentOfOperand(item, true);
      if (const auto* real = std::get_if<double>(&number)) reals.push_back(*real);
      if (const auto* flag = std::get_if<bool>(&number)) flags.push_back(*flag);
      if (const auto* integer = std::get_if<int64_t>(&number)) integers.push_back(*integer);
    }
    if (!reals.empty()) return reals;
    if (!flags.empty()) return flags;
    return integers;
  }

  Fault Call(const Node& node) {
    std::vector<Argument> args = Arguments(node);
    if (node.view) return View(node, args);
    const bool hash = options_.semantics == Semantics::kHash;
    if (hash && (node.schema == nullptr || !KeepsMeaning(*node.schema))) {
      HashCall(node, args);
      return std::nullopt;
    }
    if (node.schema == nullptr) return Unknown(node);
    if (hash) KeepIndicesInRange(*node.schema, args);
    auto evaluated = Evaluate(*node.schema, args, DeclaredTypes(node));
    if (!evaluated.ok()) {
      if (evaluated.error().unknown) return Unknown(node);
      return Refused(evaluated.error().story);
    }
    Take(node, std::move(evaluated).value());
    return std::nullopt;
  }

  static RunError Unknown(const Node& node) {
    return {RunError::Kind::kUnknown, node.op, "the reference does not know " + node.op};
  }

  std::vector<ScalarType> DeclaredTypes(const Node& node) const {
    std::vector<ScalarType> dtypes;
    for (const ValueId v : node.results) {
      const TensorType* type = TensorTypeOf(method_, v);
      if (type != nullptr) dtypes.push_back(type->dtype);
    }
    return dtypes;
  }

  void Take(const Node& node, Evaluated evaluated) {
    if (evaluated.scalar) {
      cells_[node.results.front()].number = *evaluated.scalar;
      return;
    }
    for (size_t r = 0; r < node.results.size() && r < evaluated.results.size(); ++r) {
      Put(node, r, std::move(evaluated.results[r]));
    }
  }

  // A mutating operator stores a result in the operand that it returns.
  void Put(const Node& node, size_t result, TensorValue contents) {
    const ValueId value = node.results[result];
    if (options_.observer) options_.observer(node, value, contents, dims_);
    const auto operand = Mutates(node) ? OperandWritten(*node.schema, result) : std::nullopt;
    if (operand) {
      const ValueId self = std::get<Operand::Value>(node.operands[*operand].held).id;
      cells_.Store(self, contents);
      cells_[value] = cells_[self];
    } else {
      cells_.Make(value, std::make_shared<const TensorValue>(std::move(contents)));
    }
  }

  // The operand that result number `result` is stored in; nothing for a new tensor.
  static std::optional<size_t> OperandWritten(const OpSchema& schema, size_t result) {
    size_t operand = 0;
    for (const ArgSchema& arg : schema.args) {
      const bool writes = arg.access != Access::kRead && (arg.access != Access::kNone || arg.out);
      if (writes && result-- == 0) return arg.out ? std::nullopt : std::optional(operand);
      operand += arg.out ? 0 : 1;
    }
    return std::nullopt;
  }

  // The operator moves the elements' indices as it would move the elements.
  Fault View(const Node& node, std::span<Argument> args) {
    const ValueId base = std::get<Operand::Value>(node.operands.front().held).id;
    const Contents map = cells_.MapOf(base);
    args[0] = map.get();
    auto moved = Evaluate(*node.schema, args);
    if (!moved.ok()) return Refused(moved.error().story);
    Cell& cell = cells_[node.results.front()];
    cell.storage = cells_[base].storage;
    cell.map = std::make_shared<const TensorValue>(std::move(moved.value().results.front()));
    return std::nullopt;
  }

  // A tensor of a declared type, at the dims of this call.
  [[nodiscard]] TensorValue ZerosOf(const TensorType& type) const {
    Sizes sizes;
    for (const SizeExpr& size : type.sizes) sizes.push_back(std::max<int64_t>(0, size.At(dims_)));
    return Zeros(type.dtype, std::move(sizes));
  }

  // An in-place form mixes as its functional form does.
  static std::string_view FunctionalName(const Node& node) {
    const OpMeaning* meaning = node.schema == nullptr ? nullptr : FindMeaning(node.op);
    return meaning == nullptr ? std::string_view(node.op) : meaning->name;
  }

  void HashCall(const Node& node, std::span<const Argument> args) {
    std::vector<TensorValue> results;
    for (const ValueId v : node.results) {
      const TensorType* type = TensorTypeOf(method_, v);
      if (type != nullptr) results.push_back(ZerosOf(*type));
    }
    pteproof::HashCall(FunctionalName(node), node.schema, args, results);
    for (size_t r = 0; r < results.size(); ++r) Put(node, r, std::move(results[r]));
  }

  // A number that was read from mixed bytes indexes what there is.
  static void KeepIndicesInRange(const OpSchema& schema, std::span<Argument> args) {
    const bool selects = schema.name == "aten::select_copy.int_out";
    const bool scatters = schema.name == "aten::select_scatter.out";
    if (!selects && !scatters) return;
    const TensorValue& self = *std::get<const TensorValue*>(args[0]);
    const size_t dim_at = selects ? 1 : 2;
    const auto* dim = std::get_if<int64_t>(&args[dim_at]);
    auto* index = std::get_if<int64_t>(&args[dim_at + 1]);
    if (dim == nullptr || index == nullptr || self.rank() == 0) return;
    const int64_t d = *dim < 0 ? *dim + self.rank() : *dim;
    if (d < 0 || d >= self.rank() || self.sizes[static_cast<size_t>(d)] == 0) return;
    const int64_t size = self.sizes[static_cast<size_t>(d)];
    if (*index < -size || *index >= size) *index = (*index % size + size) % size;
  }

  Fault Delegate(const Node& node) {
    if (options_.semantics == Semantics::kReal) return Unknown(node);
    const std::vector<Argument> args = Arguments(node);
    std::vector<Argument> all(args.begin(), args.end());
    for (const graph::DelegateBuffer& use : node.buffers) {
      all.emplace_back(Hold(ContentsNow(use.buffer)));
    }
    HashCall(node, all);
    for (const graph::DelegateBuffer& use : node.buffers) {
      if (!use.writes) continue;
      const auto buffer = static_cast<size_t>(use.buffer);
      std::vector<TensorValue> contents = {*state_.Get(method_index_, buffer)};
      pteproof::HashCall(node.op + "@" + module_.buffers[buffer].name, nullptr, all, contents);
      delegate_stores_.emplace_back(buffer,
                                    std::make_shared<const TensorValue>(std::move(contents[0])));
    }
    return std::nullopt;
  }

  // A buffer as earlier nodes of the call left it.
  [[nodiscard]] Contents ContentsNow(int32_t buffer) const {
    const auto entry = std::ranges::find(method_.buffers, buffer, &graph::BufferEntry::buffer);
    if (entry != method_.buffers.end()) return cells_.Read(entry->value);
    return state_.Get(method_index_, static_cast<size_t>(buffer));
  }

  [[nodiscard]] bool IsTrue(ValueId value) const {
    if (cells_[value].storage < 0) {
      return std::visit([](auto held) { return held != 0; }, cells_[value].number);
    }
    const Contents flag = cells_.Read(value);
    return ElementCount(*flag) > 0 && IntAt(*flag, 0) != 0;
  }

  static ValueId ValueOf(const Operand& operand) {
    return std::get<Operand::Value>(operand.held).id;
  }

  // Parameters name what the operands name.
  void Pass(const Region& region, std::span<const Operand> operands) {
    for (size_t p = 0; p < region.params.size(); ++p) {
      cells_[region.params[p]] = cells_[ValueOf(operands[p])];
    }
  }
  // Results name what the region's results name.
  void Return(std::span<const ValueId> from, std::span<const ValueId> to) {
    std::vector<Cell> cells;
    for (const ValueId v : from) cells.push_back(cells_[v]);
    for (size_t r = 0; r < to.size(); ++r) cells_[to[r]] = std::move(cells[r]);
  }

  Fault Cond(const Node& node) {
    const Region& branch = node.regions[IsTrue(ValueOf(node.operands.front())) ? 0 : 1];
    Pass(branch, std::span(node.operands).subspan(1));
    if (Fault fault = Nodes(branch.nodes)) return fault;
    Return(branch.results, node.results);
    return std::nullopt;
  }

  Fault While(const Node& node) {
    const Region& test = node.regions[0];
    const Region& body = node.regions[1];
    const auto carried = static_cast<size_t>(node.carried);
    Pass(test, node.operands);
    Pass(body, node.operands);
    for (;;) {
      if (fuel_-- <= 0) return RunError{RunError::Kind::kFuel, "", "the loop does not end"};
      if (Fault fault = Nodes(test.nodes)) return fault;
      if (!IsTrue(test.results.front())) break;
      if (Fault fault = Nodes(body.nodes)) return fault;
      Return(body.results, std::span(test.params).first(carried));
      Return(std::span(test.params).first(carried), std::span(body.params).first(carried));
    }
    Return(std::span(test.params).first(carried), node.results);
    return std::nullopt;
  }

  [[nodiscard]] static Contents RowOf(const TensorValue& tensor, int64_t row) {
    TensorValue out = Zeros(tensor.dtype, {tensor.sizes.begin() + 1, tensor.sizes.end()});
    const int64_t count = ElementCount(out);
    for (int64_t i = 0; i < count; ++i) CopyElement(tensor, row * count + i, out, i);
    return std::make_shared<const TensorValue>(std::move(out));
  }

  // map, scan: the body once per row; results beyond the carried ones are stacked.
  Fault Rows(const Node& node) {
    const Region& body = node.regions.front();
    const auto carried = static_cast<size_t>(node.carried);
    const auto mapped = static_cast<size_t>(node.mapped);
    Pass(body, node.operands);
    std::vector<Contents> sources;
    for (size_t m = 0; m < mapped; ++m) {
      sources.push_back(cells_.Read(ValueOf(node.operands[carried + m])));
    }
    const int64_t rows = sources.front()->sizes.front();
    std::vector<std::vector<Contents>> stacked(node.results.size() - carried);
    for (int64_t row = 0; row < rows; ++row) {
      for (size_t m = 0; m < mapped; ++m) {
        cells_.Make(body.params[carried + m], RowOf(*sources[m], row));
      }
      if (Fault fault = Nodes(body.nodes)) return fault;
      for (size_t s = 0; s < stacked.size(); ++s) {
        stacked[s].push_back(cells_.Read(body.results[carried + s]));
      }
      Return(std::span(body.results).first(carried), std::span(body.params).first(carried));
    }
    Return(std::span(body.params).first(carried), std::span(node.results).first(carried));
    for (size_t s = 0; s < stacked.size(); ++s) Stack(node.results[carried + s], stacked[s]);
    return std::nullopt;
  }

  void Stack(ValueId result, std::span<const Contents> rows) {
    TensorValue whole = ZerosOf(*TensorTypeOf(method_, result));
    size_t at = 0;
    for (const Contents& row : rows) {
      const size_t count = std::min(row->bytes.size(), whole.bytes.size() - at);
      std::copy_n(row->bytes.begin(), count, whole.bytes.begin() + static_cast<ptrdiff_t>(at));
      at += count;
    }
    cells_.Make(result, std::make_shared<const TensorValue>(std::move(whole)));
  }

  const graph::Module& module_;
  size_t method_index_;
  const Method& method_;
  State& state_;
  const RunOptions& options_;
  int64_t fuel_;
  std::vector<int64_t> dims_;
  Cells cells_;
  std::vector<Contents> held_;
  std::vector<std::pair<size_t, Contents>> delegate_stores_;
};

}  // namespace

Result<CallOutcome, RunError> CallMethod(const graph::Module& module, size_t method, State& state,
                                         std::span<const Datum> inputs, const RunOptions& options) {
  return Run(module, method, state, options).Go(inputs);
}

}  // namespace pteproof
