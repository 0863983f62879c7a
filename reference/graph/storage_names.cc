// Idea. A name is a root or a view of a name; the names of one storage form a tree below their
// root. A root stands for a set of storages, of one element for everything but results of branches
// and loops and parameters, which may be one of several.
//
//   entry @cache = %b   root, storages {b}
//     +- %v = slice(%b)          view, base %b
//     |    +- %w = view(%v)      view, base %v
//     +- %m = add_(%b, %x)       the same name as %b
//   %r = cond(...)      root, storages {b, r1}: unclear after a write to %b
//
// Invariant: two names may share bytes only if the storage sets of their roots meet. A write to one
// root marks all other roots of the region that may share its storage as unclear. Cost: O(roots of
// the storages) for a write, near O(1) for all else.
#include "reference/graph/storage_names.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace pteproof::graph {

StorageSet Union(const StorageSet& a, const StorageSet& b) {
  StorageSet both;
  std::ranges::set_union(a, b, std::back_inserter(both));
  return both;
}

bool Intersect(const StorageSet& a, const StorageSet& b) {
  return std::ranges::any_of(
      a, [&](ValueId storage) { return std::ranges::binary_search(b, storage); });
}

StorageNames::StorageNames(size_t values) : same_(values), names_(values), roots_(values) {
  std::iota(same_.begin(), same_.end(), 0);
  for (size_t v = 0; v < values; ++v) names_[v].now = static_cast<ValueId>(v);
}

void StorageNames::AddRoot(ValueId value, int32_t region, StorageSet storages,
                           StorageRoot::Kind kind) {
  names_[Index(value)].root = value;
  StorageRoot& root = roots_[Index(value)];
  root.kind = kind;
  root.region = region;
  root.storages = storages.empty() ? StorageSet{value} : std::move(storages);
  for (const ValueId storage : root.storages) roots_of_[storage].push_back(value);
}

void StorageNames::AddView(ValueId value, ValueId base, const Node& node) {
  StorageName& name = names_[Index(value)];
  name.base = Canonical(base);
  name.root = Of(base).root;
  name.view = &node;
  name.seen = RootOf(base).writes;
}

void StorageNames::AddSame(ValueId value, ValueId as) {
  same_[Index(value)] = Canonical(as);
}

StorageSet StorageNames::StoragesOf(ValueId value) const {
  return IsNumber(value) ? StorageSet{} : RootOf(value).storages;
}

bool StorageNames::CountWrite(ValueId value) {
  const ValueId written = Of(value).root;
  StorageRoot& root = RootOf(value);
  ++root.writes;
  bool clear_outside = true;
  for (const ValueId storage : root.storages) {
    for (const ValueId other : roots_of_[storage]) {
      StorageRoot& shares = roots_[Index(other)];
      if (other == written || shares.region != root.region) continue;
      shares.unclear = true;
      if (shares.kind == StorageRoot::Kind::kParam && root.kind != StorageRoot::Kind::kParam) {
        clear_outside = false;
      }
    }
  }
  return clear_outside;
}

}  // namespace pteproof::graph
