#include "properties/oracles/write_recording.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/finding_names.h"

namespace pteproof {
namespace {

using OrderedJson = nlohmann::ordered_json;

class RecordingWriter {
 public:
  WrittenRecording Write(const Recording& recording) {
    OrderedJson json;
    json["program"] = recording.program;
    if (recording.data) json["data"] = *recording.data;
    if (recording.tolerance) {
      json["tolerance"] = {{"rtol", recording.tolerance->rtol},
                           {"atol", recording.tolerance->atol}};
    }
    json["sequences"] = OrderedJson::array();
    for (const RecordedSequence& sequence : recording.sequences) {
      json["sequences"].push_back(SequenceJson(sequence));
    }
    written_.json = json.dump(1) + "\n";
    return std::move(written_);
  }

 private:
  OrderedJson SequenceJson(const RecordedSequence& sequence) {
    OrderedJson json;
    json["name"] = sequence.name;
    json["policy"] = Name(sequence.policy);
    json["load"] = sequence.loads_all_first ? "all-first" : "lazy";
    if (sequence.semantics == Semantics::kHash) json["semantics"] = "hash";
    json["calls"] = OrderedJson::array();
    for (const RecordedCall& call : sequence.calls) json["calls"].push_back(CallJson(call));
    return json;
  }

  OrderedJson CallJson(const RecordedCall& call) {
    OrderedJson json;
    json["method"] = call.method;
    json["inputs"] = DataJson(call.inputs);
    json["eager"] = call.eager ? DataJson(*call.eager) : OrderedJson();
    json["executorch"] = call.executorch ? DataJson(*call.executorch) : OrderedJson();
    if (call.truth) json["truth"] = NameOf(*call.truth);
    return json;
  }

  static const char* NameOf(Truth truth) {
    switch (truth) {
      case Truth::kExecutorch:
        return "executorch";
      case Truth::kEager:
        return "eager";
      case Truth::kEither:
        return "either";
      case Truth::kShape:
        return "shape";
      case Truth::kSkip:
        break;
    }
    return "skip";
  }

  OrderedJson DataJson(const std::vector<Datum>& data) {
    OrderedJson list = OrderedJson::array();
    for (const Datum& datum : data) list.push_back(DatumJson(datum));
    return list;
  }

  OrderedJson DatumJson(const Datum& datum) {
    if (const auto* tensor = std::get_if<TensorValue>(&datum)) return TensorJson(*tensor);
    if (const auto* flag = std::get_if<bool>(&datum)) return {{"kind", "bool"}, {"value", *flag}};
    if (const auto* integer = std::get_if<int64_t>(&datum)) {
      return {{"kind", "int"}, {"value", *integer}};
    }
    if (const auto* text = std::get_if<std::string>(&datum)) {
      return {{"kind", "string"}, {"value", *text}};
    }
    if (const auto* real = std::get_if<double>(&datum)) return RealJson(*real);
    return {{"kind", "none"}};
  }

  static OrderedJson RealJson(double real) {
    OrderedJson json = {{"kind", "double"}, {"value", real}};
    if (std::isnan(real)) json["value"] = "nan";
    if (std::isinf(real)) json["value"] = real > 0 ? "inf" : "-inf";
    return json;
  }

  OrderedJson TensorJson(const TensorValue& tensor) {
    const size_t offset = written_.bin.size();
    written_.bin.insert(written_.bin.end(), tensor.bytes.begin(), tensor.bytes.end());
    return {{"kind", "tensor"},
            {"dtype", Name(tensor.dtype)},
            {"sizes", tensor.sizes},
            {"offset", offset},
            {"nbytes", tensor.bytes.size()}};
  }

  WrittenRecording written_;
};

}  // namespace

WrittenRecording WriteRecording(const Recording& recording) {
  return RecordingWriter().Write(recording);
}

}  // namespace pteproof
