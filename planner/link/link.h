// Programs that were exported apart become one: their methods side by side, and the buffers that
// they share at one place.
#ifndef PTEPROOF_PLANNER_LINK_LINK_H_
#define PTEPROOF_PLANNER_LINK_LINK_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "planner/link/held_buffers.h"
#include "planner/options.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"
#include "pteproof/result.h"

namespace pteproof::planner {

// A method of a file, and what lies beside the file about it.
struct LinkedMethod {
  std::string name;                            // in the new program
  std::map<int32_t, std::string> values = {};  // values, and the buffers that they hold
  std::vector<std::string> reads = {};         // buffers that it reads or writes
};

struct LinkedFile {
  std::string name;  // in messages
  const Program* program = nullptr;
  std::vector<LinkedMethod> methods;   // in the program's order
  std::set<std::string> shared;        // buffers that all methods share
  const Manifest* manifest = nullptr;  // by the methods' names in the file; null: there is none
};

struct LinkOptions {
  std::vector<std::string> share = {};  // patterns of names, with * and ?
  // kAuto: et_module_init sets values that several methods share and that are not all zero.
  InitialState initial = InitialState::kAuto;
  uint64_t alignment = 16;  // of state; a power of two
  bool pack = true;         // activations take the bytes that state has left
};

struct SharedBuffer {
  std::string name;
  BufferForm form;
  uint64_t offset = 0;  // in bank kSharedBank
  int32_t users = 0;    // methods
};

// A file as one program with the new names, and before anything has moved: state that methods held
// as constants is state of their own.
struct LinkedSource {
  Program program;
  std::vector<std::string> as_state;  // METHOD: BUFFER, of each such constant
};

struct Linked {
  Program program;                    // points into the bytes of the files' programs
  std::vector<LinkedSource> sources;  // one per file
  std::vector<SharedBuffer> shared;   // by name
  // By method of the new program and old name: state of one name that methods do not share.
  std::map<std::pair<std::string, std::string>, std::string> renamed;
  // Methods and buffers that they do not share and hold as constants.
  std::set<std::pair<std::string, std::string>> constants;
  // Values that may be state and have no name: a call may read bytes that it has not written. They
  // have moved as state of their method.
  std::vector<std::string> nameless;
  bool init = false;  // et_module_init sets the shared buffers
};

// Methods are sorted by name, so that the order of files decides nothing. Shared are the buffers
// that options or files name, and those that methods of one file have at one place already. An
// error names the files, and says why they cannot be one program.
[[nodiscard]] Result<Linked, std::string> Link(std::vector<LinkedFile> files,
                                               const LinkOptions& options);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_LINK_LINK_H_
