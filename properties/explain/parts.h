// The parts of a failing case that can be replaced: operators, initial values, inputs.
#ifndef PTEPROOF_PROPERTIES_EXPLAIN_PARTS_H_
#define PTEPROOF_PROPERTIES_EXPLAIN_PARTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "properties/generators/build_module.h"
#include "reference/graph/module.h"
#include "reference/tensor_value.h"

namespace pteproof::explain {

enum class PartKind : uint8_t {
  kNode,    // its operator and the numbers that it is given
  kBuffer,  // its initial value
  kInput,   // what one call gives for one input
};

struct Part {
  PartKind kind = PartKind::kNode;
  size_t of = 0;  // kNode: the method; kInput: the call
  size_t at = 0;  // the node in the order in which a Module is printed, the buffer, the input
  int64_t element = -1;  // of a buffer or an input, row-major; -1: all of it

  bool operator==(const Part&) const = default;
};

// A method's nodes as they are printed: each before those of its regions.
[[nodiscard]] std::vector<graph::Node*> NodesOf(graph::Method& method);
[[nodiscard]] std::vector<const graph::Node*> NodesOf(const graph::Method& method);

// All whole parts: nodes, buffers, inputs.
[[nodiscard]] std::vector<Part> PartsOf(const generators::RandomCase& c);

// The initial content of a buffer, or the content of an input of a call; nothing for an input that
// is not a tensor.
[[nodiscard]] std::optional<TensorValue> ContentsOf(const generators::RandomCase& c,
                                                    const Part& part);

}  // namespace pteproof::explain

#endif  // PTEPROOF_PROPERTIES_EXPLAIN_PARTS_H_
