// Idea. A call is run as the Module states it, with no plan involved: each value names a storage of
// its own, views are maps of element indices into a storage, and contents are replaced, never
// changed, so that copying is sharing a pointer. All stores see the values from before any of them.
//
//   %v = view slice(%b)      storage of %b, with the map [4, 5, 6, 7]
//   copy_(%v, %x)            elements 4 to 7 of that storage: every other name of %b sees them
//
// A view applies its operator to the indices instead of the elements, so that each view operator
// has one meaning only. Under `hash`, operators that are not movement mix their operands
// (hash_semantics.h).
//
// Invariant: state changes at the end of a call that succeeds, and not before. Cost: that of the
// operators; `fuel` bounds the nodes and rounds of a call.
#include "reference/run/interpret.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "reference/evaluate.h"
#include "reference/op_movement.h"
#include "reference/op_schema.h"
#include "reference/operand_written.h"
#include "reference/run/bind_dims.h"
#include "reference/run/cells.h"
#include "reference/run/hash_semantics.h"
#include "reference/run/index_range.h"
#include "reference/run/node_arguments.h"

namespace pteproof {
namespace {

using graph::Method;
using graph::Node;
using graph::NodeKind;
using graph::Operand;
using graph::Region;
using graph::ValueId;
using Fault = std::optional<RunError>;

RunError Refused(std::string explanation) {
  return {RunError::Kind::kRefused, "", std::move(explanation)};
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
        fuel_(options.fuel),
        cells_(method_.values.size()) {}

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
    if (cells_.IsTensor(value)) return *cells_.Read(value);
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
      if (fuel_-- <= 0) return DoesNotEnd();
      if (Fault fault = Step(node)) return fault;
    }
    return std::nullopt;
  }

  static RunError DoesNotEnd() {
    return {RunError::Kind::kFuel, "",
            "the call does not end: the limit on executed steps is reached"};
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

  Fault Call(const Node& node) {
    std::vector<Argument> args = arguments_.Of(node);
    const bool hash = options_.semantics == Semantics::kHash;
    if (hash && node.schema != nullptr) KeepIndicesInRange(*node.schema, args);
    if (node.view) return View(node, args);
    if (hash && !Keeps(node, args)) return Mixed(node, args);
    if (node.schema == nullptr) return Unknown(node);
    auto evaluated = Evaluate(*node.schema, args, DeclaredTypes(node));
    if (!evaluated.ok()) {
      if (evaluated.error().unknown) return Unknown(node);
      return Refused(evaluated.error().explanation);
    }
    Take(node, std::move(evaluated).value());
    return std::nullopt;
  }

  [[nodiscard]] bool Keeps(const Node& node, std::span<const Argument> args) const {
    if (node.schema == nullptr || KeepsMeaning(*node.schema)) return node.schema != nullptr;
    const auto* self = args.empty() ? nullptr : std::get_if<const TensorValue*>(&args.front());
    const std::vector<ScalarType> results = DeclaredTypes(node);
    return self != nullptr && !results.empty() &&
           KeepsMeaning(*node.schema, (*self)->dtype, results.front());
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
    if (options_.change) options_.change(contents);
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

  // The operator moves the elements' indices as it would move the elements.
  Fault View(const Node& node, std::span<Argument> args) {
    const ValueId base = std::get<Operand::Value>(node.operands.front().held).id;
    const Contents map = cells_.MapOf(base);
    args[0] = map.get();
    auto moved = Evaluate(*node.schema, args);
    if (!moved.ok()) return Refused(moved.error().explanation);
    Cell& cell = cells_[node.results.front()];
    cell.storage = cells_[base].storage;
    cell.map = std::make_shared<const TensorValue>(std::move(moved.value().results.front()));
    return std::nullopt;
  }

  // A tensor of a declared type, at the dims of this call.
  [[nodiscard]] Result<TensorValue, RunError> ZerosOf(const TensorType& type) const {
    auto sizes = ConcreteSizes(type.sizes, dims_);
    if (!sizes) return Refused("the size of a result is out of range");
    return Zeros(type.dtype, *std::move(sizes));
  }

  // Results made of the operands' bytes alone.
  Fault Mixed(const Node& node, std::span<const Argument> args) {
    std::vector<TensorValue> tensors;
    std::vector<size_t> places;  // of tensors among the results
    for (size_t r = 0; r < node.results.size(); ++r) {
      const TensorType* type = TensorTypeOf(method_, node.results[r]);
      if (type == nullptr) {
        cells_[node.results[r]].number =
            NumberFrom(Mix(DigestOfCall(node.op, args), r),
                       std::get<graph::NumberType>(TypeOf(node.results[r])));
        continue;
      }
      auto zeros = ZerosOf(*type);
      if (!zeros.ok()) return zeros.error();
      tensors.push_back(std::move(zeros).value());
      places.push_back(r);
    }
    if (node.schema == nullptr) {
      HashCall(node.op, nullptr, args, tensors);
    } else {
      HashKnownCall(*node.schema, args, tensors);
    }
    for (size_t t = 0; t < tensors.size(); ++t) Put(node, places[t], std::move(tensors[t]));
    return std::nullopt;
  }

  static ScalarResult NumberFrom(uint64_t digest, graph::NumberType type) {
    switch (type) {
      case graph::NumberType::kBool:
        return (digest & 1) != 0;
      case graph::NumberType::kReal:
        return static_cast<double>(digest >> 11) * 0x1p-53;
      case graph::NumberType::kInt:
        break;
    }
    return static_cast<int64_t>(digest >> 1);
  }

  [[nodiscard]] const graph::ValueType& TypeOf(ValueId value) const {
    return method_.values[static_cast<size_t>(value)];
  }

  Fault Delegate(const Node& node) {
    if (options_.semantics == Semantics::kReal) return Unknown(node);
    std::vector<Argument> args = arguments_.Of(node);
    for (const graph::DelegateBuffer& use : node.buffers) {
      args.emplace_back(arguments_.Hold(ContentsNow(use.buffer)));
    }
    if (Fault fault = Mixed(node, args)) return fault;
    for (const graph::DelegateBuffer& use : node.buffers) {
      if (!use.writes) continue;
      const auto buffer = static_cast<size_t>(use.buffer);
      std::vector<TensorValue> contents = {*state_.Get(method_index_, buffer)};
      HashCall(node.op + "@" + module_.buffers[buffer].name, nullptr, args, contents);
      delegate_stores_.emplace_back(buffer,
                                    std::make_shared<const TensorValue>(std::move(contents[0])));
    }
    return std::nullopt;
  }

  // A buffer as mutating operators left it so far; what delegates write is there at exit.
  [[nodiscard]] Contents ContentsNow(int32_t buffer) const {
    const auto entry = std::ranges::find(method_.buffers, buffer, &graph::BufferEntry::buffer);
    if (entry != method_.buffers.end()) return cells_.Read(entry->value);
    return state_.Get(method_index_, static_cast<size_t>(buffer));
  }

  [[nodiscard]] bool IsTrue(ValueId value) const {
    if (!cells_.IsTensor(value)) {
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
      if (fuel_-- <= 0) return DoesNotEnd();
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
    ForEachElement(count, [&](int64_t i) { CopyElement(tensor, row * count + i, out, i); });
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
      if (fuel_-- <= 0) return DoesNotEnd();
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
    for (size_t s = 0; s < stacked.size(); ++s) {
      if (Fault fault = Stack(node.results[carried + s], stacked[s])) return fault;
    }
    return std::nullopt;
  }

  Fault Stack(ValueId result, std::span<const Contents> rows) {
    auto zeros = ZerosOf(*TensorTypeOf(method_, result));
    if (!zeros.ok()) return zeros.error();
    TensorValue whole = std::move(zeros).value();
    size_t at = 0;
    for (const Contents& row : rows) {
      const size_t count = std::min(row->bytes.size(), whole.bytes.size() - at);
      std::copy_n(row->bytes.begin(), count, whole.bytes.begin() + static_cast<ptrdiff_t>(at));
      at += count;
    }
    cells_.Make(result, std::make_shared<const TensorValue>(std::move(whole)));
    return std::nullopt;
  }

  const graph::Module& module_;
  size_t method_index_;
  const Method& method_;
  State& state_;
  const RunOptions& options_;
  int64_t fuel_;
  std::vector<int64_t> dims_;
  Cells cells_;
  NodeArguments arguments_{cells_, dims_};
  std::vector<std::pair<size_t, Contents>> delegate_stores_;
};

}  // namespace

Result<CallOutcome, RunError> CallMethod(const graph::Module& module, size_t method, State& state,
                                         std::span<const Datum> inputs, const RunOptions& options) {
  const WithinLimits limits(std::make_shared<MemoryCount>(options.memory), options.work);
  try {
    return Run(module, method, state, options).Go(inputs);
  } catch (const OverLimit& over) {
    return RunError{RunError::Kind::kFuel, "", ExplanationOf(over)};
  }
}

}  // namespace pteproof
