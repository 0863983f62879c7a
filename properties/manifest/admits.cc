#include "properties/manifest/admits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace pteproof {
namespace {

bool AdmitsSize(const ManifestDim& dim, int64_t size) {
  return size >= dim.min && (!dim.max || size <= *dim.max) && (size - dim.min) % dim.step == 0;
}

// "1 to 8", "8 to 64 in steps of 8", "2 or more", "4".
std::string SizesOf(const ManifestDim& dim) {
  if (dim.max == dim.min) return fmt::format("{}", dim.min);
  const std::string range =
      dim.max ? fmt::format("{} to {}", dim.min, *dim.max) : fmt::format("{} or more", dim.min);
  return dim.step == 1 ? range : fmt::format("{} in steps of {}", range, dim.step);
}

std::string InputName(const ManifestInput& input, size_t k) {
  return input.name.empty() ? fmt::format("input {}", k)
                            : fmt::format("input {} '{}'", k, input.name);
}

// Follows the dimensions of a call's inputs in their order.
class Admission {
 public:
  std::optional<std::string> Of(const ManifestInput& input, size_t k,
                                std::span<const int64_t> sizes) {
    const std::vector<ManifestDim>& dims = *input.sizes;
    const std::string name = InputName(input, k);
    if (sizes.size() != dims.size()) {
      return fmt::format("{} has {} dimensions, and the manifest admits {}", name, sizes.size(),
                         dims.size());
    }
    for (size_t d = 0; d < dims.size(); ++d) {
      if (!AdmitsSize(dims[d], sizes[d])) {
        return fmt::format("{} has the size {} in dimension {}, and the manifest admits {}", name,
                           sizes[d], d, SizesOf(dims[d]));
      }
      if (dims[d].name.empty()) continue;
      const auto [first, is_new] =
          named_.try_emplace(dims[d].name, sizes[d], fmt::format("dimension {} of {}", d, name));
      if (!is_new && first->second.first != sizes[d]) {
        return fmt::format(
            "{} has the size {} in dimension {}, and {}, which has the name '{}' "
            "too, has {}",
            name, sizes[d], d, first->second.second, dims[d].name, first->second.first);
      }
    }
    return std::nullopt;
  }

 private:
  std::map<std::string_view, std::pair<int64_t, std::string>> named_;
};

}  // namespace

std::optional<std::string> NotAdmitted(const ManifestMethod& stated,
                                       std::span<const Datum> inputs) {
  if (!stated.inputs) return std::nullopt;
  Admission admission;
  for (size_t k = 0; k < std::min(stated.inputs->size(), inputs.size()); ++k) {
    const ManifestInput& input = (*stated.inputs)[k];
    const auto* tensor = std::get_if<TensorValue>(&inputs[k]);
    if (!input.sizes || tensor == nullptr) continue;
    if (auto why = admission.Of(input, k, tensor->sizes)) return why;
  }
  return std::nullopt;
}

}  // namespace pteproof
