// Blobs of Core ML: the files of a model, and their directory.
//
//   metadata.json    names of the inputs and outputs, in the order of the call's arguments
//   model.mlpackage/Data/com.apple.CoreML/model.mlmodel    a message of protobuf
//
// The model describes inputs, outputs and states by name, and has a program of operations that name
// their operands and results. A model of several methods has both for each; the blob of a method is
// then a reference, `CMJR` and JSON, to named data that hold the model. A compiled model is not
// read: of it only the names are known. The runtime takes a name that is listed twice once.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/delegates/file_directory.h"
#include "runtime/delegates/opened_blob.h"
#include "runtime/delegates/wire_message.h"
#include "runtime/dense_layout.h"

namespace pteproof::delegates {
namespace {

constexpr std::string_view kCoreMl = "Core ML";
constexpr std::string_view kReference = "CMJR";
constexpr std::string_view kNoMessage = "its model is cut off, or no message of protobuf";
// Files of the exporter's that no runtime reads.
constexpr std::array<std::string_view, 2> kForPeople = {"debug_info.json",
                                                        "executorch_debug_handle_mapping.json"};
constexpr uint64_t kMethodBytes = 32;  // of a method's names in the metadata, at least
constexpr uint64_t kLeastBytes = 8;    // of a value or an operation, with its name and its type

// The types of tensors that a value is converted from or to. The runtime has no signed bytes.
std::vector<ScalarType> CoreMlTypes(uint64_t number) {
  constexpr uint64_t kFloat = 0x10000;  // and the bits beside
  constexpr uint64_t kWhole = 0x20000;
  if (number == kFloat + 16 || number == kFloat + 32 || number == kFloat + 64) {
    return {ScalarType::kFloat32, ScalarType::kFloat16, ScalarType::kFloat64, ScalarType::kBool};
  }
  if (number == kWhole + 32) {
    return {ScalarType::kInt32, ScalarType::kInt64, ScalarType::kInt16, ScalarType::kUInt8};
  }
  if (number == kWhole + 8) return {ScalarType::kInt8};
  return {};
}

constexpr int64_t Signed(uint64_t number) {
  return static_cast<int64_t>(number);
}

std::vector<BlobDim> FixedDims(const WireField& shape) {
  std::vector<uint64_t> sizes;
  AppendNumbers(shape, sizes);
  sizes.resize(std::min(sizes.size(), kMaxRank + 1));
  std::vector<BlobDim> dims;
  for (const uint64_t size : sizes) dims.push_back({Signed(size), Signed(size)});
  return dims;
}

// Of the shapes that a list names, the range of each size.
std::optional<std::vector<BlobDim>> ListedDims(Bytes list) {
  std::optional<std::vector<BlobDim>> ranges;
  WireMessage shapes(list);
  while (const auto shape = shapes.Next()) {
    WireMessage inside(shape->bytes);
    const auto field = inside.Next();
    if (!field) continue;
    const std::vector<BlobDim> dims = FixedDims(*field);
    if (!ranges) ranges = dims;
    if (ranges->size() != dims.size()) return std::nullopt;
    for (size_t d = 0; d < dims.size(); ++d) {
      (*ranges)[d].least = std::min((*ranges)[d].least, dims[d].least);
      (*ranges)[d].most = std::max((*ranges)[d].most, dims[d].most);
    }
  }
  return ranges;
}

std::vector<BlobDim> RangedDims(Bytes ranges) {
  std::vector<BlobDim> dims;
  WireMessage message(ranges);
  while (const auto range = message.Next()) {
    BlobDim& dim = dims.emplace_back(BlobDim{0, 0});
    WireMessage ends(range->bytes);
    while (const auto end = ends.Next()) {
      if (end->number == 1) dim.least = Signed(end->value);
      if (end->number == 2) dim.most = Signed(end->value);
    }
    if (dims.size() > kMaxRank) break;
  }
  return dims;
}

// A model's parts. A model of one function has its description for all.
struct ModelParts {
  Bytes weights = {};  // a file of their own
  Bytes description = {};
  std::string_view function = "main";                // the one that is run unless another is named
  std::map<std::string_view, Bytes> functions = {};  // descriptions
  std::map<std::string_view, Bytes> programs = {};
  std::string versions = {};
  bool is_all = true;  // nothing else in the blob is known to count
  bool damaged = false;
};

void ReadDescription(Bytes bytes, ModelParts& parts) {
  parts.description = bytes;
  WireMessage description(bytes);
  while (const auto field = description.Next()) {
    switch (field->number) {
      case 1:  // inputs, outputs and states
      case 10:
      case 13:
      case 100:  // the day of the export, and who made it
        break;
      case 20:
        parts.functions[TextIn(field->bytes, 1)] = field->bytes;
        break;
      case 21:
        parts.function = TextOf(field->bytes);
        break;
      default:
        parts.is_all = false;
    }
  }
  parts.damaged |= description.damaged();
}

void ReadProgram(Bytes bytes, ModelParts& parts) {
  WireMessage program(bytes);
  while (const auto field = program.Next()) {
    if (field->number == 1) parts.versions += fmt::format("program {} ", field->value);
    if (field->number == 2) parts.programs[TextIn(field->bytes, 1)] = BytesIn(field->bytes, 2);
  }
  parts.damaged |= program.damaged();
}

ModelParts ModelPartsOf(Bytes model, Bytes weights) {
  ModelParts parts{.weights = weights};
  WireMessage message(model);
  while (const auto field = message.Next()) {
    if (field->number == 1) {
      parts.versions += fmt::format("model {} ", field->value);
    } else if (field->number == 2) {
      ReadDescription(field->bytes, parts);
    } else if (field->number == 502) {
      ReadProgram(field->bytes, parts);
    } else {
      parts.is_all = false;
    }
  }
  parts.damaged |= message.damaged();
  return parts;
}

// Whether the package's list has that model as the one to run.
bool IsRoot(const std::optional<Bytes>& list) {
  if (!list) return false;
  const Json manifest = ParseBounded(TextOf(*list));
  const Json* root = Member(&manifest, "rootModelIdentifier");
  if (root == nullptr || !root->is_string()) return false;
  const Json* item = Member(Member(&manifest, "itemInfoEntries"), root->get<std::string>());
  const Json* path = Member(item, "path");
  return path != nullptr && *path == "com.apple.CoreML/model.mlmodel";
}

std::optional<Bytes> PartNamed(const std::map<std::string_view, Bytes>& parts,
                               std::string_view name) {
  const auto found = parts.find(name);
  return found == parts.end() ? std::nullopt : std::optional(found->second);
}

// The numbers of the fields for inputs, outputs and states in a description.
using FeatureFields = std::array<uint64_t, 3>;
constexpr FeatureFields kOfModel = {1, 10, 13};
constexpr FeatureFields kOfFunction = {2, 3, 6};

class CoreMlReader {
 public:
  // `method`: of a model of several; empty: of the only one.
  CoreMlReader(const ModelParts& parts, std::string_view method)
      : most_(parts.description.size() / kLeastBytes + 1) {
    const std::string_view function = method.empty() ? parts.function : method;
    const auto own = PartNamed(parts.functions, function);
    if (own) {
      Describe(*own, kOfFunction);
    } else if (method.empty()) {
      Describe(parts.description, kOfModel);
    }
    opened_.plain_letters = true;
    opened_.not_checked = {"memory of its own"};
    const auto program = PartNamed(parts.programs, function);
    if (!program) {
      opened_.not_checked.emplace_back("the graph inside (not a program with such a function)");
      opened_.parts.clear();
      return;
    }
    ReadFunction(*program);
    if (parts.is_all) {
      opened_.words += parts.versions;
      opened_.parts.insert(opened_.parts.end(), {*program, parts.weights});
    } else {
      opened_.parts.clear();
    }
  }
  // Of a compiled model.
  CoreMlReader() : is_compiled_(true) {
    opened_.not_checked = {"types, sizes and the graph inside (a compiled model)"};
  }

  OpenedBlob Run(const Json& names) && {
    const bool listed = AddSlots(Member(&names, "inputNames"), opened_.inputs) &&
                        AddSlots(Member(&names, "outputNames"), opened_.outputs);
    opened_.words += fmt::format("{}", opened_.inputs.size());
    if (!listed) Damage("its metadata list no names of inputs and outputs");
    if (!damage_.empty()) return {.backend = kCoreMl, .damage = damage_};
    return std::move(opened_);
  }

 private:
  struct Block {
    Bytes bytes = {};
    int64_t node = -1;  // whose branch or loop it is; -1: the function itself
  };

  void ReadFunction(Bytes program) {
    most_ += program.size() / kLeastBytes;
    blocks_.push_back({BytesIn(BytesIn(program, 3), 2)});
    while (!blocks_.empty() && damage_.empty()) {
      const Block block = blocks_.back();
      blocks_.pop_back();
      ReadBlock(block);
    }
    opened_.has_nodes = true;
  }

  void Describe(Bytes description, const FeatureFields& fields) {
    WireMessage message(description);
    while (const auto field = message.Next()) {
      if (std::ranges::find(fields, field->number) == fields.end()) continue;
      opened_.parts.push_back(field->bytes);  // beside them stands the day of the export
      DescribeFeature(field->bytes, field->number == fields.back());
    }
    Close(message);
  }

  // A name, and a type of one of several kinds: an array, or the state of one.
  void DescribeFeature(Bytes feature, bool is_state) {
    constexpr uint64_t kArray = 5;
    constexpr uint64_t kState = 8;
    const std::string_view name = TextIn(feature, 1);
    const int32_t index = IndexOf(name);
    described_.emplace(name, index);
    BlobValue& value = opened_.values[static_cast<size_t>(index)];
    value.state |= is_state;
    if (is_state) AddState(index);
    WireMessage type(BytesIn(feature, 3));
    while (const auto kind = type.Next()) {
      if (kind->number == kArray) DescribeArray(kind->bytes, value);
      if (kind->number == kState) DescribeArray(BytesIn(kind->bytes, 1), value);
    }
    Close(type);
  }

  void AddState(int32_t index) {
    if (opened_.states.size() >= most_) return Damage("its bytes are too few for its states");
    const BlobValue& value = opened_.values[static_cast<size_t>(index)];
    opened_.states.push_back({.name = value.name, .value = index});
  }

  // Outputs whose sizes vary are described without sizes: then those of the program count.
  static void DescribeArray(Bytes array, BlobValue& value) {
    WireMessage message(array);
    std::vector<BlobDim> fixed;
    while (const auto field = message.Next()) {
      if (field->number == 1 && fixed.size() <= kMaxRank) {
        std::ranges::copy(FixedDims(*field), std::back_inserter(fixed));
      }
      if (field->number == 2) value.types = CoreMlTypes(field->value);
      if (field->number == 21) value.sizes = ListedDims(field->bytes);
      if (field->number == 31) value.sizes = RangedDims(field->bytes);
    }
    if (!value.sizes && !fixed.empty()) value.sizes = std::move(fixed);
  }

  // The results of a branch are read, and its arguments made, by the operation that has it.
  void ReadBlock(const Block& block) {
    WireMessage message(block.bytes);
    while (const auto field = message.Next()) {
      if (field->number == 3) ReadOperation(field->bytes);
      if (block.node < 0) continue;
      BlobNode& owner = opened_.nodes[static_cast<size_t>(block.node)];
      if (field->number == 1) owner.writes.push_back(IndexOf(TextIn(field->bytes, 1)));
      if (field->number == 2) owner.reads.push_back(IndexOf(TextOf(field->bytes)));
    }
    Close(message);
  }

  void ReadOperation(Bytes operation) {
    const auto index = static_cast<int64_t>(opened_.nodes.size());
    if (opened_.nodes.size() >= most_) return Damage("its bytes are too few for its operations");
    BlobNode node{std::string(TextIn(operation, 1)), {}, {}};
    WireMessage message(operation);
    while (const auto field = message.Next()) {
      if (field->number == 2) AddOperands(field->bytes, node);
      if (field->number == 3) AddResult(field->bytes, node);
      if (field->number == 4) blocks_.push_back({field->bytes, index});
    }
    Close(message);
    opened_.nodes.push_back(std::move(node));
  }

  // A parameter, and the names of the values that are bound to it.
  void AddOperands(Bytes argument, BlobNode& node) {
    const bool is_store = node.op == "write_state";
    WireMessage bindings(BytesIn(argument, 2));
    while (const auto binding = bindings.Next()) {
      const Bytes name = BytesIn(binding->bytes, 1);
      if (name.empty()) continue;  // a literal
      const int32_t value = IndexOf(TextOf(name));
      const bool is_state = opened_.values[static_cast<size_t>(value)].state;
      (is_store && is_state ? node.writes : node.reads).push_back(value);
    }
    Close(bindings);
  }

  void AddResult(Bytes result, BlobNode& node) {
    const int32_t index = IndexOf(TextIn(result, 1));
    node.writes.push_back(index);
    BlobValue& value = opened_.values[static_cast<size_t>(index)];
    if (!value.sizes) value.sizes = ProgramDims(BytesIn(BytesIn(result, 2), 1));
  }

  // Of a tensor's type: each size, a number or nothing.
  static std::optional<std::vector<BlobDim>> ProgramDims(Bytes tensor) {
    if (tensor.empty()) return std::nullopt;
    std::vector<BlobDim> dims;
    WireMessage message(tensor);
    while (const auto field = message.Next()) {
      if (field->number != 3 || dims.size() > kMaxRank) continue;
      BlobDim& dim = dims.emplace_back();
      WireMessage constant(BytesIn(field->bytes, 1));
      if (const auto size = constant.Next()) dim = {Signed(size->value), Signed(size->value)};
    }
    return dims;
  }

  // Whether `names` is a list of names.
  bool AddSlots(const Json* names, std::vector<BlobSlot>& slots) {
    if (names == nullptr || !names->is_array()) return false;
    std::set<std::string_view> listed;
    for (const Json& name : *names) {
      if (!name.is_string()) return false;
      const std::string_view text = name.get_ref<const std::string&>();
      if (!listed.insert(text).second) continue;
      opened_.words += fmt::format("{}:{} ", text.size(), text);
      const auto found = described_.find(text);
      const int32_t known = found == described_.end() ? -1 : found->second;
      slots.push_back({is_compiled_ ? IndexOf(text) : known});
    }
    return true;
  }

  int32_t IndexOf(std::string_view name) {
    const auto next = static_cast<int32_t>(opened_.values.size());
    const auto [found, is_new] = indices_.emplace(name, next);
    if (is_new) opened_.values.push_back({.name = std::string(name)});
    if (next > static_cast<int64_t>(most_) && !is_compiled_) {
      Damage("its bytes are too few for its values");
    }
    return found->second;
  }

  void Close(const WireMessage& message) {
    if (message.damaged()) Damage(kNoMessage);
  }
  void Damage(std::string_view what) {
    if (damage_.empty()) damage_ = what;
  }

  bool is_compiled_ = false;
  uint64_t most_ = 0;  // values, and operations
  OpenedBlob opened_{.backend = kCoreMl};
  std::unordered_map<std::string_view, int32_t> indices_;    // of values, by name
  std::unordered_map<std::string_view, int32_t> described_;  // those with a description
  std::vector<Block> blocks_;                                // still to be read
  std::string damage_;
};

std::vector<OpenedBlob> Unreadable(std::string_view why) {
  return {OpenedBlob{.backend = kCoreMl, .damage = std::string(why)}};
}

// Of each method that the metadata name, or of the one that they are of.
std::vector<OpenedBlob> OpenMethods(const Json& names, uint64_t most,
                                    const std::optional<ModelParts>& parts) {
  const Json* methods = Member(&names, "methods");
  const bool is_one = methods == nullptr || !methods->is_object();
  const auto open = [&](std::string_view method, const Json& of_method) {
    if (!parts) return CoreMlReader().Run(of_method);
    return CoreMlReader(*parts, method).Run(of_method);
  };
  if (is_one) return {open({}, names)};
  if (methods->empty()) return Unreadable("it holds no method");
  if (methods->size() > most) return Unreadable("its bytes are too few for its methods");
  std::vector<OpenedBlob> all;
  for (const auto& [method, of_method] : methods->items()) {
    all.push_back(open(method, of_method));
    all.back().method = method;
  }
  return all;
}

}  // namespace

std::vector<OpenedBlob> OpenCoreMl(Bytes blob) {
  const FileDirectory files(blob);
  if (!files.is_there()) return {};
  const auto metadata = files.File({"metadata.json"});
  const auto model = files.File({"model.mlpackage", "Data", "com.apple.CoreML", "model.mlmodel"});
  if (!metadata) return Unreadable("it holds no metadata");
  const auto weights =
      files.File({"model.mlpackage", "Data", "com.apple.CoreML", "weights", "weight.bin"});
  std::optional<ModelParts> parts;
  if (model) parts = ModelPartsOf(*model, weights.value_or(Bytes{}));
  if (parts && parts->damaged) return Unreadable(kNoMessage);
  if (parts) {
    const size_t known = weights && !weights->empty()
                             ? 4
                             : 3;  // with the metadata, the package's list and the model
    parts->is_all = parts->is_all && files.CountBeside(kForPeople) == known &&
                    IsRoot(files.File({"model.mlpackage", "Manifest.json"}));
  }
  return OpenMethods(ParseBounded(TextOf(*metadata)), metadata->size() / kMethodBytes, parts);
}

std::optional<NamedModel> CoreMlReference(Bytes blob) {
  const std::string_view text = TextOf(blob);
  if (!text.starts_with(kReference)) return std::nullopt;
  const Json reference = ParseBounded(text.substr(kReference.size()));
  const auto text_of = [&](std::string_view key) {
    const Json* value = Member(&reference, key);
    return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
  };
  return NamedModel{text_of("key"), text_of("functionName")};
}

}  // namespace pteproof::delegates
