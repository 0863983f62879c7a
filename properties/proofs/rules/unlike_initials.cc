// A buffer that several methods load begins with the same bytes whichever is loaded last.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/rule_names.h"
#include "properties/proofs/facts/between_calls.h"
#include "properties/proofs/rules/rules.h"

namespace pteproof::proofs {
namespace {

class OneBeginning {
 public:
  OneBeginning(Obliger& obliger, const SharedBuffer& buffer)
      : obliger_(obliger), facts_(obliger.facts()), buffer_(buffer) {}

  // Of all that are loaded to one place, each against the one before. If calls come in some orders
  // only, each against all before.
  void Run() {
    std::map<Extent, std::vector<const BufferUse*>> loaded;
    for (const BufferUse& use : buffer_.uses) {
      if (use.initial == 0) continue;
      std::vector<const BufferUse*>& before = loaded[use.place];
      if (facts_.histories.all() && before.size() > 1) before.erase(before.begin());
      for (const BufferUse* other : before) {
        if (FindsOthersLoad(facts_, buffer_, *other, use)) Oblige(*other, use);
      }
      before.push_back(&use);
    }
  }

 private:
  void Oblige(const BufferUse& before, const BufferUse& use) {
    const auto& stored = facts_.program->initial_values;
    const auto [differs, unused] =
        std::ranges::mismatch(stored[before.initial], stored[use.initial]);
    const auto common = static_cast<uint64_t>(differs - stored[before.initial].begin());
    const bool alike = common >= use.place.hi - use.place.lo;
    const Method& method = facts_.MethodAt(use.method);
    Obligation o;
    o.kind = rule::kInitialisedTwice;
    o.policies = PoliciesSharing(use.place.bank);
    o.method = method.name;
    o.values = {use.value};
    o.other_method = before.method;
    o.other_bank = before.place.bank;
    o.goal = None(alike ? 0 : 1);
    o.refuted = fmt::format("Loading '{}' copies other bytes to {} than loading '{}'.", method.name,
                            ValueText(method, use.value), facts_.MethodAt(before.method).name);
    obliger_.Add(std::move(o));
  }

  Obliger& obliger_;
  const ProgramFacts& facts_;
  const SharedBuffer& buffer_;
};

}  // namespace

void ObligeUnlikeInitials(Obliger& obliger) {
  for (const SharedBuffer& buffer : obliger.facts().buffers) {
    const bool apart = obliger.facts().IsOne(buffer) == false;
    if (buffer.read && !apart) OneBeginning(obliger, buffer).Run();
  }
}

}  // namespace pteproof::proofs
