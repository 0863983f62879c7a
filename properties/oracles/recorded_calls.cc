#include "properties/oracles/recorded_calls.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "base/file_name.h"
#include "base/finding_names.h"
#include "properties/manifest/json_text.h"
#include "properties/manifest/place.h"
#include "properties/oracles/tensor_forms.h"
#include "runtime/decode_budget.h"
#include "runtime/dense_layout.h"
#include "runtime/file_bytes.h"

namespace pteproof {
namespace {

using Json = nlohmann::json;

// An error with its place in the file. Caught where the file's API ends.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Names of the file may hold control characters.
[[noreturn]] void Refuse(const std::string& place, std::string_view why) {
  std::string plain;
  for (const char c : why) {
    const bool is_control = static_cast<unsigned char>(c) < ' ';
    plain += is_control ? fmt::format("\\x{:02x}", c) : std::string(1, c);
  }
  throw Fault(fmt::format("{}: {}", place, plain));
}

const Json& Member(const Json& object, const char* key, const std::string& place) {
  const auto found = object.find(key);
  if (found == object.end()) Refuse(place, fmt::format("\"{}\" is missing", key));
  return *found;
}

// A text, a truth value or a real number. Numbers that count are read by WholeIn.
template <class T>
T Get(const Json& object, const char* key, const std::string& place) {
  try {
    return Member(object, key, place).get<T>();
  } catch (const Json::exception&) {
    Refuse(place, fmt::format("\"{}\" has the wrong JSON type", key));
  }
}

const Json& ListIn(const Json& object, const char* key, const std::string& place) {
  const Json& list = Member(object, key, place);
  if (!list.is_array()) Refuse(place, fmt::format("\"{}\" has the wrong JSON type", key));
  return list;
}

// Of floats, negative and other values nothing is taken: no conversion can leave the range.
uint64_t WholeIn(const Json& object, const char* key, const std::string& place) {
  const Json& value = Member(object, key, place);
  const auto* number = value.get_ptr<const uint64_t*>();
  if (number == nullptr) {
    Refuse(place, fmt::format("\"{}\" is {}; expected a whole number", key, Found(value)));
  }
  return *number;
}

Sizes SizesMember(const Json& object, const std::string& place) {
  const Json& list = ListIn(object, "sizes", place);
  if (list.size() > kMaxRank) {
    Refuse(place,
           fmt::format("\"sizes\" has {} dimensions, and the limit is {}", list.size(), kMaxRank));
  }
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  Sizes sizes;
  for (const Json& size : list) {
    const auto* number = size.get_ptr<const uint64_t*>();
    if (number == nullptr || *number > uint64_t{kMost}) {
      Refuse(place,
             fmt::format("a size is {}; expected a whole number from 0 to {}", Found(size), kMost));
    }
    sizes.push_back(static_cast<int64_t>(*number));
  }
  return sizes;
}

std::string TextOr(const Json& object, const char* key, std::string otherwise) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>()
                                                     : std::move(otherwise);
}

class RecordingReader {
 public:
  // The text's length is that of calls.json.
  RecordingReader(size_t text_size, std::vector<std::byte> bytes)
      : bytes_(std::move(bytes)), budget_(text_size + bytes_.size()) {}

  Recording Read(const Json& json) {
    Recording recording;
    if (json.contains("program") && json["program"].is_array()) {
      recording.parts = Get<std::vector<std::string>>(json, "program", "top level");
    } else {
      recording.program = Get<std::string>(json, "program", "top level");
    }
    if (json.contains("data")) recording.data = Get<std::string>(json, "data", "top level");
    if (json.contains("tolerance")) {
      const Json& bound = json["tolerance"];
      recording.tolerance = {Get<double>(bound, "rtol", "tolerance"),
                             Get<double>(bound, "atol", "tolerance")};
    }
    const std::string policy = TextOr(json, "policy", "private");
    for (const Json& sequence : ListIn(json, "sequences", "top level")) {
      const std::string place = fmt::format("sequences[{}]", recording.sequences.size());
      recording.sequences.push_back(ReadSequence(sequence, policy, place));
      if (sequence.contains("policies")) SpreadOver(sequence["policies"], place, recording);
    }
    return recording;
  }

 private:
  RecordedSequence ReadSequence(const Json& json, const std::string& policy,
                                const std::string& place) {
    RecordedSequence sequence;
    sequence.name = TextOr(json, "name", "");
    sequence.policy = PolicyIn(TextOr(json, "policy", policy), place);
    const std::string load = TextOr(json, "load", "lazy");
    if (load != "lazy" && load != "all-first") Refuse(place, "\"load\" must be lazy or all-first");
    sequence.loads_all_first = load == "all-first";
    const std::string semantics = TextOr(json, "semantics", "real");
    if (semantics != "real" && semantics != "hash")
      Refuse(place, "\"semantics\" must be real or hash");
    if (semantics == "hash") sequence.semantics = Semantics::kHash;
    for (const Json& call : ListIn(json, "calls", place)) {
      sequence.calls.push_back(
          ReadCall(call, fmt::format("{}.calls[{}]", place, sequence.calls.size())));
    }
    return sequence;
  }

  // The last sequence was recorded under several loaders, which all gave the same. Each of the few
  // loaders is named once, so that a sequence is copied a few times only.
  static void SpreadOver(const Json& loaders, const std::string& place, Recording& recording) {
    if (!loaders.is_array() || loaders.empty())
      Refuse(place, "\"policies\" is not a list of loaders");
    const RecordedSequence common = std::move(recording.sequences.back());
    recording.sequences.pop_back();
    std::set<std::pair<Policy, bool>> named;
    for (const Json& loader : loaders) {
      if (!loader.is_string()) Refuse(place, "\"policies\" is not a list of loaders");
      const auto name = loader.get<std::string>();
      const Policy policy = PolicyIn(name, place);
      const bool all_first = name.ends_with("all methods loaded first");
      if (!named.emplace(policy, all_first).second) {
        Refuse(place, fmt::format("\"policies\" names the loader {} twice", Quoted(name)));
      }
      RecordedSequence& sequence = recording.sequences.emplace_back(common);
      sequence.name = common.name + ": " + name;
      sequence.policy = policy;
      sequence.loads_all_first = all_first;
    }
  }

  // A policy's name and the loading order that the recording gives with it.
  static Policy PolicyIn(const std::string& policy, const std::string& place) {
    for (const Policy each : kAllPolicies) {
      if (policy.starts_with(Name(each))) return each;
    }
    Refuse(place, fmt::format("\"policy\" is {}; known are private, share-1-2 and share-all",
                              Quoted(policy)));
  }

  RecordedCall ReadCall(const Json& json, const std::string& place) {
    RecordedCall call;
    call.method = Get<std::string>(json, "method", place);
    call.label = TextOr(json, "case", "");
    call.op = TextOr(json, "op", "");
    call.inputs = ReadData(Member(json, "inputs", place), place + ".inputs");
    for (auto [key, out] : {std::pair{"eager", &call.eager}, {"executorch", &call.executorch}}) {
      if (!json.contains(key) || json[key].is_null()) continue;
      *out = ReadData(json[key], place + "." + key);
    }
    call.executorch_error = TextOr(json, "executorch_error", "");
    if (json.contains("truth")) call.truth = ReadTruth(json, place);
    return call;
  }

  static Truth ReadTruth(const Json& json, const std::string& place) {
    const auto name = Get<std::string>(json, "truth", place);
    if (name == "executorch") return Truth::kExecutorch;
    if (name == "eager") return Truth::kEager;
    if (name == "either") return Truth::kEither;
    if (name == "shape") return Truth::kShape;
    if (name == "skip") return Truth::kSkip;
    Refuse(place,
           fmt::format("\"truth\" is {}; known are executorch, eager, either, shape and skip",
                       Quoted(name)));
  }

  std::vector<Datum> ReadData(const Json& list, const std::string& place) {
    std::vector<Datum> data;
    if (!list.is_array()) Refuse(place, "must be a list");
    for (const Json& item : list) {
      data.push_back(ReadDatum(item, fmt::format("{}[{}]", place, data.size())));
    }
    return data;
  }

  Datum ReadDatum(const Json& json, const std::string& place) {
    const auto kind = Get<std::string>(json, "kind", place);
    if (kind == "none") return std::monostate{};
    if (kind == "int") return ReadInteger(json, place);
    if (kind == "bool") return Get<bool>(json, "value", place);
    if (kind == "string") return Get<std::string>(json, "value", place);
    if (kind == "double") return ReadDouble(json, place);
    if (kind == "tensor") return ReadTensor(json, place);
    Refuse(place,
           fmt::format("\"kind\" is {}; known are none, int, bool, string, double and tensor",
                       Quoted(kind)));
  }

  static int64_t ReadInteger(const Json& json, const std::string& place) {
    const Json& value = Member(json, "value", place);
    // Sums that left the range are recorded as PyTorch has them: taken modulo 2^64.
    if (!value.is_number_integer()) Refuse(place, "\"value\" must be an integer");
    return value.get<int64_t>();
  }

  static double ReadDouble(const Json& json, const std::string& place) {
    const Json& value = Member(json, "value", place);
    if (value == "inf") return HUGE_VAL;
    if (value == "-inf") return -HUGE_VAL;
    if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
    return Get<double>(json, "value", place);
  }

  TensorValue ReadTensor(const Json& json, const std::string& place) {
    TensorValue tensor;
    const auto dtype = ScalarTypeOf(Get<std::string>(json, "dtype", place));
    if (!dtype) Refuse(place, "\"dtype\" must be an element type, such as float32");
    tensor.dtype = *dtype;
    tensor.sizes = SizesMember(json, place);
    const uint64_t stated = WholeIn(json, "nbytes", place);
    if (BytesOf(tensor.dtype, tensor.sizes) != stated) {
      Refuse(place, "\"nbytes\" does not match the sizes and the element type");
    }
    if (stated > 0) tensor.bytes = BytesAt(WholeIn(json, "offset", place), stated, place);
    return tensor;
  }

  // Tensors of the same bytes share one copy of them.
  const TensorBytes& BytesAt(uint64_t offset, uint64_t count, const std::string& place) {
    if (offset > bytes_.size() || count > bytes_.size() - offset) {
      Refuse(place, "the bytes lie outside calls.bin");
    }
    const auto [copied, is_new] = copied_.try_emplace({offset, count});
    if (!is_new) return copied->second;
    if (!budget_.Spend(count)) {
      Refuse(place,
             "the tensors refer to the same bytes of calls.bin so often that their content is far "
             "larger than the file");
    }
    const auto first = bytes_.begin() + static_cast<ptrdiff_t>(offset);
    copied->second = std::vector<std::byte>(first, first + static_cast<ptrdiff_t>(count));
    return copied->second;
  }

  std::vector<std::byte> bytes_;
  DecodeBudget budget_;
  std::map<std::pair<uint64_t, uint64_t>, TensorBytes> copied_;  // by offset and length
};

std::vector<std::byte> AllBytes(const std::filesystem::path& path) {
  auto bytes = ReadFileBytes(path);
  if (!bytes.ok()) throw Fault("cannot be read");
  return std::move(bytes).value();
}

Json JsonIn(const std::vector<std::byte>& bytes) {
  constexpr JsonSubject kSubject = {"a recording", 8};
  ManifestErrors errors;
  Json json =
      ParseJsonText({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, errors, kSubject);
  if (!errors.empty()) {
    const ManifestError first = errors.Take().front();
    throw Fault(first.where.empty() ? first.what : first.where + ": " + first.what);
  }
  if (!json.is_object()) throw Fault("top level: must be an object");
  return json;
}

}  // namespace

Result<Recording, std::string> ReadRecording(const std::filesystem::path& calls_json) {
  const std::filesystem::path binary = calls_json.parent_path() / "calls.bin";
  std::filesystem::path at = calls_json;
  try {
    const std::vector<std::byte> text = AllBytes(calls_json);
    const Json json = JsonIn(text);
    at = binary;
    std::error_code ignored;
    std::vector<std::byte> bytes =
        std::filesystem::exists(binary, ignored) ? AllBytes(binary) : std::vector<std::byte>{};
    at = calls_json;
    return RecordingReader(text.size(), std::move(bytes)).Read(json);
  } catch (const Fault& fault) {
    return fmt::format("{}: {}", FileName(at), fault.what());
  }
}

}  // namespace pteproof
