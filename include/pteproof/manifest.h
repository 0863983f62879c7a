// The manifest: facts of the source model that a `.pte` does not hold. Parsed from JSON; its format
// is published in properties/manifest.schema.json. Sizes are elements per dimension; positions and
// indices count from 0.
//
// Example:
//
//   const auto manifest = pteproof::ParseManifest(R"({"pteproof": 1, "policy": "share-all"})");
//   if (!manifest.ok()) return 1;
//   const auto wrong = pteproof::ParseManifest(R"({"pteproof": 1, "polizy": "share-all"})");
//   const bool told = !wrong.ok() && wrong.error().front().where == "/polizy";
//   return manifest.value().policy == pteproof::Policy::kShareAll && told ? 0 : 1;
#ifndef PTEPROOF_MANIFEST_H_
#define PTEPROOF_MANIFEST_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/finding.h"
#include "pteproof/result.h"
#include "pteproof/scalar_type.h"

namespace pteproof {

enum class InitialValue : uint8_t { kZero, kStored, kAny };

// A range of sizes or numbers; max empty: unbounded.
struct DimRange {
  int64_t min = 0;
  std::optional<int64_t> max;
};

// The admitted sizes of a dimension: min, min + step, ... up to max.
struct ManifestDim : DimRange {
  int64_t step = 1;
  std::string name = {};  // those of one name have one size in a call; empty: free
};

struct ManifestBuffer {
  std::optional<ScalarType> dtype;
  std::optional<std::vector<int64_t>> sizes;
  std::optional<bool> shared;
  std::optional<InitialValue> initial;
  std::string initial_sha256;  // lower-case hex, empty when not given
  // By method, where it calls the buffer by other names than the manifest.
  std::map<std::string, std::vector<std::string>> names = {};
};

struct ManifestInput {
  std::string name;
  std::optional<std::vector<ManifestDim>> sizes;  // empty for inputs that are not tensors
  std::optional<DimRange> range = {};             // of the numbers in it that random calls draw
};

struct ManifestOutput {
  bool is_entry =
      false;  // the entry value of the following, returned unchanged; else a computed result
  std::string of_buffer;            // FQN, or empty
  std::optional<int32_t> of_input;  // position among the user inputs
  std::string of_parameter = {};    // FQN of a trained parameter, or empty
  // Position of the first user output that is the same value of the model: its own, if none is.
  std::optional<int32_t> same_as = {};
};

struct ManifestDelegate {
  int32_t index = 0;    // counts the method's delegate calls in listing order
  int32_t outputs = 0;  // how many trailing arguments it writes
  std::optional<std::vector<int32_t>> updates = {};  // positions that it updates in place
};

// A key that is left out says nothing; an empty list says that there are none.
struct ManifestMethod {
  std::optional<std::vector<std::string>> reads;
  std::optional<std::vector<std::string>> mutates;
  std::optional<std::vector<int32_t>> mutates_inputs;
  std::optional<std::vector<int32_t>> in_place_inputs;
  std::optional<std::vector<ManifestInput>> inputs;
  std::optional<std::vector<ManifestOutput>> outputs;
  std::vector<ManifestDelegate> delegates;
  std::map<int32_t, std::string> values;  // value index to buffer name
};

// A regular expression over method names, as a tree.
struct CallPattern {
  enum class Kind : uint8_t { kCall, kSequence, kChoice, kStar, kPlus, kOptional };
  Kind kind = Kind::kCall;
  std::string method = {};              // of kCall
  std::vector<CallPattern> parts = {};  // two or more of a sequence or a choice; else one, or none
  size_t at = 0;                        // of kCall: the start of the name in the text
};

// The protocol: the history of calls since loading is a prefix of a word of `pattern`.
struct CallProtocol {
  std::string text;
  CallPattern pattern;
};

struct Suppression {
  std::string rule;
  std::string method;  // empty: all
  std::string reason;  // never empty
};

struct Manifest {
  std::optional<Policy> policy;
  std::optional<bool> all_first;  // "load"
  std::optional<CallProtocol> calls;
  std::optional<std::map<std::string, ManifestBuffer>> buffers;
  std::map<std::string, ManifestMethod> methods;
  std::vector<std::string>
      operators;  // signatures in PyTorch's notation (docs/how-to/operators-of-your-own.md)
  std::vector<Suppression> suppress;
  std::string program_sha256 = {};  // of the program file's bytes, lower-case hex; empty: not said
};

// A mistake in a manifest: `where` is a JSON pointer ("/methods/decode/inputs/0"),
// or "line L column C" if the text is not JSON.
struct ManifestError {
  std::string where;
  std::string what;
};

// Parses a manifest. Unknown keys, wrong types, empty reasons and numbers out of range are errors;
// all of them are listed.
[[nodiscard]] Result<Manifest, std::vector<ManifestError>> ParseManifest(std::string_view json);

}  // namespace pteproof

#endif  // PTEPROOF_MANIFEST_H_
