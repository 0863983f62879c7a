#include "tests/support/arbitrary_case.h"

#include <memory>
#include <ostream>

#include "properties/generators/build_module.h"
#include "properties/generators/draw.h"
#include "properties/generators/shrink.h"
#include "reference/graph/print.h"

namespace pteproof::generators {
namespace {

rc::Seq<CaseDraft> Smaller(const CaseDraft& draft) {
  const auto cuts = std::make_shared<const std::vector<Cut>>(CutsOf(draft));
  return rc::seq::map(rc::seq::range(size_t{0}, cuts->size()),
                      [cuts, draft](size_t i) { return Applied(draft, (*cuts)[i]); });
}

}  // namespace

rc::Gen<CaseDraft> ArbitraryCase() {
  return [](const rc::Random& random, int size) {
    rc::Random source = random;
    return rc::shrinkable::shrinkRecur(DrawCase([&source] { return source.next(); }, size),
                                       [](const CaseDraft& draft) { return Smaller(draft); });
  };
}

void showValue(const CaseDraft& draft, std::ostream& stream) {
  const RandomCase made = BuildCase(draft);
  stream << graph::Print(made.module) << "# calls:";
  for (const RandomCall& call : made.calls) {
    stream << ' ' << made.module.methods[call.method].name;
  }
  stream << '\n';
}

}  // namespace pteproof::generators
