// What the values of one symbolic call hold as the program is meant: each value in a storage of its
// own, and names of one storage as oracles/storage_names.h lists them. This is what `pteproof eval`
// runs; a comparison is neither a check nor a proof, and shares the names with the oracles.
#ifndef PTEPROOF_PROPERTIES_COMPARE_RUN_MEANT_VALUES_H_
#define PTEPROOF_PROPERTIES_COMPARE_RUN_MEANT_VALUES_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "properties/compare/terms/forms.h"
#include "properties/oracles/named_slots.h"
#include "pteproof/program.h"
#include "runtime/execute/opaque_call.h"

namespace pteproof::compare {

// How the values of a method are meant.
struct Meaning {
  std::vector<StorageName> names;  // per value
  LastUses last_uses;
};

// Per method. `opaque`: likewise, what runs are given. The result holds no pointers into the
// program.
[[nodiscard]] std::vector<Meaning> MeaningsOf(const Program& program,
                                              const std::vector<OpaqueCalls>& opaque);

// What values hold before anything is written, and where buffers are kept from call to call.
class EntryMemory {
 public:
  virtual ~EntryMemory() = default;
  [[nodiscard]] virtual SymbolicTensor AtEntry(int32_t v) = 0;
  virtual void SetBuffer(int32_t v, ContentId content) = 0;
  // The call cannot be followed.
  virtual void Give(std::string why) = 0;
};

class MeantValues : public NamedSlots<SymbolicTensor> {
 public:
  // Points into all of them.
  MeantValues(TermTable& table, const Method& method, const Meaning& meaning, EntryMemory& entry)
      : NamedSlots(meaning.names, meaning.last_uses),
        table_(table),
        method_(method),
        entry_(entry) {}

  void Receive(int32_t v, const SymbolicTensor& tensor) { Slot(v) = Held(tensor); }
  // `updates`: the value is an operand as well, and its bytes are updated.
  void Write(int32_t v, const SymbolicTensor& tensor, bool updates, int32_t at) {
    Put(v, Held(tensor), updates, at);
  }
  // `to` stands for these bytes from now on, which are another value's.
  void Alias(int32_t to, const SymbolicTensor& tensor, int32_t at) { Rename(to, Held(tensor), at); }
  // `to` has the bytes of the operands that lie at its own place from now on.
  void Place(int32_t to, std::span<const int32_t> operands, int32_t at);
  // Whether it has contents of its own, or has them of others.
  [[nodiscard]] bool Holds(int32_t v) const { return !IsEmpty(v) || KindOf(v) != NameKind::kOwn; }
  // Whether it stands for a buffer: under a second name only if the first has no stored value.
  [[nodiscard]] bool NamesABuffer(int32_t v) const;

 private:
  [[nodiscard]] static Contents Held(const SymbolicTensor& tensor) {
    return std::make_shared<const SymbolicTensor>(tensor);
  }
  [[nodiscard]] Contents Made(int32_t v) override;
  [[nodiscard]] Contents AsState(int32_t buffer, const Contents& held) override;
  void SetState(int32_t buffer, const Contents& held) override {
    entry_.SetBuffer(buffer, held->content);
  }

  // The form that the file states for a value.
  [[nodiscard]] TensorShape ShapeInFile(int32_t v) const;
  [[nodiscard]] SymbolicTensor ViewOf(int32_t v, const SymbolicTensor& base);
  [[nodiscard]] SymbolicTensor SliceOf(int32_t v, int32_t whole, const SymbolicTensor& around);
  [[nodiscard]] SymbolicTensor Joined(int32_t v, std::span<const int32_t> tiles);
  // Of a value that cannot be followed.
  [[nodiscard]] SymbolicTensor Lost(int32_t v, std::string why);

  TermTable& table_;
  const Method& method_;
  EntryMemory& entry_;
};

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_RUN_MEANT_VALUES_H_
