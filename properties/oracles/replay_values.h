// What the tensor values of one call hold, each in a storage of its own, and the state that
// outlives it.
#ifndef PTEPROOF_PROPERTIES_ORACLES_REPLAY_VALUES_H_
#define PTEPROOF_PROPERTIES_ORACLES_REPLAY_VALUES_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "properties/oracles/replay.h"

namespace pteproof {

using Contents = std::shared_ptr<const TensorValue>;
using States = std::map<std::string, Contents>;  // by place and name

class ReplayValues {
 public:
  // Points into all of them.
  ReplayValues(const Program& program, const Method& method, const std::vector<StorageName>& names,
               const ReplayOptions& options, States& states);

  // What a tensor value holds now. Names of names may be as many as a file likes: no recursion.
  [[nodiscard]] Contents Read(int32_t v);
  // The value holds that, and its views are not looked at.
  void Set(int32_t v, Contents contents) { Slot(v) = std::move(contents); }
  // New contents for a value, made by instruction `at`. What it held before stays with those who
  // saw it. `in_place`: the bytes are updated, so that a buffer is, of which it is a view.
  void Write(int32_t v, TensorValue contents, bool in_place, int32_t at);
  // Views made before instruction `at` keep what their base holds; those made later will see its
  // new contents.
  void Preserve(int32_t base, int32_t at);
  // It is no buffer, and no name of another value's bytes.
  [[nodiscard]] bool HasOwnStorage(int32_t v) const { return NameAt(v).kind == NameKind::kOwn; }

 private:
  [[nodiscard]] const StorageName& NameAt(int32_t v) const {
    return names_[static_cast<size_t>(v)];
  }
  Contents& Slot(int32_t v) { return slots_[static_cast<size_t>(v)]; }

  [[nodiscard]] std::string StateKey(int32_t v) const;
  [[nodiscard]] std::string_view NameOfState(int32_t v) const;
  [[nodiscard]] Bytes Stored(const Tensor& t) const;
  [[nodiscard]] Contents Initial(const Tensor& t) const;
  void AddMissing(const StorageName& name, std::vector<int32_t>& open);
  [[nodiscard]] Contents Made(int32_t v);

  const Program& program_;
  const Method& method_;
  const std::vector<StorageName>& names_;
  const ReplayOptions& options_;
  States& states_;
  std::vector<Contents> slots_;  // per value; null: not known yet
  std::vector<std::vector<int32_t>> views_of_;
};

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_REPLAY_VALUES_H_
