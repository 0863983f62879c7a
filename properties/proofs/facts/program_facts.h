// The facts about a program: its methods, and the buffers that are the same in several of them.
// Matched by name, or without names by placement and by what the manifest admits there.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_PROGRAM_FACTS_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_PROGRAM_FACTS_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "properties/proofs/facts/histories.h"
#include "properties/proofs/facts/method_facts.h"
#include "pteproof/finding.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof::proofs {

// One buffer in one method.
struct BufferUse {
  int32_t method = 0;  // index in the program
  int32_t buffer = 0;  // index in the method's Parts::buffers
  int32_t value = 0;
  Extent place;
  ScalarType dtype = ScalarType::kUInt8;
  uint32_t initial = 0;  // index of its stored initial value, 0: none
  bool external = false;
  bool reads = false;        // uses its value at entry
  int32_t reader = -1;       // who does: an instruction or beyond, as in Need
  bool writes = false;       // some instruction that can run stores to it
  int32_t onto_itself = -1;  // the last store of it onto itself; -1: none
  bool used_inside = false;  // the method reads what it has stored
  bool remakes = false;      // each call makes all of it anew, whatever it held
  bool touched = false;      // some instruction or output names it

  // Each load of the method copies an initial value to its place.
  [[nodiscard]] bool initialised() const { return initial > 0 || external; }
};

struct SharedBuffer {
  std::string_view name;                       // empty: known by its place only
  std::vector<BufferUse> uses;                 // by method
  std::vector<std::string_view> fitting = {};  // without a name: those that fit in all methods
  bool known = false;                          // whether the manifest says so of all of them
  bool read = false;                           // by some method
  bool written = false;

  [[nodiscard]] bool initialised() const;
};

struct ProgramFacts {
  const Program* program = nullptr;
  const Manifest* manifest = nullptr;  // null: none
  bool all_first = false;              // all methods are loaded before the first call
  Histories histories;                 // of calls, as far as the manifest tells
  std::vector<MethodFacts> methods;
  std::vector<SharedBuffer> buffers;
  std::vector<std::vector<int32_t>> shared_of;  // per method and buffer: index in `buffers`
  std::vector<Needs> observed;  // per method: only uses of which something can be seen

  [[nodiscard]] const Method& MethodAt(int32_t m) const {
    return program->methods[static_cast<size_t>(m)];
  }
  [[nodiscard]] const BufferUse& UseAt(int32_t method, int32_t buffer) const;
  [[nodiscard]] const SharedBuffer& BufferAt(int32_t method, int32_t buffer) const;
  [[nodiscard]] const MethodFacts& FactsAt(int32_t m) const {
    return methods[static_cast<size_t>(m)];
  }
  // Whether the results of an instruction can be observed. A store to a buffer that no method
  // reads, this one included, is never observed.
  [[nodiscard]] bool IsObserved(int32_t method, int32_t instruction) const;
  // Whether the method is ever loaded.
  [[nodiscard]] bool IsLoaded(int32_t method) const { return all_first || histories.Call(method); }
  // The loaders under which a later call reads the value that a method leaves in a buffer.
  [[nodiscard]] PolicySet PoliciesWanting(int32_t method, int32_t buffer) const;
  // The manifest's entry for a buffer, or null.
  [[nodiscard]] const ManifestBuffer* Stated(std::string_view name) const;
  // Whether the manifest says that the buffer is one for all methods (true) or one for each
  // (false). Without a name all that it may be must be so.
  [[nodiscard]] std::optional<bool> IsOne(const SharedBuffer& buffer) const;
};

// The policies under which a bank is one for all methods.
[[nodiscard]] PolicySet PoliciesSharing(uint32_t bank);

// `other`: the questions that the file leaves open and that are answered the other way.
[[nodiscard]] ProgramFacts FactsOf(const Program& program, const Manifest* manifest, bool all_first,
                                   const Reading& other = {});

// What the file leaves open, each question once.
[[nodiscard]] std::vector<Doubt> DoubtsOf(const ProgramFacts& facts);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_PROGRAM_FACTS_H_
