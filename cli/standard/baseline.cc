#include "cli/standard/baseline.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "cli/io/json_text.h"
#include "properties/manifest/json_text.h"
#include "properties/manifest/place.h"

namespace pteproof {
namespace {

constexpr int64_t kBaselineVersion = 1;
constexpr std::array<std::string_view, 2> kTop = {"pteproof-baseline", "files"};
constexpr std::array<std::string_view, 5> kFinding = {"fingerprint", "count", "rule", "method",
                                                      "explanation"};

std::string TextAt(const Place& place, std::string_view key) {
  const auto at = place.Member(key);
  if (!at) return "";
  return ReadName(*at, key).value_or("");
}

std::optional<KnownFinding> ReadFinding(const Place& place) {
  if (!CheckObject(place, "a known finding", kFinding)) return std::nullopt;
  KnownFinding known;
  (void)CheckPresent(place, "fingerprint", "a finding is known by it");
  known.fingerprint = TextAt(place, "fingerprint");
  known.rule = TextAt(place, "rule");
  known.method = TextAt(place, "method");
  known.explanation = TextAt(place, "explanation");
  if (const auto at = place.Member("count")) known.count = ReadWhole(*at, "a count").value_or(0);
  return known;
}

void ReadKnownFiles(const Place& place, Baseline& baseline) {
  if (!place.value->is_object()) return place.Expected("an object from files to findings");
  for (const auto& [file, unused] : place.value->items()) {
    auto list = ReadList(*place.Member(file), "a list of findings", ReadFinding);
    if (list) baseline.files.emplace(file, *std::move(list));
  }
}

nlohmann::ordered_json ToJson(const KnownFinding& known) {
  nlohmann::ordered_json json = {{"fingerprint", known.fingerprint}, {"count", known.count}};
  json["rule"] = known.rule;
  if (!known.method.empty()) json["method"] = known.method;
  if (!known.explanation.empty()) json["explanation"] = known.explanation;
  return json;
}

}  // namespace

Result<Baseline, std::vector<ManifestError>> ParseBaseline(std::string_view json) {
  ManifestErrors errors;
  const nlohmann::json tree = ParseJsonText(json, errors);
  if (!errors.empty()) return errors.Take();
  const Place root = {&tree, "", &errors};
  Baseline baseline;
  if (CheckObject(root, "a baseline", kTop) &&
      CheckPresent(root, "pteproof-baseline", "a baseline starts with \"pteproof-baseline\": 1")) {
    const Place version = *root.Member("pteproof-baseline");
    const auto number = ReadWhole(version, "the format's version");
    if (number && *number != kBaselineVersion) {
      version.Error(fmt::format("is {}; the only version is {}", *number, kBaselineVersion));
    }
    if (const auto at = root.Member("files")) ReadKnownFiles(*at, baseline);
  }
  if (!errors.empty()) return errors.Take();
  return baseline;
}

std::string BaselineText(const Baseline& baseline) {
  std::string text = fmt::format("{{\n\"pteproof-baseline\": {},\n\"files\": {{", kBaselineVersion);
  std::string_view between_files;
  for (const auto& [file, findings] : baseline.files) {
    text += fmt::format("{}\n{}: [", between_files, JsonText(file));
    std::string_view between;
    for (const KnownFinding& known : findings) {
      text += fmt::format("{}\n  {}", between, JsonText(ToJson(known)));
      between = ",";
    }
    text += "\n]";
    between_files = ",";
  }
  return text + "\n}\n}\n";
}

}  // namespace pteproof
