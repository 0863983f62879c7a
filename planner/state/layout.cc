// Idea. Shared buffers lie in memory id 2 one behind the other by name, in all methods alike, also
// in those that do not use them. Private buffers lie in another memory id, from the start of the
// bank; if the loader lets methods meet there, each method gets its own range.
//
//   shared bank     | a: 64 | b: 16 | c: 256 |        the same in every method
//   private bank    forward  | k: 32 |
//                   step              | k: 32 |       apart, if methods share this bank
//
// Invariant: a shared buffer has one place in all methods, no two buffers that a loader makes
// common meet, and the order of the Module's list decides nothing. Cost: O(methods x buffers).
#include "planner/state/layout.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/checked_math.h"
#include "planner/planted.h"
#include "planner/read_beyond.h"

namespace pteproof::planner {
namespace {

using graph::Buffer;
using graph::Method;
using graph::Module;

constexpr int64_t kLargestBank = int64_t{1} << 48;

int64_t BytesOfBuffer(const Buffer& buffer) {
  int64_t bytes = ElementSize(buffer.type.dtype);
  for (const SizeExpr& size : buffer.type.sizes) {
    bytes = CheckedMul(bytes, *size.Constant()).value_or(kLargestBank);
  }
  return std::min(bytes, kLargestBank);
}

// Indices in order of their names, so that the order of the listing decides nothing.
template <class Named>
std::vector<size_t> ByName(const std::vector<Named>& list) {
  std::vector<size_t> order(list.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, {}, [&](size_t i) -> const std::string& { return list[i].name; });
  return order;
}

class Layouter {
 public:
  Layouter(const Module& module, std::span<const Code> codes, const PlanOptions& options)
      : module_(module),
        codes_(codes),
        options_(options),
        buffers_(ByName(module.buffers)),
        methods_(ByName(module.methods)) {}

  Result<StateLayout, std::string> Go() {
    if (std::string fault = FindShared(); !fault.empty()) return fault;
    FindState();
    if (options_.policy == Policy::kPrivate) {
      if (std::string fault = SharedUnderPrivate(); !fault.empty()) return fault;
    }
    if (module_.methods.empty()) return std::move(layout_);
    PlaceAll();
    return std::move(layout_);
  }

 private:
  std::string FindShared() {
    for (const Buffer& buffer : module_.buffers) {
      const bool shared = buffer.shared || Planted(Defect::kOverShared);
      layout_.shared.push_back(shared && !Planted(Defect::kNeverShared));
    }
    if (!options_.shared_buffers) return "";
    layout_.shared.assign(module_.buffers.size(), false);
    for (const std::string& name : *options_.shared_buffers) {
      const auto found = std::ranges::find(module_.buffers, name, &Buffer::name);
      if (found == module_.buffers.end())
        return "the option for shared buffers names an unknown buffer '" + name + "'";
      layout_.shared[static_cast<size_t>(found - module_.buffers.begin())] = true;
    }
    return "";
  }

  void FindState() {
    std::vector<bool> stored(module_.buffers.size());
    for (const Code& code : codes_) {
      for (size_t b = 0; b < stored.size(); ++b) stored[b] = stored[b] || code.exit[b] >= 0;
    }
    for (const Code& code : codes_) {
      layout_.places.emplace_back(stored.size());
      std::vector<bool>& state = layout_.state.emplace_back(stored.size());
      for (size_t b = 0; b < stored.size(); ++b) {
        const bool used = code.entry[b] >= 0;
        const bool any = layout_.shared[b] && !Planted(Defect::kReaderHasConstant);
        state[b] = used && (any ? stored[b] : code.exit[b] >= 0);
      }
    }
  }
  [[nodiscard]] bool IsState(size_t method, size_t buffer) const {
    return layout_.state[method][buffer];
  }

  std::string SharedUnderPrivate() const {
    for (size_t b = 0; b < module_.buffers.size(); ++b) {
      if (!layout_.shared[b]) continue;
      const Method* first = nullptr;
      for (size_t m = 0; m < module_.methods.size(); ++m) {
        if (!IsState(m, b)) continue;
        if (first == nullptr) {
          first = &module_.methods[m];
          continue;
        }
        return "buffer '" + module_.buffers[b].name + "' is shared by methods '" + first->name +
               "' and '" + module_.methods[m].name +
               "'. Under the policy private each method would have a buffer of its own: choose "
               "share-1-2 or share-all";
      }
    }
    return "";
  }

  // Buffers by name: the listing decides nothing.
  [[nodiscard]] StateDemand<int64_t> Demand() const {
    StateDemand<int64_t> demand;
    for (const size_t b : buffers_) {
      const Buffer& buffer = module_.buffers[b];
      demand.buffers.push_back(
          {.nbytes = BytesOfBuffer(buffer),
           .alignment = std::max<int64_t>(options_.alignment, ElementSize(buffer.type.dtype)),
           .shared = layout_.shared[b]});
    }
    for (size_t m = 0; m < methods_.size(); ++m) {
      std::vector<bool>& state = demand.state.emplace_back();
      for (const size_t b : buffers_) state.push_back(IsState(m, b));
    }
    demand.order = methods_;
    demand.defects = {.layout_of_each_method = Planted(Defect::kLayoutOfEachMethod),
                      .bank_of_first_method = Planted(Defect::kBankOfFirstMethod),
                      .shared_bank_unlabelled = Planted(Defect::kSharedBankUnlabelled),
                      .private_states_meet = Planted(Defect::kPrivateStatesMeet)};
    demand.private_banks_meet = options_.policy == Policy::kShareAll;
    return demand;
  }

  void PlaceAll() {
    StateRooms<int64_t> rooms = PlaceState(Demand());
    layout_.shared_size = std::move(rooms.shared_size);
    layout_.private_size = std::move(rooms.private_size);
    LeaveRoom();
    for (size_t m = 0; m < methods_.size(); ++m) {
      for (size_t b = 0; b < buffers_.size(); ++b) {
        layout_.places[m][buffers_[b]] = rooms.places[m][b];
      }
    }
  }

  // Methods that share a bank have it in one size.
  void LeaveRoom() {
    int64_t most = 0;
    for (const Code& code : codes_) most = std::max(most, GuardOf(code));
    for (size_t m = 0; m < codes_.size(); ++m) {
      if (layout_.shared_size[m] > 0) layout_.shared_size[m] += most;
      if (layout_.private_size[m] > 0) layout_.private_size[m] += GuardOf(codes_[m]);
    }
  }

  const Module& module_;
  std::span<const Code> codes_;
  const PlanOptions& options_;
  std::vector<size_t> buffers_;  // by name
  std::vector<size_t> methods_;
  StateLayout layout_;
};

}  // namespace

size_t UserCount(const StateLayout& layout, size_t buffer) {
  return static_cast<size_t>(std::ranges::count_if(
      layout.state, [&](const auto& of_method) { return of_method[buffer]; }));
}

Result<StateLayout, std::string> LayOutState(const Module& module, std::span<const Code> codes,
                                             const PlanOptions& options) {
  return Layouter(module, codes, options).Go();
}

}  // namespace pteproof::planner
