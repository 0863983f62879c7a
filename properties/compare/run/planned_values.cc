#include "properties/compare/run/planned_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "properties/oracles/unsure_state.h"

namespace pteproof::compare {
namespace {

// Numbers of memory from here on are constants that instructions write to.
constexpr uint32_t kWrittenConstants = uint32_t{1} << 31;

// Numbers of memories in a snapshot: the space, and the memory in it.
constexpr uint64_t kSlots = 15;  // what values hold as the program is meant

uint64_t MemoryNumber(uint64_t space, uint32_t memory) {
  return space << 32 | memory;
}

size_t NumberOf(const PlannedMethod& planned) {
  return static_cast<size_t>(planned.method - planned.program->methods.data());
}

void AddForm(const Handle& handle, std::vector<uint64_t>& form) {
  form.insert(form.end(), {static_cast<uint64_t>(handle.space), handle.memory, handle.offset,
                           static_cast<uint64_t>(handle.shape.dtype), handle.shape.sizes.size()});
  for (const int64_t size : handle.shape.sizes) form.push_back(static_cast<uint64_t>(size));
  form.push_back(handle.shape.order.size());
  for (const int32_t dim : handle.shape.order) form.push_back(static_cast<uint64_t>(dim));
}

}  // namespace

PlannedValues::PlannedValues(TermTable& table, const PlannedMethod& planned,
                             const Assumptions& assumptions)
    : table_(table),
      planned_(planned),
      method_(*planned.method),
      assumptions_(assumptions),
      handles_(method_.values.size()),
      numbers_(method_.values.size()),
      holder_(method_.values.size()) {
  EntryMemory& entry = *this;
  if (planned.meaning != nullptr) {
    meant_.emplace(table, *planned.meaning, NumberOf(planned), entry);
  }
}

void PlannedValues::Stop(std::string why) {
  if (!Ended()) trace_.stopped = std::move(why);
}

void PlannedValues::Refuse(std::string why) {
  if (!Ended()) trace_.refused = std::move(why);
}

void PlannedValues::Enter() {
  trace_.effect = table_.Make(TermKind::kEffect, {});
  if (meant_) {
    const std::string_view why = WhyNoMeaning(planned_.meaning->methods[NumberOf(planned_)]);
    if (!why.empty()) return Stop(std::string(why));
  }
  PlaceValues();
  EnterState();
  EnterWrittenConstants();
  BindInputs();
}

Memory& PlannedValues::MemoryOf(Space space, uint32_t memory) {
  if (space == Space::kBuffer) return buffers_.try_emplace(memory, table_, kZeroTerm).first->second;
  if (space == Space::kBank) {
    const auto found = trace_.banks.find(memory);
    if (found != trace_.banks.end()) return found->second;
    const uint64_t word = memory;
    return trace_.banks.emplace(memory, Memory(table_, table_.Make(TermKind::kStale, {&word, 1})))
        .first->second;
  }
  const auto found = own_.find(memory);
  if (found != own_.end()) return found->second;
  // Memory of the caller that nothing has written: an output's by its position.
  const auto value = static_cast<int32_t>(memory);
  const auto output = std::ranges::find(method_.outputs, value);
  const bool is_output = output != method_.outputs.end();
  const auto position = static_cast<uint64_t>(output - method_.outputs.begin());
  const uint64_t words[] = {is_output ? position : memory, is_output ? uint64_t{2} : 1};
  return own_.emplace(memory, Memory(table_, table_.Make(TermKind::kStale, words))).first->second;
}

ContentId PlannedValues::Read(int32_t v) {
  if (!meant_) return ReadMemory(HandleOf(v));
  SymbolicTensor held = meant_->Get(v);
  HandleOf(v).shape = std::move(held.shape);
  return held.content;
}

ContentId PlannedValues::ReadMemory(const Handle& handle) {
  const uint64_t nbytes = handle.shape.nbytes();
  if (nbytes == 0) return kNoBytes;
  if (handle.space == Space::kNone) {
    Stop("a tensor has no memory");
    return kNoBytes;
  }
  if (handle.space == Space::kConstant) {
    const ContentId whole = ConstantOf(static_cast<int32_t>(handle.memory));
    if (handle.offset + nbytes <= table_[whole].bytes()) {
      return table_.Part(whole, handle.offset, nbytes);
    }
    Stop("a constant is read beyond its end");
    return kNoBytes;
  }
  const ContentId content = MemoryOf(handle.space, handle.memory).Read(handle.offset, nbytes);
  if (handle.shape.varies && content == table_.Whole(handle.held, nbytes)) {
    return table_.Whole(handle.seen, nbytes);
  }
  if (handle.shape.varies || HoldsVarying(content)) {
    Stop(
        "bytes are read of a value whose sizes vary, with other sizes or after a part of it was "
        "overwritten");
  }
  return content;
}

bool PlannedValues::HoldsVarying(ContentId content) const {
  if (varying_.empty()) return false;
  return std::ranges::any_of(table_[content].runs(),
                             [&](const auto& run) { return varying_.contains(run.term); });
}

void PlannedValues::NoteVarying(Handle& handle, ContentId content) {
  if (table_[content].runs().empty()) return;
  if (!assumptions_.open_sizes) trace_.sizes_by_data = true;
  handle.held = handle.seen = table_[content].runs().front().term;
  varying_.insert(handle.held);
}

ContentId PlannedValues::ConstantOf(int32_t value) {
  const auto [it, fresh] = constants_.try_emplace(value, kNoBytes);
  if (fresh) {
    const Tensor& tensor = *method_.TensorOf(value);
    it->second = StoredContent(table_, *planned_.program, method_, tensor, planned_.data);
    const auto& runs = table_[it->second].runs();
    if (!runs.empty() && table_.At(runs.front().term).kind == TermKind::kExternal) {
      trace_.assumed.insert(fmt::format("the external tensor '{}' is one value in both programs",
                                        method_.Text(tensor.name)));
    }
  }
  return it->second;
}

void PlannedValues::Write(int32_t v, ContentId content, bool updates) {
  const Handle& handle = HandleOf(v);
  const Tensor& tensor = *method_.TensorOf(v);
  if (meant_) meant_->Write(v, {handle.shape, content}, updates);
  // Of memory of the caller, the caller sees what is left there.
  const bool is_seen =
      !tensor.planned && handle.space == Space::kOwn && HasOwnMemory(handle.memory);
  if (!meant_ || is_seen) WriteMemory(handle, content);
  trace_.writes.push_back({at_, v, content});
}

// Inputs, outputs and constants that instructions write to.
bool PlannedValues::HasOwnMemory(uint32_t memory) const {
  const auto is_it = [&](int32_t v) { return static_cast<uint32_t>(v) == memory; };
  return memory >= kWrittenConstants || std::ranges::any_of(method_.inputs, is_it) ||
         std::ranges::any_of(method_.outputs, is_it);
}

bool PlannedValues::HaveMemory(int32_t v) const {
  bool all = true;
  ForEachTensor(v, [&](int32_t t) {
    const Handle& handle = handles_[static_cast<size_t>(t)];
    const bool lacks = handle.space == Space::kOwn && !HasOwnMemory(handle.memory);
    all = all && (meant_ || handle.capacity == 0 || !lacks);
  });
  return all;
}

void PlannedValues::WriteMemory(const Handle& handle, ContentId content) {
  if (table_[content].bytes() == 0) return;
  if (handle.space == Space::kConstant) return Stop("an instruction writes to a constant");
  if (handle.space == Space::kNone) return Stop("a result has no memory");
  if (handle.space == Space::kOwn && !HasOwnMemory(handle.memory)) {
    return Refuse("a result has neither a placement nor memory of the caller");
  }
  MemoryOf(handle.space, handle.memory).Write(handle.offset, content);
}

void PlannedValues::WritePart(int32_t v, uint64_t first, ContentId content) {
  Handle part = HandleOf(v);
  part.offset += first;
  if (!meant_) {
    WriteMemory(part, content);
    trace_.writes.push_back({at_, v, content});
    return;
  }
  const TensorShape shape = HandleOf(v).shape;
  const ContentId before = meant_->Holds(v) ? Read(v) : ReadMemory(HandleOf(v));
  const uint64_t nbytes = shape.nbytes();
  const uint64_t end = first + table_[content].bytes();
  const uint64_t known = table_[before].bytes();  // a collected row may be one more than before
  if (known < std::min(first, nbytes)) return Stop("a row is collected behind the next one");
  ContentBuilder builder;
  table_[before].Read(0, first, builder);
  table_[content].Read(0, end - first, builder);
  if (known > end && nbytes > end) {
    table_[before].Read(end, std::min(known, nbytes) - end, builder);
  }
  HandleOf(v).shape = shape;
  Write(v, table_.Intern(builder.Take()), true);
}

void PlannedValues::Rename(int32_t from, int32_t to) {
  if (meant_) {
    const ContentId content = Read(from);
    meant_->Alias(to, {HandleOf(from).shape, content});
    HandleOf(to).shape = HandleOf(from).shape;
    return;
  }
  HandleOf(to) = HandleOf(from);
}

void PlannedValues::PointTo(int32_t base, Handle view, int32_t to) {
  if (meant_) {
    const ContentId content = Read(base);
    meant_->Alias(to, {view.shape, content});
    HandleOf(to).shape = std::move(view.shape);
    return;
  }
  const Handle& of = HandleOf(base);
  view.space = of.space;
  view.memory = of.memory;
  view.offset = of.offset;
  view.capacity = of.capacity;
  HandleOf(to) = std::move(view);
}

void PlannedValues::PointToVarying(int32_t base, int32_t to, ContentId seen) {
  const TermId term = table_[seen].runs().front().term;
  varying_.insert(term);
  if (meant_) return meant_->Alias(to, {HandleOf(to).shape, seen});
  const TensorShape shape = HandleOf(to).shape;
  const bool bounded = HandleOf(to).bounded;
  HandleOf(to) = HandleOf(base);
  HandleOf(to).shape = shape;
  HandleOf(to).bounded = bounded;
  HandleOf(to).seen = term;
}

// Values that loops carry may look like state, too; buffers have names, or come before the inputs.
void PlannedValues::NoteStore(std::string_view op, int32_t target) {
  if (!meant_ || op != "aten::copy_") return;
  if (std::ranges::find(method_.outputs, target) == method_.outputs.end()) return;
  const bool is_input = std::ranges::find(method_.inputs, target) != method_.inputs.end();
  if (!is_input && !MayBeBuffer(target)) return;
  before_store_.try_emplace(target, *meant_->ReadStored(target));
}

bool PlannedValues::MayBeBuffer(int32_t v) const {
  return meant_->NamesABuffer(v) &&
         (!method_.NameOf(v).empty() ||
          std::ranges::all_of(method_.inputs, [&](int32_t input) { return v < input; }));
}

SymbolicTensor PlannedValues::AtEntry(int32_t v) {
  Handle handle = HandleOf(v);
  const Tensor& tensor = *method_.TensorOf(v);
  if (!meant_->IsState(v) && tensor.planned)
    Stop("a value is read that no instruction has written");
  const auto sizes = method_.Ints(tensor.sizes);
  handle.shape.sizes.assign(sizes.begin(), sizes.end());
  handle.shape.varies = false;
  const ContentId content = ReadMemory(handle);
  return {std::move(handle.shape), content};
}

void PlannedValues::SetBuffer(int32_t v, ContentId content) {
  WriteMemory(HandleOf(v), content);
}

// The state of that value's name around its bytes.
std::optional<uint32_t> PlannedValues::BufferAt(int32_t v) const {
  const Tensor& tensor = *method_.TensorOf(v);
  const std::string name = BufferName(method_, v, planned_.manifest);
  if (name.empty()) return std::nullopt;
  const auto around = std::ranges::find_if(planned_.states, [&](const StatePlace& state) {
    const bool named = state.key == name || state.key.starts_with(name + "\n");
    return named && state.bank == tensor.bank && state.offset <= tensor.offset &&
           tensor.offset + tensor.nbytes <= state.offset + state.nbytes;
  });
  if (around == planned_.states.end()) return std::nullopt;
  return static_cast<uint32_t>(around - planned_.states.begin());
}

// The runtime refuses a value that lies beyond its bank.
void PlannedValues::RefuseIfBeyondBank(int32_t v) {
  const Tensor& tensor = *method_.TensorOf(v);
  const uint64_t size =
      tensor.bank < method_.bank_sizes.size() ? method_.bank_sizes[tensor.bank] : 0;
  if (meant_ || (tensor.offset <= size && tensor.nbytes <= size - tensor.offset)) return;
  Refuse(fmt::format("a value lies in bytes [{}, {}) of bank {}, which has {}", tensor.offset,
                     tensor.offset + tensor.nbytes, tensor.bank, size));
}

void PlannedValues::PlaceValues() {
  for (int32_t v = 0; v < static_cast<int32_t>(handles_.size()); ++v) {
    holder_[static_cast<size_t>(v)] = v;
    const Tensor* tensor = method_.TensorOf(v);
    if (tensor == nullptr) continue;
    Handle& handle = handles_[static_cast<size_t>(v)];
    const auto sizes = method_.Ints(tensor->sizes);
    handle.shape.dtype = tensor->dtype;
    handle.shape.sizes.assign(sizes.begin(), sizes.end());
    const auto order = method_.Ints(tensor->dim_order);
    if (!std::ranges::is_sorted(order)) handle.shape.order.assign(order.begin(), order.end());
    handle.bounded = tensor->dynamism == Dynamism::kBounded;
    handle.capacity = tensor->nbytes;
    handle.memory = static_cast<uint32_t>(v);
    handle.space = Space::kOwn;
    if (tensor->planned) {
      handle.space = Space::kBank;
      RefuseIfBeyondBank(v);
      handle.memory = tensor->bank;
      handle.offset = tensor->offset;
      const auto buffer = meant_ ? BufferAt(v) : std::nullopt;
      if (buffer) {
        handle.space = Space::kBuffer;
        handle.memory = *buffer;
      }
    } else if (tensor->data_index > 0 || tensor->external) {
      handle.space = Space::kConstant;
      if (IsWritten(*tensor)) {
        handle.space = Space::kOwn;
        handle.memory = kWrittenConstants + tensor->data_index;
      }
    }
  }
}

// As a program is meant, constants stay what they are.
bool PlannedValues::IsWritten(const Tensor& tensor) const {
  return !meant_ && !tensor.external && tensor.data_index < planned_.written.size() &&
         planned_.written[tensor.data_index] > 0;
}

// Constants that instructions write to are state by the value that the file has for them.
void PlannedValues::EnterWrittenConstants() {
  for (size_t v = 0; v < handles_.size(); ++v) {
    const Handle& handle = handles_[v];
    if (handle.space != Space::kOwn || handle.memory < kWrittenConstants) continue;
    if (own_.contains(handle.memory)) continue;
    const Tensor& tensor = *method_.TensorOf(static_cast<int32_t>(v));
    const uint64_t nbytes = planned_.written[tensor.data_index];
    const Bytes blob = planned_.program->constants[tensor.data_index];
    const TermId value = table_.Constant(blob.first(std::min<uint64_t>(blob.size(), nbytes)));
    std::string key = fmt::format("\tconstant {}, which instructions write to", value);
    if (written_.contains(key)) Stop("two equal constants are written to");
    const uint64_t word = table_.TextOf(key);
    const TermId term = table_.Make(TermKind::kState, {&word, 1});
    MemoryOf(Space::kOwn, handle.memory).Write(0, table_.Whole(term, nbytes));
    written_.emplace(std::move(key), std::pair(handle.memory, nbytes));
  }
}

void PlannedValues::EnterState() {
  for (size_t s = 0; s < planned_.states.size(); ++s) {
    const StatePlace& state = planned_.states[s];
    const uint64_t word = table_.TextOf(state.key);
    const TermId term = table_.Make(TermKind::kState, {&word, 1});
    MemoryOfState(s).Write(state.offset, table_.Whole(term, state.nbytes));
  }
}

Memory& PlannedValues::MemoryOfState(size_t s) {
  const StatePlace& state = planned_.states[s];
  const bool by_name = meant_ && !IsUnnamedKey(state.key);
  return by_name ? MemoryOf(Space::kBuffer, static_cast<uint32_t>(s))
                 : MemoryOf(Space::kBank, state.bank);
}

void PlannedValues::BindInputs() {
  at_ = -1;
  for (size_t n = 0; n < method_.inputs.size(); ++n) {
    const int32_t v = method_.inputs[n];
    const uint64_t word = n;
    const TermId term = table_.Make(TermKind::kInput, {&word, 1});
    if (method_.TensorOf(v) == nullptr) {
      numbers_[static_cast<size_t>(v)] = {SymbolicNumber::Kind::kTerm, term};
      continue;
    }
    Handle& handle = handles_[static_cast<size_t>(v)];
    if (n < assumptions_.input_sizes.size()) handle.shape.sizes = assumptions_.input_sizes[n];
    const auto bounds = method_.Ints(method_.TensorOf(v)->sizes);
    const bool fits = handle.bounded ? handle.shape.nbytes() <= handle.capacity
                                     : std::ranges::equal(handle.shape.sizes, bounds);
    if (!fits) return Refuse(fmt::format("input {} does not have sizes that the file admits", n));
    handle.shape.varies = assumptions_.open_sizes && handle.bounded;
    const ContentId content = table_.Whole(term, handle.shape.nbytes());
    if (handle.shape.varies) NoteVarying(handle, content);
    if (meant_) meant_->Receive(v, {handle.shape, content});
    if (!meant_ || !method_.TensorOf(v)->planned) WriteMemory(handle, content);
    trace_.writes.push_back({at_, v, content});
  }
}

// An output that names a buffer stands for its value before the method's store to it, since the
// source model's stores take place when outputs are known. A stored input comes first among the
// outputs as it is afterwards; named again, it is what it was.
SymbolicArgument PlannedValues::Output(size_t n) {
  const int32_t v = method_.outputs[n];
  const auto before = before_store_.find(v);
  if (before == before_store_.end()) return ArgumentOf(v);
  const auto earlier = std::span(method_.outputs).first(n);
  const bool names_old = MayBeBuffer(v) || std::ranges::find(earlier, v) != earlier.end();
  return names_old ? SymbolicArgument(before->second) : ArgumentOf(v);
}

void PlannedValues::Leave() {
  for (size_t n = 0; n < method_.outputs.size(); ++n) {
    trace_.outputs.push_back({Output(n), method_.outputs[n]});
  }
  for (size_t s = 0; s < planned_.states.size(); ++s) {
    const StatePlace& state = planned_.states[s];
    const ContentId content = MemoryOfState(s).Read(state.offset, state.nbytes);
    if (HoldsVarying(content)) Stop("a value whose sizes vary lies in the bytes of a buffer");
    trace_.state[state.key] = content;
  }
  for (const auto& [key, place] : written_) {
    trace_.state[key] = MemoryOf(Space::kOwn, place.first).Read(0, place.second);
  }
  for (size_t n = 0; n < method_.inputs.size(); ++n) {
    const Tensor* tensor = method_.TensorOf(method_.inputs[n]);
    if (tensor == nullptr || tensor->planned) continue;
    const auto memory = own_.find(static_cast<uint32_t>(method_.inputs[n]));
    if (memory == own_.end()) continue;
    const TensorShape shape = n < assumptions_.input_sizes.size()
                                  ? TensorShape{tensor->dtype, assumptions_.input_sizes[n], {}}
                                  : handles_[static_cast<size_t>(method_.inputs[n])].shape;
    const ContentId now = memory->second.Read(0, shape.nbytes());
    const uint64_t word = n;
    if (now == table_.Whole(table_.Make(TermKind::kInput, {&word, 1}), shape.nbytes())) continue;
    trace_.changed_inputs[n] = now;
  }
}

std::optional<SymbolicNumber> PlannedValues::NumberIn(int32_t v) const {
  if (numbers_[static_cast<size_t>(v)]) return numbers_[static_cast<size_t>(v)];
  const Value& value = ValueAt(v);
  switch (value.kind) {
    case ValueKind::kInt:
      return IntNumber(value.integer);
    case ValueKind::kBool:
      return BoolNumber(value.integer != 0);
    case ValueKind::kDouble:
      return RealNumber(value.real);
    default:
      return std::nullopt;
  }
}

SymbolicTensor PlannedValues::TensorIn(int32_t v, bool reads) {
  const bool held = meant_ && meant_->Holds(v);
  const bool counts = reads || held || HandleOf(v).shape.varies;
  const ContentId content = counts ? Read(v) : kNoBytes;
  return {HandleOf(v).shape, content};
}

SymbolicArgument PlannedValues::ArgumentOf(int32_t v, bool reads, bool as_float) {
  if (IsTensor(v)) return TensorIn(v, reads);
  if (const auto number = NumberIn(v)) {
    const bool converts = as_float && number->is_known();
    return converts ? RealNumber(RealOf(*number)) : *number;
  }
  const Value& value = ValueAt(v);
  switch (value.kind) {
    case ValueKind::kString:
      return method_.Text(value.items);
    case ValueKind::kIntList: {
      std::vector<SymbolicNumber> list;
      for (const int32_t item : method_.Ints(value.items)) {
        list.push_back(NumberIn(item).value_or(IntNumber(0)));
      }
      return list;
    }
    case ValueKind::kBoolList: {
      std::vector<SymbolicNumber> list;
      for (const int32_t item : method_.Ints(value.items)) list.push_back(BoolNumber(item != 0));
      return list;
    }
    case ValueKind::kDoubleList: {
      std::vector<SymbolicNumber> list;
      for (uint32_t i = 0; i < value.items.count; ++i) {
        list.push_back(RealNumber(method_.reals[value.items.first + i]));
      }
      return list;
    }
    case ValueKind::kTensorList:
    case ValueKind::kOptionalTensorList: {
      std::vector<std::optional<SymbolicTensor>> list;
      for (const int32_t item : method_.Ints(value.items)) {
        const bool none = item < 0 || !IsTensor(item);
        list.push_back(none ? std::nullopt : std::optional(TensorIn(item, reads)));
      }
      return list;
    }
    default:
      return std::monostate{};
  }
}

std::optional<Snapshot> PlannedValues::Take() {
  if (!varying_.empty()) return std::nullopt;
  Snapshot taken;
  const auto add = [&](Space space, const std::map<uint32_t, Memory>& memories) {
    for (const auto& [number, memory] : memories) {
      taken.memories.emplace(MemoryNumber(static_cast<uint64_t>(space), number), memory);
    }
  };
  add(Space::kBank, trace_.banks);
  add(Space::kOwn, own_);
  add(Space::kBuffer, buffers_);
  for (int32_t v = 0; v < static_cast<int32_t>(handles_.size()); ++v) {
    if (!IsTensor(v)) continue;
    const bool held = meant_ && meant_->Holds(v);
    if (held) {
      Memory memory(table_, kZeroTerm);
      memory.Write(0, Read(v));
      taken.memories.emplace(MemoryNumber(kSlots, static_cast<uint32_t>(v)), std::move(memory));
    }
    AddForm(HandleOf(v), taken.form);
    taken.form.push_back(held ? 1 : 0);
  }
  for (const int32_t holder : holder_) taken.form.push_back(static_cast<uint64_t>(holder));
  taken.numbers = numbers_;
  taken.effect = trace_.effect;
  return taken;
}

void PlannedValues::PutInPlace(const Cut& cut) {
  for (const Cut::NewBytes& bytes : cut.bytes) {
    const auto number = static_cast<uint32_t>(bytes.memory);
    if (bytes.memory >> 32 != kSlots) {
      MemoryOf(static_cast<Space>(bytes.memory >> 32), number).Write(bytes.first, bytes.content);
      continue;
    }
    const auto v = static_cast<int32_t>(number);
    Memory memory(table_, kZeroTerm);
    memory.Write(0, Read(v));
    memory.Write(bytes.first, bytes.content);
    const TensorShape& shape = HandleOf(v).shape;
    meant_->Receive(v, {shape, memory.Read(0, shape.nbytes())});
  }
  for (const auto& [v, value] : cut.numbers) numbers_[v] = value;
  trace_.effect = cut.effect;
}

ContentId StoredContent(TermTable& table, const Program& program, const Method& method,
                        const Tensor& tensor, const DataFile* data) {
  if (tensor.external) {
    const std::string_view name = method.Text(tensor.name);
    if (data != nullptr) {
      const DataEntry* entry = data->Find(name);
      if (entry != nullptr && entry->blob.size() >= tensor.nbytes) {
        const Bytes bytes = entry->blob.first(tensor.nbytes);
        return table.Whole(table.Constant(bytes), bytes.size());
      }
    }
    const uint64_t word = table.TextOf(name);
    return table.Whole(table.Make(TermKind::kExternal, {&word, 1}), tensor.nbytes);
  }
  const auto& blobs = tensor.planned ? program.initial_values : program.constants;
  if (tensor.data_index == 0 || tensor.data_index >= blobs.size()) {
    return table.Whole(kZeroTerm, tensor.nbytes);
  }
  const Bytes blob = blobs[tensor.data_index];
  const Bytes bytes = blob.first(std::min<uint64_t>(blob.size(), tensor.nbytes));
  ContentBuilder builder;
  builder.Add(table.Constant(bytes), 0, bytes.size());
  builder.Add(kZeroTerm, 0, tensor.nbytes - bytes.size());
  return table.Intern(builder.Take());
}

}  // namespace pteproof::compare
