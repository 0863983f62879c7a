#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "base/rule_names.h"
#include "properties/proofs/facts/between_calls.h"
#include "properties/proofs/rules/rules.h"

namespace pteproof::proofs {
namespace {

// A write of one method to planned bytes.
struct Written {
  Extent place;
  int32_t shared = -1;  // the buffer that it stores to, -1: none
  int32_t value = 0;
  int32_t instruction = -1;
  bool load = false;     // of an initial value
  uint32_t initial = 0;  // its number, 0: of a .ptd
};

// Of several that lie in the same bytes and store to the same buffer one is enough.
std::vector<Written> WritesOf(const ProgramFacts& facts, int32_t m) {
  const MethodFacts& method = facts.FactsAt(m);
  std::vector<Written> all;
  for (const int32_t v : method.method->inputs) all.push_back({ExtentOf(*method.method, v), -1, v});
  for (const WriteEvent& w : method.listing.writes) {
    const int32_t b = method.StoredBuffer(w);
    const int32_t shared =
        b < 0 ? -1 : facts.shared_of[static_cast<size_t>(m)][static_cast<size_t>(b)];
    all.push_back({ExtentOf(*method.method, w.value), shared, w.value, w.instruction});
  }
  for (size_t b = 0; b < method.parts.buffers.size(); ++b) {
    const BufferPart& buffer = method.parts.buffers[b];
    if (buffer.initial == 0 && !buffer.external) continue;
    const int32_t shared = facts.shared_of[static_cast<size_t>(m)][b];
    all.push_back(
        {ExtentOf(*method.method, buffer.value), shared, buffer.value, -1, true, buffer.initial});
  }
  std::erase_if(all, [](const Written& w) { return w.place.empty(); });
  std::ranges::sort(all, {}, [](const Written& w) {
    return std::tuple(w.load, w.shared, w.place.bank, w.place.lo, ~w.place.hi, w.instruction);
  });
  std::vector<Written> kept;
  for (const Written& w : all) {
    const bool alike = !kept.empty() && !w.load && kept.back().shared == w.shared;
    const bool covered = alike && kept.back().place.Covers(w.place);
    if (!covered) kept.push_back(w);
  }
  return kept;
}

class ForeignWrites {
 public:
  explicit ForeignWrites(Obliger& obliger) : obliger_(obliger), facts_(obliger.facts()) {
    for (size_t m = 0; m < facts_.methods.size(); ++m) {
      writes_.push_back(WritesOf(facts_, static_cast<int32_t>(m)));
    }
  }

  void Run() {
    for (size_t k = 0; k < facts_.buffers.size(); ++k) {
      const SharedBuffer& buffer = facts_.buffers[k];
      if (!buffer.read) continue;
      const bool apart = facts_.IsOne(buffer) == false;
      for (const BufferUse& use : buffer.uses) {
        if (use.place.empty()) continue;
        for (size_t m = 0; m < writes_.size(); ++m) {
          const auto method = static_cast<int32_t>(m);
          const bool here = method == use.method;
          for (const Written& w : writes_[m]) {
            const bool own =
                here ? w.value == use.value : w.shared == static_cast<int32_t>(k) && !apart;
            if (own || w.place.bank != use.place.bank) continue;
            const bool other_name = !here && IsOfAnotherName(w, buffer);
            if (!other_name && LoadsTheSame(w, use)) continue;
            const bool finds =
                here ? LoadsOver(w, use) && facts_.histories.Call(method)
                     : FindsOverwritten(facts_, buffer, use, {method, w.place, w.load}, !apart);
            if (finds) Oblige(buffer, use, method, w);
          }
        }
      }
    }
  }

 private:
  // Names tell two buffers, whatever they begin with.
  [[nodiscard]] bool IsOfAnotherName(const Written& w, const SharedBuffer& buffer) const {
    if (w.shared < 0 || buffer.name.empty()) return false;
    const std::string_view name = facts_.buffers[static_cast<size_t>(w.shared)].name;
    return !name.empty() && name != buffer.name;
  }

  // A second load of the same bytes changes nothing.
  [[nodiscard]] bool LoadsTheSame(const Written& w, const BufferUse& use) const {
    if (!w.load || w.initial == 0 || use.initial == 0) return false;
    if (w.place.bank != use.place.bank || w.place.lo != use.place.lo) return false;
    if (w.initial == use.initial) return true;
    const auto& stored = facts_.program->initial_values;
    const uint64_t common = std::min(w.place.hi, use.place.hi) - w.place.lo;
    const auto copied = [&](uint32_t initial) {
      return stored[initial].first(std::min<uint64_t>(stored[initial].size(), common));
    };
    return std::ranges::equal(copied(use.initial), copied(w.initial));
  }

  // Within a method only loads count: the rest belongs to one call.
  static bool LoadsOver(const Written& w, const BufferUse& use) {
    return w.load && use.reads && w.place.lo < use.place.hi && use.place.lo < w.place.hi;
  }

  void Oblige(const SharedBuffer& buffer, const BufferUse& use, int32_t method, const Written& w) {
    const Method& keeper = facts_.MethodAt(use.method);
    const Method& writer = facts_.MethodAt(method);
    Obligation o;
    o.kind = rule::kStateClobbered;
    if (method != use.method) o.policies = PoliciesSharing(use.place.bank);
    if (method != use.method) o.other_method = use.method;
    o.other_bank = use.place.bank;
    o.method = writer.name;
    o.instruction = w.instruction;
    o.values = {w.value, use.value};
    o.goal = Disjoint(obliger_.BytesOf(method, w.value), obliger_.BytesOf(use.method, use.value));
    const std::string actor =
        w.load ? fmt::format("Loading '{}'", writer.name)
               : fmt::format("{} of '{}'", Capital(InstructionText(writer, w.instruction)),
                             writer.name);
    o.refuted = fmt::format("{} writes {} over {}, where '{}' keeps {}.", actor,
                            ValueText(writer, w.value), ValueText(keeper, use.value), keeper.name,
                            buffer.name.empty() ? "a buffer" : fmt::format("'{}'", buffer.name));
    // A load precedes all instructions, so there is no time span to explain.
    if (!w.load) {
      o.loss = Loss{.writer = method,
                    .written = w.value,
                    .written_in = w.value,
                    .keeper = use.method,
                    .wanted = use.value,
                    .wanted_in = use.value};
    }
    obliger_.Add(std::move(o));
  }

  Obliger& obliger_;
  const ProgramFacts& facts_;
  std::vector<std::vector<Written>> writes_;  // per method
};

// A method that is loaded late copies its initial value over a value that another method stored.
void ObligeOneLoad(Obliger& obliger) {
  const ProgramFacts& facts = obliger.facts();
  if (facts.all_first) return;
  for (const SharedBuffer& buffer : facts.buffers) {
    if (!buffer.read || !buffer.written) continue;
    for (const BufferUse& late : buffer.uses) {
      // A method that stores the whole buffer and does not read it at entry repairs the damage of
      // its load.
      if (!late.initialised() || (late.writes && !late.reads)) continue;
      const auto undone = std::ranges::count_if(buffer.uses, [&](const BufferUse& use) {
        return use.writes && use.method != late.method && use.place == late.place &&
               FindsReloaded(facts, buffer, use, late);
      });
      Obligation o;
      o.kind = rule::kInitialisedTwice;
      o.policies = PoliciesSharing(late.place.bank);
      o.method = facts.MethodAt(late.method).name;
      o.values = {late.value};
      o.goal = None(undone);
      o.refuted = fmt::format(
          "Loading '{}' copies the initial value to {}, over the values that {} other methods "
          "stored.",
          o.method, ValueText(facts.MethodAt(late.method), late.value), undone);
      obliger.Add(std::move(o));
    }
  }
}

}  // namespace

void ObligeForeignWrites(Obliger& obliger) {
  ForeignWrites(obliger).Run();
  ObligeOneLoad(obliger);
}

}  // namespace pteproof::proofs
