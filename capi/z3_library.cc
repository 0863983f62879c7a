// Idea: each Z3 function that is called is a call through a pointer. Three functions that every use
// of Z3 starts with, and the two that compute, are written out here:
//
//   Z3_mk_config, Z3_global_param_set, Z3_get_version   open the library first, and fill the table
//   Z3_solver_check, Z3_solver_check_assumptions        can be interrupted
//
// Invariant: a pointer is null only while no context exists, that is while nothing calls it.
// Cost: one indirect call a call.
#include "capi/z3_library.h"

#include <z3.h>

#include <array>
#include <cstring>
#include <mutex>
#include <set>
#include <utility>

#include "base/stop.h"
#include "cli/io/guarded.h"
#include "runtime/os/os.h"
#include "z3_table.h"

namespace pteproof::capi {
namespace {

// Of the process, as an opened library is.
struct Library {
  std::mutex mutex;  // of all that follows
  std::vector<std::string> candidates = os::LibraryFiles("z3", "4");
  std::string opened;    // empty: not yet
  std::string problems;  // of candidates that could not be opened
  void* handle = nullptr;
  std::set<std::pair<const void*, Z3_context>> computing;  // a stop flag, and what computes for it
};

Library& TheLibrary() {
  static Library& library = *new Library;  // outlives the threads
  return library;
}

// Whether the library has all that is called.
bool FillTable(void* handle, std::string& problem) {
  std::array<void*, kZ3Names.size()> found{};
  for (size_t i = 0; i < kZ3Names.size(); ++i) {
    found[i] = os::SymbolOf(handle, kZ3Names[i]);
    if (found[i] == nullptr) {
      problem = std::string("it has no ") + kZ3Names[i];
      return false;
    }
  }
  static_assert(sizeof(TheZ3()) == sizeof(found), "a pointer for each name");
  std::memcpy(&TheZ3(), found.data(), sizeof(found));
  return true;
}

bool Open(const std::string& name, Library& library) {
  std::string problem;
  void* const handle = os::OpenLibrary(name, problem);
  if (handle != nullptr && FillTable(handle, problem)) {
    library.handle = handle;
    library.opened = name;
    return true;
  }
  if (handle != nullptr) os::CloseLibrary(handle);
  library.problems += "\n  " + name + ": " + problem;
  return false;
}

void OpenOnce() {
  Library& library = TheLibrary();
  const std::lock_guard lock(library.mutex);
  if (library.handle != nullptr) return;
  library.problems.clear();
  for (const std::string& name : library.candidates) {
    if (Open(name, library)) return;
  }
  throw Unavailable(
      "a proof needs the solver Z3, and its library cannot be opened; install it with: pip install "
      "z3-solver" +
      library.problems);
}

// Of a function that is written out here, in the library.
template <class Function>
Function There(Function, const char* name) {
  OpenOnce();
  void* const found = os::SymbolOf(TheLibrary().handle, name);
  if (found == nullptr) throw Unavailable(TheLibrary().opened + " has no " + name);
  return reinterpret_cast<Function>(found);
}

// Z3 computes for this thread's work while one lives.
class Computing {
 public:
  explicit Computing(Z3_context context) : entry_(StopFlagOfThread(), context) {
    const std::lock_guard lock(TheLibrary().mutex);
    EndIfStopped();  // with the lock: whoever asks from now on finds the entry
    TheLibrary().computing.insert(entry_);
  }
  ~Computing() {
    const std::lock_guard lock(TheLibrary().mutex);
    TheLibrary().computing.erase(entry_);
  }
  Computing(const Computing&) = delete;
  Computing& operator=(const Computing&) = delete;

 private:
  std::pair<const void*, Z3_context> entry_;
};

}  // namespace

void LookForZ3In(std::vector<std::string> candidates) {
  Library& library = TheLibrary();
  const std::lock_guard lock(library.mutex);
  library.candidates = std::move(candidates);
}

const std::string& OpenedZ3() {
  OpenOnce();
  return TheLibrary().opened;
}

void InterruptZ3(const void* stop_flag) {
  Library& library = TheLibrary();
  const std::lock_guard lock(library.mutex);
  if (library.handle == nullptr) return;
  const auto interrupt =
      reinterpret_cast<decltype(&Z3_interrupt)>(os::SymbolOf(library.handle, "Z3_interrupt"));
  if (interrupt == nullptr) return;
  for (const auto& [flag, context] : library.computing) {
    if (flag == stop_flag) interrupt(context);
  }
}

}  // namespace pteproof::capi

extern "C" {

using pteproof::capi::Computing;
using pteproof::capi::There;

Z3_config Z3_API Z3_mk_config() {
  return There(&Z3_mk_config, "Z3_mk_config")();
}

void Z3_API Z3_global_param_set(Z3_string name, Z3_string value) {
  There(&Z3_global_param_set, "Z3_global_param_set")(name, value);
}

void Z3_API Z3_get_version(unsigned* major, unsigned* minor, unsigned* build, unsigned* revision) {
  There(&Z3_get_version, "Z3_get_version")(major, minor, build, revision);
}

Z3_lbool Z3_API Z3_solver_check(Z3_context context, Z3_solver solver) {
  const auto check = There(&Z3_solver_check, "Z3_solver_check");
  const Computing computing(context);
  const Z3_lbool answer = check(context, solver);
  pteproof::EndIfStopped();
  return answer;
}

Z3_lbool Z3_API Z3_solver_check_assumptions(Z3_context context, Z3_solver solver, unsigned count,
                                            Z3_ast const assumptions[]) {
  const auto check = There(&Z3_solver_check_assumptions, "Z3_solver_check_assumptions");
  const Computing computing(context);
  const Z3_lbool answer = check(context, solver, count, assumptions);
  pteproof::EndIfStopped();
  return answer;
}

}  // extern "C"
