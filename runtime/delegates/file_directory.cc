#include "runtime/delegates/file_directory.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace pteproof::delegates {
namespace {

constexpr int kDeepestObject = 8;  // destroying a tree recurses

std::optional<uint64_t> Whole(const Json* number) {
  if (number == nullptr || !number->is_number_unsigned()) return std::nullopt;
  return number->get<uint64_t>();
}

// The object that ends with the last byte and is written backwards; empty: none.
std::string BackwardsObject(Bytes blob) {
  std::string text;
  size_t open = 0;
  bool quoted = false;
  bool escaped = false;
  for (size_t i = blob.size(); i > 0; --i) {
    const char c = static_cast<char>(blob[i - 1]);
    text += c;
    if (quoted) {
      quoted = escaped || c != '"';
      escaped = !escaped && c == '\\';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{') {
      ++open;
    } else if (c == '}' && --open == 0) {
      return text;
    }
  }
  return {};
}

}  // namespace

Json ParseBounded(std::string_view text) {
  const auto is_shallow = [](int depth, Json::parse_event_t, Json&) {
    return depth < kDeepestObject;
  };
  return Json::parse(text, is_shallow, false);
}

const Json* Member(const Json* object, std::string_view key) {
  if (object == nullptr || !object->is_object()) return nullptr;
  const auto found = object->find(key);
  return found == object->end() ? nullptr : &*found;
}

FileDirectory::FileDirectory(Bytes blob) : blob_(blob) {
  if (blob.empty() || static_cast<char>(blob.back()) != '{') return;
  root_ = ParseBounded(BackwardsObject(blob));
  const Json* nodes = Member(&root_, "nodes");
  if (nodes != nullptr && nodes->is_array() && !nodes->empty()) nodes_ = nodes;
}

std::optional<Bytes> FileDirectory::File(std::initializer_list<std::string_view> path) const {
  const Json* node = &nodes_->back();
  for (const std::string_view name : path) {
    const auto index = Whole(Member(Member(node, "children"), name));
    if (!index || *index >= nodes_->size()) return std::nullopt;
    node = &(*nodes_)[static_cast<size_t>(*index)];
  }
  const Json* region = Member(node, "dataRegion");
  const auto offset = Whole(Member(region, "offset"));
  const auto size = Whole(Member(region, "size"));
  if (!offset || !size || *offset > blob_.size() || *size > blob_.size() - *offset) {
    return std::nullopt;
  }
  return blob_.subspan(*offset, *size);
}

size_t FileDirectory::CountBeside(std::span<const std::string_view> names) const {
  const auto is_named = [&](const Json* name) {
    return name != nullptr && name->is_string() &&
           std::ranges::find(names, name->get_ref<const std::string&>()) != names.end();
  };
  return static_cast<size_t>(std::ranges::count_if(*nodes_, [&](const Json& node) {
    return !is_named(Member(&node, "name")) &&
           Whole(Member(Member(&node, "dataRegion"), "size")).value_or(1) > 0;
  }));
}

}  // namespace pteproof::delegates
