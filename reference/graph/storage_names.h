// Which values of a mutating method name the same storage, and which functional value holds what
// each name reads now. The bookkeeping of functionalize.h.
//
//   root   the value that a storage was made with: an input, an entry, a result, a parameter
//   name   a root, or a view of a name; a mutating operator's result is its operand's name
#ifndef PTEPROOF_REFERENCE_GRAPH_STORAGE_NAMES_H_
#define PTEPROOF_REFERENCE_GRAPH_STORAGE_NAMES_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "reference/graph/module.h"

namespace pteproof::graph {

// Storages that a root may stand for, ascending, by the values that made them.
using StorageSet = std::vector<ValueId>;

[[nodiscard]] StorageSet Union(const StorageSet& a, const StorageSet& b);
[[nodiscard]] bool Intersect(const StorageSet& a, const StorageSet& b);

struct StorageName {
  ValueId root = -1;           // -1: a number, or not defined yet
  ValueId base = -1;           // of a view: the name that `view` was applied to
  const Node* view = nullptr;  // null: a root
  ValueId now = -1;            // functional value with its contents,
  int32_t seen = 0;            // as of so many writes to the root
};

struct StorageRoot {
  enum class Kind : uint8_t { kOwn, kParam };
  Kind kind = Kind::kOwn;  // kParam: of a region, hence of an operand outside
  int32_t region = 0;      // a region sees its own roots only
  int32_t writes = 0;
  bool unclear = false;  // a write to another root may have changed it
  StorageSet storages;
};

class StorageNames {
 public:
  explicit StorageNames(size_t values);

  // New names. Storages of AddRoot: `value` itself, if none are given.
  void AddRoot(ValueId value, int32_t region, StorageSet storages = {},
               StorageRoot::Kind kind = StorageRoot::Kind::kOwn);
  void AddView(ValueId value, ValueId base, const Node& node);
  void AddSame(ValueId value, ValueId as);

  // The value under which a name is kept: two values with one are the same name.
  [[nodiscard]] ValueId Canonical(ValueId value) const { return same_[Index(value)]; }
  [[nodiscard]] StorageName& Of(ValueId value) { return names_[Index(Canonical(value))]; }
  [[nodiscard]] const StorageName& Of(ValueId value) const {
    return names_[Index(Canonical(value))];
  }
  [[nodiscard]] bool IsNumber(ValueId value) const { return Of(value).root < 0; }
  [[nodiscard]] StorageRoot& RootOf(ValueId value) { return roots_[Index(Of(value).root)]; }
  [[nodiscard]] const StorageRoot& RootOf(ValueId value) const {
    return roots_[Index(Of(value).root)];
  }
  // What a value may stand for; nothing for numbers.
  [[nodiscard]] StorageSet StoragesOf(ValueId value) const;

  // Counts a write to the value's root. Roots of the same region that may share a storage with it
  // become unclear. False: one of them is a parameter and this is none, so that an operand outside
  // would be unclear.
  [[nodiscard]] bool CountWrite(ValueId value);

 private:
  static size_t Index(ValueId value) { return static_cast<size_t>(value); }

  std::vector<ValueId> same_;
  std::vector<StorageName> names_;                              // by canonical value
  std::vector<StorageRoot> roots_;                              // by root value
  std::unordered_map<ValueId, std::vector<ValueId>> roots_of_;  // per storage
};

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_STORAGE_NAMES_H_
