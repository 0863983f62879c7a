#include "properties/compare/run/planned_values.h"

#include <fmt/format.h>

#include <algorithm>

namespace pteproof::compare {
namespace {

// Numbers of memory from here on are constants that instructions write to.
constexpr uint32_t kWrittenConstants = uint32_t{1} << 31;

}  // namespace

PlannedValues::PlannedValues(TermTable& table, const PlannedMethod& planned,
                             const Assumptions& assumptions)
    : table_(table),
      planned_(planned),
      method_(*planned.method),
      assumptions_(assumptions),
      handles_(method_.values.size()),
      numbers_(method_.values.size()),
      holder_(method_.values.size()) {}

void PlannedValues::Stop(std::string why) {
  if (!Ended()) trace_.stopped = std::move(why);
}

void PlannedValues::Refuse(std::string why) {
  if (!Ended()) trace_.refused = std::move(why);
}

void PlannedValues::Enter() {
  trace_.effect = table_.Make(TermKind::kEffect, {});
  PlaceValues();
  EnterState();
  EnterWrittenConstants();
  BindInputs();
}

Memory& PlannedValues::MemoryOf(Space space, uint32_t memory) {
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

ContentId PlannedValues::Read(const Handle& handle) {
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

void PlannedValues::Write(const Handle& handle, int32_t value, ContentId content) {
  if (table_[content].bytes() > 0) {
    if (handle.space == Space::kConstant) return Stop("an instruction writes to a constant");
    if (handle.space == Space::kNone) return Stop("a result has no memory");
    MemoryOf(handle.space, handle.memory).Write(handle.offset, content);
  }
  trace_.writes.push_back({at_, value, content});
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
      handle.memory = tensor->bank;
      handle.offset = tensor->offset;
    } else if (tensor->data_index > 0 || tensor->external) {
      handle.space = Space::kConstant;
      if (IsWritten(*tensor)) {
        handle.space = Space::kOwn;
        handle.memory = kWrittenConstants + tensor->data_index;
      }
    }
  }
}

bool PlannedValues::IsWritten(const Tensor& tensor) const {
  return !tensor.external && tensor.data_index < planned_.written.size() &&
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
  for (const StatePlace& state : planned_.states) {
    const uint64_t word = table_.TextOf(state.key);
    const TermId term = table_.Make(TermKind::kState, {&word, 1});
    MemoryOf(Space::kBank, state.bank).Write(state.offset, table_.Whole(term, state.nbytes));
  }
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
    handle.shape.varies = assumptions_.open_sizes && handle.bounded;
    const ContentId content = table_.Whole(term, handle.shape.nbytes());
    if (handle.shape.varies) NoteVarying(handle, content);
    Write(handle, v, content);
  }
}

void PlannedValues::Leave() {
  for (const int32_t v : method_.outputs) {
    trace_.outputs.push_back({ArgumentOf(v), v});
  }
  for (const StatePlace& state : planned_.states) {
    const ContentId content = MemoryOf(Space::kBank, state.bank).Read(state.offset, state.nbytes);
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
  const Handle& handle = handles_[static_cast<size_t>(v)];
  return {handle.shape, reads || handle.shape.varies ? Read(handle) : kNoBytes};
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

ContentId StoredContent(TermTable& table, const Program& program, const Method& method,
                        const Tensor& tensor, const DataFile* data) {
  if (tensor.external) {
    const std::string_view name = method.Text(tensor.name);
    if (data != nullptr) {
      const auto entry = std::ranges::find(data->entries, name, &DataEntry::key);
      if (entry != data->entries.end() && entry->blob.size() >= tensor.nbytes) {
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
