#include "cli/standard/read_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/file_name.h"
#include "cli/io/load_file.h"
#include "cli/standard/config_keys.h"
#include "cli/standard/toml_tree.h"
#include "properties/manifest/place.h"
#include "pteproof/rules.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, kPolicyCount> kPolicyWords = {
    Name(Policy::kPrivate), Name(Policy::kShare12), Name(Policy::kShareAll)};
constexpr std::array<std::string_view, 2> kLoadWords = {"lazy", "all-first"};
// In the order of Severity.
constexpr std::array<std::string_view, 3> kSeverityWords = {
    Name(Severity::kNote), Name(Severity::kWarning), Name(Severity::kError)};

std::vector<std::string_view> RuleWords() {
  std::vector<std::string_view> names;
  for (const RuleInfo& rule : PlanRules()) names.push_back(rule.name);
  return names;
}

std::optional<std::string> ReadRuleName(const Place& place) {
  const std::vector<std::string_view> names = RuleWords();
  const auto choice = ReadChoice(place, "a rule of memory plans", names);
  if (!choice) return std::nullopt;
  return std::string(names[*choice]);
}

std::optional<std::vector<std::string>> ReadRules(const Place& place) {
  return ReadList(place, "a list of rules", ReadRuleName);
}

std::optional<Policy> ReadPolicy(const Place& place) {
  const auto choice = ReadChoice(place, "a policy", kPolicyWords);
  if (!choice) return std::nullopt;
  return static_cast<Policy>(*choice);
}

Severities ReadSeverities(const Place& place) {
  Severities severities;
  if (!place.value->is_object()) {
    place.Expected("a table from rules to severities");
    return severities;
  }
  const std::vector<std::string_view> names = RuleWords();
  for (const auto& [key, unused] : place.value->items()) {
    const Place at = *place.Member(key);
    if (std::ranges::find(names, key) == names.end()) {
      at.Error(fmt::format("unknown rule {}; a rule of memory plans is one of {}", Quoted(key),
                           Listed(names)));
      continue;
    }
    const auto choice = ReadChoice(at, "a severity", kSeverityWords);
    if (choice) severities.emplace(key, static_cast<Severity>(*choice));
  }
  return severities;
}

FailOn ReadFailOn(const Place& place) {
  FailOn fail_on = {false, false, false, false};
  const auto words = ReadList(place, "a list of what fails", [](const Place& item) {
    return ReadChoice(item, "what fails", kFailOnWords);
  });
  constexpr std::array kMembers = {&FailOn::error, &FailOn::warning, &FailOn::undecided,
                                   &FailOn::depends};
  for (const size_t word : words.value_or(std::vector<size_t>())) fail_on.*kMembers[word] = true;
  return fail_on;
}

std::optional<Limit> ReadLimit(const Place& place, bool takes_percent) {
  std::string text;
  if (place.value->is_number_unsigned()) {
    text = place.value->dump();
  } else if (place.value->is_string()) {
    text = *place.value->get_ptr<const std::string*>();
  } else {
    place.Expected("bytes: a whole number, or a string as \"64KiB\" or \"forward:1=64KiB\"");
    return std::nullopt;
  }
  auto limit = ParseLimit(text, takes_percent);
  if (limit.ok()) return std::move(limit).value();
  place.Error(limit.error());
  return std::nullopt;
}

// One, or a list of them.
std::vector<Limit> ReadLimits(const std::optional<Place>& place, bool takes_percent) {
  std::vector<Limit> limits;
  if (!place) return limits;
  const auto read = [&](const Place& item) { return ReadLimit(item, takes_percent); };
  if (place->value->is_array()) {
    auto list = ReadList(*place, "a list of sizes", read);
    if (list) limits = std::move(*list);
  } else if (auto one = read(*place)) {
    limits.push_back(std::move(*one));
  }
  return limits;
}

// A file that the config names, as this process finds it.
std::optional<std::string> ReadFile(const Place& place, const fs::path& folder) {
  const auto name = ReadName(place, "a file");
  if (!name) return std::nullopt;
  if (*name == kStandardInput) {
    place.Error("is \"-\"; a config names files, not standard input");
    return std::nullopt;
  }
  return FileName((folder / FilePath(*name)).lexically_normal());
}

std::vector<std::string> ReadFiles(const std::optional<Place>& place, const fs::path& folder) {
  if (!place) return {};
  return ReadList(*place, "a list of files",
                  [&](const Place& item) { return ReadFile(item, folder); })
      .value_or(std::vector<std::string>());
}

std::optional<PathRule> ReadPathRule(const Place& place) {
  if (!CheckObject(place, "a path", config_keys::kPath)) return std::nullopt;
  PathRule rule;
  if (CheckPresent(place, "glob", "say which files this is about, as \"models/**/*.pte\"")) {
    rule.glob = ReadName(*place.Member("glob"), "a pattern").value_or("");
  }
  if (const auto at = place.Member("policy")) rule.policy = ReadPolicy(*at);
  if (const auto at = place.Member("ignore")) {
    rule.ignore = ReadRules(*at).value_or(std::vector<std::string>());
  }
  if (const auto at = place.Member("severity")) rule.severity = ReadSeverities(*at);
  rule.max_bytes = ReadLimits(place.Member("max-bytes"), false);
  rule.max_waste = ReadLimits(place.Member("max-waste"), true);
  return rule;
}

std::optional<KnownRule> ReadKnownRule(const Place& place, const TomlTree& tree) {
  if (!CheckObject(place, "a suppression", config_keys::kSuppress)) return std::nullopt;
  KnownRule known;
  known.line = tree.LineOf(place.pointer);
  if (CheckPresent(place, "rule", "name the rule whose findings are known")) {
    known.rule = ReadRuleName(*place.Member("rule")).value_or("");
  }
  if (const auto at = place.Member("method")) known.method = ReadName(*at, "a method").value_or("");
  if (const auto at = place.Member("path")) known.glob = ReadName(*at, "a pattern").value_or("");
  if (CheckPresent(place, "reason", "say why the finding is accepted")) {
    const Place at = *place.Member("reason");
    known.reason = ReadName(at, "a reason").value_or("");
    const bool blank = known.reason.find_first_not_of(" \t\r\n") == std::string::npos;
    if (blank && !known.reason.empty()) at.Error("is blank; say why the finding is accepted");
  }
  return known;
}

std::optional<TrustedManifest> ReadTrusted(const Place& place, const TomlTree& tree,
                                           const Standard& standard) {
  if (!CheckObject(place, "an entry of trust", config_keys::kTrust)) return std::nullopt;
  TrustedManifest entry;
  const fs::path folder = FilePath(standard.source).parent_path();
  if (CheckPresent(place, "manifest", "name the file, as \"models/llama.manifest.json\"")) {
    entry.path = ReadFile(*place.Member("manifest"), folder).value_or("");
  }
  if (CheckPresent(place, "sha256", "say which bytes are trusted; `pteproof trust` writes it")) {
    entry.sha256 = ReadSha256(*place.Member("sha256")).value_or("");
  }
  if (const auto at = place.Member("policy")) entry.policy = ReadPolicy(*at);
  entry.place = fmt::format("{}:{}", standard.source, tree.LineOf(place.pointer));
  return entry;
}

void ReadTrust(const Place& place, const TomlTree& tree, Standard& standard) {
  (void)ReadList(place, "a list of manifests: [[trust]]", [&](const Place& item) {
    auto entry = ReadTrusted(item, tree, standard);
    if (!entry) return entry;
    const auto known = std::ranges::find(standard.trusted, entry->path, &TrustedManifest::path);
    if (known == standard.trusted.end()) {
      standard.trusted.push_back(*entry);
    } else if (!entry->path.empty()) {
      item.Error(fmt::format("names the manifest of {} again: keep one entry", known->place));
    }
    return entry;
  });
}

void ReadLists(const Place& root, const TomlTree& tree, Standard& standard) {
  if (const auto at = root.Member("trust")) ReadTrust(*at, tree, standard);
  if (const auto at = root.Member("suppress")) {
    auto list = ReadList(*at, "a list of suppressions: [[suppress]]",
                         [&](const Place& item) { return ReadKnownRule(item, tree); });
    if (list) standard.suppress = std::move(*list);
  }
  if (const auto at = root.Member("path")) {
    auto list = ReadList(*at, "a list of paths: [[path]]", ReadPathRule);
    if (list) standard.paths = std::move(*list);
  }
}

void ReadTop(const Place& root, const fs::path& folder, Standard& standard) {
  if (const auto at = root.Member("policy")) standard.policy = ReadPolicy(*at);
  if (const auto at = root.Member("load")) {
    const auto choice = ReadChoice(*at, "load", kLoadWords);
    if (choice) standard.all_first = kLoadWords[*choice] == "all-first";
  }
  if (const auto at = root.Member("trust-manifests")) {
    standard.trust_manifests = ReadBool(*at).value_or(false);
  }
  standard.operators = ReadFiles(root.Member("operators"), folder);
  standard.data = ReadFiles(root.Member("data"), folder);
  if (const auto at = root.Member("select")) standard.select = ReadRules(*at);
  if (const auto at = root.Member("ignore")) {
    standard.ignore = ReadRules(*at).value_or(std::vector<std::string>());
  }
  if (const auto at = root.Member("fail-on")) standard.fail_on = ReadFailOn(*at);
  standard.max_bytes = ReadLimits(root.Member("max-bytes"), false);
  standard.max_waste = ReadLimits(root.Member("max-waste"), true);
  if (const auto at = root.Member("severity")) standard.severity = ReadSeverities(*at);
  if (const auto at = root.Member("baseline")) {
    standard.baseline = ReadFile(*at, folder).value_or("");
  }
}

// "pteproof.toml:3: /policy", or "pteproof.toml:3:7" for an error of syntax.
std::vector<ManifestError> WithLines(std::vector<ManifestError> errors, const TomlTree& tree,
                                     const std::string& source) {
  for (ManifestError& error : errors) {
    const size_t line = tree.LineOf(error.where);
    if (line > 0 && error.where.starts_with('/')) {
      error.where = fmt::format("{}:{}: {}", source, line, error.where);
    } else {
      error.where = fmt::format("{}{}{}", source, error.where.empty() ? "" : ": ", error.where);
    }
  }
  return errors;
}

}  // namespace

Result<Standard, std::vector<ManifestError>> ReadConfig(std::string_view text,
                                                        const std::string& source) {
  ManifestErrors errors;
  const TomlTree tree = ParseToml(text, errors);
  if (!errors.empty()) return WithLines(errors.Take(), tree, source);
  Standard standard;
  standard.source = source;
  standard.select_source = source;
  standard.ignore_source = source;
  const fs::path folder = FilePath(source).parent_path();
  std::error_code ignored;  // without a working directory it stays relative
  standard.folder =
      FileName(fs::absolute(folder.empty() ? "." : folder, ignored).lexically_normal());
  const Place root = {&tree.tree, "", &errors};
  (void)CheckObject(root, "a config", config_keys::kTop);
  ReadTop(root, folder, standard);
  ReadLists(root, tree, standard);
  if (!errors.empty()) return WithLines(errors.Take(), tree, source);
  return standard;
}

}  // namespace pteproof
