#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "base/rule_names.h"
#include "properties/proofs/facts/stated_names.h"
#include "properties/proofs/rules/rules.h"
#include "runtime/sha256.h"

namespace pteproof::proofs {
namespace {

Obligation OfBuffer(const ProgramFacts& facts, std::string_view kind, const BufferUse& use,
                    bool wrong, std::string_view what) {
  const Method& method = facts.MethodAt(use.method);
  Obligation o;
  o.kind = kind;
  o.method = method.name;
  o.values = {use.value};
  o.goal = None(wrong ? 1 : 0);
  o.refuted =
      fmt::format("The buffer {} of '{}' {}.", ValueText(method, use.value), method.name, what);
  return o;
}

// Its type and bytes are those that it was registered with.
void ObligeForm(Obliger& obliger, const ManifestBuffer& stated, const BufferUse& use) {
  const auto bytes = RegisteredBytes(stated);
  if (!bytes.has_value() || use.place.bank == 0) return;
  Obligation o = OfBuffer(obliger.facts(), rule::kSharedLayout, use, *stated.dtype != use.dtype,
                          "has another type or size than its registration");
  obliger.Add(o);
  o.goal = Equal(static_cast<int64_t>(*bytes), static_cast<int64_t>(use.place.hi - use.place.lo));
  obliger.Add(std::move(o));
}

bool IsWrongData(const ManifestBuffer& stated, Bytes data) {
  if (*stated.initial == InitialValue::kZero) {
    return std::ranges::any_of(data, [](std::byte b) { return b != std::byte{0}; });
  }
  return !stated.initial_sha256.empty() && Sha256Hex(data) != stated.initial_sha256;
}

// Whether the model's method uses the value at entry, whatever the instructions read.
bool IsStatedRead(const MethodFacts& facts, std::string_view name) {
  if (facts.stated == nullptr || !facts.stated->reads.has_value()) return true;
  return std::ranges::find(*facts.stated->reads, name) != facts.stated->reads->end();
}

// Loaders under which no load gives the buffer its value.
PolicySet Unserved(const ProgramFacts& facts, const SharedBuffer& buffer, const BufferUse& use) {
  PolicySet policies = PolicySet::All();
  const bool by_other =
      facts.all_first && std::ranges::any_of(buffer.uses, [&](const BufferUse& other) {
        return other.initialised() && other.place == use.place;
      });
  if (by_other) {
    policies.bits = static_cast<uint8_t>(policies.bits & ~PoliciesSharing(use.place.bank).bits);
  }
  return policies;
}

void ObligeInitial(Obliger& obliger, const SharedBuffer& buffer, const ManifestBuffer& stated,
                   const BufferUse& use) {
  if (*stated.initial == InitialValue::kAny || use.external) return;
  const ProgramFacts& facts = obliger.facts();
  if (use.initial > 0) {
    if (!buffer.read) return;  // nobody sees the value at entry
    const Bytes all = facts.program->initial_values[use.initial];
    const Bytes data = all.first(std::min<size_t>(all.size(), use.place.hi - use.place.lo));
    obliger.Add(OfBuffer(facts, rule::kInitialValueWrong, use, IsWrongData(stated, data),
                         "does not start with its registered value"));
    return;
  }
  const bool missing = *stated.initial == InitialValue::kStored && use.reads &&
                       IsStatedRead(facts.FactsAt(use.method), buffer.name);
  Obligation o = OfBuffer(facts, rule::kReadBeforeWrite, use, missing,
                          "is read, and the file does not hold its registered initial value");
  o.policies = Unserved(facts, buffer, use);
  if (o.policies != PolicySet::None()) obliger.Add(std::move(o));
}

// A buffer that some method mutates is a constant in none that reads it.
class Readers {
 public:
  explicit Readers(Obliger& obliger) : obliger_(obliger), facts_(obliger.facts()) {
    for (const auto& [name, method] : facts_.manifest->methods) {
      if (method.mutates.has_value())
        mutated_.insert(method.mutates->begin(), method.mutates->end());
    }
    for (const SharedBuffer& buffer : facts_.buffers) {
      for (const BufferUse& use : buffer.uses) {
        if (!buffer.name.empty()) held_.insert({use.method, std::string(buffer.name)});
      }
    }
  }

  void Run() {
    for (size_t m = 0; m < facts_.methods.size(); ++m) {
      const ManifestMethod* stated = facts_.methods[m].stated;
      if (stated == nullptr || !stated->reads.has_value()) continue;
      int64_t unnamed = 0;
      for (const std::string& buffer : *stated->reads) unnamed += Read(m, buffer);
      if (unnamed > 0) Oblige(m, {}, unnamed);
    }
  }

 private:
  // 1: a buffer that the method lacks, though without names it is not known which.
  int64_t Read(size_t m, const std::string& buffer) {
    const MethodFacts& facts = facts_.methods[m];
    if (!mutated_.contains(buffer)) return 0;
    const bool constant = IsConstant(facts, buffer);
    const bool planned = held_.contains({static_cast<int32_t>(m), buffer});
    const bool lacks = facts.parts.buffers.size() < BuffersOf(*facts.stated).size();
    const bool named = HasBufferNames(*facts.method, *facts.stated);
    if (!constant && !planned && !named) return lacks ? 1 : 0;
    Oblige(m, buffer, constant || !planned ? 1 : 0);
    return 0;
  }

  static bool IsConstant(const MethodFacts& facts, const std::string& buffer) {
    return std::ranges::any_of(facts.stated->values, [&](const auto& said) {
      const bool known = said.first >= 0 && said.first < facts.value_count();
      return said.second == buffer && known && facts.parts.Of(said.first) == Part::kConstant;
    });
  }

  void Oblige(size_t m, const std::string& buffer, int64_t wrong) {
    Obligation o;
    o.kind = rule::kMutabilityMismatch;
    o.method = facts_.methods[m].method->name;
    o.goal = None(wrong);
    o.refuted = fmt::format(
        "'{}' reads {}, which a method mutates, and does not hold it in planned memory.", o.method,
        buffer.empty() ? fmt::format("{} buffers", wrong) : buffer);
    obliger_.Add(std::move(o));
  }

  Obliger& obliger_;
  const ProgramFacts& facts_;
  std::set<std::string> mutated_;
  std::set<std::pair<int32_t, std::string>> held_;  // method and name of planned buffers
};

}  // namespace

void ObligeStatedBuffers(Obliger& obliger) {
  const ProgramFacts& facts = obliger.facts();
  if (facts.manifest == nullptr) return;
  for (const SharedBuffer& buffer : facts.buffers) {
    const ManifestBuffer* stated = facts.Stated(buffer.name);
    if (stated == nullptr) continue;
    for (const BufferUse& use : buffer.uses) {
      ObligeForm(obliger, *stated, use);
      if (stated->initial.has_value()) ObligeInitial(obliger, buffer, *stated, use);
    }
  }
  Readers(obliger).Run();
}

}  // namespace pteproof::proofs
