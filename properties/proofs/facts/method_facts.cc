#include "properties/proofs/facts/method_facts.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "properties/proofs/facts/shape.h"
#include "properties/proofs/facts/stated_names.h"
#include "reference/op_schema.h"

namespace pteproof::proofs {
namespace {

const ManifestMethod* StatedOf(const Manifest* manifest, const std::string& name) {
  if (manifest == nullptr) return nullptr;
  const auto found = manifest->methods.find(name);
  return found == manifest->methods.end() ? nullptr : &found->second;
}

// Touched and made are different: a value that is filled in part is touched, and its rest is still
// wanted.
struct Timeline {
  Makings makings;
  std::vector<std::vector<int32_t>> touches;
};

Timeline TimelineOf(const MethodFacts& facts) {
  const size_t names = facts.method->values.size() + facts.parts.buffers.size();
  Timeline line = {Makings(names), std::vector<std::vector<int32_t>>(names)};
  const auto make = [&](Name n, Making making) {
    line.makings[static_cast<size_t>(n)].push_back(making);
  };
  for (const WriteEvent& w : facts.listing.writes) {
    const Making making = {{w.instruction, Step::kWrite}, -1};
    line.touches[static_cast<size_t>(w.value)].push_back(w.instruction);
    if (w.access == Access::kFill) continue;
    make(w.value, making);
    const int32_t buffer = facts.StoredBuffer(w);
    if (buffer < 0 || !w.replaces()) continue;
    const Name end = facts.value_count() + buffer;
    line.touches[static_cast<size_t>(end)].push_back(w.instruction);
    const Extent stored = ExtentOf(*facts.method, w.value);
    if (stored.Covers(ExtentOf(*facts.method, facts.ValueOf(end)))) make(end, making);
  }
  for (size_t t = 0; t < facts.names.takes.size(); ++t) {
    const Take& take = facts.names.takes[t];
    if (take.at.instruction >= facts.instruction_count()) continue;
    make(take.to, {take.at, static_cast<int32_t>(t)});
    line.touches[static_cast<size_t>(take.to)].push_back(take.at.instruction);
  }
  for (auto& makings : line.makings) std::ranges::sort(makings);
  return line;
}

// Outputs, under the names that they have at the end, and the buffers that later calls read.
std::vector<Use> EndsOf(const MethodFacts& facts) {
  const int32_t count = facts.instruction_count();
  std::vector<Use> ends;
  for (const int32_t v : facts.method->outputs) {
    if (facts.method->TensorOf(v) != nullptr) ends.push_back({v, {}, count});
  }
  for (auto take = facts.names.takes.rbegin(); take != facts.names.takes.rend(); ++take) {
    if (take->at.instruction != count) break;
    const size_t known = ends.size();
    for (size_t e = 0; e < known; ++e) {
      if (ends[e].name != take->to) continue;
      ends[e].name = take->from.front();
      for (size_t s = 1; s < take->from.size(); ++s) ends.push_back({take->from[s], {}, count});
    }
  }
  for (size_t b = 0; b < facts.parts.buffers.size(); ++b) {
    const Name end = facts.value_count() + static_cast<int32_t>(b);
    if (ExtentOf(*facts.method, facts.ValueOf(end)).empty()) continue;
    ends.push_back({end, {}, count + 1});
  }
  return ends;
}

}  // namespace

bool MethodFacts::ShareMemory(int32_t a, int32_t b) const {
  const Tensor& one = *method->TensorOf(a);
  const Tensor& other = *method->TensorOf(b);
  if (one.nbytes == 0 || other.nbytes == 0) return false;
  if (!one.planned) return a == b && parts.Of(a) != Part::kConstant;
  return other.planned && one.bank == other.bank;
}

bool MethodFacts::IsSelfCopy(int32_t i) const {
  const Instruction& at = method->instructions[static_cast<size_t>(i)];
  if (at.kind != InstructionKind::kKernelCall ||
      method->operators[static_cast<size_t>(at.target)].name != "aten::copy_") {
    return false;
  }
  const auto reads = listing.ReadsAt(i);
  const auto writes = listing.WritesAt(i);
  if (reads.size() != 1 || writes.size() != 1) return false;
  const int32_t from = reads.front().value;
  const int32_t to = writes.front().value;
  const Extent place = ExtentOf(*method, from);
  return from == to || (!place.empty() && place == ExtentOf(*method, to) &&
                        LieElementOnElement(*method, from, to));
}

Makings MakingsOf(const MethodFacts& facts) {
  return TimelineOf(facts).makings;
}

Needs NeedsOf(const MethodFacts& facts, const std::function<bool(int32_t reader)>& counts) {
  const Timeline line = TimelineOf(facts);
  std::vector<Use> uses;
  for (const ReadEvent& r : facts.listing.reads) {
    if (counts(r.instruction))
      uses.push_back({r.value, {r.instruction, Step::kRead}, r.instruction});
  }
  std::ranges::reverse(uses);  // the last use first: most spans are then found whole
  return NeedsOf(facts.paths, facts.names.takes, line.makings, uses, EndsOf(facts), line.touches);
}

std::vector<Doubt> DoubtsOf(const MethodFacts& facts) {
  std::vector<Doubt> doubts;
  for (const OpenQuestion& open : facts.listing.open) {
    const bool counts =
        open.buffer < 0 || facts.parts.BufferOf(facts.names.RootOf(open.buffer)) >= 0;
    if (counts) doubts.push_back(open.doubt);
  }
  return doubts;
}

MethodFacts FactsOf(const Method& method, const Manifest* manifest, const Reading& other,
                    double chance_of_order) {
  MethodFacts facts;
  facts.method = &method;
  facts.stated = StatedOf(manifest, method.name);
  facts.listing = ListingOf(method, facts.stated, other);
  facts.numbering = NumberingOf(method, facts.listing, chance_of_order);
  if (!facts.numbering.ordered && facts.listing.LeavesOpen()) {
    facts.listing = ListingOf(method, facts.stated, other, false);
    facts.numbering = NumberingOf(method, facts.listing, chance_of_order);
  }
  facts.paths = PathsOf(method, facts.listing);
  facts.parts = PartsOf(method, facts.listing, facts.numbering, facts.stated);
  facts.names = NamesOf(method, facts.listing, facts.paths, facts.numbering, facts.parts);
  for (const int32_t v : facts.names.unmade) AddBuffer(method, facts.parts, v);
  if (facts.stated != nullptr) NameBuffers(method, *facts.stated, *manifest, facts.parts);
  facts.needs = NeedsOf(facts, [](int32_t) { return true; });
  return facts;
}

}  // namespace pteproof::proofs
