#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/rule_names.h"
#include "properties/proofs/facts/between_calls.h"
#include "properties/proofs/facts/common_names.h"
#include "properties/proofs/facts/one_model.h"
#include "properties/proofs/rules/rules.h"

namespace pteproof::proofs {
namespace {

PolicySet Both(PolicySet a, PolicySet b) {
  return {static_cast<uint8_t>(a.bits & b.bits)};
}

PolicySet Without(PolicySet a) {
  return {static_cast<uint8_t>(PolicySet::All().bits & ~a.bits)};
}

class SharedLayout {
 public:
  explicit SharedLayout(Obliger& obliger) : obliger_(obliger), facts_(obliger.facts()) {}

  void Run() {
    ByNumbers();
    for (const SharedBuffer& buffer : facts_.buffers) {
      if (!buffer.name.empty()) OnePlaceEach(buffer);
      const std::optional<bool> one = facts_.IsOne(buffer);
      if (buffer.uses.size() < 2 || !buffer.read || one == false) continue;
      const bool laid_out = IsLaidOutForSharing(buffer);
      const bool named = !buffer.name.empty();
      const bool meant = one == true || laid_out || named;
      // Methods of other models may have buffers of their own there, if not both a name and the
      // layout tell.
      const bool open = one != true && !(laid_out && named);
      for (const BufferUse& writer : buffer.uses) {
        for (const BufferUse& reader : buffer.uses) {
          if (!reader.reads || writer.method == reader.method) continue;
          const bool stored = writer.writes && FindsStored(facts_, buffer, writer.method, reader);
          const bool loaded =
              IsLoadedFor(writer, reader) && FindsLoaded(facts_, buffer, writer, reader);
          if (stored || loaded) OnePlace(buffer, writer, reader);
          if (stored && writer.place.bank != 0 &&
              (meant || MayBeOneByNumber(facts_, writer, reader))) {
            OneBank(buffer, writer, reader, open);
          }
        }
      }
    }
  }

 private:
  // What the one loads is what the other begins with, or lies over that.
  static bool IsLoadedFor(const BufferUse& loaded, const BufferUse& reader) {
    if (!loaded.initialised()) return false;
    const bool apart = loaded.place.bank != reader.place.bank ||
                       loaded.place.hi <= reader.place.lo || reader.place.hi <= loaded.place.lo;
    return !reader.initialised() || !apart;
  }

  [[nodiscard]] std::string TextOf(const SharedBuffer& buffer) const {
    return buffer.name.empty() ? "a buffer" : fmt::format("'{}'", buffer.name);
  }

  [[nodiscard]] Obligation Between(std::string_view kind, PolicySet policies,
                                   const SharedBuffer& buffer, const BufferUse& writer,
                                   const BufferUse& reader) const {
    const Method& from = facts_.MethodAt(writer.method);
    const Method& to = facts_.MethodAt(reader.method);
    Obligation o;
    o.kind = kind;
    o.policies = policies;
    o.method = to.name;
    o.values = {reader.value};
    o.other_method = writer.method;
    o.other_bank = writer.place.bank;
    o.split = Split{Split::By::kLoader, writer.method, writer.value, reader.method, reader.value};
    o.refuted =
        fmt::format("'{}' stores {} in {}, and '{}' reads it from {}.", from.name, TextOf(buffer),
                    ValueText(from, writer.value), to.name, ValueText(to, reader.value));
    return o;
  }

  // A buffer of a method.
  struct Held {
    const SharedBuffer* buffer = nullptr;
    const BufferUse* use = nullptr;
  };

  // Values of two methods that have one number, if both are of one model.
  void ByNumbers() {
    std::vector<std::map<int32_t, Held>> held(facts_.methods.size());  // by value
    for (const SharedBuffer& buffer : facts_.buffers) {
      for (const BufferUse& use : buffer.uses) {
        held[static_cast<size_t>(use.method)].insert({use.value, {&buffer, &use}});
      }
    }
    std::vector<Preamble> preambles;
    for (const MethodFacts& method : facts_.methods) preambles.push_back(PreambleOf(method));
    for (size_t m = 0; m < held.size(); ++m) {
      const auto writes = [](const auto& entry) { return entry.second.use->writes; };
      if (std::ranges::none_of(held[m], writes)) continue;
      for (size_t n = 0; n < held.size(); ++n) {
        if (m == n) continue;
        for (const int32_t distance : Distances(preambles[m], preambles[n]))
          ByNumbers(held, preambles[m], preambles[n], distance);
      }
    }
  }

  void ByNumbers(const std::vector<std::map<int32_t, Held>>& held, const Preamble& m,
                 const Preamble& n, int32_t distance) {
    const auto method_of = [&](const Preamble& preamble) {
      return static_cast<size_t>(preamble.facts - facts_.methods.data());
    };
    const std::map<int32_t, Held>& theirs = held[method_of(n)];
    for (const auto& [v, written] : held[method_of(m)]) {
      if (v < m.first_buffer || v > m.last_buffer || !written.use->writes) continue;
      const int32_t w = v + distance;
      if (n.facts->parts.Of(w) == Part::kConstant) {
        Frozen(written, static_cast<int32_t>(method_of(n)), w);
      } else if (const auto found = theirs.find(w); found != theirs.end()) {
        Apart(written, found->second);
      }
    }
  }

  // Unnamed buffers at different places.
  void Apart(const Held& from, const Held& to) {
    if (from.buffer == to.buffer || !from.buffer->name.empty() || !to.buffer->name.empty()) return;
    if (from.use->place.empty() || to.use->place.empty()) return;
    if (!AreLeftToNumbers(facts_, *from.use, *to.use)) return;
    if (FindsStored(facts_, *to.buffer, from.use->method, *to.use))
      Never(*to.buffer, *from.use, *to.use);
  }

  // Whether no method has anything but buffers in the bank. Then the plan is one for shared
  // buffers, which a method that reads them has too.
  [[nodiscard]] bool IsBuffersBank(uint32_t bank) {
    const auto [known, fresh] = buffers_banks_.try_emplace(bank, true);
    for (int32_t m = 0; fresh && m < static_cast<int32_t>(facts_.methods.size()); ++m) {
      known->second = known->second && HoldsBuffersOnly(m, bank);
    }
    return known->second;
  }

  // Whether the bytes of a constant are those with which the buffer begins. Without data the bank
  // is zero, and of data outside of the file nothing is known.
  [[nodiscard]] bool IsOfTheExport(const BufferUse& stored, const Tensor& constant) const {
    const std::vector<Bytes>& constants = facts_.program->constants;
    const bool held = constant.data_index > 0 && constant.data_index < constants.size();
    if (constant.external || stored.external || !held) return constant.external || stored.external;
    const Bytes all = constants[constant.data_index];
    const Bytes begun =
        stored.initial > 0 ? facts_.program->initial_values[stored.initial] : Bytes{};
    for (size_t i = 0; i < std::min(constant.nbytes, all.size()); ++i) {
      if (all[i] != (i < begun.size() ? begun[i] : std::byte{0})) return false;
    }
    return true;
  }

  // A constant that a method reads, and that is the buffer of another one as it was at export.
  void Frozen(const Held& written, int32_t method, int32_t v) {
    const BufferUse& stored = *written.use;
    const MethodFacts& reader = facts_.FactsAt(method);
    const Touched& touched = reader.parts.TouchedOf(v);
    if (reader.stated != nullptr || (touched.first_read < 0 && !touched.output)) return;
    const auto& uses = written.buffer->uses;
    if (std::ranges::find(uses, method, &BufferUse::method) != uses.end()) return;
    if (IsBuffersBank(stored.place.bank) || !IsOfTheExport(stored, *reader.method->TensorOf(v)))
      return;
    if (!facts_.histories.all() &&
        !facts_.histories.Admit({{.method = stored.method}, {.method = method}})) {
      return;
    }
    Obligation o;
    o.kind = rule::kMutabilityMismatch;
    o.method = reader.method->name;
    o.values = {v};
    o.other_method = stored.method;
    o.severity = Severity::kNote;
    o.goal = None(1);
    o.refuted = fmt::format(
        "'{}' stores to {}, and '{}' reads a constant of that number. The file does not say "
        "whether both are one buffer of the model.",
        facts_.MethodAt(stored.method).name,
        ValueText(facts_.MethodAt(stored.method), stored.value), o.method);
    obliger_.Add(std::move(o));
  }

  void Never(const SharedBuffer& buffer, const BufferUse& writer, const BufferUse& reader) {
    Obligation o = Between(rule::kSharedLayout, PolicySet::All(), buffer, writer, reader);
    o.goal = None(1);
    o.severity = Severity::kNote;
    o.refuted += " The file does not say whether both are one buffer of the model.";
    obliger_.Add(std::move(o));
  }

  // A method that stores to a name and reads it does both at one place, under every policy.
  void OnePlaceEach(const SharedBuffer& buffer) {
    for (const BufferUse& writer : buffer.uses) {
      for (const BufferUse& reader : buffer.uses) {
        const bool flows = writer.method == reader.method && writer.writes && reader.reads;
        if (!flows || writer.value == reader.value || writer.place.empty() ||
            reader.place.empty()) {
          continue;
        }
        Obligation o = Between(rule::kSharedLayout, PolicySet::All(), buffer, writer, reader);
        o.goal = None(writer.place == reader.place ? 0 : 1);
        obliger_.Add(std::move(o));
      }
    }
  }

  // Where both banks are common to the methods: same bank, offset, bytes and type.
  void OnePlace(const SharedBuffer& buffer, const BufferUse& writer, const BufferUse& reader) {
    if (writer.place.empty() || reader.place.empty()) return;
    const PolicySet policies =
        Both(PoliciesSharing(writer.place.bank), PoliciesSharing(reader.place.bank));
    const Obligation o = Between(rule::kSharedLayout, policies, buffer, writer, reader);
    const auto equal = [&](Split::By by, uint64_t a, uint64_t b) {
      Obligation part = o;
      part.split->by = by;
      part.goal = Equal(static_cast<int64_t>(a), static_cast<int64_t>(b));
      obliger_.Add(std::move(part));
    };
    equal(Split::By::kBank, writer.place.bank, reader.place.bank);
    equal(Split::By::kBegin, writer.place.lo, reader.place.lo);
    equal(Split::By::kSize, writer.place.hi - writer.place.lo, reader.place.hi - reader.place.lo);
    equal(Split::By::kType, static_cast<uint64_t>(writer.dtype),
          static_cast<uint64_t>(reader.dtype));
  }

  // A buffer that is meant to be one is never in a bank that each method has for itself.
  void OneBank(const SharedBuffer& buffer, const BufferUse& writer, const BufferUse& reader,
               bool open) {
    const PolicySet shared =
        Both(PoliciesSharing(writer.place.bank), PoliciesSharing(reader.place.bank));
    for (const PolicySet policies : {shared, Without(shared)}) {
      if (policies == PolicySet::None()) continue;
      Obligation o = Between(rule::kStateSplit, policies, buffer, writer, reader);
      o.goal = None(policies == shared ? 0 : 1);
      o.refuted += " Under this loader each method has a bank of its own.";
      if (open) {
        o.severity = Severity::kNote;
        o.refuted += " The file does not say whether both are one buffer of the model.";
      }
      obliger_.Add(std::move(o));
    }
  }

  // One place in all methods, in a bank that holds buffers only.
  [[nodiscard]] bool IsLaidOutForSharing(const SharedBuffer& buffer) {
    const BufferUse& first = buffer.uses.front();
    return std::ranges::all_of(buffer.uses, [&](const BufferUse& use) {
      return use.place == first.place && use.dtype == first.dtype &&
             HoldsBuffersOnly(use.method, use.place.bank);
    });
  }

  [[nodiscard]] bool HoldsBuffersOnly(int32_t method, uint32_t bank) {
    const auto [known, fresh] = buffers_only_.try_emplace({method, bank}, true);
    if (fresh) known->second = proofs::HoldsBuffersOnly(facts_.FactsAt(method), bank);
    return known->second;
  }

  Obliger& obliger_;
  const ProgramFacts& facts_;
  std::map<std::pair<int32_t, uint32_t>, bool> buffers_only_;
  std::map<uint32_t, bool> buffers_banks_;
};

}  // namespace

void ObligeLayout(Obliger& obliger) {
  SharedLayout(obliger).Run();
}

}  // namespace pteproof::proofs
