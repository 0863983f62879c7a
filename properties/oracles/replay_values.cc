#include "properties/oracles/replay_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "properties/oracles/common_banks.h"
#include "properties/oracles/decode_tensor.h"

namespace pteproof {
namespace {

// Several small tensors' bytes, one behind the other.
Held Joined(std::span<const HeldContents> parts, ScalarType dtype, Sizes sizes,
            std::span<const int32_t> dim_order) {
  size_t nbytes = 0;
  for (const HeldContents& part : parts) nbytes += part->bytes.size();
  TensorBytes memory = ZeroBytes(nbytes);
  std::byte* next = memory.data();
  TagRuns tags;
  for (const HeldContents& part : parts) {
    Spend(static_cast<int64_t>(part->bytes.size() / sizeof(uint64_t)));
    const TensorBytes bytes = InMemory(*part, part->dim_order);
    next = std::copy(bytes.begin(), bytes.end(), next);
    for (const TagRun& run : part->tags) Append(run, tags);
  }
  return {FromMemory(dtype, std::move(sizes), dim_order, memory), std::move(tags), dim_order};
}

// The sizes of a view whose base has fewer bytes than the file's upper bounds say: one dimension
// shrinks, or the base's own sizes do.
Sizes SizesOfView(Sizes bounds, ScalarType dtype, const TensorValue& base) {
  const bool alike = ElementSize(dtype) == ElementSize(base.dtype);
  const auto count = static_cast<int64_t>(base.bytes.size() / ElementSize(dtype));
  const int64_t most = ElementCount(bounds);
  if (most == count) return bounds;
  if (alike && base.sizes.size() == bounds.size()) return base.sizes;
  for (int64_t& size : bounds) {
    const int64_t rest = size == 0 ? 0 : most / size;
    if (rest > 0 && count % rest == 0 && count / rest <= size) {
      size = count / rest;
      return bounds;
    }
  }
  return alike ? base.sizes : Sizes{count};
}

std::string_view NameOfState(const Method& method, int32_t v, const Manifest* manifest) {
  const std::string_view name = method.NameOf(v);
  if (!name.empty() || manifest == nullptr) return name;
  const auto stated = manifest->methods.find(method.name);
  if (stated == manifest->methods.end()) return name;
  const auto found = stated->second.values.find(v);
  return found == stated->second.values.end() ? name : std::string_view(found->second);
}

bool HasForm(const Held& held, ScalarType dtype, const Sizes& sizes,
             std::span<const int32_t> dim_order) {
  return held.dtype == dtype && held.sizes == sizes &&
         std::ranges::equal(held.dim_order, dim_order);
}

}  // namespace

std::optional<ScalarResult> NumberOf(const Datum& datum) {
  if (const auto* integer = std::get_if<int64_t>(&datum)) return *integer;
  if (const auto* flag = std::get_if<bool>(&datum)) return *flag;
  if (const auto* real = std::get_if<double>(&datum)) return *real;
  return std::nullopt;
}

Datum DatumOf(const Held& held) {
  TensorValue tensor = held;
  if (tensor.bytes.is_view()) tensor.bytes.Own();
  return tensor;
}

Held Reread(const Held& held, ScalarType dtype, Sizes sizes, std::span<const int32_t> dim_order) {
  const bool same =
      held.dtype == dtype && held.sizes == sizes && std::ranges::equal(held.dim_order, dim_order);
  if (same) return held;
  // Sizes that were guessed need not be of the file's rank.
  if (dim_order.size() != sizes.size()) dim_order = {};
  const auto memory = InMemory(held, held.dim_order);
  return {FromMemory(dtype, std::move(sizes), dim_order, memory), held.tags, dim_order};
}

std::string StateKeyOf(const Method& method, int32_t v, const ReplayOptions& options) {
  const Tensor& t = *method.TensorOf(v);
  const std::string_view scope =
      IsInCommon(options.policy, t.bank) ? std::string_view() : std::string_view(method.name);
  const auto name = NameOfState(method, v, options.manifest);
  if (options.by_name && !name.empty()) return fmt::format("{}||{}", scope, name);
  return fmt::format("{}|{}:{}|{}", scope, t.bank, t.offset, name);
}

ReplayValues::ReplayValues(const Program& program, const meaning::MethodMeaning& meant,
                           const LastUses& last_uses, const ReplayOptions& options,
                           const StoredStates& stored, States& states)
    : MeantSlots(meant, last_uses),
      program_(program),
      method_(*meant.method),
      options_(options),
      stored_(stored),
      states_(states) {}

Bytes ReplayValues::Stored(const Method& method, const Tensor& t) const {
  if (t.external && options_.data != nullptr) {
    const DataEntry* entry = options_.data->Find(method.Text(t.name));
    if (entry != nullptr) return entry->blob;
  }
  const auto& blobs = t.planned ? program_.initial_values : program_.constants;
  return t.data_index < blobs.size() ? blobs[t.data_index] : Bytes{};
}

Held ReplayValues::Initial(const Method& method, const Tensor& t) const {
  Held held = {DecodeTensor(method, t, Stored(method, t)), {}, method.Ints(t.dim_order)};
  Append({kNoTag, 0, held.bytes.size()}, held.tags);
  return held;
}

// A buffer's content, a constant, or zeros where nothing was written.
HeldContents ReplayValues::AtEntry(int32_t v) {
  const Tensor& t = *method_.TensorOf(v);
  if (IsState(v)) {
    const std::string key = StateKeyOf(method_, v, options_);
    // Empty too where an earlier call found no memory for it.
    HeldContents& state = states_[key];
    if (state == nullptr) state = NewState(v, key);
    return AsState(v, state);
  }
  Held initial = Initial(method_, t);
  if (options_.tags != nullptr && !t.planned) initial.tags = options_.tags->ConstantOf(t);
  return std::make_shared<const Held>(std::move(initial));
}

HeldContents ReplayValues::Derived(NameForm form, int32_t name, std::span<const int32_t> sources) {
  const Tensor& t = *method_.TensorOf(name);
  const Held& first = *Slot(sources.front());
  switch (form) {
    case NameForm::kView:
      return std::make_shared<const Held>(
          RereadAs(name, first, SizesOfView(SizesOf(method_, t), t.dtype, first)));
    case NameForm::kSlice:
      return std::make_shared<const Held>(SliceOf(name, sources.front(), first));
    case NameForm::kConcat:
      break;
  }
  std::vector<HeldContents> tiles;
  for (const int32_t tile : sources) tiles.push_back(Slot(tile));
  return std::make_shared<const Held>(Joined(tiles, t.dtype, SizesOf(method_, t), OrderOf(name)));
}

// The run of bytes that lies at the value's place within an older one.
Held ReplayValues::SliceOf(int32_t v, int32_t whole, const Held& around) const {
  const Tensor& t = *method_.TensorOf(v);
  const uint64_t first = t.offset - method_.TensorOf(whole)->offset;
  const auto memory = InMemory(around, around.dim_order);
  TensorBytes bytes = ZeroBytes(t.nbytes);
  Spend(static_cast<int64_t>(t.nbytes / sizeof(uint64_t)));
  if (first < memory.size()) {
    const auto there = std::span(memory).subspan(first, std::min(t.nbytes, memory.size() - first));
    std::ranges::copy(there, bytes.data());
  }
  return {FromMemory(t.dtype, SizesOf(method_, t), OrderOf(v), bytes),
          PartOf(around.tags, first, t.nbytes), OrderOf(v)};
}

// The initial content of a buffer.
HeldContents ReplayValues::NewState(int32_t v, const std::string& key) const {
  const auto stored = stored_.find(key);
  Held initial =
      stored == stored_.end()
          ? Initial(method_, *method_.TensorOf(v))
          : Initial(*stored->second.method, *stored->second.method->TensorOf(stored->second.value));
  if (options_.tags != nullptr) initial.tags = options_.tags->StateOf(key);
  return std::make_shared<const Held>(std::move(initial));
}

// The content of a buffer, in the form that this method has for it.
HeldContents ReplayValues::AsState(int32_t v, const HeldContents& held) {
  Sizes sizes = SizesOf(method_, *method_.TensorOf(v));
  if (HasForm(*held, method_.TensorOf(v)->dtype, sizes, OrderOf(v))) return held;
  return std::make_shared<const Held>(RereadAs(v, *held, std::move(sizes)));
}

HeldContents ReplayValues::Use(int32_t v, int32_t at) {
  HeldContents used = Read(v);
  Demand(v, *used, at);
  return used;
}

void ReplayValues::Receive(int32_t v, const TensorValue& contents) {
  Held held = {contents, {}, OrderOf(v)};
  if (options_.tags != nullptr) held.tags = options_.tags->Write(-1, v, held.bytes.size());
  Slot(v) = std::make_shared<const Held>(std::move(held));
}

void ReplayValues::Alias(int32_t from, int32_t to, HeldContents contents) {
  if (options_.tags != nullptr) options_.tags->Rename(from, to);
  Slot(to) = std::move(contents);
}

void ReplayValues::Write(int32_t v, TensorValue contents, bool in_place, int32_t at,
                         std::optional<WrittenPart> part) {
  Held held = {std::move(contents), {}, OrderOf(v)};
  if (options_.tags != nullptr) {
    const uint64_t nbytes = held.bytes.size();  // fewer than before, where only its first rows are
    TagMachine& tags = *options_.tags;
    held.tags =
        part ? PartOf(tags.WritePart(at, v, Read(v)->tags, part->first, part->count), 0, nbytes)
             : tags.Write(at, v, nbytes);
  }
  Put(v, std::make_shared<const Held>(std::move(held)), in_place);
}

void ReplayValues::SetState(int32_t v, const HeldContents& held) {
  const std::string key = StateKeyOf(method_, v, options_);
  if (options_.tags != nullptr) options_.tags->SetState(key, held->tags);
  states_[key] = held;
}

}  // namespace pteproof
