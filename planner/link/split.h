// Methods taken out of a program, with what they use.
#ifndef PTEPROOF_PLANNER_LINK_SPLIT_H_
#define PTEPROOF_PLANNER_LINK_SPLIT_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <vector>

#include "planner/link/link.h"
#include "pteproof/program.h"
#include "pteproof/result.h"

namespace pteproof::planner {

// A buffer that no method of the new program stores to, so that it is a constant there.
struct SplitConstant {
  std::string method;
  int32_t value = 0;
  std::string buffer;
  BufferForm form;
};

struct SplitProgram {
  Program program;                           // shares the bytes of the old one
  std::vector<SharedBuffer> initial;         // that its et_module_init sets; none: it has none
  std::vector<SplitConstant> constants;      // by method
  Program as_state;                          // the same with these buffers as state
  std::deque<std::vector<std::byte>> zeros;  // of constants
};

// The methods of these names, which the program has, laid out as Link does it. A buffer that only
// other methods store to becomes a constant, with its initial value, as an exporter would have it.
// et_module_init goes along for the buffers that they have, if it does no more than to set buffers.
// Named data go along if a method has delegates, since blobs do not say which data they look for.
// `manifest`: of the program; null: there is none. An error says why the methods cannot be alone.
[[nodiscard]] Result<SplitProgram, std::string> Split(const Program& program,
                                                      const std::set<std::string>& methods,
                                                      const Manifest* manifest = nullptr);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_LINK_SPLIT_H_
