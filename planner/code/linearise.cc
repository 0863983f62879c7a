// Idea. The graph's nodes become steps in their order, control flow becomes jumps, and each hand-
// over becomes a copy (the table is in linearise.h). Each value has bytes of its own here, so only
// the order of steps can be wrong; sharing comes later and is checked on its own.
//
//   %r = cond(%p) { return %a } { return %b }      0: jumpfalse p -> 3
//                                                  1: r = copy a
//                                                  2: jump -> 4
//                                                  3: r = copy b
//                                                  4: ...
//
// Stores and carried values are parallel assignments (parallel_copy.cc). A delegate inside of a
// region may run never or often: the buffer that it writes gets a value that is carried through the
// method.
//
// Invariant: a value of the graph keeps its number; a value that is written more than once is one
// that branches or loops hand over. Cost: O(nodes + operands).
#include "planner/code/linearise.h"

#include <algorithm>
#include <utility>

#include "planner/code/lineariser.h"
#include "planner/code/same_bytes.h"
#include "planner/planted.h"
#include "reference/graph/bounds.h"
#include "reference/op_schema.h"

namespace pteproof::planner {

using graph::Node;
using graph::NodeKind;

Lineariser::Lineariser(const graph::Module& module, const graph::Method& method)
    : module_(module), method_(method) {
  for (const graph::ValueType& type : method.values) New(type);
  for (ValueId v = 0; v < static_cast<ValueId>(method.values.size()); ++v) here_.push_back(v);
  code_.entry.assign(module.buffers.size(), -1);
  code_.exit.assign(module.buffers.size(), -1);
}

ValueId Lineariser::New(graph::ValueType type) {
  code_.values.push_back({.type = std::move(type)});
  return static_cast<ValueId>(code_.values.size()) - 1;
}

Operand Lineariser::Here(const Operand& operand) {
  if (const auto* value = std::get_if<Operand::Value>(&operand.held)) {
    return {Operand::Value{Here(value->id)}};
  }
  if (const auto* size = std::get_if<SizeExpr>(&operand.held)) return SizeOperand(*size);
  if (const auto* list = std::get_if<graph::OperandList>(&operand.held)) {
    graph::OperandList items;
    for (const Operand& item : *list) items.push_back(Here(item));
    return {std::move(items)};
  }
  return operand;
}

Step& Lineariser::Add(Step step) {
  steps_->push_back(std::move(step));
  return steps_->back();
}

void Lineariser::AddPrimTo(ValueId result, std::string_view op, std::vector<Operand> operands) {
  Add({.op = std::string(op),
       .schema = FindOperator(op),
       .operands = std::move(operands),
       .results = {result}});
}

ValueId Lineariser::AddPrim(std::string_view op, std::vector<Operand> operands,
                            graph::NumberType type) {
  const ValueId result = New(type);
  AddPrimTo(result, op, std::move(operands));
  return result;
}

void Lineariser::Copy(ValueId to, ValueId from) {
  Add({.kind = IsTensor(to) ? StepKind::kCopy : StepKind::kMove,
       .operands = {{Operand::Value{from}}},
       .results = {to}});
}

void Lineariser::CopyAll(std::vector<Assignment> assignments) {
  for (const Assignment& each : InOrder(std::move(assignments), code_)) Copy(each.to, each.from);
}

void Lineariser::Enter() {
  for (size_t n = 0; n < method_.inputs.size(); ++n) {
    const ValueId value = method_.inputs[n].value;
    code_.values[static_cast<size_t>(value)].origin = Origin::kInput;
    code_.values[static_cast<size_t>(value)].index = static_cast<int32_t>(n);
    code_.inputs.push_back(value);
  }
  for (const graph::BufferEntry& entry : method_.buffers) {
    CodeValue& value = code_.values[static_cast<size_t>(entry.value)];
    value.origin = Origin::kBuffer;
    value.index = entry.buffer;
    code_.entry[static_cast<size_t>(entry.buffer)] = entry.value;
  }
}

ValueId Lineariser::EntryOf(int32_t buffer) {
  ValueId& entry = code_.entry[static_cast<size_t>(buffer)];
  if (entry < 0) {
    entry = New(module_.buffers[static_cast<size_t>(buffer)].type);
    CodeValue& value = code_.values.back();
    value.origin = Origin::kBuffer;
    value.index = buffer;
  }
  return entry;
}

void Lineariser::Nodes(std::span<const Node> nodes) {
  for (const Node& node : nodes) {
    switch (node.kind) {
      case NodeKind::kCall:
        Call(node);
        break;
      case NodeKind::kDelegate:
        Delegate(node);
        break;
      case NodeKind::kCond:
        Cond(node);
        break;
      case NodeKind::kWhile:
        While(node);
        break;
      case NodeKind::kMap:
      case NodeKind::kScan:
        Rows(node);
        break;
    }
  }
}

void Lineariser::Call(const Node& node) {
  Step step = {.op = node.op,
               .schema = node.schema,
               .results = node.results,
               .pool = node.pool,
               .in_place = node.in_place};
  for (const Operand& operand : node.operands) step.operands.push_back(Here(operand));
  if (const auto base = BytesKept(code_, step)) {
    code_.values[static_cast<size_t>(step.results.front())].same_as = base;
    step.view_sizes = ViewSizes(RootOf(code_, *base), step.results.front());
  }
  Add(std::move(step));
}

// Of a view that takes an instruction: the sizes vary, or those of what it is a view of do.
std::optional<std::vector<Operand>> Lineariser::ViewSizes(ValueId root, ValueId view) {
  const std::vector<SizeExpr> wanted = TensorTypeOf(code_, view)->sizes;
  const auto varies = [](const SizeExpr& size) { return !size.Constant(); };
  const auto varying = std::ranges::count_if(wanted, varies);
  if (varying == 0 && !code_.values[static_cast<size_t>(root)].stacked) return std::nullopt;
  // -1 cannot be told from no elements.
  const std::vector<SizeRange> ranges = graph::RangesOf(method_);
  const auto may_be_none = [&](const SizeExpr& size) { return size.Over(ranges).lo <= 0; };
  const bool told = varying == 1 && std::ranges::none_of(wanted, may_be_none);
  std::vector<Operand> sizes;
  for (const SizeExpr& size : wanted) {
    sizes.push_back(varies(size) && told ? graph::Number(-1) : SizeOperand(size));
  }
  return sizes;
}

// A delegate is given the buffers that it does not keep to itself, after its own operands, and
// gives what it writes to them after its own results.
void Lineariser::Delegate(const Node& node) {
  Step step = {
      .kind = StepKind::kDelegate, .op = node.op, .results = node.results, .pool = node.pool};
  for (const Operand& operand : node.operands) step.operands.push_back(Here(operand));
  std::vector<Assignment> writes;
  for (const graph::DelegateBuffer& each : node.buffers) {
    if (each.role == graph::DelegateRole::kOwns) continue;
    const ValueId entry = EntryOf(each.buffer);
    step.operands.push_back({Operand::Value{entry}});
    if (!each.writes) continue;
    const ValueId written = New(TypeOf(entry));
    step.results.push_back(written);
    const auto [at_exit, is_first] = delegate_writes_.try_emplace(each.buffer, written);
    if (!is_first) writes.push_back({.to = at_exit->second, .from = written});
  }
  Add(std::move(step));
  CopyAll(std::move(writes));
}

// A delegate in a region may run never, or many times: what it writes is a value of its own, which
// holds the buffer's contents until then.
void Lineariser::FindDelegateWrites(const graph::Region& region) {
  for (const Node& node : region.nodes) {
    for (const graph::DelegateBuffer& each : node.buffers) {
      if (!each.writes || each.role == graph::DelegateRole::kOwns || &region == &method_.body) {
        continue;
      }
      const ValueId entry = EntryOf(each.buffer);
      const ValueId at_exit = New(TypeOf(entry));
      code_.values[static_cast<size_t>(at_exit)].carried = true;
      delegate_writes_.emplace(each.buffer, at_exit);
      Copy(at_exit, entry);
    }
    for (const graph::Region& inner : node.regions) FindDelegateWrites(inner);
  }
}

void Lineariser::SameBytes(ValueId to, ValueId from) {
  if (code_.values[static_cast<size_t>(from)].carried) return;
  code_.values[static_cast<size_t>(to)].same_as = from;
}

// An output that denotes what was there at entry is a copy.
std::vector<ValueId> Lineariser::Outputs() {
  std::vector<ValueId> outputs;
  for (const ValueId result : method_.body.results) {
    const ValueId value = Here(result);
    outputs.push_back(value);
    const Origin origin = code_.values[static_cast<size_t>(value)].origin;
    if (origin == Origin::kStep || !IsTensor(value)) continue;
    if (Planted(Defect::kEntryOutputNotCopied)) continue;
    outputs.back() = New(TypeOf(value));
    SameBytes(outputs.back(), value);
    Copy(outputs.back(), value);
  }
  return outputs;
}

// Defects of passes that look for the operator that makes what is stored.
bool Lineariser::IsStoreLost(const graph::BufferStore& store,
                             std::span<const Assignment> before) const {
  const ValueId from = Here(store.value);
  if (Planted(Defect::kStoreToNamesake)) {
    const std::string& name = module_.buffers[static_cast<size_t>(store.buffer)].name;
    return std::ranges::find(method_.inputs, name, &graph::Input::name) != method_.inputs.end();
  }
  if (Planted(Defect::kStoreOfInputLost)) {
    return code_.values[static_cast<size_t>(from)].origin == Origin::kInput;
  }
  return Planted(Defect::kStoredOnce) &&
         std::ranges::find(before, from, &Assignment::from) != before.end();
}

std::vector<Assignment> Lineariser::Stores() {
  std::vector<Assignment> stores;
  const auto store = [&](ValueId over, ValueId from) {
    const CodeValue before = code_.values[static_cast<size_t>(over)];
    const ValueId to = New(before.type);
    code_.values.back().origin = before.origin;
    code_.values.back().index = before.index;
    stores.push_back({to, over, from});
  };
  for (const graph::BufferStore& each : method_.stores) {
    if (IsStoreLost(each, stores)) continue;
    store(EntryOf(each.buffer), Here(each.value));
  }
  for (const auto& [buffer, written] : delegate_writes_) store(EntryOf(buffer), written);
  for (const graph::InputStore& each : method_.input_stores) {
    store(method_.inputs[static_cast<size_t>(each.input)].value, Here(each.value));
  }
  return stores;
}

void Lineariser::Exit() {
  const std::vector<ValueId> outputs = Outputs();
  for (const Assignment& each : InOrder(Stores(), code_)) {
    Copy(each.to, each.from);
    if (each.over < 0) continue;
    SameBytes(each.to, each.from);
    const CodeValue& over = code_.values[static_cast<size_t>(each.over)];
    if (over.origin == Origin::kInput) {
      code_.outputs.push_back(each.to);
    } else {
      code_.exit[static_cast<size_t>(over.index)] = each.to;
    }
  }
  // One that is stored what it holds already comes back as it is.
  const auto index = [&](ValueId v) { return code_.values[static_cast<size_t>(v)].index; };
  for (const graph::InputStore& each : method_.input_stores) {
    if (std::ranges::find(code_.outputs, each.input, index) != code_.outputs.end()) continue;
    code_.outputs.push_back(method_.inputs[static_cast<size_t>(each.input)].value);
  }
  if (!Planted(Defect::kOutputsUnsorted)) std::ranges::sort(code_.outputs, {}, index);
  code_.outputs.insert(code_.outputs.end(), outputs.begin(), outputs.end());
}

// A file does not tell a first row from a later one: in a loop, a reader of rows takes the earlier
// round's for wanted. So they live through the outermost loop.
void Lineariser::BeginOutsideLoops() {
  if (Planted(Defect::kRowsBeginInside)) return;
  std::vector<Step>& steps = code_.steps;
  for (size_t s = steps.size(); s-- > 0;) {
    const auto head = static_cast<size_t>(std::max(steps[s].target, 0));
    if (steps[s].target < 0 || head > s || head == 0) continue;
    // Outer loops end later, and are met first.
    std::vector<ValueId> begins;
    for (size_t inner = head; inner < s; ++inner) {
      begins.insert(begins.end(), steps[inner].begins.begin(), steps[inner].begins.end());
      steps[inner].begins.clear();
    }
    auto& before = steps[head - 1].begins;
    before.insert(before.end(), begins.begin(), begins.end());
  }
}

Code Lineariser::Go() {
  steps_ = &code_.steps;
  Enter();
  FindDims();
  FindDelegateWrites(method_.body);
  Nodes(method_.body.nodes);
  Exit();
  // What is computed from dims comes first.
  const auto shift = static_cast<int32_t>(prologue_.size());
  for (Step& step : code_.steps) {
    if (step.target >= 0) step.target += shift;
  }
  code_.steps.insert(code_.steps.begin(), std::make_move_iterator(prologue_.begin()),
                     std::make_move_iterator(prologue_.end()));
  BeginOutsideLoops();
  return std::move(code_);
}

Code Linearise(const graph::Module& module, size_t method) {
  return Lineariser(module, module.methods[method]).Go();
}

void MarkConstants(const std::vector<bool>& state, Code& code) {
  for (CodeValue& value : code.values) {
    if (value.origin != Origin::kBuffer || state[static_cast<size_t>(value.index)]) continue;
    value.origin = Origin::kConstant;
  }
}

}  // namespace pteproof::planner
