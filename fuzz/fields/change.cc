#include "fuzz/fields/change.h"

#include <fmt/format.h>

namespace pteproof::fuzz::fields {

Changed::Changed(Tree& tree, const Change& change)
    : tree_(tree), number_(change.table), tables_(tree.tables.size()) {
  auto& fields = tree.tables[static_cast<size_t>(number_)].fields;
  for (const auto& [field, now] : change.fields) {
    before_.emplace_back(field, std::exchange(fields[static_cast<size_t>(field)], now));
  }
  tree.tables.insert(tree.tables.end(), change.added.begin(), change.added.end());
}

Changed::~Changed() {
  tree_.tables.resize(tables_);
  auto& fields = tree_.tables[static_cast<size_t>(number_)].fields;
  for (auto& [field, before] : before_) fields[static_cast<size_t>(field)] = std::move(before);
}

std::string TextOf(const Tree& tree, const Change& change) {
  const std::string path = PathOf(tree, change.table);
  return path.empty() ? change.what : fmt::format("{}: {}", path, change.what);
}

}  // namespace pteproof::fuzz::fields
