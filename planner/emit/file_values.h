// Which value of the file each value of the code is.
#ifndef PTEPROOF_PLANNER_EMIT_FILE_VALUES_H_
#define PTEPROOF_PLANNER_EMIT_FILE_VALUES_H_

#include <vector>

#include "planner/emit/emit.h"
#include "planner/emit/method_writer.h"

namespace pteproof::planner {

// As an exporter has it: one value of the file for a buffer and what is stored to it, for what is
// made where it is handed over, for an operand and the result of the operator that writes it; and a
// value for everything else, also where it lies in another's place.
class FileValues {
 public:
  FileValues(const EmitInput& input, MethodWriter& writer);

  // The file's value; it is added when it is first asked for.
  int32_t Of(ValueId value);

 private:
  void Join(ValueId a, ValueId b);
  [[nodiscard]] ValueId Leader(ValueId value);
  void JoinStored();
  void JoinStep(const Step& step);
  int32_t Add(ValueId value);
  int32_t AddTensor(ValueId value);
  void SetPlace(ValueId value, Tensor& tensor);

  const EmitInput& input_;
  MethodWriter& writer_;
  std::vector<ValueId> joined_;   // by ValueId: one that is the same value of the file, or itself
  std::vector<bool> by_rows_;     // by leader: et_copy_index sets its sizes
  std::vector<bool> buffer_;      // by leader: it is what the buffer is
  std::vector<int32_t> in_file_;  // by leader; -1: not yet
};

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_EMIT_FILE_VALUES_H_
