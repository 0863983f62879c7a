#include "reference/run/cells.h"

#include <utility>

namespace pteproof {

void Cells::Make(int32_t value, Contents contents) {
  Cell& cell = (*this)[value];
  cell.storage = std::make_shared<Storage>(std::move(contents));
  cell.map = nullptr;
}

Contents Cells::Read(int32_t value) const {
  const Cell& cell = (*this)[value];
  const Contents& storage = StorageOf(value);
  if (cell.map == nullptr) return storage;
  TensorValue gathered = Zeros(storage->dtype, cell.map->sizes);
  const int64_t count = ElementCount(gathered);
  for (int64_t i = 0; i < count; ++i) CopyElement(*storage, IntAt(*cell.map, i), gathered, i);
  return std::make_shared<const TensorValue>(std::move(gathered));
}

void Cells::Store(int32_t value, const TensorValue& contents) {
  const Cell& cell = (*this)[value];
  Contents& storage = cell.storage->contents;
  TensorValue changed = *storage;
  const int64_t count = ElementCount(contents);
  for (int64_t i = 0; i < count; ++i) {
    CopyElement(contents, i, changed, cell.map == nullptr ? i : IntAt(*cell.map, i));
  }
  storage = std::make_shared<const TensorValue>(std::move(changed));
}

Contents Cells::MapOf(int32_t value) const {
  const Cell& cell = (*this)[value];
  if (cell.map != nullptr) return cell.map;
  TensorValue all = Zeros(ScalarType::kInt64, StorageOf(value)->sizes);
  const int64_t count = ElementCount(all);
  for (int64_t i = 0; i < count; ++i) SetInt(all, i, i);
  return std::make_shared<const TensorValue>(std::move(all));
}

}  // namespace pteproof
