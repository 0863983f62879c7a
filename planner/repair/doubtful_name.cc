// Idea. A name is told by its place: it stands for the value that was put there last. That is no
// evidence if the plan put two values there that are both to be read, for then the mistake may be
// either one's:
//
//   v0 [0, 16)  input            v4 [0, 16), read, which nothing writes: a view of v1,
//   v1 [0, 16)  input                        or of v0, whose bytes v1 took by mistake
//
// A name of which nothing writes the bytes at all is in doubt, too (Aliases::stray).
//
// Invariant: a name without doubt has no other value in its place that is to be read after the one
// that it stands for was made. A value of a higher number is none: it did not exist.
#include "planner/repair/doubtful_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "planner/lift/webs.h"
#include "runtime/slice_form.h"

namespace pteproof::planner {
namespace {

class Doubter {
 public:
  explicit Doubter(const MeantMethod& meant)
      : method_(meant.method()), meant_(meant), made_(method_.values.size(), INT32_MAX) {
    const auto count = static_cast<int32_t>(meant.touches.of_instruction.size());
    for (int32_t i = 0; i < count; ++i) {
      const Touch& touch = meant.touches.of_instruction[IndexOf(i)];
      for (const auto* reads : {&touch.reads, &touch.may_read, &touch.moves}) {
        for (const int32_t v : *reads) last_read_[StorageOf(v)] = i;
      }
      NoteMade(touch, i);
    }
    for (const auto* outputs : {&meant.touches.outputs, &meant.touches.may_be_outputs}) {
      for (const int32_t v : *outputs) last_read_[StorageOf(v)] = count;
    }
    for (int32_t v = 0; v < static_cast<int32_t>(method_.values.size()); ++v) {
      const Tensor* tensor = method_.TensorOf(v);
      if (tensor == nullptr || !tensor->planned || tensor->nbytes == 0) continue;
      const BankBytes bytes = BytesOf(method_, v);
      from_[{bytes.bank, bytes.lo}].push_back(v);
    }
  }

  std::optional<std::string> Go() const {
    for (const DerivedName& name : meant_.names) {
      for (const NamedBytes& bytes : name.bytes) {
        const auto rival = RivalOf(name, bytes.of);
        if (!rival) continue;
        return fmt::format("v{} may be a name of v{} or of v{}: the plan has both in one place",
                           name.value, bytes.of, *rival);
      }
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] int32_t StorageOf(int32_t v) const { return meant_.storages.storage[IndexOf(v)]; }

  // -1: it is there when the method begins; INT32_MAX: no instruction makes it.
  [[nodiscard]] int32_t MadeAt(int32_t v) const {
    return meant_.recovered->flow().IsThereAtEntry(v) ? -1 : made_[IndexOf(v)];
  }

  // What needs no old contents makes a value.
  void NoteMade(const Touch& touch, int32_t at) {
    const auto note = [&](int32_t v) { made_[IndexOf(v)] = std::min(made_[IndexOf(v)], at); };
    std::ranges::for_each(touch.fills, note);
    for (const int32_t v : touch.updates) {
      const bool reads = std::ranges::count(touch.reads, v) > 0;
      if (!reads && std::ranges::count(touch.may_read, v) == 0) note(v);
    }
  }

  [[nodiscard]] std::optional<int32_t> RivalOf(const DerivedName& name, int32_t base) const {
    const BankBytes at = BytesOf(method_, base);
    const bool is_slice = name.bytes.size() == 1 && name.bytes.front().at != 0;
    const auto first = is_slice ? from_.begin() : from_.find({at.bank, at.lo});
    const auto end = is_slice || first == from_.end() ? from_.end() : std::next(first);
    for (auto values = first; values != end; ++values) {
      for (const int32_t v : values->second) {
        if (IsRival(name, base, v, is_slice)) return v;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] bool IsRival(const DerivedName& name, int32_t base, int32_t v,
                             bool is_slice) const {
    if (v >= name.value || StorageOf(v) == StorageOf(base)) return false;
    if (method_.TensorOf(v)->dtype != method_.TensorOf(base)->dtype) return false;
    const bool fits = is_slice
                          ? SliceFormOf(method_, name.value, v).has_value()
                          : name.bytes.size() > 1 || BytesOf(method_, v) == BytesOf(method_, base);
    const int32_t made = MadeAt(v);
    if (!fits || made == INT32_MAX || made >= name.made_before) return false;
    const int32_t made_base = MadeAt(base);
    if (made == made_base) return true;
    const auto read = last_read_.find(StorageOf(v));
    return read != last_read_.end() && read->second > made_base;
  }

  const Method& method_;
  const MeantMethod& meant_;
  std::vector<int32_t> made_;                                           // per value: at first
  std::map<int32_t, int32_t> last_read_;                                // by storage
  std::map<std::pair<uint32_t, uint64_t>, std::vector<int32_t>> from_;  // values, by first byte
};

}  // namespace

std::optional<std::string> DoubtfulNameIn(const MeantMethod& meant) {
  const std::vector<int32_t>& stray = meant.recovered->aliases.stray;
  if (!stray.empty()) {
    return fmt::format(
        "v{} is a name of bytes that nothing writes: those of its source lie elsewhere",
        stray.front());
  }
  if (meant.names.empty()) return std::nullopt;
  return Doubter(meant).Go();
}

}  // namespace pteproof::planner
