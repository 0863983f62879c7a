// A random case before repair: numbers of which any value has a meaning. Small plain data, so
// drawing is quick and shrinking may cut and lower anything. build_module.h turns a draft into a
// well-formed Module and takes each number modulo the number of choices.
#ifndef PTEPROOF_PROPERTIES_GENERATORS_DRAFT_H_
#define PTEPROOF_PROPERTIES_GENERATORS_DRAFT_H_

#include <cstdint>
#include <vector>

namespace pteproof::generators {

// The features that a case may contain. Drawn per case (swarm testing): a case with few features
// reaches deeper into them than a case with all.
enum class Feature : uint8_t {
  kRanges,      // dims that vary from call to call
  kRegions,     // cond, while, map, scan
  kMutation,    // mutating operators, views with stores through them
  kDelegates,   // opaque nodes
  kUnknown,     // operators that the table does not know
  kMixedTypes,  // integers, bool, float64 beside float32
  kOddSizes,    // no element, one element, no dimension
  kStores,      // many stores to buffers: permuted, chained, of other buffers' entry values
  kAliases,     // outputs that are inputs or buffers, one value twice
  kClashes,     // inputs named like buffers
  kInPlace,     // inputs that the method may overwrite, nodes in place of an operand
  kPools,       // wishes for banks
  kDevices,     // delegates on a device, between copies to it and back
};
inline constexpr int kFeatureCount = 13;

struct NodeDraft {
  uint8_t kind = 0;
  uint8_t a = 0;  // operands: the youngest value that fits, after so many younger ones
  uint8_t b = 0;
  uint8_t c = 0;
  uint8_t attribute = 0;
  uint8_t flags = 0;
  uint8_t length = 0;  // of a region: how many drafts after this one are its nodes
  uint8_t spare = 0;
};

struct BufferDraft {
  uint8_t shape = 0;
  uint8_t dtype = 0;
  uint8_t initial = 0;
  uint8_t flags = 0;
};

struct InputDraft {
  uint8_t shape = 0;
  uint8_t dtype = 0;
  uint8_t name = 0;
  uint8_t flags = 0;
};

struct StoreDraft {
  uint8_t buffer = 0;  // of the Module; or an input of the method, by IsToInput
  uint8_t value = 0;   // as operands
  uint8_t flags = 0;
};

struct MethodDraft {
  std::vector<uint8_t> buffers;  // of the Module: those it reads
  std::vector<InputDraft> inputs;
  std::vector<NodeDraft> nodes;
  std::vector<StoreDraft> stores;
  std::vector<uint8_t> outputs;  // as operands
};

struct CallDraft {
  uint8_t method = 0;
  uint8_t dims = 0;
  uint16_t seed = 0;  // of the inputs' contents
};

struct CaseDraft {
  uint16_t features = 0;  // one bit per Feature
  std::vector<BufferDraft> buffers;
  std::vector<MethodDraft> methods;
  std::vector<CallDraft> calls;

  [[nodiscard]] bool Has(Feature f) const {
    return (features >> static_cast<unsigned>(f) & 1U) != 0;
  }
};

// A few stores of cases with mutation are to inputs.
inline bool IsToInput(const CaseDraft& draft, const StoreDraft& store) {
  return draft.Has(Feature::kMutation) && (store.flags & 0xC0) == 0xC0;
}

}  // namespace pteproof::generators

#endif  // PTEPROOF_PROPERTIES_GENERATORS_DRAFT_H_
