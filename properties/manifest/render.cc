#include "properties/manifest/render.h"

#include <nlohmann/json.hpp>

#include "base/finding_names.h"

namespace pteproof {
namespace {

using OrderedJson = nlohmann::ordered_json;

template <class List, class Each>
OrderedJson JsonOfList(const List& list, const Each& each) {
  OrderedJson json = OrderedJson::array();
  for (const auto& item : list) json.push_back(each(item));
  return json;
}

OrderedJson Plain(const auto& list) {
  return JsonOfList(list, [](const auto& item) { return OrderedJson(item); });
}

std::string_view NameOf(InitialValue initial) {
  switch (initial) {
    case InitialValue::kZero:
      return "zero";
    case InitialValue::kStored:
      return "stored";
    case InitialValue::kAny:
      return "any";
  }
  return "";
}

OrderedJson BufferOf(const ManifestBuffer& buffer) {
  OrderedJson json = OrderedJson::object();
  if (buffer.dtype) json["dtype"] = Name(*buffer.dtype);
  if (buffer.sizes) json["sizes"] = Plain(*buffer.sizes);
  if (buffer.shared) json["shared"] = *buffer.shared;
  if (buffer.initial) json["initial"] = NameOf(*buffer.initial);
  if (!buffer.initial_sha256.empty()) json["initial_sha256"] = buffer.initial_sha256;
  for (const auto& [method, names] : buffer.names) json["names"][method] = Plain(names);
  return json;
}

OrderedJson RangeOf(const DimRange& range) {
  return {{"min", range.min}, {"max", range.max ? OrderedJson(*range.max) : OrderedJson(nullptr)}};
}

OrderedJson DimOf(const ManifestDim& dim) {
  if (dim.max == dim.min) return dim.min;
  OrderedJson json = RangeOf(dim);
  if (dim.step != 1) json["step"] = dim.step;
  if (!dim.name.empty()) json["name"] = dim.name;
  return json;
}

OrderedJson JsonOfInput(const ManifestInput& input) {
  OrderedJson json = OrderedJson::object();
  if (!input.name.empty()) json["name"] = input.name;
  if (input.sizes) json["sizes"] = JsonOfList(*input.sizes, DimOf);
  if (input.range) json["range"] = RangeOf(*input.range);
  return json;
}

OrderedJson OutputOf(const ManifestOutput& output) {
  OrderedJson json = {{"value", output.is_entry ? "entry" : "result"}};
  if (!output.of_buffer.empty()) json["of"] = output.of_buffer;
  if (output.of_input) json["of_input"] = *output.of_input;
  if (output.same_as) json["same_as"] = *output.same_as;
  if (!output.of_parameter.empty()) json["of_parameter"] = output.of_parameter;
  return json;
}

OrderedJson DelegateOf(const ManifestDelegate& delegate) {
  OrderedJson json = {{"index", delegate.index}, {"outputs", delegate.outputs}};
  if (delegate.updates) json["updates"] = Plain(*delegate.updates);
  return json;
}

OrderedJson MethodOf(const ManifestMethod& method) {
  OrderedJson json = OrderedJson::object();
  if (method.reads) json["reads"] = Plain(*method.reads);
  if (method.mutates) json["mutates"] = Plain(*method.mutates);
  if (method.mutates_inputs) json["mutates_inputs"] = Plain(*method.mutates_inputs);
  if (method.in_place_inputs) json["in_place_inputs"] = Plain(*method.in_place_inputs);
  if (method.inputs) json["inputs"] = JsonOfList(*method.inputs, JsonOfInput);
  if (method.outputs) json["outputs"] = JsonOfList(*method.outputs, OutputOf);
  if (!method.delegates.empty()) json["delegates"] = JsonOfList(method.delegates, DelegateOf);
  for (const auto& [value, name] : method.values) json["values"][std::to_string(value)] = name;
  return json;
}

OrderedJson SuppressionOf(const Suppression& suppression) {
  OrderedJson json = {{"rule", suppression.rule}};
  if (!suppression.method.empty()) json["method"] = suppression.method;
  json["reason"] = suppression.reason;
  return json;
}

}  // namespace

std::string RenderManifest(const Manifest& manifest) {
  OrderedJson json = {{"pteproof", 1}};
  if (!manifest.program_sha256.empty()) json["program_sha256"] = manifest.program_sha256;
  if (manifest.policy) json["policy"] = Name(*manifest.policy);
  if (manifest.all_first) json["load"] = *manifest.all_first ? "all-first" : "lazy";
  if (manifest.calls) json["calls"] = manifest.calls->text;
  if (manifest.buffers) json["buffers"] = OrderedJson::object();
  if (manifest.buffers) {
    for (const auto& [name, buffer] : *manifest.buffers) json["buffers"][name] = BufferOf(buffer);
  }
  for (const auto& [name, method] : manifest.methods) json["methods"][name] = MethodOf(method);
  if (!manifest.operators.empty()) json["operators"] = manifest.operators;
  if (!manifest.suppress.empty()) json["suppress"] = JsonOfList(manifest.suppress, SuppressionOf);
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace pteproof
