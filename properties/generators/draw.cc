#include "properties/generators/draw.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string_view>

#include "base/without.h"

namespace pteproof::generators {
namespace {

struct FeatureRow {
  std::string_view name;
  uint8_t chance;  // in 256ths
};
// By Feature.
constexpr FeatureRow kFeatures[kFeatureCount] = {
    {"ranges", 90},   {"regions", 80}, {"mutation", 150}, {"delegates", 50}, {"unknown", 40},
    {"mixed", 90},    {"sizes", 70},   {"stores", 150},   {"aliases", 110},  {"clashes", 60},
    {"in-place", 80}, {"pools", 40},   {"devices", 128},
};

class Drawer {
 public:
  Drawer(const std::function<uint64_t()>& next, int size)
      : next_(next), size_(static_cast<uint32_t>(std::clamp(size, 0, 100))) {}

  CaseDraft Case() {
    CaseDraft draft;
    for (int f = 0; f < kFeatureCount; ++f) {
      if (Byte() >= kFeatures[f].chance || Without(kGenerated, kFeatures[f].name)) continue;
      draft.features |= static_cast<uint16_t>(1U << f);
    }
    draft.buffers.resize(Count(0, 8, 4));
    for (BufferDraft& buffer : draft.buffers) Fill(buffer);
    draft.methods.resize(Count(1, 6, 2));
    for (MethodDraft& method : draft.methods) Draw(method, draft);
    draft.calls.resize(Count(4, 10, 5));
    for (CallDraft& call : draft.calls) Fill(call);
    return draft;
  }

 private:
  void Draw(MethodDraft& method, const CaseDraft& draft) {
    method.buffers.resize(draft.buffers.empty() ? 0 : Count(0, draft.buffers.size(), 2));
    for (uint8_t& buffer : method.buffers) buffer = Byte();
    method.inputs.resize(Count(0, 4, 2));
    for (InputDraft& input : method.inputs) Fill(input);
    method.nodes.resize(Count(1, 24, 6));
    for (NodeDraft& node : method.nodes) {
      Fill(node);
      node.a = Distance(node.a);
      node.b = Distance(node.b);
    }
    const bool many = draft.Has(Feature::kStores);
    method.stores.resize(Count(0, many ? method.buffers.size() + 1 : 1, many ? 3 : 1));
    for (StoreDraft& store : method.stores) {
      Fill(store);
      store.value = Distance(store.value);
      // Mostly to buffers that it reads as well.
      if (!method.buffers.empty() && (store.flags & 0x0C) != 0) {
        store.buffer = method.buffers[store.buffer % method.buffers.size()];
      }
    }
    method.outputs.resize(Count(1, 4, 2));
    for (uint8_t& output : method.outputs) output = Distance(Byte());
  }

  // One word per draft: a draw costs more than all that is cut out of it.
  template <class T>
  void Fill(T& draft) {
    static_assert(sizeof(T) <= sizeof(uint64_t));
    const uint64_t word = next_();
    std::array<uint8_t, sizeof(T)> bytes;
    std::memcpy(bytes.data(), &word, sizeof(T));
    draft = std::bit_cast<T>(bytes);
  }

  // The distance of a value: mostly small. The distance is absolute, not a share of the values, so
  // a cut of older values does not change it.
  static uint8_t Distance(uint8_t number) { return number < 128 ? number % 4U : number % 16U; }

  uint8_t Byte() {
    if (left_ == 0) {
      word_ = next_();
      left_ = 8;
    }
    --left_;
    const auto byte = static_cast<uint8_t>(word_);
    word_ >>= 8;
    return byte;
  }

  // From `lo` to `hi`, about `middle` on average at full size, and less at a smaller one.
  size_t Count(size_t lo, size_t hi, size_t middle) {
    const size_t most = Byte() < 32 ? hi : std::min(hi, 2 * middle - std::min(lo, middle));
    return lo + Byte() % ((most - lo) * (size_ + 20) / 120 + 1);
  }

  const std::function<uint64_t()>& next_;
  uint32_t size_;
  uint64_t word_ = 0;
  int left_ = 0;
};

}  // namespace

CaseDraft DrawCase(const std::function<uint64_t()>& next, int size) {
  return Drawer(next, size).Case();
}

CaseDraft DrawCase(uint64_t seed) {
  // SplitMix64 (Steele, Lea, Flood 2014).
  uint64_t state = seed;
  return DrawCase(
      [&state] {
        state += 0x9E3779B97F4A7C15;
        uint64_t z = state;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
      },
      100);
}

}  // namespace pteproof::generators
