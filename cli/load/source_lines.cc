#include "cli/load/source_lines.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string_view>

#include "cli/io/load_file.h"
#include "cli/load/beside.h"
#include "properties/manifest/json_text.h"
#include "properties/manifest/place.h"
#include "runtime/sha256.h"

namespace pteproof {
namespace {

constexpr std::array<std::string_view, 4> kSourceKeys = {"pteproof_source", "program_sha256",
                                                         "methods", "callers"};
constexpr std::array<std::string_view, 2> kSourceMethodKeys = {"instructions", "values"};
constexpr std::array<std::string_view, 4> kLineKeys = {"file", "line", "text", "caller"};
constexpr std::array<std::string_view, 2> kValueKeys = {"name", "at"};

std::optional<int32_t> ReadIndex(const Place& place, std::string_view key) {
  int32_t index = -1;
  const char* end = key.data() + key.size();
  const auto [rest, error] = std::from_chars(key.data(), end, index);
  if (error == std::errc() && rest == end && index >= 0) return index;
  place.Error("a key here is an index, a whole number from 0");
  return std::nullopt;
}

// `callers`: how many lines it may name as its caller.
std::optional<SourceLine> ReadLine(const Place& place, size_t callers) {
  if (!CheckObject(place, "a line", kLineKeys)) return std::nullopt;
  SourceLine line;
  if (const auto at = place.Member("file")) line.file = ReadName(*at, "a file").value_or("");
  if (const auto at = place.Member("line")) line.line = ReadWhole(*at, "a line").value_or(0);
  if (const auto at = place.Member("text")) line.text = ReadName(*at, "a text").value_or("");
  if (const auto at = place.Member("caller")) {
    const auto caller = ReadWhole(*at, "a caller");
    if (caller && static_cast<uint64_t>(*caller) >= callers) {
      at->Error("is not one of the callers ahead of it");
    } else {
      line.caller = static_cast<int32_t>(caller.value_or(-1));
    }
  }
  if (!CheckPresent(place, "file", "it names the line's file")) return std::nullopt;
  if (!CheckPresent(place, "line", "it is the line's number, from 1")) return std::nullopt;
  return line;
}

std::optional<NamedSource> ReadNamed(const Place& place, size_t callers) {
  if (!CheckObject(place, "a value", kValueKeys)) return std::nullopt;
  NamedSource named;
  if (const auto at = place.Member("name")) named.name = ReadName(*at, "a name").value_or("");
  if (const auto at = place.Member("at")) named.line = ReadLine(*at, callers);
  return named;
}

// An object whose keys are indices.
template <class Item, class Read>
void ReadIndexed(const Place& method, std::string_view key, const Read& read,
                 std::map<int32_t, Item>& items) {
  const auto all = method.Member(key);
  if (!all) return;
  if (!all->value->is_object()) return all->Expected("an object by index");
  for (const auto& [index, unused] : all->value->items()) {
    const Place place = *all->Member(index);
    const auto number = ReadIndex(place, index);
    auto item = read(place);
    if (number && item) items.emplace(*number, std::move(*item));
  }
}

// A caller names one ahead of it, so that no line is called from itself.
void ReadCallers(const Place& top, std::vector<SourceLine>& callers) {
  const auto all = top.Member("callers");
  if (!all) return;
  if (!all->value->is_array()) return all->Expected("a list of lines");
  for (size_t c = 0; c < all->value->size(); ++c) {
    callers.push_back(ReadLine(all->Item(c), c).value_or(SourceLine{}));
  }
}

void ReadMethods(const Place& top, SourceLines& lines) {
  const auto all = top.Member("methods");
  if (!all) return;
  if (!all->value->is_object()) return all->Expected("an object by method");
  for (const auto& [name, unused] : all->value->items()) {
    const Place place = *all->Member(name);
    if (!CheckObject(place, "a method", kSourceMethodKeys)) continue;
    MethodSource& method = lines.methods[name];
    const size_t callers = lines.callers.size();
    const auto read_line = [&](const Place& at) { return ReadLine(at, callers); };
    const auto read_named = [&](const Place& at) { return ReadNamed(at, callers); };
    ReadIndexed(place, "instructions", read_line, method.instructions);
    ReadIndexed(place, "values", read_named, method.values);
  }
}

// Nothing wrong: empty. Of several errors the first is told.
std::string ReadSource(std::string_view text, Bytes program, SourceLines& lines) {
  ManifestErrors errors;
  const nlohmann::json json = ParseJsonText(text, errors);
  if (errors.empty()) {
    const Place top{&json, "", &errors};
    if (CheckObject(top, "a source file", kSourceKeys) &&
        CheckPresent(top, "pteproof_source", "it is the version of the format, 1")) {
      const auto version = ReadWhole(*top.Member("pteproof_source"), "the version, 1", 1);
      if (version && *version != 1) top.Member("pteproof_source")->Error("is not 1");
      ReadCallers(top, lines.callers);
      ReadMethods(top, lines);
    }
    const auto sum = top.Member("program_sha256");
    const auto stated = sum ? ReadName(*sum, "a SHA-256") : std::nullopt;
    if (errors.empty() && stated && *stated != Sha256Hex(program)) {
      return "it belongs to other bytes of the program";
    }
  }
  if (errors.empty()) return "";
  const ManifestError first = errors.Take().front();
  return fmt::format("{}: {}", first.where, first.what);
}

}  // namespace

SourceLines ReadSourceLines(const std::string& file, Bytes program) {
  SourceLines lines;
  const std::string path = Beside(file, kSourceSuffix);
  if (path.empty()) return lines;
  const auto read = LoadFile(path);
  if (!read) {
    lines.unused = read.error().why;
  } else {
    const Bytes& bytes = *read.value();
    lines.unused =
        ReadSource({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, program, lines);
  }
  if (lines.unused.empty()) return lines;
  return {{}, {}, fmt::format("{} is not used: {}", path, lines.unused)};
}

FindingSource SourceOf(const Finding& finding, const SourceLines& lines) {
  FindingSource source;
  const auto method = lines.methods.find(finding.method);
  if (method == lines.methods.end()) return source;
  const auto made = method->second.instructions.find(finding.instruction);
  if (made != method->second.instructions.end()) source.line = made->second;
  for (const int32_t value : finding.values) {
    const auto named = method->second.values.find(value);
    if (named == method->second.values.end()) continue;
    if (!source.line) source.line = named->second.line;
    if (!named->second.name.empty()) source.names.emplace_back(value, named->second.name);
  }
  if (source.line) source.called_from = CallersOf(*source.line, lines);
  return source;
}

NamedSource SourceOf(std::string_view method, int32_t value, int64_t made,
                     const SourceLines& lines) {
  NamedSource source;
  const auto found = lines.methods.find(method);
  if (found == lines.methods.end()) return source;
  const auto named = found->second.values.find(value);
  if (named != found->second.values.end()) source = named->second;
  const auto maker = found->second.instructions.find(static_cast<int32_t>(made));
  if (!source.line && maker != found->second.instructions.end()) source.line = maker->second;
  return source;
}

std::vector<SourceLine> CallersOf(const SourceLine& line, const SourceLines& lines) {
  std::vector<SourceLine> above;
  for (int32_t at = line.caller; at >= 0; at = above.back().caller) {
    above.push_back(lines.callers[static_cast<size_t>(at)]);
  }
  return above;
}

std::string TextOf(const SourceLine& line) {
  return fmt::format("{}:{}{}{}", line.file, line.line, line.text.empty() ? "" : "  ", line.text);
}

std::string TextOf(const FindingSource& source, bool callers) {
  constexpr size_t kShownNames = 6;
  std::string text = source.line ? TextOf(*source.line) + "\n" : "";
  if (callers) {
    for (const SourceLine& caller : source.called_from) {
      text += fmt::format("called from {}\n", TextOf(caller));
    }
  }
  for (size_t n = 0; n < source.names.size() && n < kShownNames; ++n) {
    text += fmt::format("{}v{} {}", n == 0 ? "In the model: " : ", ", source.names[n].first,
                        source.names[n].second);
  }
  if (!source.names.empty()) text += "\n";
  return text;
}

}  // namespace pteproof
