// A read is sought at the end of a history, the write before it, and no call between them that
// makes the whole buffer anew. A load is sought at the start, where all methods are in their first
// states, and at a first call, unless all are loaded before.
#include "properties/proofs/facts/between_calls.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace pteproof::proofs {
namespace {

bool HaveCommonBytes(const Extent& a, const Extent& b) {
  return !a.empty() && !b.empty() && a.bank == b.bank && a.lo < b.hi && b.lo < a.hi;
}

SoughtCall ReadOf(const SharedBuffer& buffer, const BufferUse& reader) {
  SoughtCall read = {.method = reader.method};
  for (const BufferUse& use : buffer.uses) {
    if (use.remakes && use.place == reader.place) read.barred.insert(use.method);
  }
  return read;
}

SoughtCall First(int32_t method) {
  return {.method = method, .barred = {method}};
}

bool AdmitsAfterLoad(const ProgramFacts& facts, int32_t loaded, const SoughtCall& read) {
  if (facts.histories.Admit({read})) return true;
  return !facts.all_first && facts.histories.Admit({First(loaded), read});
}

}  // namespace

bool FindsStored(const ProgramFacts& facts, const SharedBuffer& buffer, int32_t method,
                 const BufferUse& reader) {
  if (!reader.reads) return false;
  return facts.histories.all() ||
         facts.histories.Admit({{.method = method}, ReadOf(buffer, reader)});
}

bool FindsLoaded(const ProgramFacts& facts, const SharedBuffer& buffer, const BufferUse& loaded,
                 const BufferUse& reader) {
  return facts.histories.all() || AdmitsAfterLoad(facts, loaded.method, ReadOf(buffer, reader));
}

bool FindsOverwritten(const ProgramFacts& facts, const SharedBuffer& buffer, const BufferUse& use,
                      const Overwriting& by, bool one) {
  if (facts.histories.all()) return true;
  return std::ranges::any_of(buffer.uses, [&](const BufferUse& reader) {
    if (!reader.reads || reader.method == by.method) return false;
    if (!HaveCommonBytes(reader.place, by.place)) return false;
    if (!one && reader.method != use.method) return false;
    const SoughtCall read = one ? ReadOf(buffer, reader) : SoughtCall{.method = reader.method};
    return by.load ? AdmitsAfterLoad(facts, by.method, read)
                   : facts.histories.Admit({{.method = by.method}, read});
  });
}

bool FindsReloaded(const ProgramFacts& facts, const SharedBuffer& buffer, const BufferUse& writer,
                   const BufferUse& late) {
  if (facts.histories.all()) return true;
  std::vector<SoughtCall> sought = {{.method = writer.method, .barred = {late.method}},
                                    {.method = late.method}};
  if (late.reads) return facts.histories.Admit(sought);
  return std::ranges::any_of(buffer.uses, [&](const BufferUse& reader) {
    if (!reader.reads || !HaveCommonBytes(reader.place, late.place)) return false;
    std::vector<SoughtCall> with_read = sought;
    with_read.push_back(ReadOf(buffer, reader));
    return facts.histories.Admit(with_read);
  });
}

bool FindsOthersLoad(const ProgramFacts& facts, const SharedBuffer& buffer, const BufferUse& a,
                     const BufferUse& b) {
  if (facts.histories.all()) return true;
  return std::ranges::any_of(buffer.uses, [&](const BufferUse& reader) {
    if (!reader.reads || !HaveCommonBytes(reader.place, a.place)) return false;
    const SoughtCall read = ReadOf(buffer, reader);
    if (facts.histories.Admit({read})) return true;
    if (facts.all_first) return false;
    const auto after = [&](const BufferUse& lost, const BufferUse& late) {
      return reader.method != late.method &&
             facts.histories.Admit(
                 {{.method = lost.method, .barred = {late.method}}, First(late.method), read});
    };
    return after(a, b) || after(b, a);
  });
}

}  // namespace pteproof::proofs
