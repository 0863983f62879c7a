#include "pteproof/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "properties/manifest/calls.h"
#include "properties/manifest/json_text.h"
#include "properties/manifest/keys.h"
#include "properties/manifest/place.h"
#include "properties/manifest/references.h"
#include "pteproof/rules.h"
#include "reference/op_signature.h"

namespace pteproof {
namespace {

constexpr int64_t kVersion = 1;

// In the order of Policy.
constexpr std::array<std::string_view, kPolicyCount> kPolicies = {"private", "share-1-2",
                                                                  "share-all"};
constexpr std::array<std::string_view, 2> kLoads = {"lazy", "all-first"};
// In the order of InitialValue.
constexpr std::array<std::string_view, 3> kInitials = {"zero", "stored", "any"};
constexpr std::array<std::string_view, 2> kOutputValues = {"result", "entry"};

std::optional<ScalarType> ReadDtype(const Place& place) {
  const auto name = ReadName(place, "a dtype");
  if (!name) return std::nullopt;
  const auto type = ScalarTypeOf(*name);
  if (!type) {
    place.Error(
        fmt::format("is {}; a dtype is PyTorch's name in lower case, such as float32, int64, "
                    "bool or bfloat16",
                    Quoted(*name)));
  }
  return type;
}

// Reads an object from names to the results of `read_item`.
template <class Item, class ReadItem>
std::map<std::string, Item> ReadByName(const Place& place, std::string_view what,
                                       const ReadItem& read_item) {
  std::map<std::string, Item> out;
  if (!place.value->is_object()) {
    place.Expected(what);
    return out;
  }
  for (const auto& [name, unused] : place.value->items()) {
    const Place at = *place.Member(name);
    if (name.empty()) at.Error("the name is empty; give the name that the source model has");
    auto item = read_item(at);
    if (item) out.emplace(name, std::move(*item));
  }
  return out;
}

std::optional<std::vector<std::string>> ReadNames(const Place& place) {
  return ReadList(place, "a list of buffer names",
                  [](const Place& item) { return ReadName(item, "a buffer's name"); });
}

std::optional<ManifestBuffer> ReadBuffer(const Place& place) {
  if (!CheckObject(place, "a buffer", manifest_keys::kBuffer)) return std::nullopt;
  ManifestBuffer out;
  if (const auto at = place.Member("dtype")) out.dtype = ReadDtype(*at);
  if (const auto at = place.Member("sizes")) {
    out.sizes = ReadList(*at, "a list of whole numbers, one for each dimension",
                         [](const Place& item) { return ReadWhole(item, "a size"); });
  }
  if (const auto at = place.Member("shared")) out.shared = ReadBool(*at);
  if (const auto at = place.Member("initial")) {
    const auto choice = ReadChoice(*at, "an initial value", kInitials);
    if (choice) out.initial = static_cast<InitialValue>(*choice);
  }
  if (const auto at = place.Member("initial_sha256")) {
    out.initial_sha256 = ReadSha256(*at).value_or("");
    const auto initial = place.Member("initial");
    if (!initial || *initial->value != "stored") {
      at->Error("says what a stored value is, so \"initial\" must be \"stored\" beside it");
    }
  }
  if (const auto at = place.Member("names")) {
    out.names = ReadByName<std::vector<std::string>>(
        *at, "an object from methods to the names that they have for the buffer", ReadNames);
  }
  return out;
}

// `of`: what it is the range of; `keys`: those that its object may have.
std::optional<DimRange> ReadRange(const Place& place, std::string_view of,
                                  std::span<const std::string_view> keys) {
  const std::string whose = fmt::format("{} {}'s", of == "input" ? "an" : "a", of);
  if (!CheckObject(place, whose + " range", keys)) return std::nullopt;
  DimRange out;
  if (const auto at = place.Member("min")) out.min = ReadWhole(*at, whose + " min").value_or(0);
  if (const auto at = place.Member("max"); at && !at->value->is_null()) {
    out.max = ReadWhole(*at, whose + " max, or null for no bound");
    if (out.max && *out.max < out.min) {
      at->Error(fmt::format("is {}, which is below the {}'s min of {}", *out.max, of, out.min));
    }
  }
  return out;
}

// Of a range that is read: the sizes in it that are admitted.
void ReadStep(const Place& place, ManifestDim& out) {
  const auto at = place.Member("step");
  if (!at) return;
  out.step = ReadWhole(*at, "a dimension's step, from 1").value_or(1);
  if (out.step < 1) return at->Error("is 0; a step is 1 or more");
  if (out.max && (*out.max - out.min) % out.step != 0) {
    at->Error(fmt::format("is {}, and no number of steps leads from the min of {} to the max of {}",
                          out.step, out.min, *out.max));
  }
}

std::optional<ManifestDim> ReadDim(const Place& place) {
  if (place.value->is_object()) {
    const auto range = ReadRange(place, "dimension", manifest_keys::kDim);
    if (!range) return std::nullopt;
    ManifestDim out{*range};
    ReadStep(place, out);
    if (const auto at = place.Member("name")) out.name = ReadName(*at, "a name").value_or("");
    return out;
  }
  const auto fixed = ReadWhole(place, "a range {\"min\", \"max\"} or a fixed size");
  if (!fixed) return std::nullopt;
  return ManifestDim{{*fixed, *fixed}};
}

std::optional<ManifestInput> ReadInput(const Place& place) {
  if (!CheckObject(place, "an input", manifest_keys::kInput)) return std::nullopt;
  ManifestInput out;
  if (const auto at = place.Member("name")) out.name = ReadName(*at, "a name").value_or("");
  if (const auto at = place.Member("sizes")) {
    out.sizes = ReadList(*at, "a list with one entry for each dimension", ReadDim);
  }
  if (const auto at = place.Member("range"))
    out.range = ReadRange(*at, "input", manifest_keys::kRange);
  return out;
}

// `of`, `of_input` and `of_parameter` stand with "entry", and then exactly one of them.
void CheckOutputKeys(const Place& place, bool is_entry) {
  std::string_view first;
  for (const std::string_view key : {"of", "of_input", "of_parameter"}) {
    const auto member = place.Member(key);
    if (!member) continue;
    if (!is_entry) {
      member->Error("a computed result is not an entry value: leave this out");
    } else if (!first.empty()) {
      member->Error(fmt::format(
          "stands beside \"{}\"; an output is the entry value of one thing: keep one", first));
    }
    if (first.empty()) first = key;
  }
  if (is_entry && first.empty()) {
    place.Error(
        "an entry value needs \"of\", a buffer, \"of_input\", an input's position, or "
        "\"of_parameter\", a trained parameter");
  }
}

std::optional<ManifestOutput> ReadOutput(const Place& place) {
  if (!CheckObject(place, "an output", manifest_keys::kOutput)) return std::nullopt;
  if (!CheckPresent(place, "value", "an output says \"result\" or \"entry\"")) return std::nullopt;
  const auto choice = ReadChoice(*place.Member("value"), "an output's value", kOutputValues);
  if (!choice) return std::nullopt;
  ManifestOutput out;
  out.is_entry = kOutputValues[*choice] == "entry";
  CheckOutputKeys(place, out.is_entry);
  if (const auto at = place.Member("of")) out.of_buffer = ReadName(*at, "a name").value_or("");
  if (const auto at = place.Member("of_input")) out.of_input = ReadWhole32(*at, "a position");
  if (const auto at = place.Member("same_as")) out.same_as = ReadWhole32(*at, "a position");
  if (const auto at = place.Member("of_parameter")) {
    out.of_parameter = ReadName(*at, "a name").value_or("");
  }
  return out;
}

std::optional<ManifestDelegate> ReadDelegate(const Place& place) {
  if (!CheckObject(place, "a delegate call", manifest_keys::kDelegate)) return std::nullopt;
  const bool index = CheckPresent(place, "index", "a delegate call is known by its position");
  const bool outputs = CheckPresent(place, "outputs", "say how many trailing arguments it writes");
  if (!index || !outputs) return std::nullopt;
  const auto at = ReadWhole32(*place.Member("index"), "a position");
  const auto count = ReadWhole32(*place.Member("outputs"), "a count");
  if (!at || !count) return std::nullopt;
  ManifestDelegate out = {*at, *count, std::nullopt};
  if (const auto updates = place.Member("updates")) {
    out.updates = ReadList(*updates, "a list of positions among the call's arguments",
                           [](const Place& item) { return ReadWhole32(item, "a position"); });
  }
  return out;
}

// A value index, written without sign or leading zeros.
std::optional<int32_t> ValueIndex(std::string_view text) {
  int32_t index = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, index);
  if (error != std::errc() || stop != end || std::to_string(index) != text) return std::nullopt;
  if (index < 0) return std::nullopt;
  return index;
}

std::map<int32_t, std::string> ReadValues(const Place& place) {
  std::map<int32_t, std::string> out;
  if (!place.value->is_object()) {
    place.Expected("an object from value indices to buffer names");
    return out;
  }
  for (const auto& [key, unused] : place.value->items()) {
    const Place at = *place.Member(key);
    const auto index = ValueIndex(key);
    const auto name = ReadName(at, "a buffer's name");
    if (!index) {
      at.Error(fmt::format("the key is {}; a value index is a whole number from 0 to {}",
                           Quoted(key), std::numeric_limits<int32_t>::max()));
    } else if (name) {
      out.emplace(*index, *name);
    }
  }
  return out;
}

std::optional<std::vector<std::string>> ReadBufferNames(const std::optional<Place>& place) {
  return place ? ReadNames(*place) : std::nullopt;
}

std::optional<std::vector<int32_t>> ReadPositions(const std::optional<Place>& place) {
  if (!place) return std::nullopt;
  return ReadList(*place, "a list of input positions",
                  [](const Place& item) { return ReadWhole32(item, "a position"); });
}

std::optional<ManifestMethod> ReadMethod(const Place& place) {
  if (!CheckObject(place, "a method", manifest_keys::kMethod)) return std::nullopt;
  ManifestMethod out;
  out.reads = ReadBufferNames(place.Member("reads"));
  out.mutates = ReadBufferNames(place.Member("mutates"));
  out.mutates_inputs = ReadPositions(place.Member("mutates_inputs"));
  out.in_place_inputs = ReadPositions(place.Member("in_place_inputs"));
  if (const auto at = place.Member("inputs")) {
    out.inputs = ReadList(*at, "a list of inputs", ReadInput);
  }
  if (const auto at = place.Member("outputs")) {
    out.outputs = ReadList(*at, "a list of outputs", ReadOutput);
  }
  if (const auto at = place.Member("delegates")) {
    auto delegates = ReadList(*at, "a list of delegate calls", ReadDelegate);
    if (delegates) out.delegates = std::move(*delegates);
  }
  if (const auto at = place.Member("values")) out.values = ReadValues(*at);
  return out;
}

// The name of a rule that findings of a judged program can have: a malformed file has no verdict.
std::optional<std::string> ReadRule(const Place& place) {
  std::vector<std::string_view> names;
  for (const RuleInfo& rule : PlanRules()) names.push_back(rule.name);
  const auto choice = ReadChoice(place, "a rule that can be suppressed", names);
  if (!choice) return std::nullopt;
  return std::string(names[*choice]);
}

std::optional<Suppression> ReadSuppression(const Place& place) {
  if (!CheckObject(place, "a suppression", manifest_keys::kSuppression)) return std::nullopt;
  const bool rule = CheckPresent(place, "rule", "name the rule whose findings are known");
  const bool reason = CheckPresent(place, "reason", "say why the finding is accepted");
  Suppression out;
  if (const auto at = place.Member("method")) out.method = ReadName(*at, "a method").value_or("");
  if (rule) out.rule = ReadRule(*place.Member("rule")).value_or("");
  if (reason) out.reason = ReadName(*place.Member("reason"), "a reason").value_or("");
  if (reason && !out.reason.empty() &&
      out.reason.find_first_not_of(" \t\r\n") == std::string::npos) {
    place.Member("reason")->Error("is blank; say why the finding is accepted");
  }
  return out;
}

// Two signatures that contradict each other are found when a program is read with them.
std::optional<std::string> ReadSignature(const Place& place) {
  std::optional<std::string> text = ReadName(place, "an operator's signature");
  if (!text) return std::nullopt;
  const auto parsed = ParseSignature(*text);
  if (parsed.ok()) return text;
  const SignatureFault& fault = parsed.error();
  place.Error(fmt::format("column {}: {}", fault.at + 1, fault.what));
  return std::nullopt;
}

std::optional<CallProtocol> ReadCalls(const Place& place) {
  std::optional<std::string> text = ReadName(place, "a regular expression over method names");
  if (!text) return std::nullopt;
  auto pattern = ParseCalls(*text);
  if (pattern.ok()) return CallProtocol{*std::move(text), std::move(pattern).value()};
  const CallsFault& fault = pattern.error();
  place.Error(fmt::format("column {}: {}", fault.at + 1, fault.what));
  return std::nullopt;
}

// Whether the manifest is an object of the version that this parser reads.
bool CheckVersion(const Place& root) {
  if (!root.value->is_object()) {
    root.errors->Add("line 1 column 1",
                     fmt::format("is {}; a manifest is an object: {{\"pteproof\": {}, ...}}",
                                 Found(*root.value), kVersion));
    return false;
  }
  const auto at = root.Member("pteproof");
  if (!at) return CheckPresent(root, "pteproof", "a manifest starts with \"pteproof\": 1");
  if (*at->value == kVersion && at->value->is_number_integer()) return true;
  at->Error(fmt::format("is {}; this is the format's version, and {} is the only one",
                        Found(*at->value), kVersion));
  return false;
}

Manifest ReadManifest(const Place& root) {
  Manifest out;
  if (!CheckVersion(root) || !CheckObject(root, "a manifest", manifest_keys::kTop)) return out;
  if (const auto at = root.Member("program_sha256")) {
    out.program_sha256 = ReadSha256(*at).value_or("");
  }
  if (const auto at = root.Member("policy")) {
    const auto choice = ReadChoice(*at, "a policy", kPolicies);
    if (choice) out.policy = static_cast<Policy>(*choice);
  }
  if (const auto at = root.Member("load")) {
    const auto choice = ReadChoice(*at, "load", kLoads);
    if (choice) out.all_first = kLoads[*choice] == "all-first";
  }
  if (const auto at = root.Member("calls")) out.calls = ReadCalls(*at);
  if (const auto at = root.Member("buffers")) {
    out.buffers = ReadByName<ManifestBuffer>(*at, "an object from names to buffers", ReadBuffer);
  }
  if (const auto at = root.Member("methods")) {
    out.methods = ReadByName<ManifestMethod>(*at, "an object from names to methods", ReadMethod);
  }
  if (const auto at = root.Member("operators")) {
    auto list = ReadList(*at, "a list of operators' signatures", ReadSignature);
    if (list) out.operators = std::move(*list);
  }
  if (const auto at = root.Member("suppress")) {
    auto list = ReadList(*at, "a list of suppressions", ReadSuppression);
    if (list) out.suppress = std::move(*list);
  }
  return out;
}

}  // namespace

Result<Manifest, std::vector<ManifestError>> ParseManifest(std::string_view json) {
  ManifestErrors errors;
  const nlohmann::json tree = ParseJsonText(json, errors);
  if (!errors.empty()) return errors.Take();
  Manifest manifest = ReadManifest({&tree, "", &errors});
  if (errors.empty()) CheckReferences(manifest, errors);
  if (!errors.empty()) return errors.Take();
  return manifest;
}

}  // namespace pteproof
