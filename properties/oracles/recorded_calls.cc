#include "properties/oracles/recorded_calls.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "base/checked_math.h"
#include "base/finding_names.h"

namespace pteproof {
namespace {

using Json = nlohmann::json;

// An error with its place in the file. Caught where the file's API ends.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] void Refuse(const std::string& place, std::string_view why) {
  throw Fault(fmt::format("{}: {}", place, why));
}

const Json& Member(const Json& object, const char* key, const std::string& place) {
  const auto found = object.find(key);
  if (found == object.end()) Refuse(place, fmt::format("\"{}\" is missing", key));
  return *found;
}

template <class T>
T Get(const Json& object, const char* key, const std::string& place) {
  try {
    return Member(object, key, place).get<T>();
  } catch (const Json::exception&) {
    Refuse(place, fmt::format("\"{}\" has the wrong JSON type", key));
  }
}

std::string TextOr(const Json& object, const char* key, std::string otherwise) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>()
                                                     : std::move(otherwise);
}

class Reader {
 public:
  explicit Reader(std::vector<char> bytes) : bytes_(std::move(bytes)) {}

  Recording Read(const Json& json) const {
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
    for (const Json& sequence : Get<Json>(json, "sequences", "top level")) {
      const std::string place = fmt::format("sequences[{}]", recording.sequences.size());
      recording.sequences.push_back(ReadSequence(sequence, policy, place));
      if (sequence.contains("policies")) SpreadOver(sequence["policies"], place, recording);
    }
    return recording;
  }

 private:
  RecordedSequence ReadSequence(const Json& json, const std::string& policy,
                                const std::string& place) const {
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
    for (const Json& call : Get<Json>(json, "calls", place)) {
      sequence.calls.push_back(
          ReadCall(call, fmt::format("{}.calls[{}]", place, sequence.calls.size())));
    }
    return sequence;
  }

  // The last sequence was recorded under several loaders, which all gave the same.
  static void SpreadOver(const Json& loaders, const std::string& place, Recording& recording) {
    if (!loaders.is_array() || loaders.empty())
      Refuse(place, "\"policies\" is not a list of loaders");
    const RecordedSequence common = std::move(recording.sequences.back());
    recording.sequences.pop_back();
    for (const Json& loader : loaders) {
      if (!loader.is_string()) Refuse(place, "\"policies\" is not a list of loaders");
      const auto name = loader.get<std::string>();
      RecordedSequence& sequence = recording.sequences.emplace_back(common);
      sequence.name = common.name + ": " + name;
      sequence.policy = PolicyIn(name, place);
      sequence.loads_all_first = name.ends_with("all methods loaded first");
    }
  }

  // A policy's name and the loading order that the recording gives with it.
  static Policy PolicyIn(const std::string& policy, const std::string& place) {
    for (const Policy each : kAllPolicies) {
      if (policy.starts_with(Name(each))) return each;
    }
    Refuse(place,
           fmt::format("\"policy\" is \"{}\"; known are private, share-1-2 and share-all", policy));
  }

  RecordedCall ReadCall(const Json& json, const std::string& place) const {
    RecordedCall call;
    call.method = Get<std::string>(json, "method", place);
    call.label = TextOr(json, "case", "");
    call.op = TextOr(json, "op", "");
    call.inputs = ReadData(Get<Json>(json, "inputs", place), place + ".inputs");
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
    Refuse(place, fmt::format("\"truth\" is \"{}\"; known are executorch, eager, either, shape "
                              "and skip",
                              name));
  }

  std::vector<Datum> ReadData(const Json& list, const std::string& place) const {
    std::vector<Datum> data;
    if (!list.is_array()) Refuse(place, "must be a list");
    for (const Json& item : list) {
      data.push_back(ReadDatum(item, fmt::format("{}[{}]", place, data.size())));
    }
    return data;
  }

  Datum ReadDatum(const Json& json, const std::string& place) const {
    const auto kind = Get<std::string>(json, "kind", place);
    if (kind == "none") return std::monostate{};
    if (kind == "int") return ReadInteger(json, place);
    if (kind == "bool") return Get<bool>(json, "value", place);
    if (kind == "string") return Get<std::string>(json, "value", place);
    if (kind == "double") return ReadDouble(json, place);
    if (kind == "tensor") return ReadTensor(json, place);
    Refuse(place,
           fmt::format("\"kind\" is \"{}\"; known are none, int, bool, string, double and tensor",
                       kind));
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

  TensorValue ReadTensor(const Json& json, const std::string& place) const {
    TensorValue tensor;
    const auto dtype = ScalarTypeOf(Get<std::string>(json, "dtype", place));
    if (!dtype) Refuse(place, "\"dtype\" must be an element type, such as float32");
    tensor.dtype = *dtype;
    tensor.sizes = Get<Sizes>(json, "sizes", place);
    std::optional<uint64_t> nbytes = ElementSize(*dtype);
    for (const int64_t size : tensor.sizes) {
      if (size < 0) Refuse(place, "a size is negative");
      if (nbytes) nbytes = CheckedMul(*nbytes, static_cast<uint64_t>(size));
    }
    const auto stated = Get<uint64_t>(json, "nbytes", place);
    if (nbytes != stated) Refuse(place, "\"nbytes\" does not match the sizes and the element type");
    const auto offset = stated == 0 ? 0 : Get<uint64_t>(json, "offset", place);
    if (offset > bytes_.size() || stated > bytes_.size() - offset) {
      Refuse(place, "the bytes lie outside calls.bin");
    }
    const auto* first = reinterpret_cast<const std::byte*>(bytes_.data()) + offset;
    tensor.bytes = std::vector<std::byte>(first, first + stated);
    return tensor;
  }

  std::vector<char> bytes_;
};

std::vector<char> AllBytes(const std::filesystem::path& path) {
  std::error_code ignored;
  std::ifstream stream(path, std::ios::binary);
  if (!stream || !std::filesystem::is_regular_file(path, ignored)) throw Fault("cannot be read");
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

Result<Recording, std::string> ReadRecording(const std::filesystem::path& calls_json) {
  const std::filesystem::path binary = calls_json.parent_path() / "calls.bin";
  std::filesystem::path at = calls_json;
  try {
    const std::vector<char> text = AllBytes(calls_json);
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) throw Fault("is not JSON");
    if (!json.is_object()) throw Fault("top level: must be an object");
    at = binary;
    std::vector<char> bytes =
        std::filesystem::exists(binary) ? AllBytes(binary) : std::vector<char>{};
    at = calls_json;
    return Reader(std::move(bytes)).Read(json);
  } catch (const Fault& fault) {
    return fmt::format("{}: {}", at.string(), fault.what());
  }
}

}  // namespace pteproof
