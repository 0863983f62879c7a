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

// Where bytes lie. As a program is meant, a buffer is kept by its name.
enum class Space : uint8_t { kBank, kOwn, kConstant, kBuffer, kNone };

struct Handle {
  Space space = Space::kNone;
  // kBank: memory id; kOwn: value; kConstant: value whose bytes they are; kBuffer: state
  uint32_t memory = 0;
  uint64_t offset = 0;
  uint64_t capacity = 0;
  TensorShape shape;
  bool bounded = false;
  // Of a tensor whose sizes vary: the term that its bytes should be all of, and the term that they
  // are seen as; a view gives the same bytes other sizes.
  TermId held = kZeroTerm;
  TermId seen = kZeroTerm;
};

class PlannedValues : EntryMemory {
 public:
  // Points into all of them.
  PlannedValues(TermTable& table, const PlannedMethod& planned, const Assumptions& assumptions);
  PlannedValues(const PlannedValues&) = delete;
  PlannedValues& operator=(const PlannedValues&) = delete;

 protected:
  [[nodiscard]] bool Ended() const { return trace_.open || trace_.refused || trace_.stopped; }
  void Stop(std::string why);
  void Refuse(std::string why);

  // State, constants that are written, and inputs, before the first instruction.
  void Enter();
  // What the call leaves behind.
  void Leave();

  // The present bytes of a tensor; its handle has the present sizes from then on.
  [[nodiscard]] ContentId Read(int32_t v);
  // New bytes for a tensor, as many as its handle has. `updates`: its old bytes are an operand.
  void Write(int32_t v, ContentId content, bool updates = false);
  // The same for `count` bytes from `first` on.
  void WritePart(int32_t v, uint64_t first, ContentId content);
  // `to` stands for the bytes and sizes of `from`.
  void Rename(int32_t from, int32_t to);
  // `to` stands for the bytes of `base`, as that handle's shape has them.
  void PointTo(int32_t base, Handle view, int32_t to);
  // The same for bytes whose sizes vary, which are seen as another term.
  void PointToVarying(int32_t base, int32_t to, ContentId seen);
  // Remembers what a store of the source model overwrites: outputs may stand for it.
  void NoteStore(std::string_view op, int32_t target);
  // The handle's bytes are all of that content's only term.
  void NoteVarying(Handle& handle, ContentId content);

  // What the call holds now; nothing: sizes vary.
  [[nodiscard]] std::optional<Snapshot> Take();
  void PutInPlace(const Cut& cut);

  [[nodiscard]] Handle& HandleOf(int32_t v) { return handles_[static_cast<size_t>(v)]; }
  // Whether the tensors of an argument have memory, as the runtime asks before it makes a call.
  [[nodiscard]] bool HaveMemory(int32_t v) const;
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
  std::optional<MeantValues> meant_;    // none: values are what the banks hold
  Trace trace_;
  int32_t at_ = -1;  // the instruction at hand

 private:
  [[nodiscard]] SymbolicTensor AtEntry(int32_t v) override;
  void SetBuffer(int32_t v, ContentId content) override;
  void Give(std::string why) override { Stop(std::move(why)); }

  [[nodiscard]] ContentId ReadMemory(const Handle& handle);
  void WriteMemory(const Handle& handle, ContentId content);
  [[nodiscard]] bool HasOwnMemory(uint32_t memory) const;
  [[nodiscard]] Memory& MemoryOf(Space space, uint32_t memory);
  [[nodiscard]] bool HoldsVarying(ContentId content) const;
  [[nodiscard]] ContentId ConstantOf(int32_t value);
  [[nodiscard]] bool IsWritten(const Tensor& tensor) const;
  void PlaceValues();
  void RefuseIfBeyondBank(int32_t v);
  void EnterState();
  void EnterWrittenConstants();
  void BindInputs();
  [[nodiscard]] std::optional<uint32_t> BufferAt(int32_t v) const;
  [[nodiscard]] bool MayBeBuffer(int32_t v) const;
  [[nodiscard]] Memory& MemoryOfState(size_t s);
  [[nodiscard]] SymbolicArgument Output(size_t n);

  std::map<uint32_t, Memory> own_;  // of values without a placement
  std::map<int32_t, ContentId> constants_;
  std::map<std::string, std::pair<uint32_t, uint64_t>> written_;  // by key: memory and bytes
  std::map<uint32_t, Memory> buffers_;              // by state, as the program is meant
  std::map<int32_t, SymbolicTensor> before_store_;  // by the value stored to
};

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_RUN_PLANNED_VALUES_H_
