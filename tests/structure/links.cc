// Idea: a page is read line by line. Lines between fences are code, and so is what stands between
// backticks; both become blanks, and every "](target)" that is left is a link. Cost: linear.
#include "tests/structure/links.h"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <map>
#include <sstream>

namespace pteproof {
namespace {

// Lines outside of fenced blocks, with their numbers; others are empty.
std::vector<std::string> ProseOf(std::string_view page) {
  std::istringstream in{std::string(page)};
  std::vector<std::string> lines;
  bool in_block = false;
  for (std::string line; std::getline(in, line);) {
    const size_t first = line.find_first_not_of(' ');
    const bool fence = first != std::string::npos && line.compare(first, 3, "```") == 0;
    if (fence) in_block = !in_block;
    lines.push_back(fence || in_block ? "" : line);
  }
  return lines;
}

std::string WithoutCodeSpans(std::string line) {
  bool in_code = false;
  for (char& c : line) {
    if (c == '`') {
      in_code = !in_code;
    } else if (in_code) {
      c = ' ';
    }
  }
  return line;
}

std::string AnchorOf(std::string_view heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '_' || c == '-' || byte >= 0x80) {
      anchor += static_cast<char>(std::tolower(byte));
    } else if (c == ' ') {
      anchor += '-';
    }
  }
  return anchor;
}

// The text of a heading, or nothing.
std::optional<std::string_view> HeadingIn(std::string_view line) {
  const size_t level = line.find_first_not_of('#');
  if (level == 0 || level > 6 || level == std::string_view::npos) return std::nullopt;
  if (line[level] != ' ') return std::nullopt;
  return line.substr(level + 1);
}

}  // namespace

std::vector<Link> LinksIn(std::string_view page) {
  std::vector<Link> links;
  size_t number = 0;
  for (const std::string& prose : ProseOf(page)) {
    ++number;
    const std::string line = WithoutCodeSpans(prose);
    for (size_t at = line.find("]("); at != std::string::npos; at = line.find("](", at + 1)) {
      const size_t end = line.find(')', at);
      if (end == std::string::npos) break;
      const std::string target = line.substr(at + 2, end - at - 2);
      if (target.find(':') != std::string::npos) continue;
      const size_t hash = target.find('#');
      links.push_back({number, target.substr(0, hash),
                       hash == std::string::npos ? "" : target.substr(hash + 1)});
    }
  }
  return links;
}

std::string WithoutCode(std::string_view page) {
  std::string text;
  for (const std::string& line : ProseOf(page)) text += WithoutCodeSpans(line) + "\n";
  return text;
}

std::set<std::string> AnchorsIn(std::string_view page) {
  std::map<std::string, size_t> seen;
  std::set<std::string> anchors;
  for (const std::string& line : ProseOf(page)) {
    const auto heading = HeadingIn(line);
    if (!heading) continue;
    const std::string anchor = AnchorOf(*heading);
    const size_t before = seen[anchor]++;
    anchors.insert(before == 0 ? anchor : fmt::format("{}-{}", anchor, before));
  }
  return anchors;
}

std::string TargetOf(const std::string& path, const Link& link) {
  if (link.path.empty()) return path;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::string target = (folder / link.path).lexically_normal().generic_string();
  if (target.ends_with('/')) target.pop_back();
  return target;
}

std::vector<std::string> BrokenLinks(const std::string& path, const ReadFile& read) {
  std::vector<std::string> broken;
  for (const Link& link : LinksIn(read(path).value_or(""))) {
    const std::string target = TargetOf(path, link);
    const auto text = read(target);
    if (!text) {
      broken.push_back(fmt::format("{}:{}: {} does not exist", path, link.line, target));
    } else if (!link.anchor.empty() && !AnchorsIn(*text).contains(link.anchor)) {
      broken.push_back(
          fmt::format("{}:{}: {} has no heading #{}", path, link.line, target, link.anchor));
    }
  }
  return broken;
}

}  // namespace pteproof
