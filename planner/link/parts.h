// The methods of several files as they are linked: with names, with what they hold, and with what
// all that share a buffer agree on.
#ifndef PTEPROOF_PLANNER_LINK_PARTS_H_
#define PTEPROOF_PLANNER_LINK_PARTS_H_

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "planner/link/held_buffers.h"
#include "planner/link/link.h"

namespace pteproof::planner {

// A method, in a copy that has its new name; its data are still those of its file.
struct LinkPart {
  size_t file = 0;    // index
  size_t number = 0;  // of the method in its file
  Method method;
  HeldBuffers held;                      // those of the method, by the names in it
  const LinkedMethod* stated = nullptr;  // what lies beside the file
};

struct LinkParts {
  std::vector<LinkPart> parts;  // by name
  // The values that a file's own et_module_init sets, which is not among the parts.
  std::vector<std::map<std::string, Bytes>> initial;  // per file
  bool has_initial = false;                           // a file has such a method
  std::map<std::string, BufferForm> shared;           // what some method changes
  std::map<std::string, int32_t> users;               // of shared buffers: methods
};

// An error names the two files that do not fit, or what in a file cannot be shared.
[[nodiscard]] Result<LinkParts, std::string> PartsOf(std::span<const LinkedFile> files,
                                                     const LinkOptions& options);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_LINK_PARTS_H_
