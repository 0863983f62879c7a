#include "properties/manifest/of_module.h"

#include <algorithm>
#include <utility>

#include "properties/manifest/graph_effects.h"
#include "reference/graph/bounds.h"
#include "reference/graph/functionalize.h"
#include "reference/graph/method_uses.h"
#include "runtime/sha256.h"

namespace pteproof {
namespace {

using graph::Buffer;
using graph::Module;

// A delegate call writes its results, and new contents of the buffers that it was given and
// changes. It updates none of its operands.
int32_t OutputsOf(const graph::Node& delegate) {
  const auto written =
      std::ranges::count_if(delegate.buffers, [](const graph::DelegateBuffer& each) {
        return each.writes && each.role != graph::DelegateRole::kOwns;
      });
  return static_cast<int32_t>(delegate.results.size()) + static_cast<int32_t>(written);
}

void AddDelegates(const graph::Region& region, std::vector<ManifestDelegate>& delegates) {
  for (const graph::Node& node : region.nodes) {
    if (node.kind == graph::NodeKind::kDelegate) {
      delegates.push_back(
          {static_cast<int32_t>(delegates.size()), OutputsOf(node), std::vector<int32_t>{}});
    }
    for (const graph::Region& inner : node.regions) AddDelegates(inner, delegates);
  }
}

ManifestInput InputOf(const graph::Method& method, const graph::Input& input) {
  ManifestInput stated = {.name = input.name, .sizes = {}};
  const TensorType* type = TensorTypeOf(method, input.value);
  if (type == nullptr) return stated;
  const std::vector<SizeRange> ranges = graph::RangesOf(method);
  stated.sizes.emplace();
  for (const SizeExpr& size : type->sizes) {
    const SizeRange range = size.Over(ranges);
    stated.sizes->push_back({{range.lo, range.hi}});
  }
  return stated;
}

class Statement {
 public:
  Statement(const Module& module, const ManifestSetting& setting)
      : module_(module),
        setting_(setting),
        storing_(module.buffers.size()),
        users_(module.buffers.size()) {}

  Manifest Make() {
    manifest_.policy = setting_.policy;
    FindState();
    manifest_.buffers.emplace();
    for (size_t m = 0; m < module_.methods.size(); ++m) {
      for (size_t b = 0; b < users_.size(); ++b) {
        if (state_[m][b]) manifest_.buffers->insert_or_assign(NameOf(m, b), Stated(b));
      }
      manifest_.methods.emplace(module_.methods[m].name, Stated(m, module_.methods[m]));
    }
    if (!setting_.init_method.empty()) StateInit();
    return std::move(manifest_);
  }

 private:
  [[nodiscard]] bool IsShared(size_t buffer) const {
    const Buffer& b = module_.buffers[buffer];
    if (!setting_.shared_buffers) return b.shared;
    return std::ranges::find(*setting_.shared_buffers, b.name) != setting_.shared_buffers->end();
  }

  // State is a buffer that some method mutates: any method for a shared buffer, this one for its
  // own.
  void FindState() {
    std::vector<bool> mutated(users_.size());
    for (const graph::Method& method : module_.methods) {
      effects_.push_back(EffectsOf(module_, method));
      for (const int32_t b : graph::BuffersStoredBy(method)) ++storing_[static_cast<size_t>(b)];
      for (size_t b = 0; b < mutated.size(); ++b) {
        mutated[b] = mutated[b] || effects_.back().mutates[b];
      }
    }
    for (const GraphEffects& effects : effects_) {
      std::vector<bool>& state = state_.emplace_back(users_.size());
      for (size_t b = 0; b < users_.size(); ++b) {
        state[b] = IsShared(b) ? mutated[b] && (effects.reads[b] || effects.mutates[b])
                               : effects.mutates[b];
        users_[b] += state[b] ? 1 : 0;
      }
    }
  }

  [[nodiscard]] std::string NameOf(size_t method, size_t buffer) const {
    const std::string& name = module_.buffers[buffer].name;
    const bool several = !IsShared(buffer) && storing_[buffer] > 1;
    return several ? module_.methods[method].name + "/" + name : name;
  }

  ManifestBuffer Stated(size_t buffer) const {
    const Buffer& from = module_.buffers[buffer];
    ManifestBuffer stated;
    stated.dtype = from.type.dtype;
    stated.sizes.emplace();
    for (const SizeExpr& size : from.type.sizes) stated.sizes->push_back(*size.Constant());
    if (IsShared(buffer) && users_[buffer] > 1) stated.shared = true;
    const bool zero = !from.initial || std::ranges::all_of(from.initial->bytes, [](std::byte b) {
      return b == std::byte{0};
    });
    const bool set_later = IsShared(buffer) && !setting_.init_method.empty();
    if (set_later || setting_.caller_sets_state) {
      stated.initial = InitialValue::kAny;
    } else if (zero) {
      stated.initial = InitialValue::kZero;
    } else {
      stated.initial = InitialValue::kStored;
      stated.initial_sha256 = Sha256Hex(from.initial->bytes);
    }
    return stated;
  }

  ManifestMethod Stated(size_t m, const graph::Method& method) const {
    ManifestMethod stated;
    stated.reads.emplace();
    stated.mutates.emplace();
    for (size_t b = 0; b < users_.size(); ++b) {
      if (!state_[m][b]) continue;
      if (effects_[m].reads[b]) stated.reads->push_back(NameOf(m, b));
      if (effects_[m].mutates[b]) stated.mutates->push_back(NameOf(m, b));
    }
    stated.mutates_inputs.emplace();
    for (const auto& store : method.input_stores) stated.mutates_inputs->push_back(store.input);
    std::ranges::sort(*stated.mutates_inputs);
    stated.in_place_inputs.emplace();
    stated.inputs.emplace();
    for (size_t n = 0; n < method.inputs.size(); ++n) {
      stated.inputs->push_back(InputOf(method, method.inputs[n]));
      if (method.inputs[n].in_place) stated.in_place_inputs->push_back(static_cast<int32_t>(n));
    }
    stated.outputs.emplace();
    const std::vector<graph::ValueId>& origins = effects_[m].origins;
    for (size_t k = 0; k < origins.size(); ++k) {
      stated.outputs->push_back(OutputOf(m, method, method.body.results[k]));
      const auto first = std::ranges::find(origins, origins[k]) - origins.begin();
      stated.outputs->back().same_as = static_cast<int32_t>(first);
    }
    AddDelegates(method.body, stated.delegates);
    return stated;
  }

  ManifestOutput OutputOf(size_t m, const graph::Method& method, graph::ValueId value) const {
    ManifestOutput stated;
    const auto input = std::ranges::find(method.inputs, value, &graph::Input::value);
    if (input != method.inputs.end()) {
      stated.is_entry = true;
      stated.of_input = static_cast<int32_t>(input - method.inputs.begin());
    }
    const auto entry = std::ranges::find(method.buffers, value, &graph::BufferEntry::value);
    if (entry == method.buffers.end()) return stated;
    const auto buffer = static_cast<size_t>(entry->buffer);
    stated.is_entry = state_[m][buffer];
    if (stated.is_entry) stated.of_buffer = NameOf(m, buffer);
    return stated;
  }

  void StateInit() {
    ManifestMethod init;
    init.reads.emplace();
    init.mutates.emplace();
    for (size_t b = 0; b < users_.size(); ++b) {
      if (IsShared(b) && users_[b] > 0) init.mutates->push_back(module_.buffers[b].name);
    }
    init.outputs.emplace();
    manifest_.methods.emplace(setting_.init_method, std::move(init));
  }

  const Module& module_;
  const ManifestSetting& setting_;
  std::vector<int32_t> storing_;          // by buffer: methods that have stores to it
  std::vector<int32_t> users_;            // by buffer: methods that have it as state
  std::vector<GraphEffects> effects_;     // by method
  std::vector<std::vector<bool>> state_;  // by method and buffer
  Manifest manifest_;
};

}  // namespace

Result<Manifest, std::string> ManifestOf(const Module& module, const ManifestSetting& setting) {
  const auto functional = graph::Functionalize(module);
  if (!functional.ok()) return functional.error();
  return Statement(functional.value(), setting).Make();
}

}  // namespace pteproof
