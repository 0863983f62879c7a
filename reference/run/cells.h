// What a method's values hold in a run: numbers, and tensors as names of storages. A view names
// some elements of its base's storage; a store through it reaches them. A storage goes with its
// last name.
#ifndef PTEPROOF_REFERENCE_RUN_CELLS_H_
#define PTEPROOF_REFERENCE_RUN_CELLS_H_

#include <memory>
#include <vector>

#include "reference/argument.h"
#include "reference/run/state.h"

namespace pteproof {

struct Storage {
  Contents contents;
};

struct Cell {
  std::shared_ptr<Storage> storage;  // null: a number
  Contents map;  // per element of a view, its index in the storage; null: all, in order
  ScalarResult number = int64_t{0};
};

class Cells {
 public:
  explicit Cells(size_t values) : cells_(values) {}

  [[nodiscard]] Cell& operator[](int32_t value) { return cells_[static_cast<size_t>(value)]; }
  [[nodiscard]] const Cell& operator[](int32_t value) const {
    return cells_[static_cast<size_t>(value)];
  }
  [[nodiscard]] bool IsTensor(int32_t value) const { return (*this)[value].storage != nullptr; }

  // The value names a new storage.
  void Make(int32_t value, Contents contents);
  // What a tensor value holds now.
  [[nodiscard]] Contents Read(int32_t value) const;
  // Replaces what it holds, for all names of those elements. Sizes are the value's own.
  void Store(int32_t value, const TensorValue& contents);
  // Per element of a value, its index in the storage, as an int64 tensor of the value's sizes.
  [[nodiscard]] Contents MapOf(int32_t value) const;
  // The contents of a value's whole storage.
  [[nodiscard]] const Contents& StorageOf(int32_t value) const {
    return (*this)[value].storage->contents;
  }

 private:
  std::vector<Cell> cells_;
};

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_RUN_CELLS_H_
