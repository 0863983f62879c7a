// State without a name that lies elsewhere in the other program: it is given one name in both.
#ifndef PTEPROOF_PROPERTIES_COMPARE_NAMELESS_STATE_H_
#define PTEPROOF_PROPERTIES_COMPARE_NAMELESS_STATE_H_

#include <optional>
#include <string>

#include "properties/compare/computation.h"
#include "pteproof/program.h"

namespace pteproof::compare {

// Gives value v a name that stands for a place, and that no file has.
void NameByPlace(Method& method, int32_t v, uint32_t bank, uint64_t offset);

struct NamedAlike {
  Program old_program;
  Program new_program;
  std::string assumed;  // what a proof with these names rests on
};

// Buffers without a name are matched by the order of their values, method by method. Nothing: they
// lie at one place in both programs anyway, or no such match is one to one. Whichever are matched,
// a proof with these names is sound: it takes what lies there for equal before a call, and shows
// that it is equal after it.
[[nodiscard]] std::optional<NamedAlike> WithNamelessNamed(const ComparedSide& old_side,
                                                          const ComparedSide& new_side);

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_NAMELESS_STATE_H_
