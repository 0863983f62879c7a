// The roles of values: state, input, constant or local. This is the first question about every
// value. A role that the file does not state is inferred, each inference in a function of its own.
#ifndef PTEPROOF_MEANING_ROLES_H_
#define PTEPROOF_MEANING_ROLES_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "meaning/effects.h"
#include "meaning/exporter_order.h"
#include "meaning/place.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof::meaning {

enum class Role : uint8_t {
  kNoTensor,
  kConstant,  // data in the program or in a .ptd, no placement
  kInput,
  kState,   // lives from call to call
  kLocal,   // planned, made within the call (views of state and inputs too)
  kCaller,  // unplanned: the caller's memory
};

// How a value is touched, by instruction index; -1: never.
struct Usage {
  int32_t first_read = -1;
  int32_t last_read = -1;
  int32_t first_write = -1;  // kernel writes and names taken from others
  int32_t last_write = -1;
  bool written_as_out = false;    // by an operator that returns a new value
  bool written_in_place = false;  // by an operator that mutates its operand
  bool filled = false;            // part by part, by an operator that leaves the rest as it was
  bool renamed = false;           // by a move, an et_view or as a returned name
  bool elsewhere = false;         // some such name lies in other bytes than the value's own place
  bool is_output = false;

  // A kernel writes bytes under the value's own name.
  [[nodiscard]] bool writes_own_bytes() const { return written_as_out || written_in_place; }
  // Nothing brings bytes to its own place: all that it ever names lies elsewhere.
  [[nodiscard]] bool leaves_place_unmade() const { return elsewhere && !writes_own_bytes(); }
  [[nodiscard]] bool touched() const { return first_read >= 0 || first_write >= 0; }
  // Its bytes are used before any instruction of the listing has made them.
  [[nodiscard]] bool exposed() const {
    return first_read >= 0 ? first_write < 0 || first_read <= first_write
                           : is_output && first_write < 0;
  }
};

// A mutable buffer as one method sees it.
struct StateSlot {
  int32_t value = 0;      // the buffer's own value; views of it are other values
  std::string_view key;   // fully qualified name, empty if neither file nor manifest gives one
  Place place;            // empty where the caller brings the memory
  uint32_t initial = 0;   // index of its stored initial value, 0: none
  bool external = false;  // its initial value comes from a .ptd
  // Without a key: the buffers of the manifest that it may be, ascending.
  std::vector<std::string_view> possible = {};
};

struct Roles {
  std::vector<Role> of;           // per value
  std::vector<Usage> usage;       // per value
  std::vector<Place> place;       // per value; empty for what is not planned
  std::vector<StateSlot> states;  // by value, but for those adopted later
  std::vector<int32_t>
      state_of;  // per value: index in states that it is a name of by key and place; -1

  // The buffer in a bank that a value is a name of by key and place: index in states, or -1.
  [[nodiscard]] int32_t StateInBank(int32_t v) const {
    const auto at = static_cast<size_t>(v);
    return place[at].bank == 0 ? -1 : state_of[at];
  }
  // Whether some instruction brings bytes to the value's own place, or it is there at entry.
  [[nodiscard]] bool HoldsSomething(int32_t v) const {
    const Role role = of[static_cast<size_t>(v)];
    if (role == Role::kInput || role == Role::kState) return true;
    const Usage& its = usage[static_cast<size_t>(v)];
    return its.writes_own_bytes() || (its.exposed() && !its.renamed);
  }
};

[[nodiscard]] Roles RolesOf(const Method& method, const Effects& effects,
                            const ExporterOrder& order, const ManifestMethod* stated);

// Makes an unnamed buffer of a planned value that is used before any instruction makes it and that
// is not a view.
void AdoptState(const Method& method, Roles& roles, int32_t value);

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_ROLES_H_
