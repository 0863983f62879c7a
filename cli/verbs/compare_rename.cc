#include "cli/verbs/compare_rename.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/nearest.h"
#include "cli/io/quote.h"

namespace pteproof {
namespace {

bool HasName(const std::vector<std::string>& methods, const std::string& name) {
  return std::ranges::find(methods, name) != methods.end();
}

std::string UnknownName(const std::string& side, const std::string& name,
                        const std::vector<std::string>& methods) {
  std::vector<std::string> quoted;
  for (const std::string& method : methods) quoted.push_back(Quote(method));
  const std::string nearest(NearestName(name, methods));
  return fmt::format("--rename: the {} program has no method '{}'; it has {}{}", side, Quote(name),
                     fmt::join(quoted, ", "),
                     nearest.empty() ? "" : fmt::format("; did you mean '{}'?", Quote(nearest)));
}

std::string Doubled(const std::string& name) {
  return fmt::format("--rename: two methods would be '{}': give each another name", Quote(name));
}

void RenameIn(const MethodNames& names, std::string& name) {
  if (const auto found = names.find(name); found != names.end()) name = found->second;
}

void RenameIn(const MethodNames& names, CallPattern& pattern) {
  RenameIn(names, pattern.method);
  for (CallPattern& part : pattern.parts) RenameIn(names, part);
}

template <class Value>
void RenameKeys(const MethodNames& names, std::map<std::string, Value>& by_name) {
  std::map<std::string, Value> renamed;
  for (auto& [key, value] : by_name) {
    std::string name = key;
    RenameIn(names, name);
    renamed.emplace(std::move(name), std::move(value));
  }
  by_name = std::move(renamed);
}

}  // namespace

Result<MethodNames, std::string> ReadMethodNames(const std::vector<std::string>& words,
                                                 const std::vector<std::string>& old_methods,
                                                 const std::vector<std::string>& new_methods) {
  MethodNames names;
  for (const std::string& word : words) {
    const size_t equals = word.rfind('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == word.size()) {
      return fmt::format(
          "--rename '{}' is not METHOD=NEW: write the old name, then the new one, as put=store",
          Quote(word));
    }
    const std::string method = word.substr(0, equals);
    const std::string name = word.substr(equals + 1);
    if (!HasName(old_methods, method)) return UnknownName("old", method, old_methods);
    if (!HasName(new_methods, name)) return UnknownName("new", name, new_methods);
    if (!names.emplace(method, name).second) {
      return fmt::format("--rename: '{}' is given two names: give one", Quote(method));
    }
  }
  std::set<std::string> taken;
  for (const std::string& method : old_methods) {
    std::string name = method;
    RenameIn(names, name);
    if (!taken.insert(name).second) return Doubled(name);
  }
  return names;
}

void RenameMethods(const MethodNames& names, Program& program) {
  for (Method& method : program.methods) RenameIn(names, method.name);
}

void RenameMethods(const MethodNames& names, graph::Module& module) {
  for (graph::Method& method : module.methods) RenameIn(names, method.name);
}

void RenameMethods(const MethodNames& names, Manifest& manifest) {
  RenameKeys(names, manifest.methods);
  if (manifest.buffers) {
    for (auto& [unused, buffer] : *manifest.buffers) RenameKeys(names, buffer.names);
  }
  for (Suppression& known : manifest.suppress) RenameIn(names, known.method);
  if (manifest.calls) RenameIn(names, manifest.calls->pattern);
}

}  // namespace pteproof
