// Which values share bytes. Starts with a storage for each value; TryShare joins two where nothing
// that is still wanted would be overwritten, and is the only way in which values come to share.
#ifndef PTEPROOF_PLANNER_PASSES_SHARING_H_
#define PTEPROOF_PLANNER_PASSES_SHARING_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "planner/code/code.h"
#include "planner/passes/accesses.h"
#include "planner/passes/data_order.h"
#include "planner/passes/live_set.h"
#include "reference/graph/in_place.h"

namespace pteproof::planner {

// A value and where in its storage it begins.
struct Member {
  ValueId value = -1;
  int64_t inside = 0;  // bytes
};

// Memory that is not the planner's to choose: a buffer's, a constant's, a caller's.
struct Pin {
  enum class Kind : uint8_t { kNone, kBuffer, kConstant, kInput, kOutput };
  Kind kind = Kind::kNone;
  int32_t index = -1;

  bool operator==(const Pin&) const = default;
};

struct Storage {
  std::vector<Member> members;  // none: it was joined to another
  int64_t nbytes = 0;
  Pin pin = {};
  bool filled = false;    // by the caller, before the first step
  bool taken = false;     // by the caller, after the last: an output that is computed
  bool returned = false;  // an input that is stored to: the caller finds the new contents there
  bool set_late = false;  // an output that the loader gives memory of its own, after the inputs
  std::string pool = {};
  int32_t first_write = 0;     // step; -1: something is there at entry
  int32_t first_delegate = 0;  // step of the first delegate that writes there; no step: none
  LiveSet live;  // of all members, operands through the write of the step that reads them last
};

class Sharing {
 public:
  // `nbytes` by value: what each takes at its bound. The code must outlive this, and stay as it is.
  // But for kListed, what shares bytes is ordered by data, not by the listing alone. With kStrict,
  // no step besides reads an operand that lies under a result.
  Sharing(const Code& code, std::span<const int64_t> nbytes,
          graph::InPlaceOrder order = graph::InPlaceOrder::kListed);

  // What the planner may not place; before it shares with anything else that is pinned.
  void SetPin(ValueId value, Pin pin) { StorageOf(value).pin = pin; }

  // What callers pass and take; after ShareStored.
  void MarkPassed();

  // No output comes back in an input that is not planned; after the pins.
  void SetOutputsLate();

  // Lets `part` lie `inside` bytes into `whole`. False, and no change, where
  //   - a step would write bytes of a value that is still needed and holds other bytes,
  //   - an operand would lie under a result that its operator does not make in place,
  //   - a copy would be left out of which a reader of the file could not tell that it was made,
  //   - both are pinned, or wish for different pools, or a buffer would get a caller's values,
  //     which would then not outlive the call.
  // O(members of both) at worst; O(1) where they are never wanted together.
  bool TryShare(ValueId whole, ValueId part, int64_t inside = 0);

  // Lets an operand lie where the result of its step does, in memory that is not the planner's: a
  // buffer's, or a caller's. The file then has one value for both (BuiltOver), so a caller's memory
  // takes no name beside it.
  bool TryBuildIn(ValueId result, ValueId operand);
  // The reverse: a result where an operand is that the caller lets the method overwrite.
  bool TryWriteOver(ValueId operand, ValueId result);

  // Lets all parts of a concatenation lie in it, each at its place, or none. From then on their
  // bytes count as those of `whole`, and the step that makes it has nothing to do.
  bool TryShareParts(ValueId whole, std::span<const Member> parts);
  [[nodiscard]] bool HasParts(ValueId whole) const { return !parts_[Index(whole)].empty(); }

  // Lets a slice of a value lie in it, at its place, or not. From then on the step that makes it
  // has nothing to do.
  bool TryShareSlice(ValueId whole, Member slice);
  [[nodiscard]] bool IsSliceThere(ValueId slice) const { return slice_[Index(slice)].root >= 0; }

  // In any order: makes storages live as long as steps that need not wait for their last use; after
  // all sharing.
  void Widen();

  [[nodiscard]] bool Share(ValueId a, ValueId b) const { return of_[Index(a)] == of_[Index(b)]; }
  [[nodiscard]] bool Coincide(ValueId a, ValueId b) const {
    return Share(a, b) && InsideOf(a) == InsideOf(b);
  }
  [[nodiscard]] int32_t StorageIndexOf(ValueId value) const { return of_[Index(value)]; }
  [[nodiscard]] int64_t InsideOf(ValueId value) const { return inside_[Index(value)]; }
  [[nodiscard]] const std::vector<Storage>& storages() const { return storages_; }
  [[nodiscard]] const Accesses& accesses() const { return accesses_; }
  [[nodiscard]] int64_t BytesOf(ValueId value) const { return nbytes_[Index(value)]; }

 private:
  struct Part {
    ValueId root = -1;  // of the part, or of what it is a slice of
    int64_t inside = 0;
  };

  static size_t Index(ValueId value) { return static_cast<size_t>(value); }
  void FindApart();
  [[nodiscard]] Storage& StorageOf(ValueId value) {
    return storages_[static_cast<size_t>(of_[Index(value)])];
  }
  // Two storages, and where the second would begin in the first.
  struct Meeting {
    int32_t to = -1;
    int32_t from = -1;
    int64_t shift = 0;
  };
  // TryShare, whoever owns the memory.
  bool TryMeet(const Meeting& meeting);
  [[nodiscard]] bool IsAlone(ValueId value) const;
  // Takes a storage, and what lies in it, back to what it was.
  void Restore(int32_t index, Storage storage);
  [[nodiscard]] bool Collide(const Meeting& meeting, const Member& a, const Member& b) const;
  [[nodiscard]] bool OnlyListed(const Meeting& meeting, const Member& a, const Member& b) const;
  [[nodiscard]] bool AreOneValue(const Meeting& meeting, const Member& a, const Member& b) const;
  [[nodiscard]] bool IsLifeForgotten(const Storage& to, const Storage& gone) const;
  [[nodiscard]] bool IsViewForgotten(const Member& view, const Member& written) const;
  [[nodiscard]] bool HoldTheSame(const Meeting& meeting, const Member& a, const Member& b) const;
  [[nodiscard]] bool IsPart(const Member& whole, const Member& part) const;
  [[nodiscard]] bool IsSliceOf(const Member& slice, const Member& whole) const;
  [[nodiscard]] bool WritesUnder(const Member& result, const Member& operand) const;
  [[nodiscard]] bool HasOtherReader(ValueId value, int32_t step) const;
  void FindFirstWrites();
  [[nodiscard]] bool FollowsDelegates(const Storage& a, const Storage& b) const;
  void Join(int32_t into, int32_t from, int64_t shift);

  const Code* code_;
  std::vector<int64_t> nbytes_;
  Accesses accesses_;
  std::optional<DataOrder> order_;  // in any order
  bool single_use_;
  std::vector<LiveSet> live_;  // by value, operands to their last read
  std::vector<int32_t> of_;    // by value
  std::vector<int64_t> inside_;
  std::vector<Storage> storages_;
  std::vector<std::vector<Part>> parts_;  // by value
  std::vector<Part> slice_;               // by value: the root of the whole; -1: none
  std::vector<bool> apart_;               // by step: a copy that must stay
};

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_PASSES_SHARING_H_
