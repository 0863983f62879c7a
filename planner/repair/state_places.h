// Where the buffers of a program lie: one place for each in all methods, that nothing else is
// planned at.
#ifndef PTEPROOF_PLANNER_REPAIR_STATE_PLACES_H_
#define PTEPROOF_PLANNER_REPAIR_STATE_PLACES_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "meaning/program_meaning.h"
#include "planner/lift/byte_owners.h"
#include "planner/lift/derived_names.h"
#include "planner/lift/named_storages.h"
#include "planner/lift/touches.h"
#include "pteproof/program.h"

namespace pteproof::planner {

// A method as it is meant. The meaning must outlive it.
struct MeantMethod {
  const meaning::MethodMeaning* recovered = nullptr;
  MethodTouches touches;
  std::vector<DerivedName> names;
  NamedStorages storages;

  [[nodiscard]] const Method& method() const { return *recovered->method; }
};
[[nodiscard]] MeantMethod MeantMethodOf(const meaning::MethodMeaning& meaning);

// By the buffer's name; of one without a name, by the place that the meaning was recovered with.
using BufferKey = std::string;
[[nodiscard]] BufferKey BufferKeyOf(const meaning::MethodMeaning& meaning, int32_t buffer);

struct StatePlaces {
  std::map<BufferKey, BankBytes> places;
  std::map<uint32_t, uint64_t> ends;  // per bank with state: the end of the last buffer
};

struct StateOptions {
  uint64_t alignment = 16;  // of buffers that move, in bytes
  bool all_anew = false;    // buffers move, whether they have to or not
};

// A buffer that methods have in several banks comes to the last of them. `methods`: of the program,
// perhaps with other places.
[[nodiscard]] StatePlaces StatePlacesOf(const Program& program,
                                        std::span<const MeantMethod> methods,
                                        const StateOptions& options);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_REPAIR_STATE_PLACES_H_
