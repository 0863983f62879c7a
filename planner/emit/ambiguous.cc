// Idea. A reader of the file recognises an elided concatenation by the values that tile its bytes.
// If a value of another storage has exactly its placement, the reader takes the concatenation for a
// view of that value. Such concatenations are found by a map from placements to storages and must
// be emitted. Cost: O(n log n).
#include "planner/emit/ambiguous.h"

#include <map>
#include <tuple>

namespace pteproof::planner {

std::vector<ValueId> AmbiguousConcats(const Code& code, const Sharing& sharing,
                                      std::span<const Place> places) {
  using Key = std::tuple<int32_t, int64_t, int64_t>;
  constexpr int32_t kSeveral = -1;
  const auto key_of = [&](ValueId v) {
    const Place& place = places[static_cast<size_t>(sharing.StorageIndexOf(v))];
    return Key{place.bank, place.offset + sharing.InsideOf(v), sharing.BytesOf(v)};
  };
  std::map<Key, int32_t> storages;  // by place
  std::vector<ValueId> concats;
  for (size_t v = 0; v < code.values.size(); ++v) {
    const auto id = static_cast<ValueId>(v);
    if (TensorTypeOf(code, id) == nullptr) continue;
    if (sharing.HasParts(id)) concats.push_back(id);
    const int32_t storage = sharing.StorageIndexOf(id);
    const auto [known, is_new] = storages.try_emplace(key_of(id), storage);
    if (!is_new && known->second != storage) known->second = kSeveral;
  }
  std::erase_if(concats, [&](ValueId v) { return storages[key_of(v)] != kSeveral; });
  return concats;
}

}  // namespace pteproof::planner
