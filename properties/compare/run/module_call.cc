// Idea: the interpreter's steps on terms. A value is a content with sizes, or a number; nothing
// shares bytes. Calls become terms by the same rules as those of a program (terms/apply.h), so that
// equal computations are equal terms.
//
// Invariant: the trace has what a program's has: outputs, state at exit by key, and the calls that
// count in order. Cost: that of the terms; rounds of loops count as steps.
#include "properties/compare/run/module_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "properties/compare/run/planned_call.h"
#include "properties/compare/terms/apply.h"
#include "reference/evaluate.h"

namespace pteproof::compare {
namespace {

using graph::Node;
using graph::NodeKind;
using graph::Operand;
using graph::OperandList;
using graph::Region;
using graph::ValueId;

class ModuleCall {
 public:
  ModuleCall(TermTable& table, const ModuleMethod& of, const Assumptions& assumed,
             std::span<const int64_t> dims)
      : table_(table),
        of_(of),
        module_(*of.module),
        method_(of.module->methods[of.method]),
        assumed_(assumed),
        dims_(dims),
        values_(method_.values.size()) {}

  Trace Run() && {
    trace_.effect = table_.Make(TermKind::kEffect, {});
    if (of_.splits != nullptr) of_.splits->clear();
    Enter();
    Nodes(method_.body.nodes);
    if (!Ended()) Leave();
    trace_.stopped_at = node_;
    return std::move(trace_);
  }

 private:
  [[nodiscard]] bool Ended() const { return trace_.open || trace_.refused || trace_.stopped; }
  void Stop(std::string why) {
    if (!Ended()) trace_.stopped = std::move(why);
  }
  void Refuse(std::string why) {
    if (!Ended()) trace_.refused = std::move(why);
  }

  SymbolicArgument& At(ValueId value) { return values_[static_cast<size_t>(value)]; }

  // The type of a value at the dims of this call.
  TensorShape ShapeOf(const TensorType& type) {
    auto sizes = ConcreteSizes(type.sizes, dims_);
    if (!sizes) Refuse("the size of a value is out of range");
    return {type.dtype, sizes.value_or(Sizes()), {}};
  }

  void Enter() {
    for (size_t n = 0; n < method_.inputs.size(); ++n) {
      const ValueId value = method_.inputs[n].value;
      const uint64_t word = n;
      const TermId term = table_.Make(TermKind::kInput, {&word, 1});
      if (const TensorType* type = TensorTypeOf(method_, value)) {
        const TensorShape shape = ShapeOf(*type);
        At(value) = SymbolicTensor{shape, table_.Whole(term, shape.nbytes())};
      } else {
        At(value) = SymbolicNumber{SymbolicNumber::Kind::kTerm, term};
      }
    }
    for (const graph::BufferEntry& entry : method_.buffers) {
      At(entry.value) = BufferAtEntry(entry.buffer);
    }
  }

  SymbolicTensor BufferAtEntry(int32_t buffer) {
    const graph::Buffer& of = module_.buffers[static_cast<size_t>(buffer)];
    const TensorShape shape = ShapeOf(of.type);
    std::string key = KeyOfBuffer(of_, buffer);
    const bool is_constant =
        key.empty() && of_.changed[static_cast<size_t>(buffer)] != Change::kYes;
    if (is_constant) return {shape, InitialContent(table_, of)};
    if (key.empty()) key = of.name;
    const uint64_t word = table_.TextOf(key);
    return {shape, table_.Whole(table_.Make(TermKind::kState, {&word, 1}), shape.nbytes())};
  }

  void Leave() {
    std::map<size_t, SymbolicArgument> stored_inputs;
    for (const graph::InputStore& store : method_.input_stores) {
      const auto input = static_cast<size_t>(store.input);
      stored_inputs[input] = At(store.value);
      if (const auto* tensor = std::get_if<SymbolicTensor>(&At(store.value))) {
        const auto* before = std::get_if<SymbolicTensor>(&At(method_.inputs[input].value));
        const bool changed = before == nullptr || before->content != tensor->content;
        if (changed) trace_.changed_inputs[input] = tensor->content;
      }
    }
    for (auto& [input, value] : stored_inputs) trace_.outputs.push_back({value, -1});
    for (const ValueId value : method_.body.results) trace_.outputs.push_back({At(value), -1});
    for (const StatePlace& state : of_.states) {
      const uint64_t word = table_.TextOf(state.key);
      trace_.state[state.key] =
          table_.Whole(table_.Make(TermKind::kState, {&word, 1}), state.nbytes);
    }
    for (const auto& [buffer, content] : delegate_writes_) SetBuffer(buffer, content);
    for (const graph::BufferStore& store : method_.stores) {
      const auto* tensor = std::get_if<SymbolicTensor>(&At(store.value));
      if (tensor != nullptr) SetBuffer(store.buffer, tensor->content);
    }
  }

  // A buffer that the program has as a constant may be stored to, if that leaves it what it is.
  void SetBuffer(int32_t buffer, ContentId content) {
    const graph::Buffer& of = module_.buffers[static_cast<size_t>(buffer)];
    const Change changed = of_.changed[static_cast<size_t>(buffer)];
    if (changed == Change::kNo || content == kNoBytes) return;
    std::string key = KeyOfBuffer(of_, buffer);
    if (key.empty() && changed == Change::kUnknown) {
      if (content == InitialContent(table_, of)) return;
      return Stop(fmt::format("it is open whether calls change buffer '{}'", of.name));
    }
    if (key.empty()) key = of.name;
    trace_.state[key] = content;
  }

  void Nodes(std::span<const Node> nodes) {
    for (const Node& node : nodes) {
      if (Ended()) return;
      if (++trace_.steps > kMostSteps) return Stop("the call has more steps than are followed");
      ++node_;
      Step(node);
    }
  }

  void Step(const Node& node) {
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
  }

  void Call(const Node& node) {
    if (node.schema == nullptr) return Unknown(node);
    if (node.view || Mutates(node)) return Stop("the Module mutates values");
    std::vector<SymbolicArgument> operands;
    for (size_t o = 0; o < node.operands.size(); ++o) {
      const ArgSchema* arg = OperandSchema(*node.schema, o);
      operands.push_back(One(node.operands[o], arg == nullptr ? ArgKind::kScalar : arg->kind));
    }
    const std::vector<ValueId> written = WrittenBy(node);
    std::vector<TensorShape> results;
    for (const ValueId value : written) {
      if (const TensorType* type = TensorTypeOf(method_, value)) results.push_back(ShapeOf(*type));
    }
    if (Ended()) return;
    const TermId before = trace_.effect;
    const Applied applied = Apply(table_, *node.schema, operands, results, trace_.effect);
    if (applied.call) trace_.made_by.try_emplace(*applied.call, node_);
    if (applied.call && trace_.effect != before) trace_.effects.push_back(*applied.call);
    if (applied.number) {
      At(node.results.front()) = *applied.number;
      return;
    }
    SetResults(written, applied.contents);
  }

  // The results of a call but those that the operator leaves alone, to which exporters give no
  // elements.
  std::vector<ValueId> WrittenBy(const Node& node) {
    std::vector<ValueId> written;
    size_t next = 0;
    for (const ArgSchema& arg : node.schema->args) {
      if (!arg.out || next == node.results.size()) continue;
      const ValueId value = node.results[next++];
      const TensorType* type = TensorTypeOf(method_, value);
      if (arg.access != Access::kNone || type == nullptr) {
        written.push_back(value);
        continue;
      }
      const TensorShape shape = ShapeOf(*type);
      if (shape.nbytes() != 0) Stop(fmt::format("'{}' leaves a result alone", node.op));
      At(value) = SymbolicTensor{shape, kNoBytes};
    }
    for (; next < node.results.size(); ++next) written.push_back(node.results[next]);
    return written;
  }

  // Operands come first, then the results: of an operator whose name says that it has them, and
  // once more in the return slot.
  void Unknown(const Node& node) {
    if (node.view || Mutates(node)) return Stop("the Module mutates values");
    std::vector<SymbolicArgument> operands = OperandsOf(node);
    const size_t outs = node.op.ends_with("out") ? node.results.size() : 0;
    const size_t slot = node.results.empty() ? 0 : 1;
    const auto contents = Opaque(CodeOf(table_, node.op), operands, node.results, outs + slot);
    SetResults(node.results, contents);
  }

  // It is given the buffers that it does not keep to itself after its operands, and gives what it
  // writes to them after its results.
  void Delegate(const Node& node) {
    std::vector<SymbolicArgument> operands = OperandsOf(node);
    std::vector<int32_t> written;
    for (const graph::DelegateBuffer& each : node.buffers) {
      if (each.role == graph::DelegateRole::kOwns) continue;
      const ValueId entry = EntryOf(each.buffer);
      operands.push_back(entry < 0 ? SymbolicArgument(BufferAtEntry(each.buffer)) : At(entry));
      if (each.writes) written.push_back(each.buffer);
    }
    std::vector<TensorShape> extra;
    for (const int32_t buffer : written) {
      extra.push_back(ShapeOf(module_.buffers[static_cast<size_t>(buffer)].type));
    }
    const auto contents = Opaque(CodeOfDelegate(table_, node.op), operands, node.results,
                                 node.results.size() + written.size(), extra);
    SetResults(node.results, contents);
    for (size_t w = 0; w < written.size(); ++w) {
      const size_t r = node.results.size() + w;
      if (r < contents.size()) delegate_writes_[written[w]] = contents[r];
    }
  }

  [[nodiscard]] ValueId EntryOf(int32_t buffer) const {
    const auto entry =
        std::ranges::find(method_.buffers, buffer, [](const auto& e) { return e.buffer; });
    return entry == method_.buffers.end() ? -1 : entry->value;
  }

  std::vector<SymbolicArgument> OperandsOf(const Node& node) {
    std::vector<SymbolicArgument> operands;
    for (const Operand& operand : node.operands) {
      operands.push_back(One(operand, KindOfUnknown(operand)));
    }
    return operands;
  }

  // An operand that no signature tells the kind of.
  [[nodiscard]] static ArgKind KindOfUnknown(const Operand& operand) {
    const auto* list = std::get_if<OperandList>(&operand.held);
    if (list == nullptr) return ArgKind::kScalar;
    const bool has_tensors = std::ranges::any_of(*list, [](const Operand& item) {
      return std::holds_alternative<Operand::Value>(item.held);
    });
    return has_tensors ? ArgKind::kOptionalTensorList : ArgKind::kIntList;
  }

  // `places`: arguments of the file behind the operands, which are results.
  std::vector<ContentId> Opaque(const std::vector<uint64_t>& code,
                                const std::vector<SymbolicArgument>& operands,
                                std::span<const ValueId> values, size_t places,
                                std::span<const TensorShape> more = {}) {
    std::vector<TensorShape> results;
    for (const ValueId value : values) {
      const TensorType* type = TensorTypeOf(method_, value);
      if (type == nullptr) Stop("an unknown operator gives a number");
      if (type != nullptr) results.push_back(ShapeOf(*type));
    }
    results.insert(results.end(), more.begin(), more.end());
    if (Ended()) return {};
    if (of_.splits != nullptr) TellSplit(code, operands.size(), places);
    const Applied applied = ApplyOpaque(table_, code, operands, results, trace_.effect);
    trace_.made_by.try_emplace(*applied.call, node_);
    trace_.effects.push_back(*applied.call);
    return applied.contents;
  }

  void TellSplit(std::vector<uint64_t> code, size_t operands, size_t places) const {
    code.push_back(operands + places);
    OpaqueSplit split;
    for (size_t a = 0; a < operands + places; ++a) {
      (a < operands ? split.operands : split.results).push_back(a);
    }
    of_.splits->emplace_back(std::move(code), std::move(split));
  }

  void SetResults(std::span<const ValueId> results, std::span<const ContentId> contents) {
    if (Ended()) return;
    for (size_t r = 0; r < results.size() && r < contents.size(); ++r) {
      const TensorShape shape = ShapeOf(*TensorTypeOf(method_, results[r]));
      At(results[r]) = SymbolicTensor{shape, contents[r]};
      trace_.writes.push_back({node_, results[r], contents[r]});
    }
  }

  SymbolicArgument One(const Operand& operand, ArgKind kind) {
    SymbolicArgument made = std::monostate{};
    if (const auto* value = std::get_if<Operand::Value>(&operand.held)) made = At(value->id);
    if (const auto* size = std::get_if<SizeExpr>(&operand.held)) made = IntNumber(size->At(dims_));
    if (const auto* flag = std::get_if<bool>(&operand.held)) made = BoolNumber(*flag);
    if (const auto* real = std::get_if<double>(&operand.held)) made = RealNumber(*real);
    if (const auto* text = std::get_if<std::string>(&operand.held)) made = std::string_view(*text);
    if (const auto* list = std::get_if<OperandList>(&operand.held)) return List(*list, kind);
    const auto* number = std::get_if<SymbolicNumber>(&made);
    const bool converts = kind == ArgKind::kFloat && number != nullptr && number->is_known();
    return converts ? SymbolicArgument(RealNumber(RealOf(*number))) : made;
  }

  SymbolicArgument List(const OperandList& list, ArgKind kind) {
    if (kind == ArgKind::kTensorList || kind == ArgKind::kOptionalTensorList) {
      std::vector<std::optional<SymbolicTensor>> tensors;
      for (const Operand& item : list) {
        const SymbolicArgument made = One(item, ArgKind::kTensor);
        const auto* tensor = std::get_if<SymbolicTensor>(&made);
        tensors.push_back(tensor == nullptr ? std::nullopt : std::optional(*tensor));
      }
      return tensors;
    }
    std::vector<SymbolicNumber> numbers;
    for (const Operand& item : list) {
      const SymbolicArgument made = One(item, ArgKind::kScalar);
      if (const auto* number = std::get_if<SymbolicNumber>(&made)) numbers.push_back(*number);
    }
    return numbers;
  }

  static ValueId ValueOf(const Operand& operand) {
    return std::get<Operand::Value>(operand.held).id;
  }

  // Nothing: the call ends here, at an open condition.
  std::optional<bool> IsTrue(ValueId value) {
    Condition condition;
    auto known = KnownTruth(value, condition);
    const auto cut = std::ranges::find(assumed_.cuts, condition, &Cut::at);
    if (!Ended() && !known && cut != assumed_.cuts.end()) {
      PutInPlace(*cut);
      known = KnownTruth(value, condition);
    }
    if (known || Ended()) return known;
    Decided& decided = decided_[value];
    const auto assumed = assumed_.holds.find(condition);
    if (assumed != assumed_.holds.end()) {
      ++decided.times;
      decided.last = assumed->second;
      return assumed->second;
    }
    trace_.open = condition;
    trace_.open_at = value;
    trace_.open_jumps = decided.times;
    trace_.open_before = decided.last;
    if (assumed_.snapshot) trace_.snapshot = Take();
    return std::nullopt;
  }

  std::optional<bool> KnownTruth(ValueId value, Condition& condition) {
    if (const auto* tensor = std::get_if<SymbolicTensor>(&At(value))) {
      condition = {true, tensor->content};
      std::vector<std::byte> bytes;
      if (!table_.BytesOf(tensor->content, bytes)) return std::nullopt;
      return std::ranges::find(bytes, std::byte{0}) == bytes.end();
    }
    const auto* number = std::get_if<SymbolicNumber>(&At(value));
    if (number == nullptr) {
      Refuse("a condition is not a bool");
      return std::nullopt;
    }
    if (number->is_known()) return number->bits != 0;
    condition = {false, static_cast<uint32_t>(number->bits)};
    return std::nullopt;
  }

  // What the call holds now: each tensor is a memory of its own.
  [[nodiscard]] Snapshot Take() {
    Snapshot taken;
    taken.effect = trace_.effect;
    for (size_t v = 0; v < values_.size(); ++v) {
      const auto* number = std::get_if<SymbolicNumber>(&values_[v]);
      taken.numbers.push_back(number == nullptr ? std::nullopt : std::optional(*number));
      taken.form.push_back(values_[v].index());
      const auto* tensor = std::get_if<SymbolicTensor>(&values_[v]);
      if (tensor == nullptr) continue;
      for (const int64_t size : tensor->shape.sizes) {
        taken.form.push_back(static_cast<uint64_t>(size));
      }
      Memory memory(table_, kZeroTerm);
      memory.Write(0, tensor->content);
      taken.memories.emplace(v, std::move(memory));
    }
    return taken;
  }

  void PutInPlace(const Cut& cut) {
    for (const Cut::NewBytes& bytes : cut.bytes) {
      auto& tensor = std::get<SymbolicTensor>(values_[bytes.memory]);
      Memory memory(table_, kZeroTerm);
      memory.Write(0, tensor.content);
      memory.Write(bytes.first, bytes.content);
      tensor.content = memory.Read(0, tensor.shape.nbytes());
    }
    for (const auto& [v, value] : cut.numbers) values_[v] = value;
    trace_.effect = cut.effect;
  }

  void Pass(const Region& region, std::span<const Operand> operands) {
    for (size_t p = 0; p < region.params.size(); ++p)
      At(region.params[p]) = At(ValueOf(operands[p]));
  }
  void Return(std::span<const ValueId> from, std::span<const ValueId> to) {
    std::vector<SymbolicArgument> values;
    for (const ValueId value : from) values.push_back(At(value));
    for (size_t r = 0; r < to.size(); ++r) At(to[r]) = std::move(values[r]);
  }

  void Cond(const Node& node) {
    const auto holds = IsTrue(ValueOf(node.operands.front()));
    if (!holds) return;
    const Region& branch = node.regions[*holds ? 0 : 1];
    Pass(branch, std::span(node.operands).subspan(1));
    Nodes(branch.nodes);
    if (!Ended()) Return(branch.results, node.results);
  }

  void While(const Node& node) {
    const Region& test = node.regions[0];
    const Region& body = node.regions[1];
    const auto carried = static_cast<size_t>(node.carried);
    Pass(test, node.operands);
    Pass(body, node.operands);
    while (!Ended()) {
      Nodes(test.nodes);
      if (Ended()) return;
      const auto holds = IsTrue(test.results.front());
      if (!holds) return;
      if (!*holds) break;
      Nodes(body.nodes);
      if (Ended()) return;
      Return(body.results, std::span(test.params).first(carried));
      Return(std::span(test.params).first(carried), std::span(body.params).first(carried));
    }
    if (!Ended()) Return(std::span(test.params).first(carried), node.results);
  }

  void Rows(const Node& node) {
    const Region& body = node.regions.front();
    const auto carried = static_cast<size_t>(node.carried);
    const auto mapped = static_cast<size_t>(node.mapped);
    Pass(body, node.operands);
    std::vector<SymbolicTensor> sources;
    for (size_t m = 0; m < mapped; ++m) {
      sources.push_back(std::get<SymbolicTensor>(At(ValueOf(node.operands[carried + m]))));
    }
    const int64_t rows = sources.front().shape.sizes.front();
    std::vector<ContentBuilder> stacked(node.results.size() - carried);
    for (int64_t row = 0; row < rows; ++row) {
      for (size_t m = 0; m < mapped; ++m) At(body.params[carried + m]) = RowOf(sources[m], row);
      Nodes(body.nodes);
      if (Ended()) return;
      for (size_t s = 0; s < stacked.size(); ++s) {
        const auto& tensor = std::get<SymbolicTensor>(At(body.results[carried + s]));
        const Content& content = table_[tensor.content];
        content.Read(0, content.bytes(), stacked[s]);
      }
      Return(std::span(body.results).first(carried), std::span(body.params).first(carried));
    }
    Return(std::span(body.params).first(carried), std::span(node.results).first(carried));
    for (size_t s = 0; s < stacked.size(); ++s) {
      const ValueId result = node.results[carried + s];
      const TensorShape shape = ShapeOf(*TensorTypeOf(method_, result));
      At(result) = SymbolicTensor{shape, table_.Intern(stacked[s].Take())};
    }
  }

  SymbolicTensor RowOf(const SymbolicTensor& tensor, int64_t row) {
    TensorShape shape = tensor.shape;
    shape.sizes.erase(shape.sizes.begin());
    const uint64_t nbytes = shape.nbytes();
    return {shape, table_.Part(tensor.content, static_cast<uint64_t>(row) * nbytes, nbytes)};
  }

  TermTable& table_;
  const ModuleMethod& of_;
  const graph::Module& module_;
  const graph::Method& method_;
  const Assumptions& assumed_;
  std::span<const int64_t> dims_;
  std::vector<SymbolicArgument> values_;
  std::map<int32_t, ContentId> delegate_writes_;  // by buffer: its contents at exit
  struct Decided {                                // by assumptions
    int64_t times = 0;
    bool last = false;
  };
  std::map<ValueId, Decided> decided_;  // by condition
  Trace trace_;
  int32_t node_ = -1;  // counts the nodes that were run
};

}  // namespace

namespace {

bool WritesInDelegate(const graph::Region& region, int32_t buffer) {
  return std::ranges::any_of(region.nodes, [&](const Node& node) {
    const auto writes = [&](const graph::DelegateBuffer& each) {
      return each.buffer == buffer && each.writes && each.role != graph::DelegateRole::kOwns;
    };
    const auto inner = [&](const graph::Region& r) { return WritesInDelegate(r, buffer); };
    return std::ranges::any_of(node.buffers, writes) || std::ranges::any_of(node.regions, inner);
  });
}

bool MayStore(const graph::Method& method, int32_t buffer) {
  const auto is_it = [&](const graph::BufferStore& store) { return store.buffer == buffer; };
  return std::ranges::any_of(method.stores, is_it) || WritesInDelegate(method.body, buffer);
}

}  // namespace

std::vector<Change> ChangedBuffers(TermTable& table, const graph::Module& module, size_t method,
                                   std::span<const int64_t> dims) {
  std::vector<Change> changed(module.buffers.size(), Change::kNo);
  const std::vector<Change> all(module.buffers.size(), Change::kYes);
  const std::set<std::string> no_names;
  const Trace trace = RunModule(table, {&module, method, {}, no_names, all}, {}, dims);
  const bool ended = !trace.open && !trace.refused && !trace.stopped;
  for (size_t buffer = 0; buffer < changed.size(); ++buffer) {
    if (!MayStore(module.methods[method], static_cast<int32_t>(buffer))) continue;
    const auto left = trace.state.find(module.buffers[buffer].name);
    if (!ended) changed[buffer] = Change::kUnknown;
    if (!ended || left == trace.state.end()) continue;  // no bytes
    const uint64_t word = table.TextOf(module.buffers[buffer].name);
    const TermId entry = table.Make(TermKind::kState, {&word, 1});
    const bool same = left->second == table.Whole(entry, table[left->second].bytes());
    changed[buffer] = same ? Change::kNo : Change::kYes;
  }
  return changed;
}

std::string KeyOfBuffer(const ModuleMethod& of, int32_t buffer) {
  const graph::Buffer& wanted = of.module->buffers[static_cast<size_t>(buffer)];
  const std::string& name = wanted.name;
  const std::string own = of.module->methods[of.method].name + "/" + name;
  for (const std::string& key : {own, name}) {
    if (!wanted.shared && !of.names.contains(key)) continue;
    if (std::ranges::find(of.states, key, &StatePlace::key) != of.states.end()) return key;
  }
  return {};
}

ContentId InitialContent(TermTable& table, const graph::Buffer& buffer) {
  if (!buffer.initial) {
    const auto sizes = ConcreteSizes(buffer.type.sizes);
    const TensorShape shape = {buffer.type.dtype, sizes.value_or(Sizes()), {}};
    return table.Whole(kZeroTerm, shape.nbytes());
  }
  const Bytes bytes(buffer.initial->bytes.begin(), buffer.initial->bytes.end());
  return table.Whole(table.Constant(bytes), bytes.size());
}

Trace RunModule(TermTable& table, const ModuleMethod& of, const Assumptions& assumed,
                std::span<const int64_t> dims) {
  return ModuleCall(table, of, assumed, dims).Run();
}

}  // namespace pteproof::compare
