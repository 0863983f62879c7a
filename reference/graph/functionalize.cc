// Idea. Each storage of a mutating method has one functional value that holds its current contents.
// A mutating operator becomes its functional form and gives the storage new contents; through a
// view, the base gets them by the inverse of the view (put_back.cc). Views that are older than the
// last write are computed anew when they are read.
//
//   %b = entry @cache            contents of the storage: %b           writes: 0
//   %v = slice(%b)               view of %b, contents %v, seen at 0
//   copy_(%v, %x)                contents of %v: %w = copy(%v, %x)     writes: 1
//                                contents of %b: %1 = slice_scatter(%b, %w)
//   ... = f(%u), %u a view of    %u was seen at 0, so it is computed anew from %1
//         %b made before
//
// Where a storage may or may not be that of another name (results of branches and loops), a write
// makes the other names unclear, and a later read of them is refused rather than guessed.
//
// Invariant: `now` of a name holds its contents as of `seen` writes to its root; `seen` equals the
// writes of the root if the name is up to date. Methods that do not mutate stay as they are. Cost:
// O(nodes + operands), and for each stale view that is read the views between it and its root.
#include "reference/graph/functionalize.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "reference/functional_form.h"
#include "reference/graph/functionalizer.h"
#include "reference/graph/method_uses.h"
#include "reference/graph/names.h"
#include "reference/graph/put_back.h"
#include "reference/graph/validate.h"
#include "reference/op_schema.h"

namespace pteproof::graph {
namespace {

constexpr std::string_view kCopy = "aten::copy.out";
constexpr std::string_view kCopyInPlace = "aten::copy_";
constexpr std::string_view kClone = "aten::clone.out";

// Whether the first operand, and it alone, is written.
bool WritesItsFirst(const OpSchema& schema) {
  for (const ArgSchema& arg : schema.args) {
    const bool writes = arg.access != Access::kRead && arg.access != Access::kNone;
    if (!arg.out && writes != (&arg == schema.args.data())) return false;
  }
  return true;
}

}  // namespace

Functionalizer::Functionalizer(const Method& from, Method& to)
    : from_(from), to_(to), builder_(to), names_(from.values.size()) {
  to_.body.nodes.clear();
}

std::string Functionalizer::Go() {
  for (const Input& input : from_.inputs) AddRoots({&input.value, 1});
  for (const BufferEntry& entry : from_.buffers) AddRoots({&entry.value, 1});
  Nodes(from_.body.nodes);
  if (fault_.empty()) Exit();
  return fault_;
}

void Functionalizer::Refuse(const std::string& why) {
  if (fault_.empty()) fault_ = "'" + from_.name + "': " + why;
}

std::string Functionalizer::NameText(ValueId value) const {
  return NameOf(ValueNames(from_), value);
}

void Functionalizer::AddRoots(std::span<const ValueId> values) {
  for (const ValueId v : values) {
    if (TensorTypeOf(from_, v) != nullptr) names_.AddRoot(v, region_);
  }
}

// --- Names and contents.

ValueId Functionalizer::Read(ValueId value) {
  if (names_.IsNumber(value)) return value;
  const StorageRoot& root = names_.RootOf(value);
  if (root.unclear) {
    Refuse(NameText(value) + " is used after a store that may have been to its storage or not");
  }
  // Views that are older than the last store are taken again, from the base on.
  std::vector<ValueId> stale;
  ValueId name = names_.Canonical(value);
  for (; names_.Of(name).seen != root.writes; name = names_.Of(name).base) stale.push_back(name);
  for (; !stale.empty(); stale.pop_back()) {
    StorageName& view = names_.Of(stale.back());
    const ValueId base = names_.Of(view.base).now;
    view.now = Recompute(*view.view, base, builder_.Declare(*TensorTypeOf(from_, stale.back())));
    view.seen = root.writes;
  }
  return names_.Of(value).now;
}

ValueId Functionalizer::Recompute(const Node& view, ValueId base, ValueId result) {
  Node copy = view;
  copy.view = false;
  copy.operands.front() = Of(base);
  copy.results = {result};
  builder_.Add(std::move(copy));
  return result;
}

// The base's contents after a store to its view.
ValueId Functionalizer::WriteBase(ValueId view, ValueId contents) {
  const StorageName& name = names_.Of(view);
  const TensorType type = *TensorTypeOf(from_, name.base);
  auto put_back = PutBack(*name.view, type, Read(name.base), contents);
  if (!put_back) {
    Refuse("there is no store through " + NameText(view) + ", a view by " + name.view->op);
    return contents;
  }
  if (put_back->op.empty()) return contents;
  put_back->results = {builder_.Declare(type)};
  return builder_.Add(*std::move(put_back)).results.front();
}

void Functionalizer::Write(ValueId value, ValueId contents) {
  // All of them read as before until the last one is there.
  std::vector<std::pair<ValueId, ValueId>> written = {{names_.Canonical(value), contents}};
  while (names_.Of(written.back().first).view != nullptr) {
    const auto [view, now] = written.back();
    written.emplace_back(names_.Of(view).base, WriteBase(view, now));
  }
  if (!names_.CountWrite(value)) {
    Refuse("a store to " + NameText(value) + " may be one to a parameter of the region, or not");
  }
  const int32_t writes = names_.RootOf(value).writes;
  for (const auto& [name, now] : written) {
    names_.Of(name).now = now;
    names_.Of(name).seen = writes;
  }
}

Operand Functionalizer::ReadOperand(const Operand& operand) {
  if (const auto* value = std::get_if<Operand::Value>(&operand.held)) return Of(Read(value->id));
  if (const auto* list = std::get_if<OperandList>(&operand.held)) return List(ReadOperands(*list));
  return operand;
}

std::vector<Operand> Functionalizer::ReadOperands(std::span<const Operand> operands) {
  std::vector<Operand> read;
  read.reserve(operands.size());
  for (const Operand& operand : operands) read.push_back(ReadOperand(operand));
  return read;
}

// --- Nodes.

void Functionalizer::Nodes(std::span<const Node> nodes) {
  for (const Node& node : nodes) {
    if (!fault_.empty()) return;
    Step(node);
  }
}

void Functionalizer::Step(const Node& node) {
  if (node.kind == NodeKind::kCond) return Cond(node);
  if (!node.regions.empty()) return Loop(node);
  if (node.view) return View(node);
  if (Mutates(node)) return Mutation(node);
  Call(node);
}

// A delegate sees a buffer as the method has left it so far: a functional method leaves it as it
// was.
void Functionalizer::CheckDelegate(const Node& node) {
  if (region_ != 0 && !node.buffers.empty()) Refuse("a delegate in a region has a buffer");
  for (const DelegateBuffer& each : node.buffers) {
    const auto entry = std::ranges::find(from_.buffers, each.buffer, &BufferEntry::buffer);
    if (entry == from_.buffers.end()) continue;
    const StorageRoot& root = names_.RootOf(entry->value);
    if (root.writes > 0 || root.unclear) {
      return Refuse("a delegate has a buffer after a store to " + NameText(entry->value));
    }
    if (each.writes) delegates_write_.push_back(entry->value);
  }
}

void Functionalizer::Call(const Node& node) {
  CheckDelegate(node);
  Node call = node;
  call.operands = ReadOperands(node.operands);
  builder_.Add(std::move(call));
  AddRoots(node.results);
}

void Functionalizer::View(const Node& node) {
  const ValueId base = std::get<Operand::Value>(node.operands.front().held).id;
  Recompute(node, Read(base), node.results.front());
  names_.AddView(node.results.front(), base, node);
}

// What a copy_ stores, if it has the type of its target.
std::optional<ValueId> Functionalizer::CopiedWhole(const Node& node, const TensorType& type) const {
  if (node.op != kCopyInPlace) return std::nullopt;
  const auto source = ValueOfOperand(node.operands[1]);
  if (!source || *TensorTypeOf(from_, *source) != type) return std::nullopt;
  return source;
}

void Functionalizer::Mutation(const Node& node) {
  if (node.op.starts_with("llama::update_cache")) return CacheUpdate(node);
  const FunctionalForm form = FunctionalFormOf(*node.schema);
  if (form.schema == nullptr || !WritesItsFirst(*node.schema) || node.results.size() != 1) {
    return Refuse(node.op + " has no functional form");
  }
  const ValueId self = std::get<Operand::Value>(node.operands.front().held).id;
  const ValueId result = node.results.front();
  const TensorType type = *TensorTypeOf(from_, self);
  if (const auto source = CopiedWhole(node, type)) {
    // What was there has no use, so that a view of it need not be computed.
    Node clone;
    clone.op = kClone;
    clone.schema = FindOperator(kClone);
    clone.operands = {Of(Read(*source)), None()};
    clone.results = {result};
    builder_.Add(std::move(clone));
    names_.AddSame(result, self);
    return Write(self, result);
  }
  Node call = node;
  call.op = form.schema->name;
  call.schema = form.schema;
  call.operands = ReadOperands(node.operands);
  if (form.adds_zero) call.operands.push_back(Number(0));
  const NodeTypes types = TypesOfNode(to_, call);
  if (!types.fault.empty()) return Refuse(node.op + ": " + types.fault);
  // What is stored is of self's type, whatever the operator computes.
  const bool fits = types.declared || types.types.front() == ValueType(type);
  const ValueId before = Read(self);
  if (!fits) call.results = {builder_.Declare(types.types.front())};
  const ValueId made = builder_.Add(std::move(call)).results.front();
  if (!fits) {
    Node convert;
    convert.op = kCopy;
    convert.schema = FindOperator(kCopy);
    convert.operands = {Of(before), Of(made), Flag(false)};
    convert.results = {result};
    builder_.Add(std::move(convert));
  }
  names_.AddSame(result, self);
  Write(self, result);
}

// What storages hold at exit becomes stores; those of the method itself come on top of that.
void Functionalizer::Exit() {
  for (ValueId& v : to_.body.results) v = Read(v);
  for (BufferStore& store : to_.stores) store.value = Read(store.value);
  for (InputStore& store : to_.input_stores) store.value = Read(store.value);
  const auto changed = [&](ValueId value) {
    return !names_.IsNumber(value) &&
           (names_.RootOf(value).writes > 0 || names_.RootOf(value).unclear);
  };
  for (const ValueId v : delegates_write_) {
    if (changed(v))
      Refuse("a delegate writes the buffer of " + NameText(v) + ", which is stored to");
  }
  for (const BufferEntry& entry : from_.buffers) {
    const bool stored =
        std::ranges::find(from_.stores, entry.buffer, &BufferStore::buffer) != from_.stores.end();
    if (!stored && changed(entry.value)) to_.stores.push_back({entry.buffer, Read(entry.value)});
  }
  for (size_t n = 0; n < from_.inputs.size(); ++n) {
    const auto input = static_cast<int32_t>(n);
    const ValueId value = from_.inputs[n].value;
    const auto& stores = from_.input_stores;
    const bool stored = std::ranges::find(stores, input, &InputStore::input) != stores.end();
    if (!stored && changed(value)) to_.input_stores.push_back({input, Read(value)});
  }
}

bool HasMutation(const Region& region) {
  return std::ranges::any_of(region.nodes, [](const Node& node) {
    return node.view || Mutates(node) || std::ranges::any_of(node.regions, HasMutation);
  });
}

Result<Module, std::string> Functionalize(const Module& module) {
  Module functional = module;
  for (size_t m = 0; m < module.methods.size(); ++m) {
    if (!HasMutation(module.methods[m].body)) continue;
    std::string fault = Functionalizer(module.methods[m], functional.methods[m]).Go();
    if (!fault.empty()) return fault;
  }
  return functional;
}

}  // namespace pteproof::graph
