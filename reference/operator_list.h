// A file of operators' signatures: a line for each, as text or as a list in YAML. Knows the form of
// the file; the signatures themselves are read elsewhere.
#ifndef PTEPROOF_REFERENCE_OPERATOR_LIST_H_
#define PTEPROOF_REFERENCE_OPERATOR_LIST_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pteproof {

struct ListedSignature {
  std::string text;
  size_t line = 0;    // from 1
  size_t column = 0;  // from 1, of the text's first character
};

// The signatures of a file, one for each line that has one:
//
//     # a comment
//     my::f.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)
//     - my::g(Tensor(a!) cache, Tensor x) -> ()       # an item of a YAML list
//     - "my::h(Tensor x) -> Tensor"                   # in quotes
//     operators:                                    # so that a manifest's list in YAML is one
//     - func: my::k.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)
//       kernels: ...                                  # further lines of the item are skipped
//
// O(n) in the text.
[[nodiscard]] std::vector<ListedSignature> ReadOperatorList(std::string_view text);

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OPERATOR_LIST_H_
