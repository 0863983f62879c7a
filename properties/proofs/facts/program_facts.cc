#include "properties/proofs/facts/program_facts.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace pteproof::proofs {
namespace {

BufferUse UseOf(const MethodFacts& facts, int32_t method, int32_t b) {
  const BufferPart& part = facts.parts.buffers[static_cast<size_t>(b)];
  BufferUse use;
  use.method = method;
  use.buffer = b;
  use.value = part.value;
  use.place = ExtentOf(*facts.method, part.value);
  use.dtype = facts.method->TensorOf(part.value)->dtype;
  use.initial = part.initial;
  use.external = part.external;
  for (const auto& [name, reader] : facts.needs.at_entry) {
    const bool own = name < facts.value_count() && facts.parts.Of(name) == Part::kBuffer;
    if (!own || facts.parts.BufferOf(name) != b) continue;
    use.reads = true;
    use.reader = reader;
  }
  return use;
}

void NoteStores(const MethodFacts& facts, std::vector<BufferUse*>& uses) {
  for (const WriteEvent& w : facts.listing.writes) {
    const int32_t b = facts.StoredBuffer(w);
    if (b < 0 || !facts.paths.IsReached(w.instruction)) continue;
    BufferUse& use = *uses[static_cast<size_t>(b)];
    if (facts.IsSelfCopy(w.instruction)) {
      use.onto_itself = w.instruction;
    } else {
      use.writes = true;
    }
  }
  for (BufferUse* use : uses) {
    const Touched& touched = facts.parts.TouchedOf(use->value);
    use->touched = use->reads || use->writes || touched.any() || touched.output;
  }
}

// The method uses the value that it has stored. A read that only stores to the same buffer is not
// such a use.
void NoteUsesInside(const MethodFacts& facts, std::vector<BufferUse*>& uses) {
  const auto note = [&](int32_t v) {
    const int32_t b = facts.parts.BufferOf(facts.names.RootOf(v));
    if (b >= 0) uses[static_cast<size_t>(b)]->used_inside = true;
  };
  for (const ReadEvent& r : facts.listing.reads) {
    const int32_t b = facts.parts.BufferOf(facts.names.RootOf(r.value));
    const auto writes = facts.listing.WritesAt(r.instruction);
    const bool goes_back = !writes.empty() && std::ranges::all_of(writes, [&](const WriteEvent& w) {
      return facts.StoredBuffer(w) == b;
    });
    if (!goes_back) note(r.value);
  }
  for (const Take& take : facts.listing.takes) note(take.from.front());
  for (const int32_t v : facts.method->outputs) {
    if (facts.method->TensorOf(v) != nullptr) note(v);
  }
}

void AddBuffers(ProgramFacts& facts) {
  using Identity = std::tuple<std::string_view, Extent>;
  std::map<Identity, int32_t> known;
  for (size_t m = 0; m < facts.methods.size(); ++m) {
    const MethodFacts& method = facts.methods[m];
    std::vector<BufferUse> uses;
    std::vector<BufferUse*> pointers;
    for (size_t b = 0; b < method.parts.buffers.size(); ++b) {
      uses.push_back(UseOf(method, static_cast<int32_t>(m), static_cast<int32_t>(b)));
    }
    for (BufferUse& use : uses) pointers.push_back(&use);
    NoteStores(method, pointers);
    NoteUsesInside(method, pointers);
    facts.shared_of.emplace_back();
    for (const BufferUse& use : uses) {
      const std::string_view name = method.parts.buffers[static_cast<size_t>(use.buffer)].name;
      const Identity id = {name, name.empty() ? use.place : Extent{}};
      const auto [at, fresh] = known.try_emplace(id, static_cast<int32_t>(facts.buffers.size()));
      if (fresh) facts.buffers.push_back({.name = name, .uses = {}});
      SharedBuffer& buffer = facts.buffers[static_cast<size_t>(at->second)];
      buffer.uses.push_back(use);
      buffer.read = buffer.read || use.reads;
      buffer.written = buffer.written || use.writes;
      facts.shared_of.back().push_back(at->second);
    }
  }
}

}  // namespace

bool SharedBuffer::initialised() const {
  return std::ranges::any_of(uses, [](const BufferUse& use) { return use.initialised(); });
}

bool ProgramFacts::IsObserved(int32_t method, int32_t instruction) const {
  const MethodFacts& at = FactsAt(method);
  if (instruction < 0 || instruction >= at.instruction_count()) return true;
  const auto writes = at.listing.WritesAt(instruction);
  return writes.empty() || std::ranges::any_of(writes, [&](const WriteEvent& w) {
           const int32_t b = at.StoredBuffer(w);
           return b < 0 || BufferAt(method, b).read || UseAt(method, b).used_inside;
         });
}

PolicySet ProgramFacts::PoliciesWanting(int32_t method, int32_t buffer) const {
  const BufferUse& own = UseAt(method, buffer);
  if (own.reads) return PolicySet::All();
  return BufferAt(method, buffer).read ? PoliciesSharing(own.place.bank) : PolicySet::None();
}

const BufferUse& ProgramFacts::UseAt(int32_t method, int32_t buffer) const {
  return *std::ranges::find_if(BufferAt(method, buffer).uses, [&](const BufferUse& use) {
    return use.method == method && use.buffer == buffer;
  });
}

const SharedBuffer& ProgramFacts::BufferAt(int32_t method, int32_t buffer) const {
  const int32_t shared = shared_of[static_cast<size_t>(method)][static_cast<size_t>(buffer)];
  return buffers[static_cast<size_t>(shared)];
}

const ManifestBuffer* ProgramFacts::Stated(std::string_view name) const {
  if (manifest == nullptr || !manifest->buffers.has_value() || name.empty()) return nullptr;
  const auto found = manifest->buffers->find(std::string(name));
  return found == manifest->buffers->end() ? nullptr : &found->second;
}

PolicySet PoliciesSharing(uint32_t bank) {
  PolicySet set = PolicySet::Of(Policy::kShareAll);
  if (bank == 1 || bank == 2) set.Add(Policy::kShare12);
  return set;
}

std::vector<Doubt> DoubtsOf(const ProgramFacts& facts) {
  std::set<Doubt> doubts;
  for (const MethodFacts& method : facts.methods) {
    const std::vector<Doubt> some = DoubtsOf(method);
    doubts.insert(some.begin(), some.end());
  }
  return {doubts.begin(), doubts.end()};
}

ProgramFacts FactsOf(const Program& program, const Manifest* manifest, bool all_first,
                     const Reading& other) {
  ProgramFacts facts;
  facts.program = &program;
  facts.manifest = manifest;
  facts.all_first = all_first || (manifest != nullptr && manifest->all_first.value_or(false));
  for (const Method& method : program.methods) {
    facts.methods.push_back(FactsOf(method, manifest, other));
  }
  AddBuffers(facts);
  for (size_t m = 0; m < facts.methods.size(); ++m) {
    const auto is_observed = [&](int32_t reader) {
      return facts.IsObserved(static_cast<int32_t>(m), reader);
    };
    const auto& reads = facts.methods[m].listing.reads;
    const bool all = std::ranges::all_of(reads, is_observed, &ReadEvent::instruction);
    facts.observed.push_back(all ? facts.methods[m].needs : NeedsOf(facts.methods[m], is_observed));
  }
  return facts;
}

}  // namespace pteproof::proofs
