#include "properties/proofs/facts/program_facts.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "properties/proofs/facts/between_calls.h"
#include "properties/proofs/facts/common_names.h"

namespace pteproof::proofs {
namespace {

BufferUse UseOf(const MethodFacts& facts, int32_t method, int32_t b) {
  const BufferPart& part = facts.parts.buffers[static_cast<size_t>(b)];
  BufferUse use;
  use.method = method;
  use.buffer = b;
  use.value = part.value;
  use.place = ExtentOf(*facts.method, part.value);
  const Tensor& tensor = *facts.method->TensorOf(part.value);
  use.dtype = tensor.dtype;
  use.initial = part.initial;
  use.external = part.external;
  for (const auto& [name, reader] : facts.needs.at_entry) {
    const bool own = name < facts.value_count() && facts.parts.Of(name) == Part::kBuffer;
    if (!own || facts.parts.BufferOf(name) != b || tensor.nbytes == 0) continue;
    use.reads = true;
    use.reader = reader;
  }
  return use;
}

// Whether a straight line stores to all of the buffer and does not read it before.
void NoteRemakings(const MethodFacts& facts, std::vector<BufferUse*>& uses) {
  if (!facts.paths.straight()) return;
  for (const WriteEvent& w : facts.listing.writes) {
    const int32_t b = facts.StoredBuffer(w);
    if (b < 0 || !w.replaces() || facts.IsSelfCopy(w.instruction)) continue;
    BufferUse& use = *uses[static_cast<size_t>(b)];
    if (!use.reads && ExtentOf(*facts.method, w.value).Covers(use.place)) use.remakes = true;
  }
}

void NoteStores(const MethodFacts& facts, std::vector<BufferUse*>& uses) {
  for (const WriteEvent& w : facts.listing.writes) {
    const int32_t b = facts.StoredBuffer(w);
    if (b < 0 || !facts.paths.IsReached(w.instruction)) continue;
    BufferUse& use = *uses[static_cast<size_t>(b)];
    const bool has_bytes = facts.method->TensorOf(w.value)->nbytes > 0;
    if (!facts.IsSelfCopy(w.instruction)) {
      use.writes = true;
    } else if (has_bytes) {  // else nothing was meant to be stored
      use.onto_itself = w.instruction;
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

// Whether two methods have the same tensors ahead of their inputs, in the exporter's numbering:
// parameters and buffers of one model, one number each.
bool AreOfOneModel(const MethodFacts& a, const MethodFacts& b) {
  if (!a.numbering.ordered || !b.numbering.ordered) return false;
  if (a.method->inputs.empty() || b.method->inputs.empty()) return false;
  const auto ahead = [](const Method& method) {
    std::vector<const Tensor*> tensors;
    for (int32_t v = 0; v < std::ranges::min(method.inputs); ++v) {
      if (method.TensorOf(v) != nullptr) tensors.push_back(method.TensorOf(v));
    }
    return tensors;
  };
  return std::ranges::equal(
      ahead(*a.method), ahead(*b.method), [&](const Tensor* s, const Tensor* t) {
        return s->dtype == t->dtype &&
               std::ranges::equal(a.method->Ints(s->sizes), b.method->Ints(t->sizes));
      });
}

// The program's buffers, one after the other.
class SharedBuffers {
 public:
  explicit SharedBuffers(ProgramFacts& facts) : facts_(facts), buffers_(facts.buffers) {}

  // The number of the buffer of which this is a use.
  int32_t Add(const BufferPart& part, const BufferUse& use) {
    std::vector<int32_t>& known = known_[{part.name, part.name.empty() ? use.place : Extent{}}];
    for (const int32_t b : known) {
      if (Admits(b, part) && !IsNumberedApart(b, use)) {
        Join(b, part, use);
        return b;
      }
    }
    const auto b = static_cast<int32_t>(buffers_.size());
    known.push_back(b);
    buffers_.push_back({.name = part.name,
                        .uses = {},
                        .fitting = {part.fitting.begin(), part.fitting.end()},
                        .known = !part.fitting.empty()});
    Join(b, part, use);
    return b;
  }

 private:
  [[nodiscard]] bool Admits(int32_t b, const BufferPart& part) const {
    const auto& fitting = buffers_[static_cast<size_t>(b)].fitting;
    return part.fitting.empty() || fitting.empty() ||
           std::ranges::any_of(fitting,
                               [&](std::string_view n) { return part.fitting.contains(n); });
  }

  // In methods of one model, a constant of the one has the number of the buffer in the other.
  [[nodiscard]] bool IsNumberedApart(int32_t b, const BufferUse& use) const {
    const SharedBuffer& buffer = buffers_[static_cast<size_t>(b)];
    if (!buffer.name.empty()) return false;
    const MethodFacts& own = facts_.FactsAt(use.method);
    return std::ranges::any_of(buffer.uses, [&](const BufferUse& other) {
      const MethodFacts& theirs = facts_.FactsAt(other.method);
      const auto is_constant = [](const MethodFacts& facts, int32_t v) {
        return v < facts.value_count() && facts.parts.Of(v) == Part::kConstant;
      };
      return (is_constant(own, other.value) || is_constant(theirs, use.value)) &&
             AreOfOneModel(own, theirs);
    });
  }

  void Join(int32_t b, const BufferPart& part, const BufferUse& use) {
    SharedBuffer& buffer = buffers_[static_cast<size_t>(b)];
    buffer.uses.push_back(use);
    buffer.read = buffer.read || use.reads;
    buffer.written = buffer.written || use.writes;
    buffer.known = buffer.known && !part.fitting.empty();
    if (part.fitting.empty()) return;
    if (buffer.fitting.empty()) buffer.fitting.assign(part.fitting.begin(), part.fitting.end());
    std::erase_if(buffer.fitting, [&](std::string_view n) { return !part.fitting.contains(n); });
  }

  const ProgramFacts& facts_;
  std::vector<SharedBuffer>& buffers_;
  std::map<std::pair<std::string_view, Extent>, std::vector<int32_t>> known_;
};

void AddBuffers(ProgramFacts& facts) {
  SharedBuffers shared(facts);
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
    NoteRemakings(method, pointers);
    std::vector<int32_t>& numbers = facts.shared_of.emplace_back();
    for (size_t b = 0; b < uses.size(); ++b) {
      numbers.push_back(shared.Add(method.parts.buffers[b], uses[b]));
    }
  }
}

// Whether a later call reads the value that a method leaves in the buffer.
bool IsReadLater(const ProgramFacts& facts, int32_t method, int32_t b) {
  const SharedBuffer& buffer = facts.BufferAt(method, b);
  if (facts.histories.all()) return buffer.read;
  return std::ranges::any_of(buffer.uses, [&](const BufferUse& reader) {
    return FindsStored(facts, buffer, method, reader);
  });
}

// That the values of all methods are in order by accident. 1 if one method's are not: then no
// exporter numbered them.
double ChanceOfOrderIn(const Program& program) {
  double chance = 1;
  for (const Method& method : program.methods) {
    if (program.methods.size() == 1) break;
    const Listing listing = ListingOf(method, nullptr, {});
    const int in_order = InOrder(method, listing);
    if (in_order < 0) return 1;
    if (!listing.LeavesOpen()) chance *= ChanceOfOrder(in_order);
  }
  return chance;
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
           return b < 0 || IsReadLater(*this, method, b) || UseAt(method, b).used_inside;
         });
}

PolicySet ProgramFacts::PoliciesWanting(int32_t method, int32_t buffer) const {
  const BufferUse& own = UseAt(method, buffer);
  const bool again = histories.all() || histories.Admit({{.method = method}, {.method = method}});
  if (own.reads && again) return PolicySet::All();
  return IsReadLater(*this, method, buffer) ? PoliciesSharing(own.place.bank) : PolicySet::None();
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

std::optional<bool> ProgramFacts::IsOne(const SharedBuffer& buffer) const {
  const auto said = [&](std::string_view name) {
    const ManifestBuffer* stated = Stated(name);
    return stated == nullptr ? std::nullopt : stated->shared;
  };
  if (!buffer.name.empty()) return said(buffer.name);
  if (!buffer.known || buffer.fitting.empty()) return std::nullopt;
  const std::optional<bool> first = said(buffer.fitting.front());
  const bool alike = std::ranges::all_of(
      buffer.fitting, [&](std::string_view name) { return said(name) == first; });
  return alike ? first : std::nullopt;
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
  facts.histories = Histories::Of(program, manifest);
  const double chance = ChanceOfOrderIn(program);
  for (const Method& method : program.methods) {
    facts.methods.push_back(FactsOf(method, manifest, other, chance));
  }
  if (manifest != nullptr) NameByPlaces(facts.methods);
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
