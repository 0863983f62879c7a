// Offsets and bank sizes of buffers, once it is known which methods have which. On any integer type
// that placement can be run on; knows nothing of names, types and policies.
#ifndef PTEPROOF_PLANNER_STATE_PLACE_STATE_H_
#define PTEPROOF_PLANNER_STATE_PLACE_STATE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "planner/options.h"
#include "planner/placement/arithmetic.h"

namespace pteproof::planner {

template <class Int>
struct BufferRoom {
  int32_t bank = 0;  // memory id
  Int offset = 0;
  Int nbytes = 0;
};

// What tests plant (planner/planted.h), here as data: the shipped planner sets none.
struct StateDefects {
  bool layout_of_each_method = false;
  bool bank_of_first_method = false;
  bool shared_bank_unlabelled = false;
  bool private_states_meet = false;
};

// What is asked for.
template <class Int>
struct StateDemand {
  struct Buffer {
    Int nbytes = 0;
    Int alignment = 1;    // a power of two
    bool shared = false;  // by methods
  };
  std::vector<Buffer> buffers;           // in the order in which they are placed
  std::vector<std::vector<bool>> state;  // by method and buffer: it has it
  std::vector<size_t> order;             // in which methods' private buffers are placed
  bool private_banks_meet = false;       // methods find each other's private buffers
  StateDefects defects = {};
};

template <class Int>
struct StateRooms {
  std::vector<std::vector<std::optional<BufferRoom<Int>>>> places;  // by method and buffer
  std::vector<Int> shared_size;                                     // by method
  std::vector<Int> private_size;
};

// Shared buffers lie in kSharedBank, one after the other, whether a method has them or not. Private
// ones lie in kPrivateBank: of each method from the bank's start, but above those of all other
// methods where methods find each other's, or where several methods have one of the buffer.
template <class Int>
class StatePlacer {
 public:
  explicit StatePlacer(const StateDemand<Int>& demand) : demand_(demand) {
    for (const std::vector<bool>& state : demand.state) rooms_.places.emplace_back(state.size());
  }

  [[nodiscard]] StateRooms<Int> Go() {
    if (demand_.state.empty()) return std::move(rooms_);
    PlaceShared();
    PlacePrivate();
    return std::move(rooms_);
  }

 private:
  [[nodiscard]] bool IsState(size_t method, size_t buffer) const {
    return demand_.state[method][buffer];
  }
  [[nodiscard]] size_t Methods() const { return demand_.state.size(); }
  [[nodiscard]] size_t Buffers() const { return demand_.buffers.size(); }

  // One without bytes has a place that no other has.
  Int Take(Int& end, size_t buffer) const {
    using placement::AlignUp;  // or that of Int's own namespace
    const Int at = AlignUp(end, demand_.buffers[buffer].alignment);
    end = at + placement::Larger(demand_.buffers[buffer].nbytes, Int(1));
    return at;
  }

  void Put(size_t method, size_t buffer, int32_t bank, const Int& offset) {
    rooms_.places[method][buffer] = {bank, offset, demand_.buffers[buffer].nbytes};
  }

  void PlaceShared() {
    Int end = 0;
    for (size_t b = 0; b < Buffers(); ++b) {
      if (!demand_.buffers[b].shared) continue;
      const Int at = Take(end, b);
      for (size_t m = 0; m < Methods(); ++m) {
        if (IsState(m, b)) Put(m, b, SharedBank(), at);
      }
    }
    shared_end_ = end;
    if (demand_.defects.layout_of_each_method) PlaceSharedOfEach();
    // Bytes that no method uses are kept for those that may come; without any there is no bank.
    const bool used = std::ranges::any_of(rooms_.places, [](const auto& of_method) {
      return std::ranges::any_of(
          of_method, [](const auto& place) { return place && place->bank == kSharedBank; });
    });
    if (demand_.defects.bank_of_first_method) end = EndInFirstMethod();
    rooms_.shared_size.assign(Methods(), used ? end : Int(0));
  }

  // Defects of the shared bank.
  [[nodiscard]] int32_t SharedBank() const {
    return demand_.defects.shared_bank_unlabelled ? kPrivateBank : kSharedBank;
  }
  void PlaceSharedOfEach() {
    for (size_t m = 0; m < Methods(); ++m) {
      Int end = 0;
      for (size_t b = 0; b < Buffers(); ++b) {
        if (demand_.buffers[b].shared && IsState(m, b)) Put(m, b, kSharedBank, Take(end, b));
      }
    }
  }
  [[nodiscard]] Int EndInFirstMethod() const {
    Int end = 0;
    for (const auto& place : rooms_.places.front()) {
      if (!place || place->bank != kSharedBank) continue;
      end = placement::Larger(end, Int(place->offset + place->nbytes));
    }
    return end;
  }

  // The bank is every method's own unless methods meet there. But a buffer that several methods
  // have, each for itself, would look shared if it lay in one place: there methods do not meet.
  void PlacePrivate() {
    std::vector<Int>& ends = rooms_.private_size;
    ends.assign(Methods(), SharedBank() == kSharedBank ? Int(0) : shared_end_);
    const bool all_apart = demand_.private_banks_meet && !demand_.defects.private_states_meet;
    if (!all_apart) {
      ForEachPrivate(false, [&](size_t m, size_t b) {
        const Int at = Take(ends[m], b);
        Put(m, b, kPrivateBank, at);
      });
    }
    Int end = ends.front();
    for (const Int& each : ends) end = placement::Larger(end, each);
    const auto apart = [&](size_t m, size_t b) {
      Put(m, b, kPrivateBank, Take(end, b));
      ends[m] = end;
    };
    if (all_apart) ForEachPrivate(false, apart);
    ForEachPrivate(true, apart);
    if (all_apart) ends.assign(Methods(), end);
  }

  // Those that several methods have, or those that one has.
  template <class Each>
  void ForEachPrivate(bool several, const Each& each) {
    for (const size_t m : demand_.order) {
      for (size_t b = 0; b < Buffers(); ++b) {
        if (demand_.buffers[b].shared || !IsState(m, b)) continue;
        const auto users =
            std::ranges::count_if(demand_.state, [&](const auto& state) { return bool(state[b]); });
        if ((users > 1) == several) each(m, b);
      }
    }
  }

  const StateDemand<Int>& demand_;
  Int shared_end_ = 0;
  StateRooms<Int> rooms_;
};

template <class Int>
[[nodiscard]] StateRooms<Int> PlaceState(const StateDemand<Int>& demand) {
  return StatePlacer<Int>(demand).Go();
}

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_STATE_PLACE_STATE_H_
