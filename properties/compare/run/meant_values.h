// What the values of one symbolic call hold as the program is meant: each value in a storage of its
// own, and names as meaning/ tells them. This is what `pteproof eval`
// runs; a comparison is neither a check nor a proof, and shares the names with the oracles.
#ifndef PTEPROOF_PROPERTIES_COMPARE_RUN_MEANT_VALUES_H_
#define PTEPROOF_PROPERTIES_COMPARE_RUN_MEANT_VALUES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "meaning/program_meaning.h"
#include "properties/compare/terms/forms.h"
#include "properties/oracles/meant_slots.h"
#include "pteproof/program.h"

namespace pteproof::compare {

// How a program is meant.
struct Meaning {
  std::vector<meaning::MethodMeaning> methods;
  std::vector<LastUses> last_uses;  // per method
};

// Both must outlive it; the manifest may be null.
[[nodiscard]] Meaning MeaningOf(const Program& program, const Manifest* manifest);

// What values hold before anything is written, and where buffers are kept from call to call.
class EntryMemory {
 public:
  virtual ~EntryMemory() = default;
  [[nodiscard]] virtual SymbolicTensor AtEntry(int32_t v) = 0;
  virtual void SetBuffer(int32_t v, ContentId content) = 0;
  // The call cannot be followed.
  virtual void Give(std::string why) = 0;
};

class MeantValues : public MeantSlots<SymbolicTensor> {
 public:
  // Points into all of them.
  MeantValues(TermTable& table, const Meaning& meaning, size_t method, EntryMemory& entry)
      : MeantSlots(meaning.methods[method], meaning.last_uses[method]),
        table_(table),
        method_(*meaning.methods[method].method),
        entry_(entry) {}

  // The present content, which may be of a name that cannot be followed.
  [[nodiscard]] SymbolicTensor Get(int32_t v);
  void Receive(int32_t v, const SymbolicTensor& tensor) { Slot(v) = Held(tensor); }
  // `updates`: the value is an operand as well, and its bytes are updated.
  void Write(int32_t v, const SymbolicTensor& tensor, bool updates) {
    Put(v, Held(tensor), updates);
  }
  // `to` stands for these bytes from now on, which are another value's.
  void Alias(int32_t to, const SymbolicTensor& tensor) { Slot(to) = Held(tensor); }
  using MeantSlots::IsState;

 private:
  [[nodiscard]] static Contents Held(const SymbolicTensor& tensor) {
    return std::make_shared<const SymbolicTensor>(tensor);
  }
  [[nodiscard]] Contents AtEntry(int32_t v) override { return Held(entry_.AtEntry(v)); }
  [[nodiscard]] Contents Derived(NameForm form, int32_t name,
                                 std::span<const int32_t> sources) override;
  [[nodiscard]] Contents AsState(int32_t buffer, const Contents& held) override;
  void SetState(int32_t buffer, const Contents& held) override {
    entry_.SetBuffer(buffer, held->content);
  }

  // The form that the file states for a value.
  [[nodiscard]] TensorShape ShapeInFile(int32_t v) const;
  // Nothing where sizes that vary leave open which bytes they are.
  [[nodiscard]] Contents ViewOf(int32_t v, const SymbolicTensor& base);
  [[nodiscard]] Contents SliceOf(int32_t v, int32_t whole, const SymbolicTensor& around);
  [[nodiscard]] Contents Joined(int32_t v, std::span<const int32_t> tiles);
  [[nodiscard]] Contents Lost(int32_t v, std::string_view why);

  TermTable& table_;
  const Method& method_;
  EntryMemory& entry_;
  std::map<int32_t, std::string_view> lost_;  // why a name cannot be followed
};

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_RUN_MEANT_VALUES_H_
