// What the tensor values of one call hold as the program is meant: each value in a storage of its
// own, names with the content that they stand for (meaning/aliases.h). Contents are whatever a run
// works on, such as bytes or terms.
//
// Idea: contents are immutable, and a write makes new ones. A name takes the content of its sources
// at its birth, before the instruction that its transfer states; a later store to a source is not a
// store to it. A buffer has one content over all calls, whatever names of it are written.
//
// Invariant: a slot without contents is one that nothing has made so far. What is there when the
// call begins is fetched at its first read.
//
// Cost: a read or write O(1), a birth O(its sources), and what the contents cost.
#ifndef PTEPROOF_PROPERTIES_ORACLES_MEANT_SLOTS_H_
#define PTEPROOF_PROPERTIES_ORACLES_MEANT_SLOTS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/work.h"
#include "meaning/method_meaning.h"
#include "properties/oracles/last_uses.h"

namespace pteproof {

// How a name's bytes come from those of its sources.
enum class NameForm : uint8_t {
  kView,    // all bytes of the one source
  kSlice,   // the run of bytes at its place within the one source
  kConcat,  // the sources' bytes, one behind the other
};

template <class T>
class MeantSlots {
 public:
  using Contents = std::shared_ptr<const T>;

  // Points into both.
  MeantSlots(const meaning::MethodMeaning& meant, const LastUses& last_uses)
      : meant_(meant), last_uses_(last_uses), slots_(meant.method->values.size()) {}
  virtual ~MeantSlots() = default;

  // Instruction `at` is the next one, or the call ends there: names are born before it.
  void Begin(int32_t at) {
    for (const meaning::Transfer& birth : meant_.aliases.BirthsBefore(at)) Bear(birth);
    for (const meaning::Transfer& birth : meant_.aliases.LostBefore(at)) Bear(birth);
  }

  // Instruction `at` has run, and a later one is next: contents without a later use are freed.
  void End(int32_t at, int32_t next) {
    Spend((next - at) / kInstructionsPerElement);
    for (int32_t passed = at; passed < next; ++passed) {
      for (const int32_t v : last_uses_.at[static_cast<size_t>(passed)]) Slot(v).reset();
    }
  }

  // The present content of a tensor value.
  [[nodiscard]] Contents Read(int32_t v) {
    if (IsEmpty(v)) Slot(v) = AtEntry(v);
    return Slot(v);
  }

  // The same; of a name of a buffer that nothing has made so far, what the buffer held.
  [[nodiscard]] Contents ReadStored(int32_t v) {
    const int32_t state = meant_.roles.StateInBank(v);
    if (!IsEmpty(v) || state < 0) return Read(v);
    const int32_t buffer = meant_.roles.states[static_cast<size_t>(state)].value;
    if (buffer == v) return Read(v);
    static_cast<void>(Read(buffer));
    return Derived(NameForm::kView, v, std::span(&buffer, 1));
  }

  // Whether it has contents by now. Constants are fetched when they are read.
  [[nodiscard]] bool Holds(int32_t v) const { return !IsEmpty(v) || IsState(v); }

  // Whether it stands for a buffer.
  [[nodiscard]] bool NamesABuffer(int32_t v) const { return meant_.flow().NamesABuffer(v); }

  // Whether it is the result of a call that does not write it: it holds anything.
  [[nodiscard]] bool IsLeftAlone(int32_t v) const {
    const bool has_bytes =
        meant_.method->TensorOf(v) != nullptr && meant_.method->TensorOf(v)->nbytes > 0;
    return IsEmpty(v) && has_bytes &&
           std::ranges::find(meant_.effects.left_alone, v, &meaning::Read::value) !=
               meant_.effects.left_alone.end();
  }

 protected:
  // What a value holds when the call begins, or if nothing makes it.
  [[nodiscard]] virtual Contents AtEntry(int32_t v) = 0;
  // What the name holds by these contents of its sources.
  [[nodiscard]] virtual Contents Derived(NameForm form, int32_t name,
                                         std::span<const int32_t> sources) = 0;
  // The content of a buffer, in the form that this method has for it.
  [[nodiscard]] virtual Contents AsState(int32_t buffer, const Contents& held) = 0;
  // The buffer holds this from now on, for later calls as well.
  virtual void SetState(int32_t buffer, const Contents& held) = 0;

  [[nodiscard]] Contents& Slot(int32_t v) { return slots_[static_cast<size_t>(v)]; }
  [[nodiscard]] bool IsEmpty(int32_t v) const { return slots_[static_cast<size_t>(v)] == nullptr; }
  [[nodiscard]] bool IsState(int32_t v) const {
    const int32_t state = meant_.roles.StateInBank(v);
    return state >= 0 && meant_.roles.states[static_cast<size_t>(state)].value == v;
  }

  // New contents for a value. `in_place`: the bytes are updated, and so is what the buffer of which
  // the value is a view ends with.
  void Put(int32_t v, Contents contents, bool in_place) {
    Slot(v) = std::move(contents);
    int32_t state = meant_.roles.StateInBank(v);
    if (state < 0 && in_place)
      state = meant_.roles.StateInBank(meant_.aliases.root[static_cast<size_t>(v)]);
    if (state < 0) return;
    const int32_t buffer = meant_.roles.states[static_cast<size_t>(state)].value;
    if (buffer != v) static_cast<void>(Read(buffer));  // under its own name it is what it was
    SetState(buffer, AsState(buffer, Slot(v)));
  }

 private:
  // A look at an instruction is so much faster than work on an element.
  static constexpr int32_t kInstructionsPerElement = 4;

  [[nodiscard]] bool IsThereAtEntry(int32_t v) const {
    const meaning::Role role = meant_.roles.of[static_cast<size_t>(v)];
    return role != meaning::Role::kLocal && role != meaning::Role::kCaller;
  }

  void Bear(const meaning::Transfer& birth) {
    const auto sources = meant_.aliases.SourcesOf(birth);
    Spend(static_cast<int64_t>(sources.size()));
    for (const int32_t source : sources) {
      if (IsEmpty(source) && !IsThereAtEntry(source)) return Slot(birth.to).reset();
      static_cast<void>(Read(source));
    }
    const auto place = [&](int32_t v) { return meant_.roles.place[static_cast<size_t>(v)]; };
    const NameForm form = sources.size() > 1                          ? NameForm::kConcat
                          : place(sources.front()) == place(birth.to) ? NameForm::kView
                                                                      : NameForm::kSlice;
    Slot(birth.to) = Derived(form, birth.to, sources);
  }

  const meaning::MethodMeaning& meant_;
  const LastUses& last_uses_;
  std::vector<Contents> slots_;  // per value; null: nothing has made it
};

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_MEANT_SLOTS_H_
