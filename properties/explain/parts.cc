#include "properties/explain/parts.h"

#include <variant>

namespace pteproof::explain {
namespace {

template <class Region, class Node>
void AddNodesOf(Region& region, std::vector<Node*>& nodes) {
  for (auto& node : region.nodes) {
    nodes.push_back(&node);
    for (auto& inner : node.regions) AddNodesOf(inner, nodes);
  }
}

Sizes SizesOf(const TensorType& type) {
  Sizes sizes;
  for (const SizeExpr& size : type.sizes) sizes.push_back(size.Constant().value_or(0));
  return sizes;
}

}  // namespace

std::vector<graph::Node*> NodesOf(graph::Method& method) {
  std::vector<graph::Node*> nodes;
  AddNodesOf(method.body, nodes);
  return nodes;
}

std::vector<const graph::Node*> NodesOf(const graph::Method& method) {
  std::vector<const graph::Node*> nodes;
  AddNodesOf(method.body, nodes);
  return nodes;
}

std::vector<Part> PartsOf(const generators::RandomCase& c) {
  std::vector<Part> parts;
  for (size_t m = 0; m < c.module.methods.size(); ++m) {
    const size_t count = NodesOf(c.module.methods[m]).size();
    for (size_t n = 0; n < count; ++n) parts.push_back({PartKind::kNode, m, n});
  }
  for (size_t b = 0; b < c.module.buffers.size(); ++b) {
    parts.push_back({PartKind::kBuffer, 0, b});
  }
  for (size_t k = 0; k < c.calls.size(); ++k) {
    for (size_t i = 0; i < c.calls[k].inputs.size(); ++i) {
      parts.push_back({PartKind::kInput, k, i});
    }
  }
  return parts;
}

std::optional<TensorValue> ContentsOf(const generators::RandomCase& c, const Part& part) {
  if (part.kind == PartKind::kNode) return std::nullopt;
  if (part.kind == PartKind::kBuffer) {
    const graph::Buffer& buffer = c.module.buffers[part.at];
    return buffer.initial ? *buffer.initial : Zeros(buffer.type.dtype, SizesOf(buffer.type));
  }
  const auto* tensor = std::get_if<TensorValue>(&c.calls[part.of].inputs[part.at]);
  return tensor == nullptr ? std::nullopt : std::optional(*tensor);
}

}  // namespace pteproof::explain
