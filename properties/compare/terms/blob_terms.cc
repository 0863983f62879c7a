// Idea: value numbering. Nodes are gone through in the order of their execution; each value holds
// a term, and a node's term is its form and the terms that its operands hold:
//
//     argument | position stored        node   | op form effect operands [stored in-place]
//     stored   | form contents          result | node number
//     kept     | number before          whole  | form effect inputs outputs loose states
//
// What a call finds and changes is a state: the k-th that a call comes to of those that begin
// alike. Nodes without results stand in the whole by themselves, in no order. A value has a place:
// its memory object, or one of its own. It holds its term until another value is written there; who
// reads it later, or reads what nothing has made, or writes twice to one place, ends the numbering,
// as the order then counts.
//
// Invariant: blobs with one term give equal results for equal arguments and states, and change
// states alike; nodes that may be random count by number and order.
//
// Cost: O(operands and forms), O(n log n) in values, up to the hashing of terms; contents as
// TermTable says.
#include "properties/compare/terms/blob_terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "properties/compare/terms/apply.h"
#include "properties/compare/terms/blob_words.h"
#include "reference/op_schema.h"
#include "runtime/delegates/call_roles.h"

namespace pteproof::compare {
namespace {

using delegates::BlobNode;
using delegates::BlobSlot;
using delegates::BlobValue;
using delegates::OpenedBlob;
using delegates::StoredBytes;

constexpr std::string_view kTorch = "torch.ops.";
constexpr std::string_view kAten = "aten.";

// Names without overloads: whether one of that name may give other results for equal operands.
const std::unordered_map<std::string_view, bool>& RandomByName() {
  static const auto names = [] {
    std::unordered_map<std::string_view, bool> all;
    for (const OpSchema& schema : AllOperators()) {
      const std::string_view name = schema.name;
      all[name.substr(0, name.find('.'))] |= IsRandom(schema);
    }
    return all;
  }();
  return names;
}

// PyTorch's operators that the table does not know may be random.
bool MayBeRandom(const BlobNode& node) {
  std::string_view name = node.op;
  const bool is_torch = name.starts_with(kTorch);
  if (is_torch) name.remove_prefix(kTorch.size());
  if (!is_torch && !name.starts_with(kAten)) return node.random;
  const size_t dot = name.find('.');
  std::string base(name.substr(0, name.find('.', dot + 1)));
  base.replace(std::min(dot, base.size()), 1, "::");
  if (base.ends_with('_')) base.pop_back();
  const auto found = RandomByName().find(base);
  return found == RandomByName().end() || found->second;
}

class BlobNumbering {
  using Parts = std::vector<std::vector<uint64_t>>;

 public:
  BlobNumbering(TermTable& table, const OpenedBlob& opened)
      : table_(table),
        opened_(opened),
        effect_(table.Make(TermKind::kEffect, {})),
        holds_(opened.values.size()),
        entry_(opened.values.size()),
        kept_(opened.values.size()),
        read_(opened.values.size()),
        place_(opened.values.size()),
        holder_(opened.values.size(), -1),
        writer_(opened.values.size()) {}

  std::optional<TermId> Run() && {
    for (const BlobValue& value : opened_.values) said_.push_back(StoredTerm(value));
    SetPlaces();
    for (size_t v = 0; v < holds_.size(); ++v) {
      const BlobValue& value = opened_.values[v];
      if (value.given || value.state) Set(static_cast<int32_t>(v), said_[v]);
    }
    for (const BlobNode& node : opened_.nodes) {
      if (node.once && understood_) Follow(node);
    }
    NoteKept();
    for (size_t i = 0; i < opened_.inputs.size(); ++i) SetInput(i);
    for (const BlobNode& node : opened_.nodes) {
      if (!node.once && understood_) Follow(node);
    }
    const TermId whole = Whole();
    return understood_ ? std::optional(whole) : std::nullopt;
  }

 private:
  static size_t Index(int32_t value) { return static_cast<size_t>(value); }
  [[nodiscard]] size_t PlaceOf(int32_t value) const { return place_[Index(value)]; }

  TermId StoredTerm(const BlobValue& value) {
    std::vector<uint64_t> words = {kStored, table_.TextOf(value.form)};
    for (const StoredBytes& each : value.stored) {
      if (each.is_there && each.bytes.size() < each.least) Fail();  // what lies behind is read
      if (each.is_there) {
        words.insert(words.end(), {table_.Constant(each.bytes), each.bytes.size()});
      } else {
        words.insert(words.end(), {table_.TextOf(opened_.data_keys[Index(each.key)]), kNotThere});
      }
    }
    return Make(words);
  }

  // Objects have any numbers: they are counted, and values without one as well.
  void SetPlaces() {
    std::map<int64_t, size_t> objects;
    size_t count = 0;
    for (size_t v = 0; v < place_.size(); ++v) {
      const int64_t object = opened_.values[v].object;
      place_[v] = object < 0 ? count : objects.emplace(object, count).first->second;
      if (place_[v] == count) ++count;
    }
  }

  // What is there before the call, and changed in it. What only lies there must not be overwritten.
  void NoteKept() {
    for (const BlobNode& node : opened_.nodes) {
      for (const int32_t w : node.writes) kept_[Index(w)] = kept_[Index(w)] || !node.once;
    }
    for (size_t v = 0; v < holds_.size(); ++v) {
      kept_[v] = holds_[v] && (kept_[v] || opened_.values[v].state);
      if (holds_[v]) lasting_.push_back(v);
    }
  }

  void SetInput(size_t i) {
    const int32_t v = opened_.inputs[i].value;
    if (v < 0 || holds_[Index(v)]) return Fail();
    Set(v, Make({kArgument, delegates::PositionOfInput(opened_, i), said_[Index(v)]}));
  }

  void Follow(const BlobNode& node) {
    if (node.form.empty()) return Fail();
    std::vector<uint64_t> words = {kNode, table_.TextOf(node.op), table_.TextOf(node.form), 0,
                                   node.reads.size()};
    ++nodes_;
    for (size_t r = 0; r < node.reads.size(); ++r) {
      words.push_back(Read(node.reads[r], node.once));
      read_[Index(node.reads[r])] = {nodes_, r};
    }
    for (const int32_t w : node.writes) {
      const auto& [by, operand] = read_[Index(w)];
      const bool in_place = by == nodes_;
      if (holds_[Index(w)] && !kept_[Index(w)] && !in_place) Fail();  // made twice
      if (LiesOnOperand(w)) Fail();
      if (std::exchange(writer_[PlaceOf(w)], nodes_) == nodes_) Fail();  // written twice
      words.push_back(said_[Index(w)]);
      words.push_back(in_place ? operand : node.reads.size());
    }
    const bool ordered = MayBeRandom(node);
    if (ordered) words[kEffectWord] = effect_;
    if (ordered && node.once) words.push_back(1);
    const TermId term = Make(words);
    if (ordered) effect_ = table_.Make(TermKind::kEffect, std::vector<uint64_t>{term});
    if (node.writes.empty()) loose_.push_back({term});
    for (size_t k = 0; k < node.writes.size(); ++k) {
      if (!node.once) Enter(node.writes[k]);
      Set(node.writes[k], Make({kResult, term, k}));
    }
  }

  TermId Read(int32_t v, bool once) {
    if (!once) Enter(v);
    const auto& term = holds_[Index(v)];
    if (!term || holder_[PlaceOf(v)] != v) Fail();
    return term.value_or(kZeroTerm);
  }

  // Whether the value is written where another one lies that the same node reads.
  [[nodiscard]] bool LiesOnOperand(int32_t v) const {
    const int32_t there = holder_[PlaceOf(v)];
    return there >= 0 && there != v && read_[Index(there)].first == nodes_;
  }

  void Set(int32_t v, TermId term) {
    holds_[Index(v)] = term;
    holder_[PlaceOf(v)] = v;
  }

  // The first time that a call comes to a state.
  void Enter(int32_t v) {
    auto& holds = holds_[Index(v)];
    if (!kept_[Index(v)] || entry_[Index(v)]) return;
    holds = Make({kKept, alike_[*holds]++, *holds});
    entry_[Index(v)] = holds;
  }

  TermId Whole() {
    Parts inputs;
    for (size_t i = 0; understood_ && i < opened_.inputs.size(); ++i) {
      const BlobSlot& slot = opened_.inputs[i];
      const TermId last = *holds_[Index(slot.value)];
      inputs.push_back({delegates::PositionOfInput(opened_, i), last, slot.updated ? 1U : 0U});
    }
    Parts outputs;
    for (size_t i = 0; understood_ && i < opened_.outputs.size(); ++i) {
      const BlobSlot& slot = opened_.outputs[i];
      if (slot.value < 0) Fail();
      const TermId last = slot.value < 0 ? kZeroTerm : Read(slot.value, false);
      outputs.push_back({delegates::PositionOfOutput(opened_, i), last, slot.left_alone ? 1U : 0U});
    }
    Parts states;
    for (size_t v = 0; v < entry_.size(); ++v) {
      if (entry_[v] && entry_[v] != holds_[v]) states.push_back({*entry_[v], *holds_[v]});
    }
    for (const size_t v : lasting_) {
      if (holder_[place_[v]] != static_cast<int32_t>(v)) Fail();
    }
    const std::string form = fmt::format("{} {}", opened_.backend, opened_.form);
    std::vector<uint64_t> words = {kWhole, table_.TextOf(form), effect_};
    for (Parts* parts : {&inputs, &outputs, &loose_, &states}) {
      std::ranges::sort(*parts);
      words.push_back(parts->size());
      for (const auto& part : *parts) words.insert(words.end(), part.begin(), part.end());
    }
    return Make(words);
  }

  TermId Make(const std::vector<uint64_t>& words) { return table_.Make(TermKind::kInside, words); }
  void Fail() { understood_ = false; }

  TermTable& table_;
  const OpenedBlob& opened_;
  TermId effect_;  // of nodes whose number and order count
  bool understood_ = true;
  std::vector<TermId> said_;                  // by value: its form and what is stored with it
  std::vector<std::optional<TermId>> holds_;  // by value: what it holds now
  std::vector<std::optional<TermId>> entry_;  // by value: what a state holds at entry
  std::vector<bool> kept_;                    // by value: whether it is a state
  std::vector<size_t> lasting_;               // values that are there before the call
  std::vector<std::pair<uint64_t, uint64_t>> read_;  // by value: node and operand that read it last
  uint64_t nodes_ = 0;                               // so far
  std::vector<size_t> place_;                        // by value: where it lies
  std::vector<int32_t> holder_;                      // by place: the value that lies there
  std::vector<uint64_t> writer_;                     // by place: the node that wrote there last
  std::unordered_map<TermId, uint64_t> alike_;       // states by what they begin with: how many
  Parts loose_;                                      // nodes without results
};

}  // namespace

std::optional<TermId> TermOfBlob(TermTable& table, const OpenedBlob& opened) {
  if (!opened.damage.empty() || !opened.has_forms || !opened.IsFollowed()) return std::nullopt;
  const auto [known, is_new] = table.outside().try_emplace(&opened);
  if (is_new) known->second = BlobNumbering(table, opened).Run();
  return known->second;
}

}  // namespace pteproof::compare
