// What a delegate's blob says of itself, in one form for all backends: the values of its inner
// graph, which of them are the arguments of a call, the nodes that make them, and its own memory.
// Each backend has a file that reads its format, from the bytes alone, and says nothing if they are
// of another kind. What a format leaves open stays open here: an empty list of types and missing
// sizes are not judged.
#ifndef PTEPROOF_RUNTIME_DELEGATES_OPENED_BLOB_H_
#define PTEPROOF_RUNTIME_DELEGATES_OPENED_BLOB_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/program.h"
#include "pteproof/scalar_type.h"

namespace pteproof::delegates {

// The size of a dimension lies in [least, most]; `most` < 0: unbounded.
struct BlobDim {
  int64_t least = 0;
  int64_t most = -1;
};

enum class SizeOrder : uint8_t {
  kLogical,   // dimension by dimension
  kInMemory,  // outermost first, as the argument's dimensions lie in memory
};

// Bytes that a value is stored with.
struct StoredBytes {
  Bytes bytes = {};
  int32_t key = -1;       // in data_keys; -1: the bytes lie in the blob
  bool is_there = false;  // else the program does not have the named data
  uint64_t least = 0;     // bytes that the runtime reads, however many are stored
};

// Forms are what a comparison goes by: all that the blob says of a thing, but for names, numbers,
// places in memory, and other values; a letter stands for each of those (flat_form.h).
struct BlobValue {
  std::string name = {};
  std::string form = {};
  std::vector<StoredBytes> stored = {};  // contents, scales
  bool given = false;  // has what it is stored with, or the literal in its form, from the start
  std::vector<ScalarType> types = {};  // of an argument that it fits; empty: any
  std::optional<std::vector<BlobDim>> sizes = std::nullopt;  // nullopt: any
  SizeOrder order = SizeOrder::kLogical;
  std::optional<uint64_t> elements = std::nullopt;  // how many, if not how they lie; nullopt: any
  uint32_t width = 0;                               // bytes of an element outside; 0: any
  bool constant = false;                            // stored with the blob or as named data
  bool state = false;                               // kept by the delegate from call to call
  bool made = false;  // an input, stored, or written by a node; else something unknown may make it
  int64_t object = -1;  // of the memory inside that it shares; -1: none
  uint64_t nbytes = 0;  // without padding; of Vulkan
};

// An argument of the call: inputs are read, outputs written.
struct BlobSlot {
  int32_t value = -1;     // index in values; -1: the blob has no such value
  int32_t argument = -1;  // position in the call; -1: inputs first, then outputs, in order
  bool updated = false;   // an input that the graph writes back to the caller's tensor
  // The output of a constant: this backend's runtime then leaves the argument alone.
  bool left_alone = false;
};

struct BlobNode {
  std::string op;
  std::vector<int32_t> reads;
  std::vector<int32_t> writes;
  bool once = false;      // runs when the delegate is loaded, not in a call
  std::string form = {};  // with the operator
  bool random = false;    // equal operands may give other results
};

// A buffer of the model that the delegate keeps from call to call, or has as a constant.
struct BlobState {
  std::string name;    // as the exporter has it
  int32_t value = -1;  // index in values; -1: not said
  bool updated = false;
};

struct OpenedBlob {
  std::string_view backend;  // "XNNPACK"
  std::string method = {};   // of a blob that holds several: which of them
  std::string damage = {};   // why it cannot be read; the rest is then empty
  std::vector<BlobValue> values = {};
  std::vector<BlobSlot> inputs = {};
  std::vector<BlobSlot> outputs = {};
  std::vector<BlobState> states = {};  // those with names
  bool plain_letters = false;          // their names have `_` for what is no letter and no digit
  bool shares_states = false;          // with other delegates of the backend, by name
  std::vector<BlobNode> nodes = {};    // in the order of their execution
  bool has_nodes = false;              // whether the format has an inner graph
  // The first node whose results nobody uses; -1: none.
  int32_t idle_node = -1;
  bool lists_once = false;  // its exporter lists no value as two outputs
  // The first operator that nobody knows: what it writes is unknown, so nodes are not judged.
  std::string unknown_op = {};
  // The number of arguments that the blob is made for, if it says that beside the slots.
  std::optional<uint64_t> arguments = std::nullopt;
  std::optional<uint64_t> own_bytes = std::nullopt;  // memory of its own during a call
  std::vector<std::string> data_keys = {};           // of named data that it is loaded with
  std::vector<std::string_view> not_checked = {};    // in words
  // Whether forms tell all that counts, so that blobs are compared node by node
  // (properties/compare/terms/blob_terms.h).
  bool has_forms = false;
  std::string form = {};  // of the graph
  // What a comparison goes by otherwise: equal parts and words are equal blobs, though their bytes
  // differ. The blob itself, if its format has nothing that changes from export to export, and its
  // named data.
  std::vector<Bytes> parts = {};
  std::string words = {};

  // Whether all that happens inside is known.
  [[nodiscard]] bool IsFollowed() const { return has_nodes && unknown_op.empty(); }
};

// What a blob of a known format says, with an entry for each method that it holds; empty: the
// format is unknown. O(bytes).
[[nodiscard]] std::vector<OpenedBlob> OpenBlob(Bytes blob);

// Opens the blobs of all delegates, each once. Delegates may share bytes: those that take more than
// twice all of them stay closed, so that time and memory are in proportion.
void OpenBlobs(Program& program);

// One backend each: nothing if the blob is of another kind.
[[nodiscard]] std::optional<OpenedBlob> OpenXnnpack(Bytes blob);
[[nodiscard]] std::optional<OpenedBlob> OpenVulkan(Bytes blob);
[[nodiscard]] std::vector<OpenedBlob> OpenNative(Bytes blob);
[[nodiscard]] std::vector<OpenedBlob> OpenCoreMl(Bytes blob);
[[nodiscard]] std::optional<OpenedBlob> OpenEthosU(Bytes blob);
[[nodiscard]] std::optional<OpenedBlob> OpenTosa(Bytes blob);
[[nodiscard]] std::optional<OpenedBlob> OpenMlx(Bytes blob);

// A blob that only says where it lies: the key of named data, and a function in there.
struct NamedModel {
  std::string key;
  std::string function;
};
[[nodiscard]] std::optional<NamedModel> CoreMlReference(Bytes blob);

}  // namespace pteproof::delegates

#endif  // PTEPROOF_RUNTIME_DELEGATES_OPENED_BLOB_H_
