// What the tensor values of one call hold, each value for itself, where names of one storage
// (storage_names.h) share. Contents are whatever a run works on, such as bytes or terms.
//
// Idea: contents are immutable, and a write makes new ones. A name is read out of its base at its
// first use, and a write to the base leaves the old contents to names that were made before.
//
// Invariant: a slot without contents is one that nothing has made so far, or a name that has to be
// read again. A buffer's contents are also those that calls after this one see.
//
// Cost: a read O(names that it goes through), a write O(names of its value).
#ifndef PTEPROOF_PROPERTIES_ORACLES_NAMED_SLOTS_H_
#define PTEPROOF_PROPERTIES_ORACLES_NAMED_SLOTS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/work.h"
#include "properties/oracles/last_uses.h"
#include "properties/oracles/storage_names.h"

namespace pteproof {

template <class T>
class NamedSlots {
 public:
  using Contents = std::shared_ptr<const T>;

  // Points into both.
  NamedSlots(std::span<const StorageName> names, const LastUses& last_uses)
      : names_(names),
        last_uses_(last_uses),
        slots_(names.size()),
        is_apart_(names.size()),
        views_of_(names.size()) {
    for (size_t v = 0; v < names.size(); ++v) {
      const auto name = static_cast<int32_t>(v);
      if (names[v].kind == NameKind::kView) {
        views_of_[static_cast<size_t>(names[v].base)].push_back(name);
      }
      for (const int32_t tile : names[v].tiles) {
        views_of_[static_cast<size_t>(tile)].push_back(name);
      }
      if (names[v].remade) remade_.emplace_back(names[v].made_before, name);
    }
  }
  virtual ~NamedSlots() = default;

  // The present content of a tensor value. A file may have any number of names of names, so there
  // is no recursion.
  [[nodiscard]] Contents Read(int32_t v) {
    std::vector<int32_t> open = {v};
    while (!open.empty()) {
      const int32_t next = open.back();
      const size_t before = open.size();
      if (Slot(next) == nullptr) AddMissing(NameAt(next), open);
      if (open.size() > before) continue;
      if (Slot(next) == nullptr) Slot(next) = Made(next);
      open.pop_back();
    }
    return Slot(v);
  }

  // Instruction `to` comes after `from`. On the way back names that are made between them are made
  // again, those before `to` itself too: exporters number a loop's counter, which is set ahead of
  // the loop, below all that the loop makes. On the way forward contents without a later use are
  // freed.
  void GoOn(int32_t from, int32_t to) {
    Spend(to > from ? (to - from) / kNamesPerElement
                    : static_cast<int64_t>(remade_.size()) / kNamesPerElement);
    for (int32_t passed = from; passed < to; ++passed) {
      for (const int32_t v : last_uses_.at[static_cast<size_t>(passed)]) Slot(v) = nullptr;
    }
    if (to > from) return;
    for (const auto& [made_before, name] : remade_) {
      if (made_before >= to && made_before <= from) Slot(name) = nullptr;
    }
  }

  [[nodiscard]] NameKind KindOf(int32_t v) const { return NameAt(v).kind; }
  [[nodiscard]] bool HasPart() const {
    return std::ranges::find(names_, NameKind::kPart, &StorageName::kind) != names_.end();
  }

 protected:
  // The contents of a value, when all that they are made of has contents.
  [[nodiscard]] virtual Contents Made(int32_t v) = 0;
  // The content of a buffer, in the form that this method has for it.
  [[nodiscard]] virtual Contents AsState(int32_t buffer, const Contents& held) = 0;
  // The buffer holds this from now on, for later calls as well.
  virtual void SetState(int32_t buffer, const Contents& held) = 0;

  [[nodiscard]] const StorageName& NameAt(int32_t v) const {
    return names_[static_cast<size_t>(v)];
  }
  [[nodiscard]] Contents& Slot(int32_t v) { return slots_[static_cast<size_t>(v)]; }
  [[nodiscard]] bool IsEmpty(int32_t v) const { return slots_[static_cast<size_t>(v)] == nullptr; }

  // `to` stands for these contents, which are another value's, from now on.
  void Rename(int32_t to, Contents contents, int32_t at) {
    Preserve(to, at);
    is_apart_[static_cast<size_t>(to)] = NameAt(to).same_buffer;
    Slot(to) = std::move(contents);
  }

  // New contents for a value that is no name of others', made by instruction `at`.
  void Replace(int32_t v, Contents contents, int32_t at) {
    Preserve(v, at);
    Slot(v) = std::move(contents);
  }

  // New contents for a value, made by instruction `at`. Older names keep the old contents.
  // `in_place`: the bytes are updated, and so is the buffer of which the value is a view.
  void Put(int32_t v, Contents contents, bool in_place, int32_t at) {
    Replace(v, std::move(contents), at);
    const bool apart = NameAt(v).same_buffer;
    if (!in_place && !apart && NameAt(v).kind != NameKind::kState) return;
    int32_t root = v;
    while (NameAt(root).kind == NameKind::kView) root = NameAt(root).base;
    if (NameAt(root).kind != NameKind::kState) return;
    const Contents stored = AsState(root, Slot(v));
    if (apart) {  // the buffer ends with it; its other name stands for what it was
      static_cast<void>(Read(root));
      is_apart_[static_cast<size_t>(v)] = true;
    } else if (root != v) {
      Replace(root, stored, at);
    }
    SetState(root, stored);
  }

 private:
  // A look at a name is so much faster than work on an element.
  static constexpr int32_t kNamesPerElement = 4;

  // The values that a name's contents are made of, if they are not known yet.
  void AddMissing(const StorageName& name, std::vector<int32_t>& open) {
    const auto add = [&](int32_t of) {
      if (Slot(of) == nullptr) open.push_back(of);
    };
    if (name.kind == NameKind::kView) add(name.base);
    std::ranges::for_each(name.tiles, add);
  }

  // Whether the values that the name stands for have been made.
  [[nodiscard]] bool CanBeRead(int32_t name) const {
    const auto known = [&](int32_t v) { return !IsEmpty(v) || NameAt(v).kind != NameKind::kOwn; };
    const StorageName& of = NameAt(name);
    if (of.kind == NameKind::kView) return known(of.base);
    return std::ranges::all_of(of.tiles, known);
  }

  // Views made before instruction `at` keep the present content of their base; later views see its
  // new content.
  void Preserve(int32_t base, int32_t at) {
    std::vector<int32_t> later = {base};
    for (size_t n = 0; n < later.size(); ++n) {
      const int32_t of = later[n];
      Spend(1 + static_cast<int64_t>(views_of_[static_cast<size_t>(of)].size()));
      for (const int32_t view : views_of_[static_cast<size_t>(of)]) {
        const bool is_used = last_uses_.of[static_cast<size_t>(view)] >= at;
        if (!is_used) continue;
        const bool stays = NameAt(view).made_before <= at || is_apart_[static_cast<size_t>(view)];
        if (stays && CanBeRead(view)) {
          static_cast<void>(Read(view));
        } else {
          later.push_back(view);
        }
      }
    }
    for (const int32_t view : std::span(later).subspan(1)) Slot(view) = nullptr;
  }

  std::span<const StorageName> names_;
  const LastUses& last_uses_;
  std::vector<Contents> slots_;  // per value; null: not known yet
  std::vector<bool> is_apart_;  // per value: a second name, written: no view of the buffer any more
  std::vector<std::pair<int32_t, int32_t>> remade_;  // made before that instruction; the name
  std::vector<std::vector<int32_t>> views_of_;  // per value: names of its bytes, or of some more
};

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_NAMED_SLOTS_H_
