// The values of one symbolic call of a program: where each tensor's bytes are, and its present
// sizes; numbers; and the contents of the banks.
#ifndef PTEPROOF_PROPERTIES_COMPARE_RUN_PLANNED_VALUES_H_
#define PTEPROOF_PROPERTIES_COMPARE_RUN_PLANNED_VALUES_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "properties/compare/run/planned_call.h"

namespace pteproof::compare {

// Memory that is no bank of the plan.
enum class Space : uint8_t { kBank, kOwn, kConstant, kNone };

struct Handle {
  Space space = Space::kNone;
  uint32_t memory = 0;  // kBank: memory id; kOwn: value; kConstant: value whose bytes they are
  uint64_t offset = 0;
  uint64_t capacity = 0;
  TensorShape shape;
  bool bounded = false;
  // Of a tensor whose sizes vary: the term that its bytes should be all of, and the term that they
  // are seen as; a view gives the same bytes other sizes.
  TermId held = kZeroTerm;
  TermId seen = kZeroTerm;
};

class PlannedValues {
 public:
  // Points into all of them.
  PlannedValues(TermTable& table, const PlannedMethod& planned, const Assumptions& assumptions);

 protected:
  [[nodiscard]] bool Ended() const { return trace_.open || trace_.refused || trace_.stopped; }
  void Stop(std::string why);
  void Refuse(std::string why);

  // State, constants that are written, and inputs, before the first instruction.
  void Enter();
  // What the call leaves behind.
  void Leave();

  // The bytes of a tensor as its handle has them.
  [[nodiscard]] ContentId Read(const Handle& handle);
  void Write(const Handle& handle, int32_t value, ContentId content);
  // The handle's bytes are all of that content's only term.
  void NoteVarying(Handle& handle, ContentId content);

  [[nodiscard]] Handle& HandleOf(int32_t v) { return handles_[static_cast<size_t>(v)]; }
  [[nodiscard]] bool IsTensor(int32_t v) const { return method_.TensorOf(v) != nullptr; }
  [[nodiscard]] const Value& ValueAt(int32_t v) const {
    return method_.values[static_cast<size_t>(holder_[static_cast<size_t>(v)])];
  }
  [[nodiscard]] std::optional<SymbolicNumber> NumberIn(int32_t v) const;
  [[nodiscard]] SymbolicTensor TensorIn(int32_t v, bool reads);
  [[nodiscard]] SymbolicArgument ArgumentOf(int32_t v, bool reads = true, bool as_float = false);

  template <class Each>
  void ForEachTensor(int32_t v, const Each& each) const {
    if (IsTensor(v)) return each(v);
    const Value& value = ValueAt(v);
    if (!IsTensorLike(value.kind)) return;
    for (const int32_t item : method_.Ints(value.items)) {
      if (item >= 0 && IsTensor(item)) each(item);
    }
  }

  TermTable& table_;
  const PlannedMethod& planned_;
  const Method& method_;
  const Assumptions& assumptions_;
  std::vector<Handle> handles_;                         // per value
  std::vector<std::optional<SymbolicNumber>> numbers_;  // per value, if one was computed
  std::vector<int32_t> holder_;  // per value that is not a tensor: the value that it stands for
  std::unordered_set<TermId> varying_;  // terms whose sizes vary
  Trace trace_;
  int32_t at_ = -1;  // the instruction at hand

 private:
  [[nodiscard]] Memory& MemoryOf(Space space, uint32_t memory);
  [[nodiscard]] bool HoldsVarying(ContentId content) const;
  [[nodiscard]] ContentId ConstantOf(int32_t value);
  [[nodiscard]] bool IsWritten(const Tensor& tensor) const;
  void PlaceValues();
  void EnterState();
  void EnterWrittenConstants();
  void BindInputs();

  std::map<uint32_t, Memory> own_;  // of values without a placement
  std::map<int32_t, ContentId> constants_;
  std::map<std::string, std::pair<uint32_t, uint64_t>> written_;  // by key: memory and bytes
};

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_RUN_PLANNED_VALUES_H_
