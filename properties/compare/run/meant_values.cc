#include "properties/compare/run/meant_values.h"

#include <algorithm>
#include <utility>

namespace pteproof::compare {

std::vector<Meaning> MeaningsOf(const Program& program, const std::vector<OpaqueCalls>& opaque) {
  std::vector<Meaning> meanings;
  auto names = StorageNamesOf(program, opaque);
  for (size_t m = 0; m < program.methods.size(); ++m) {
    LastUses last_uses = LastUsesOf(program.methods[m], names[m]);
    meanings.push_back({std::move(names[m]), std::move(last_uses)});
  }
  return meanings;
}

TensorShape MeantValues::ShapeInFile(int32_t v) const {
  const Tensor& tensor = *method_.TensorOf(v);
  const auto sizes = method_.Ints(tensor.sizes);
  const auto order = method_.Ints(tensor.dim_order);
  TensorShape shape = {tensor.dtype, {sizes.begin(), sizes.end()}};
  if (!std::ranges::is_sorted(order)) shape.order.assign(order.begin(), order.end());
  return shape;
}

SymbolicTensor MeantValues::Lost(int32_t v, std::string why) {
  entry_.Give(std::move(why));
  return {ShapeInFile(v), kNoBytes};
}

MeantValues::Contents MeantValues::Made(int32_t v) {
  const StorageName& name = NameAt(v);
  switch (name.kind) {
    case NameKind::kView:
      return Held(ViewOf(v, *Slot(name.base)));
    case NameKind::kConcat:
      return Held(Joined(v, name.tiles));
    case NameKind::kSlice:
      return Held(SliceOf(v, name.tiles.front(), *Slot(name.tiles.front())));
    case NameKind::kState:
    case NameKind::kPart:  // such a method is not followed
    case NameKind::kOwn:
      break;
  }
  return Held(entry_.AtEntry(v));
}

// The same bytes in the form that the file states; of a base with fewer bytes than at its bounds,
// in the base's own.
SymbolicTensor MeantValues::ViewOf(int32_t v, const SymbolicTensor& base) {
  TensorShape shape = ShapeInFile(v);
  const bool alike = shape.dtype == base.shape.dtype && shape.order == base.shape.order &&
                     shape.sizes.size() == base.shape.sizes.size();
  if (base.shape.varies || shape.nbytes() != table_[base.content].bytes()) {
    return alike ? base : Lost(v, "a view of a value whose sizes vary");
  }
  return {std::move(shape), base.content};
}

SymbolicTensor MeantValues::SliceOf(int32_t v, int32_t whole, const SymbolicTensor& around) {
  TensorShape shape = ShapeInFile(v);
  const uint64_t first = method_.TensorOf(v)->offset - method_.TensorOf(whole)->offset;
  const uint64_t nbytes = shape.nbytes();
  if (around.shape.varies || first + nbytes > table_[around.content].bytes()) {
    return Lost(v, "a part of a value whose sizes vary");
  }
  return {std::move(shape), table_.Part(around.content, first, nbytes)};
}

SymbolicTensor MeantValues::Joined(int32_t v, std::span<const int32_t> tiles) {
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
  return {std::move(shape), table_.Intern(builder.Take())};
}

void MeantValues::Place(int32_t to, std::span<const int32_t> operands, int32_t at) {
  for (const int32_t operand : operands) static_cast<void>(Read(operand));
  SymbolicTensor placed = operands.size() == 1
                              ? SliceOf(to, operands.front(), *Slot(operands.front()))
                              : Joined(to, operands);
  Replace(to, Held(placed), at);
}

MeantValues::Contents MeantValues::AsState(int32_t buffer, const Contents& held) {
  TensorShape shape = ShapeInFile(buffer);
  if (held->shape == shape) return held;
  if (held->shape.varies || table_[held->content].bytes() != shape.nbytes()) {
    return Held(Lost(buffer, "a value whose sizes vary lies in the bytes of a buffer"));
  }
  return Held({std::move(shape), held->content});
}

bool MeantValues::NamesABuffer(int32_t v) const {
  if (!NameAt(v).same_buffer) return KindOf(v) == NameKind::kState;
  const Tensor& first = *method_.TensorOf(NameAt(v).base);
  return first.data_index == 0 && !first.external;
}

}  // namespace pteproof::compare
