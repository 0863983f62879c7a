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
  return (!word.empty() && word == input.name) || word == fmt::format("v{}", input.value) ||
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

struct OfMethod {
  size_t method;
  BoundedInput input;
};

// Those of the named methods; of all if none is named.
std::vector<OfMethod> InputsOf(const Program& program, const SourceLines& lines,
                               std::span<const std::string> methods) {
  std::vector<OfMethod> inputs;
  for (size_t m = 0; m < program.methods.size(); ++m) {
    const Method& method = program.methods[m];
    if (!methods.empty() && std::ranges::find(methods, method.name) == methods.end()) continue;
    for (BoundedInput& input : BoundedInputsOf(method, lines))
      inputs.push_back({m, std::move(input)});
  }
  return inputs;
}

void Set(const Method& method, size_t position, const Sizes& sizes, AskedSizes& asked) {
  if (asked.inputs.empty()) {
    for (const int32_t v : method.inputs) {
      const Tensor* tensor = method.TensorOf(v);
      asked.inputs.push_back(tensor == nullptr ? Sizes() : SizesOf(method, *tensor));
    }
  }
  asked.inputs[position] = sizes;
}

std::string Unknown(const Program& program, std::string_view word,
                    std::span<const OfMethod> inputs) {
  constexpr size_t kMostNamed = 8;
  std::vector<std::string> named;
  for (const OfMethod& of : inputs.first(std::min(inputs.size(), kMostNamed)))
    named.push_back(fmt::format("{} of '{}'", of.input.Word(), program.methods[of.method].name));
  if (inputs.size() > kMostNamed)
    named.push_back(fmt::format("{} more", inputs.size() - kMostNamed));
  return fmt::format(
      "no method has an input {} whose sizes vary{}{}", word,
      named.empty() ? "; all sizes are fixed" : "; there are: ", fmt::join(named, ", "));
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
  const std::vector<OfMethod> inputs = InputsOf(program, lines, methods);
  for (const std::string& each : asked) {
    const size_t equals = each.find('=');
    const auto sizes = equals == std::string::npos
                           ? std::nullopt
                           : ReadSizes(std::string_view(each).substr(equals + 1));
    if (!sizes)
      return fmt::format("--at takes an input and its sizes, as x=1,512,512, not {}", each);
    const std::string_view word = std::string_view(each).substr(0, equals);
    bool is_taken = false;
    std::string refusal;
    for (const OfMethod& of : inputs) {
      if (!Names(word, of.input)) continue;
      if (IsWithin(*sizes, of.input.bounds)) {
        is_taken = true;
        Set(program.methods[of.method], of.input.position, *sizes, all[of.method]);
      } else {
        refusal = fmt::format("{} of '{}' has [{}] at most", of.input.Word(),
                              program.methods[of.method].name, fmt::join(of.input.bounds, ", "));
      }
    }
    if (!is_taken) return refusal.empty() ? Unknown(program, word, inputs) : refusal;
  }
  return all;
}

}  // namespace pteproof
