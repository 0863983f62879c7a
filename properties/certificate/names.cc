// Idea: the checker walks a listing forward and needs no help but for names that no instruction
// makes, and at the targets of jumps back. There it is told which names to keep: those that some
// path from the jump still reads.
//
//   2: v7 = add(v5, v6)          kept at 2: v5, v6 and what is read behind the loop
//   3: jump to 2 unless v8
//
// Invariant: a name that is live at the jump holds there if the plan is right, and each name that
// is read behind the target without being made again is live at the jump.
//
// Cost: O(n log n), and for each jump back the names that are live there.
#include "properties/certificate/names.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "properties/certificate/signatures.h"

namespace pteproof::certificate {
namespace {

using Json = nlohmann::ordered_json;
using meaning::Block;
using meaning::LiveName;
using meaning::MethodFlow;
using meaning::MethodMeaning;
using meaning::Phase;
using meaning::Place;
using meaning::Rename;
using meaning::Transfer;
using meaning::Write;

using Fill = std::pair<int32_t, int32_t>;  // instruction, value

class PartMaker {
 public:
  PartMaker(const meaning::ProgramMeaning& meant, size_t index, const Buffers& buffers,
            Operators& operators)
      : program_(meant),
        index_(index),
        meant_(meant.methods[index]),
        method_(*meant_.method),
        flow_(meant_.flow()),
        buffers_(buffers),
        operators_(operators) {}

  Json Make() && {
    Placed();
    Births();
    Calls();
    Heads();
    Idle();
    return std::move(part_);
  }

 private:
  void Add(const char* key, Json entry) { part_[key].push_back(std::move(entry)); }

  // Results that an instruction leaves in the bytes of its operands.
  void Placed() {
    std::map<std::pair<int32_t, int32_t>, std::vector<int32_t>> placed;
    for (const Rename& r : meant_.effects.renames) {
      if (r.placed) placed[{r.instruction, r.to}].push_back(r.from);
    }
    for (const auto& [where, sources] : placed) {
      Json entry = {where.first, where.second};
      for (const int32_t source : sources) entry.push_back(source);
      Add("placed", std::move(entry));
      placed_.insert(where);
    }
  }

  void Births() {
    for (const Transfer& t : meant_.aliases.transfers) {
      if (t.phase != Phase::kBefore || placed_.contains({t.instruction, t.to})) continue;
      Json entry = {t.instruction, t.to};
      for (const int32_t source : meant_.aliases.SourcesOf(t)) entry.push_back(source);
      Add("born", std::move(entry));
    }
  }

  void Calls() {
    for (int32_t i = 0; i < flow_.instruction_count(); ++i) {
      const Instruction& at = method_.instructions[static_cast<size_t>(i)];
      if (at.kind == InstructionKind::kDelegateCall) Add("delegates", RolesOfDelegate(meant_, i));
      if (at.kind != InstructionKind::kKernelCall) continue;
      const Operator& op = method_.operators[static_cast<size_t>(at.target)];
      const std::string code = op.schema != nullptr ? CodeOf(*op.schema) : CodeOfUnknown(meant_, i);
      const auto known = operators_.try_emplace(op.name, code).first;
      if (known->second != code) Add("calls", {i, code});
    }
  }

  void Heads() {
    std::map<int32_t, std::set<int32_t>> jumps;  // by target
    for (int32_t i = 0; i < flow_.instruction_count(); ++i) {
      const Instruction& at = method_.instructions[static_cast<size_t>(i)];
      const Block& block = flow_.graph.blocks[static_cast<size_t>(flow_.graph.BlockOf(i))];
      const bool is_back = at.kind == InstructionKind::kJumpFalse && at.other <= i;
      if (!is_back || !block.reachable) continue;
      // A jump on a literal may never be taken.
      const int32_t target = flow_.graph.BlockOf(at.other);
      if (std::ranges::find(block.successors, target) != block.successors.end()) {
        jumps[at.other].insert(i);
      }
    }
    if (jumps.empty()) return;
    FindFills();
    FindForeign();
    for (const auto& [target, from] : jumps) Head(target, from);
  }

  void Head(int32_t target, const std::set<int32_t>& from) {
    std::set<int32_t> kept;
    std::set<int32_t> begun;
    for (const int32_t i : from) {
      const auto block = static_cast<size_t>(flow_.graph.BlockOf(i));
      for (const LiveName& live : meant_.live.out[block]) kept.insert(NumberOf(live.name));
    }
    const auto first = std::ranges::lower_bound(fills_, target, {}, &Fill::first);
    for (auto fill = first; fill != fills_.end() && fill->first <= *from.rbegin(); ++fill) {
      begun.insert(fill->second);
    }
    kept.erase(-1);
    kept.insert(foreign_.begin(), foreign_.end());
    Add("heads", {target, kept, begun});
  }

  // As the checker numbers names: values, then the ends of buffers by their places.
  [[nodiscard]] int32_t NumberOf(int32_t name) const {
    const int32_t state = flow_.EndOfState(name);
    if (state < 0) return name;
    const int32_t place = PlaceOf(buffers_, index_, state);
    return place < 0 ? -1 : flow_.value_count() + place;
  }

  void FindFills() {
    for (int32_t i = 0; i < flow_.instruction_count(); ++i) {
      for (const Write& w : meant_.effects.WritesOf(static_cast<size_t>(i))) {
        if (w.access == Access::kFill) fills_.emplace_back(i, w.value);
      }
    }
  }

  // Bytes that the method writes, in stretches that do not meet, ascending.
  [[nodiscard]] std::vector<Place> Written() const {
    std::vector<Place> places;
    for (const Write& w : meant_.effects.writes) {
      if (!flow_.PlaceOf(w.value).empty()) places.push_back(flow_.PlaceOf(w.value));
    }
    std::ranges::sort(places, {}, [](const Place& p) { return std::pair(p.bank, p.lo); });
    std::vector<Place> stretches;
    for (const Place& place : places) {
      const bool goes_on = !stretches.empty() && stretches.back().bank == place.bank &&
                           place.lo <= stretches.back().hi;
      if (goes_on) {
        stretches.back().hi = std::max(stretches.back().hi, place.hi);
      } else {
        stretches.push_back(place);
      }
    }
    return stretches;
  }

  // Buffers of other methods over which this one writes nothing.
  void FindForeign() {
    const std::vector<Place> written = Written();
    const auto is_written = [&](const Place& place) {
      const auto next = std::ranges::upper_bound(
          written, std::pair(place.bank, place.lo), {},
          [](const Place& p) { return std::pair(p.bank, p.hi); });  // the first that ends behind it
      return next != written.end() && next->Meets(place);
    };
    for (size_t b = 0; b < buffers_.places.size(); ++b) {
      const BufferPlace& buffer = buffers_.places[b];
      const auto is_ours = [&](const auto& user) {
        return static_cast<size_t>(user.method) == index_;
      };
      if (buffer.only >= 0 || std::ranges::any_of(buffer.users, is_ours)) continue;
      if (is_written(buffer.place)) continue;
      foreign_.push_back(flow_.value_count() + static_cast<int32_t>(b));
    }
  }

  // Instructions whose results nobody sees: their operands may be anything.
  void Idle() {
    for (int32_t i = 0; i < flow_.instruction_count(); ++i) {
      if (meant_.effects.WritesOf(static_cast<size_t>(i)).empty()) continue;
      if (!meaning::IsObserved(meant_, program_.states, index_, i)) Add("idle", i);
    }
  }

  const meaning::ProgramMeaning& program_;
  size_t index_;
  const MethodMeaning& meant_;
  const Method& method_;
  MethodFlow flow_;
  const Buffers& buffers_;
  Operators& operators_;
  std::set<std::pair<int32_t, int32_t>> placed_;  // instruction, value
  std::vector<Fill> fills_;                       // ascending
  std::vector<int32_t> foreign_;
  Json part_ = Json::object();
};

}  // namespace

Json MethodPart(const meaning::ProgramMeaning& meant, size_t method, const Buffers& buffers,
                Operators& operators) {
  return PartMaker(meant, method, buffers, operators).Make();
}

}  // namespace pteproof::certificate
