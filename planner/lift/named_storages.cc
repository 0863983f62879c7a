// Idea: a forest of values in which each knows its distance from its parent, as in a union-find
// with weights. Two names that are to share a storage join their trees, and a pair that is in one
// tree already has to have the distance that it is told.
#include "planner/lift/named_storages.h"

#include <numeric>
#include <utility>

namespace pteproof::planner {
namespace {

class Forest {
 public:
  explicit Forest(size_t values) : parent_(values), distance_(values) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  // The root, and the first byte's distance from the root's.
  std::pair<int32_t, int64_t> Find(int32_t v) {
    int64_t distance = 0;
    int32_t root = v;
    for (; parent_[IndexOf(root)] != root; root = parent_[IndexOf(root)]) {
      distance += distance_[IndexOf(root)];
    }
    for (int64_t left = distance; parent_[IndexOf(v)] != v;) {
      const int32_t next = std::exchange(parent_[IndexOf(v)], root);
      const int64_t step = std::exchange(distance_[IndexOf(v)], left);
      if (next == root) break;
      left -= step;
      v = next;
    }
    return {root, distance};
  }

  // `b` begins `delta` bytes behind `a`. False: it lies elsewhere already.
  bool Join(int32_t a, int32_t b, int64_t delta) {
    const auto [root_a, at_a] = Find(a);
    const auto [root_b, at_b] = Find(b);
    if (root_a == root_b) return at_b - at_a == delta;
    parent_[IndexOf(root_b)] = root_a;
    distance_[IndexOf(root_b)] = at_a + delta - at_b;
    return true;
  }

 private:
  std::vector<int32_t> parent_;
  std::vector<int64_t> distance_;  // from the parent
};

bool HaveOneBank(const Method& method, int32_t a, int32_t b) {
  const Tensor* first = method.TensorOf(a);
  const Tensor* second = method.TensorOf(b);
  return first->planned && second->planned && first->bank == second->bank;
}

}  // namespace

bool NamedStorages::Share(const Method& method, int32_t a, int32_t b) const {
  const Tensor* first = method.TensorOf(a);
  const Tensor* second = method.TensorOf(b);
  if (first == nullptr || second == nullptr || storage[IndexOf(a)] != storage[IndexOf(b)])
    return false;
  return at[IndexOf(a)] < at[IndexOf(b)] + static_cast<int64_t>(second->nbytes) &&
         at[IndexOf(b)] < at[IndexOf(a)] + static_cast<int64_t>(first->nbytes);
}

NamedStorages NamedStoragesOf(const meaning::MethodMeaning& meant, const MethodTouches& touches,
                              std::span<const DerivedName> names) {
  const Method& method = *meant.method;
  Forest forest(method.values.size());
  NamedStorages storages;
  for (const DerivedName& derived : names) {
    for (const NamedBytes& bytes : derived.bytes) {
      if (!forest.Join(derived.value, bytes.of, bytes.at)) {
        storages.misfits.push_back(derived.value);
      }
    }
  }
  for (size_t v = 0; v < touches.sources.size(); ++v) {
    if (touches.sources[v].empty() || IsWritten(meant, static_cast<int32_t>(v))) continue;
    const int32_t source = touches.sources[v].front();
    // What is moved from elsewhere is read where it lies.
    if (!HaveOneBank(method, source, static_cast<int32_t>(v))) continue;
    static_cast<void>(forest.Join(source, static_cast<int32_t>(v), 0));
  }
  for (size_t v = 0; v < method.values.size(); ++v) {
    const auto [root, at] = forest.Find(static_cast<int32_t>(v));
    storages.storage.push_back(root);
    storages.at.push_back(at);
  }
  return storages;
}

}  // namespace pteproof::planner
