#include "cli/load/input_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace pteproof {
namespace {

Sizes SizesOf(const Method& method, const Tensor& tensor) {
  const auto ints = method.Ints(tensor.sizes);
  return {ints.begin(), ints.end()};
}

// "1,512,512"; nothing: it is not that.
std::optional<Sizes> ReadSizes(std::string_view text) {
  Sizes sizes;
  while (true) {
    int64_t size = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc() || size < 0) return std::nullopt;
    sizes.push_back(size);
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    if (text.empty()) return sizes;
    if (text.front() != ',') return std::nullopt;
    text.remove_prefix(1);
  }
}

bool Names(std::string_view word, const BoundedInput& input) {
  return word == input.name || word == fmt::format("v{}", input.value) ||
         word == fmt::format("{}", input.position);
}

// Within the bounds, in each dimension.
bool IsWithin(const Sizes& sizes, const Sizes& bounds) {
  if (sizes.size() != bounds.size()) return false;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] > bounds[d]) return false;
  }
  return true;
}

}  // namespace

std::string BoundedInput::Word() const {
  return name.empty() ? fmt::format("v{}", value) : name;
}

std::vector<BoundedInput> BoundedInputsOf(const Method& method, const SourceLines& lines) {
  std::vector<BoundedInput> inputs;
  for (size_t n = 0; n < method.inputs.size(); ++n) {
    const int32_t v = method.inputs[n];
    const Tensor* tensor = method.TensorOf(v);
    if (tensor == nullptr || tensor->dynamism != Dynamism::kBounded) continue;
    inputs.push_back({n, v, SourceOf(method.name, v, -1, lines).name, SizesOf(method, *tensor)});
  }
  return inputs;
}

Result<std::vector<AskedSizes>, std::string> AskedSizesOf(const Program& program,
                                                          const SourceLines& lines,
                                                          std::span<const std::string> methods,
                                                          std::span<const std::string> asked) {
  std::vector<AskedSizes> all(program.methods.size());
  for (const std::string& each : asked) {
    const size_t equals = each.find('=');
    const auto sizes = equals == std::string::npos
                           ? std::nullopt
                           : ReadSizes(std::string_view(each).substr(equals + 1));
    if (!sizes)
      return fmt::format("--at takes an input and its sizes, as x=1,512,512, not {}", each);
    bool is_taken = false;
    std::string refusal =
        fmt::format("no method has an input {} whose sizes vary", each.substr(0, equals));
    for (size_t m = 0; m < program.methods.size(); ++m) {
      const Method& method = program.methods[m];
      const bool is_asked =
          methods.empty() || std::ranges::find(methods, method.name) != methods.end();
      if (!is_asked) continue;
      for (const BoundedInput& input : BoundedInputsOf(method, lines)) {
        if (!Names(std::string_view(each).substr(0, equals), input)) continue;
        if (!IsWithin(*sizes, input.bounds)) {
          refusal = fmt::format("{} of '{}' has [{}] at most", input.Word(), method.name,
                                fmt::join(input.bounds, ", "));
          continue;
        }
        is_taken = true;
        if (all[m].inputs.empty()) {
          for (const int32_t v : method.inputs) {
            const Tensor* tensor = method.TensorOf(v);
            all[m].inputs.push_back(tensor == nullptr ? Sizes() : SizesOf(method, *tensor));
          }
        }
        all[m].inputs[input.position] = *sizes;
      }
    }
    if (!is_taken) return refusal;
  }
  return all;
}

}  // namespace pteproof
