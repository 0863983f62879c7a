// Which value of the file each value of the code is.
#ifndef PTEPROOF_PLANNER_EMIT_FILE_VALUES_H_
#define PTEPROOF_PLANNER_EMIT_FILE_VALUES_H_

#include <map>
#include <tuple>
#include <vector>

#include "planner/emit/emit.h"
#include "planner/emit/method_writer.h"

namespace pteproof::planner {

// Values of one type in one place are one value of the file, as an exporter writes an operator in
// place or a store. Two kinds are values of their own, since readers tell them by that nothing
// writes them: elided views of other sizes, and elided concatenations. A delegate's results are
// their own too: readers tell them by that nothing wrote them before.
class FileValues {
 public:
  FileValues(const EmitInput& input, MethodWriter& writer);

  // The file's value; it is added when it is first asked for.
  int32_t Of(ValueId value);

 private:
  using Key = std::tuple<int32_t, int64_t, ScalarType, std::vector<int64_t>, bool>;

  [[nodiscard]] ValueId Written(ValueId value) const;
  int32_t Add(ValueId value);
  int32_t AddTensor(ValueId value);

  const EmitInput& input_;
  MethodWriter& writer_;
  std::vector<int32_t> known_;      // by ValueId; -1: not yet
  std::vector<ValueId> source_;     // by ValueId: the one that an elided step gives; -1: none
  std::vector<bool> own_;           // by ValueId: a value of its own
  std::vector<bool> part_by_part_;  // by ValueId: et_copy_index resizes it
  std::map<Key, int32_t> by_place_;
};

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_EMIT_FILE_VALUES_H_
