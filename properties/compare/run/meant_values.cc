#include "properties/compare/run/meant_values.h"

#include <algorithm>
#include <utility>

namespace pteproof::compare {

Meaning MeaningOf(const Program& program, const Manifest* manifest) {
  Meaning meaning = {meaning::MeaningOf(program, manifest).methods, {}};
  for (const meaning::MethodMeaning& meant : meaning.methods) {
    meaning.last_uses.push_back(LastUsesOf(meant));
  }
  return meaning;
}

TensorShape MeantValues::ShapeInFile(int32_t v) const {
  const Tensor& tensor = *method_.TensorOf(v);
  const auto sizes = method_.Ints(tensor.sizes);
  const auto order = method_.Ints(tensor.dim_order);
  TensorShape shape = {tensor.dtype, {sizes.begin(), sizes.end()}};
  if (!std::ranges::is_sorted(order)) shape.order.assign(order.begin(), order.end());
  return shape;
}

SymbolicTensor MeantValues::Get(int32_t v) {
  const auto lost = lost_.find(v);
  if (lost == lost_.end() || !IsEmpty(v)) return *Read(v);
  entry_.Give(std::string(lost->second));
  return {ShapeInFile(v), kNoBytes};
}

MeantValues::Contents MeantValues::Lost(int32_t v, std::string_view why) {
  lost_.insert_or_assign(v, why);
  return nullptr;
}

MeantValues::Contents MeantValues::Derived(NameForm form, int32_t name,
                                           std::span<const int32_t> sources) {
  switch (form) {
    case NameForm::kView:
      return ViewOf(name, *Slot(sources.front()));
    case NameForm::kSlice:
      return SliceOf(name, sources.front(), *Slot(sources.front()));
    case NameForm::kConcat:
      break;
  }
  return Joined(name, sources);
}

// The same bytes in the form that the file states; of a base with fewer bytes than at its bounds,
// in the base's own.
MeantValues::Contents MeantValues::ViewOf(int32_t v, const SymbolicTensor& base) {
  TensorShape shape = ShapeInFile(v);
  const bool alike = shape.dtype == base.shape.dtype && shape.order == base.shape.order &&
                     shape.sizes.size() == base.shape.sizes.size();
  if (base.shape.varies || shape.nbytes() != table_[base.content].bytes()) {
    return alike ? Held(base) : Lost(v, "a view of a value whose sizes vary");
  }
  return Held({std::move(shape), base.content});
}

MeantValues::Contents MeantValues::SliceOf(int32_t v, int32_t whole, const SymbolicTensor& around) {
  TensorShape shape = ShapeInFile(v);
  const uint64_t first = method_.TensorOf(v)->offset - method_.TensorOf(whole)->offset;
  const uint64_t nbytes = shape.nbytes();
  if (around.shape.varies || first + nbytes > table_[around.content].bytes()) {
    return Lost(v, "a part of a value whose sizes vary");
  }
  return Held({std::move(shape), table_.Part(around.content, first, nbytes)});
}

MeantValues::Contents MeantValues::Joined(int32_t v, std::span<const int32_t> tiles) {
  ContentBuilder builder;
  uint64_t nbytes = 0;
  for (const int32_t tile : tiles) {
    const SymbolicTensor& part = *Slot(tile);
    if (part.shape.varies) return Lost(v, "a value whose sizes vary is a part of another");
    const Content& content = table_[part.content];
    content.Read(0, content.bytes(), builder);
    nbytes += content.bytes();
  }
  TensorShape shape = ShapeInFile(v);
  if (nbytes != shape.nbytes()) return Lost(v, "a value whose sizes vary is a part of another");
  return Held({std::move(shape), table_.Intern(builder.Take())});
}

MeantValues::Contents MeantValues::AsState(int32_t buffer, const Contents& held) {
  TensorShape shape = ShapeInFile(buffer);
  if (held->shape == shape) return held;
  if (held->shape.varies || table_[held->content].bytes() != shape.nbytes()) {
    entry_.Give("a value whose sizes vary lies in the bytes of a buffer");
    return Held({std::move(shape), kNoBytes});
  }
  return Held({std::move(shape), held->content});
}

}  // namespace pteproof::compare
