// The contents of the tensor values of one call, each in a storage of its own, and the state that
// outlives it.
#ifndef PTEPROOF_PROPERTIES_ORACLES_REPLAY_VALUES_H_
#define PTEPROOF_PROPERTIES_ORACLES_REPLAY_VALUES_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "properties/oracles/meant_slots.h"
#include "properties/oracles/replay.h"
#include "reference/evaluate.h"

namespace pteproof {

using States = std::map<std::string, HeldContents>;  // by place and name

// Methods that share a bank share a buffer where place and name agree.
[[nodiscard]] std::string StateKeyOf(const Method& method, int32_t v, const ReplayOptions& options);

// Bytes of a value that an instruction writes, where that is not all of them.
struct WrittenPart {
  uint64_t first = 0;
  uint64_t count = 0;
};

// The number that a datum is; nothing: it is none.
[[nodiscard]] std::optional<ScalarResult> NumberOf(const Datum& datum);

// As a caller gets it: it stays when the program goes.
[[nodiscard]] Datum DatumOf(const Held& held);

// The same bytes of memory as a tensor of another type, other sizes or another dim order.
[[nodiscard]] Held Reread(const Held& held, ScalarType dtype, Sizes sizes,
                          std::span<const int32_t> dim_order);

class ReplayValues : public MeantSlots<Held> {
 public:
  // Points into all of them.
  ReplayValues(const Program& program, const meaning::MethodMeaning& meant,
               const LastUses& last_uses, const ReplayOptions& options, const StoredStates& stored,
               States& states);

  // The content that an instruction needs.
  [[nodiscard]] HeldContents Use(int32_t v, int32_t at);
  // An input of the call.
  void Receive(int32_t v, const TensorValue& contents);
  // New contents for a value, made by instruction `at`. `in_place`: the bytes are updated, and so
  // is the buffer of which the value is a view.
  void Write(int32_t v, TensorValue contents, bool in_place, int32_t at,
             std::optional<WrittenPart> part = std::nullopt);
  // The same bytes as `to` has them: its type, its dim order, and these sizes.
  [[nodiscard]] Held RereadAs(int32_t to, const Held& held, Sizes sizes) const {
    return Reread(held, method_.TensorOf(to)->dtype, std::move(sizes), OrderOf(to));
  }
  // `to` stands for the bytes of `from` from now on, with the sizes of `contents`.
  void Alias(int32_t from, int32_t to, HeldContents contents);
  // The value's bytes should be these when instruction `at` needs them.
  void Demand(int32_t v, const Held& held, int32_t at) const {
    if (options_.tags != nullptr) options_.tags->Read(at, v, held.tags);
  }
  // Memory without data that nothing has written so far, and a result that its call does not write.
  // Of bytes in banks a tag machine tells when they are read.
  [[nodiscard]] bool IsUnwritten(int32_t v) const {
    const Tensor* t = method_.TensorOf(v);
    if (t == nullptr || t->nbytes == 0 || Holds(v) || t->external || t->data_index > 0)
      return false;
    return !t->planned || options_.tags == nullptr || IsLeftAlone(v);
  }

 private:
  [[nodiscard]] std::span<const int32_t> OrderOf(int32_t v) const {
    return method_.Ints(method_.TensorOf(v)->dim_order);
  }
  [[nodiscard]] Bytes Stored(const Method& method, const Tensor& t) const;
  [[nodiscard]] Held Initial(const Method& method, const Tensor& t) const;
  [[nodiscard]] HeldContents NewState(int32_t v, const std::string& key) const;
  [[nodiscard]] Held SliceOf(int32_t v, int32_t whole, const Held& around) const;
  [[nodiscard]] HeldContents AtEntry(int32_t v) override;
  [[nodiscard]] HeldContents Derived(NameForm form, int32_t name,
                                     std::span<const int32_t> sources) override;
  [[nodiscard]] HeldContents AsState(int32_t v, const HeldContents& held) override;
  void SetState(int32_t v, const HeldContents& held) override;

  const Program& program_;
  const Method& method_;
  const ReplayOptions& options_;
  const StoredStates& stored_;
  States& states_;
};

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_REPLAY_VALUES_H_
