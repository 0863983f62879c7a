#include "properties/proofs/facts/parts.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "properties/proofs/facts/place.h"
#include "reference/op_schema.h"

namespace pteproof::proofs {
namespace {

void KeepFirst(int32_t& first, int32_t at) {
  if (first < 0 || at < first) first = at;
}

void Made(Touched& touched, int32_t at) {
  KeepFirst(touched.first_made, at);
  touched.last_made = std::max(touched.last_made, at);
}

std::vector<Touched> TouchedBy(const Method& method, const Listing& listing) {
  std::vector<Touched> all(method.values.size());
  const auto of = [&](int32_t v) -> Touched& { return all[static_cast<size_t>(v)]; };
  for (const ReadEvent& r : listing.reads) KeepFirst(of(r.value).first_read, r.instruction);
  for (const WriteEvent& w : listing.writes) {
    Touched& touched = of(w.value);
    Made(touched, w.instruction);
    touched.filled = touched.filled || w.access == Access::kFill;
    (w.result ? touched.as_result : touched.stored_to) = true;
  }
  for (const Take& take : listing.takes) {
    Touched& touched = of(take.to);
    const bool placed = take.at.step == Step::kBefore;
    if (take.at.step == Step::kMove || placed) {
      for (const int32_t from : take.from) KeepFirst(of(from).first_read, take.at.instruction);
    }
    Made(touched, take.at.instruction);
    touched.named = true;
    if (placed) continue;
    const Extent own = ExtentOf(method, take.to);
    touched.borrows =
        touched.borrows || own.bank == 0 || own != ExtentOf(method, take.from.front());
  }
  for (const int32_t v : listing.left_alone) {
    of(v).filled = true;
    if (of(v).first_made < 0) of(v).first_made = 0;
  }
  for (const int32_t v : method.outputs) of(v).output = true;
  return all;
}

Part PlainPart(const Method& method, int32_t v) {
  const Tensor* tensor = method.TensorOf(v);
  if (tensor == nullptr) return Part::kNone;
  if (tensor->planned) return Part::kLocal;
  return tensor->data_index > 0 || tensor->external ? Part::kConstant : Part::kCaller;
}

class BufferSearch {
 public:
  BufferSearch(const Method& method, const Numbering& numbering, const ManifestMethod* stated,
               Parts& parts)
      : method_(method), numbering_(numbering), stated_(stated), parts_(parts) {}

  void Run() {
    parts_.buffer_of.assign(method_.values.size(), -1);
    for (int32_t v = 0; v < Count(); ++v) Named(v);
    Loaded();
    for (int32_t v = 0; v < Count(); ++v) {
      if (parts_.Of(v) == Part::kLocal && parts_.BufferOf(v) < 0 &&
          (StandsBeforeInputs(v) || OnlyStoredTo(v))) {
        AddBuffer(method_, parts_, v);
      }
    }
    SortByValue();
  }

 private:
  [[nodiscard]] int32_t Count() const { return static_cast<int32_t>(method_.values.size()); }

  [[nodiscard]] std::string_view NameOf(int32_t v) const {
    if (stated_ != nullptr) {
      const auto said = stated_->values.find(v);
      if (said != stated_->values.end()) return said->second;
    }
    return method_.NameOf(v);
  }

  // One buffer per name and place; the other values with both are views of it.
  void Named(int32_t v) {
    const Tensor* tensor = method_.TensorOf(v);
    if (tensor == nullptr || parts_.Of(v) == Part::kInput || parts_.Of(v) == Part::kConstant) {
      return;
    }
    const std::string_view name = NameOf(v);
    if (name.empty()) return;
    const auto [known, fresh] = named_.try_emplace({name, tensor->bank, tensor->offset},
                                                   static_cast<int32_t>(parts_.buffers.size()));
    if (fresh) {
      AddBuffer(method_, parts_, v);
      parts_.buffers.back().name = name;
    } else {
      parts_.buffer_of[static_cast<size_t>(v)] = known->second;
      PreferOver(parts_.buffers[static_cast<size_t>(known->second)], v);
    }
  }

  // Values may be numbered in any order: the buffer itself is the one with stored data, or the one
  // that stores go to.
  void PreferOver(BufferPart& buffer, int32_t v) {
    const Tensor& tensor = *method_.TensorOf(v);
    const bool takes_stores = !numbering_.ordered && parts_.TouchedOf(v).stored_to &&
                              !parts_.TouchedOf(buffer.value).stored_to;
    const bool has_data = tensor.data_index > 0 || tensor.external;
    const bool first_has_data = buffer.initial > 0 || buffer.external;
    const bool better = has_data == first_has_data ? takes_stores : has_data;
    if (better) Become(buffer, v);
  }

  // The buffer's own value is `v` from now on.
  void Become(BufferPart& buffer, int32_t v) {
    const Tensor& tensor = *method_.TensorOf(v);
    parts_.of[static_cast<size_t>(buffer.value)] = Part::kLocal;
    parts_.of[static_cast<size_t>(v)] = Part::kBuffer;
    buffer.value = v;
    buffer.initial = tensor.data_index;
    buffer.external = tensor.external;
  }

  // What loading gives a value is a buffer. The exporter gives it to elided views of the buffer as
  // well: values that nothing makes, with the place, the type and the stored value of the buffer.
  void Loaded() {
    std::vector<int32_t> nameless;
    for (int32_t v = 0; v < Count(); ++v) {
      const Tensor* tensor = method_.TensorOf(v);
      const bool has_data = tensor != nullptr && tensor->planned && tensor->data_index > 0;
      if (has_data && parts_.Of(v) == Part::kLocal && parts_.BufferOf(v) < 0) nameless.push_back(v);
    }
    std::ranges::stable_partition(nameless, [&](int32_t v) { return IsMade(v); });
    std::map<LoadedForm, size_t> loaded;
    for (size_t b = 0; b < parts_.buffers.size(); ++b) {
      if (parts_.buffers[b].initial > 0) loaded.try_emplace(FormOf(parts_.buffers[b].value), b);
    }
    for (const int32_t v : nameless) {
      const auto [known, fresh] = loaded.try_emplace(FormOf(v), parts_.buffers.size());
      if (fresh || (IsMade(v) && IsMade(parts_.buffers[known->second].value))) {
        AddBuffer(method_, parts_, v);
        continue;
      }
      parts_.buffer_of[static_cast<size_t>(v)] = static_cast<int32_t>(known->second);
      if (IsMade(v)) Become(parts_.buffers[known->second], v);
    }
  }

  [[nodiscard]] bool IsMade(int32_t v) const { return parts_.TouchedOf(v).first_made >= 0; }

  // Where a value lies, its type, and which stored value loading copies there.
  using LoadedForm = std::tuple<uint32_t, uint64_t, uint64_t, ScalarType, uint32_t>;
  [[nodiscard]] LoadedForm FormOf(int32_t v) const {
    const Tensor& tensor = *method_.TensorOf(v);
    return {tensor.bank, tensor.offset, tensor.nbytes, tensor.dtype, tensor.data_index};
  }

  // The exporter numbers buffers ahead of inputs, and nothing else that is planned.
  [[nodiscard]] bool StandsBeforeInputs(int32_t v) const {
    if (!numbering_.ordered || method_.inputs.empty()) return false;
    const Touched& touched = parts_.TouchedOf(v);
    return v < std::ranges::min(method_.inputs) && !touched.as_result && !touched.named;
  }

  // Nobody reads it in this call: it is stored for another.
  [[nodiscard]] bool OnlyStoredTo(int32_t v) const {
    const Touched& touched = parts_.TouchedOf(v);
    return touched.stored_to && !touched.as_result && !touched.named && !touched.output &&
           touched.first_read < 0;
  }

  void SortByValue() {
    std::ranges::sort(parts_.buffers, {}, &BufferPart::value);
    std::vector<int32_t> now(parts_.buffers.size());
    for (size_t b = 0; b < now.size(); ++b) {
      now[static_cast<size_t>(parts_.BufferOf(parts_.buffers[b].value))] = static_cast<int32_t>(b);
    }
    for (int32_t& b : parts_.buffer_of) {
      if (b >= 0) b = now[static_cast<size_t>(b)];
    }
  }

  const Method& method_;
  const Numbering& numbering_;
  const ManifestMethod* stated_;
  Parts& parts_;
  std::map<std::tuple<std::string_view, uint32_t, uint64_t>, int32_t> named_;
};

}  // namespace

void AddBuffer(const Method& method, Parts& parts, int32_t v) {
  const Tensor& tensor = *method.TensorOf(v);
  parts.of[static_cast<size_t>(v)] = Part::kBuffer;
  parts.buffer_of[static_cast<size_t>(v)] = static_cast<int32_t>(parts.buffers.size());
  parts.buffers.push_back({.value = v,
                           .name = {},
                           .initial = tensor.planned ? tensor.data_index : 0,
                           .external = tensor.external});
}

Parts PartsOf(const Method& method, const Listing& listing, const Numbering& numbering,
              const ManifestMethod* stated) {
  Parts parts;
  parts.touched = TouchedBy(method, listing);
  for (int32_t v = 0; v < static_cast<int32_t>(method.values.size()); ++v) {
    parts.of.push_back(PlainPart(method, v));
  }
  for (const int32_t v : method.inputs) {
    if (parts.Of(v) != Part::kNone) parts.of[static_cast<size_t>(v)] = Part::kInput;
  }
  BufferSearch(method, numbering, stated, parts).Run();
  return parts;
}

}  // namespace pteproof::proofs
