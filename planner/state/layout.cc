#include "planner/state/layout.h"

#include <algorithm>
#include <numeric>

#include "base/checked_math.h"
#include "planner/planted.h"

namespace pteproof::planner {
namespace {

using graph::Buffer;
using graph::Method;
using graph::Module;

constexpr int64_t kLargestBank = int64_t{1} << 48;

int64_t BytesOf(const Buffer& buffer) {
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
    PlaceShared();
    PlacePrivate();
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
      if (found == module_.buffers.end()) return "no buffer is called '" + name + "'";
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
               "', and under the policy private each would have one of its own: choose share-1-2 "
               "or share-all";
      }
    }
    return "";
  }

  int64_t Take(int64_t& end, size_t buffer) const {
    const int64_t alignment =
        std::max<int64_t>(options_.alignment, ElementSize(module_.buffers[buffer].type.dtype));
    const int64_t at = (end + alignment - 1) / alignment * alignment;
    // One without bytes has a place that no other has.
    end = at + std::max<int64_t>(BytesOf(module_.buffers[buffer]), 1);
    return at;
  }

  void PlaceShared() {
    int64_t end = 0;
    for (const size_t b : buffers_) {
      if (!layout_.shared[b]) continue;
      const int64_t at = Take(end, b);
      for (size_t m = 0; m < module_.methods.size(); ++m) {
        if (IsState(m, b)) Put(m, b, SharedBank(), at);
      }
    }
    shared_end_ = end;
    if (Planted(Defect::kLayoutOfEachMethod)) PlaceSharedOfEach();
    // Bytes that no method uses are kept for those that may come; without any there is no bank.
    const bool used = std::ranges::any_of(layout_.places, [](const auto& of_method) {
      return std::ranges::any_of(
          of_method, [](const auto& place) { return place && place->bank == kSharedBank; });
    });
    if (Planted(Defect::kBankOfFirstMethod)) end = EndInFirstMethod();
    layout_.shared_size.assign(module_.methods.size(), used ? end : 0);
  }

  // Defects of the shared bank.
  [[nodiscard]] static int32_t SharedBank() {
    return Planted(Defect::kSharedBankUnlabelled) ? kPrivateBank : kSharedBank;
  }
  void PlaceSharedOfEach() {
    for (size_t m = 0; m < module_.methods.size(); ++m) {
      int64_t end = 0;
      for (const size_t b : buffers_) {
        if (layout_.shared[b] && IsState(m, b)) Put(m, b, kSharedBank, Take(end, b));
      }
    }
  }
  [[nodiscard]] int64_t EndInFirstMethod() const {
    int64_t end = 0;
    for (const auto& place : layout_.places.front()) {
      if (place && place->bank == kSharedBank) end = std::max(end, place->offset + place->nbytes);
    }
    return end;
  }

  // The bank is every method's own unless the policy shares all. But a buffer that several methods
  // have, each for itself, would look shared if it lay in one place: there methods do not meet.
  void PlacePrivate() {
    std::vector<int64_t>& ends = layout_.private_size;
    ends.assign(module_.methods.size(), SharedBank() == kSharedBank ? 0 : shared_end_);
    const bool all_apart =
        options_.policy == Policy::kShareAll && !Planted(Defect::kPrivateStatesMeet);
    if (!all_apart) {
      ForEachPrivate(false, [&](size_t m, size_t b) {
        const int64_t at = Take(ends[m], b);
        Put(m, b, kPrivateBank, at);
      });
    }
    int64_t end = *std::ranges::max_element(ends);
    const auto apart = [&](size_t m, size_t b) {
      Put(m, b, kPrivateBank, Take(end, b));
      ends[m] = end;
    };
    if (all_apart) ForEachPrivate(false, apart);
    ForEachPrivate(true, apart);
    if (all_apart) ends.assign(module_.methods.size(), end);
  }

  // Those that several methods have, or those that one has.
  template <class Each>
  void ForEachPrivate(bool several, const Each& each) {
    for (const size_t m : methods_) {
      for (const size_t b : buffers_) {
        if (layout_.shared[b] || !IsState(m, b)) continue;
        if ((UserCount(layout_, b) > 1) == several) each(m, b);
      }
    }
  }

  void Put(size_t method, size_t buffer, int32_t bank, int64_t offset) {
    layout_.places[method][buffer] = {bank, offset, BytesOf(module_.buffers[buffer])};
  }

  const Module& module_;
  std::span<const Code> codes_;
  const PlanOptions& options_;
  std::vector<size_t> buffers_;  // by name
  std::vector<size_t> methods_;
  int64_t shared_end_ = 0;  // of the shared bank
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
