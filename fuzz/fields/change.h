// One change of a tree: a field of one table holds something else.
#ifndef PTEPROOF_FUZZ_FIELDS_CHANGE_H_
#define PTEPROOF_FUZZ_FIELDS_CHANGE_H_

#include <string>
#include <utility>
#include <vector>

#include "fuzz/fields/tree.h"

namespace pteproof::fuzz::fields {

struct Change {
  int32_t table = 0;
  // Fields of that table, and what they hold then: mostly one. A tag goes with its table, a rank
  // with its order of dimensions.
  std::vector<std::pair<int32_t, Field>> fields;
  // New tables, behind all that the tree has.
  std::vector<Table> added;
  std::string what;  // "args[1]: 4, was 3"
};

// Makes a change while it lives, and takes it back.
class Changed {
 public:
  Changed(Tree& tree, const Change& change);
  ~Changed();
  Changed(const Changed&) = delete;
  Changed& operator=(const Changed&) = delete;

 private:
  Tree& tree_;
  int32_t number_;
  std::vector<std::pair<int32_t, Field>> before_;
  size_t tables_;
};

// "methods[0].values[3].held: element_type: 4, was 6".
[[nodiscard]] std::string TextOf(const Tree& tree, const Change& change);

}  // namespace pteproof::fuzz::fields

#endif  // PTEPROOF_FUZZ_FIELDS_CHANGE_H_
