// Buffers as a certificate lists them: one entry for each key, and a number for each of its places.
#ifndef PTEPROOF_PROPERTIES_CERTIFICATE_BUFFERS_H_
#define PTEPROOF_PROPERTIES_CERTIFICATE_BUFFERS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "meaning/program_meaning.h"

namespace pteproof::certificate {

// A buffer at one place, in one or more methods. The checker numbers them in the same order.
struct BufferPlace {
  int32_t key = 0;
  meaning::Place place;
  int32_t only = -1;  // the method whose caller brings the memory; -1: it lies in a bank
  std::vector<meaning::StateInstance> users = {};
};

struct Buffers {
  std::vector<BufferPlace> places;
  std::map<std::pair<int32_t, int32_t>, int32_t> number;  // of the place, by method and state
  nlohmann::ordered_json listing;
};

// Without buffers that are stored to and have a constant's name (mutability-mismatch): the constant
// would have to be one of their values, and is none. Nothing is claimed safe then.
[[nodiscard]] Buffers BuffersOf(const meaning::ProgramMeaning& meant);

// The number of the place where a state of a method lies, or -1.
[[nodiscard]] int32_t PlaceOf(const Buffers& buffers, size_t method, int32_t state);

}  // namespace pteproof::certificate

#endif  // PTEPROOF_PROPERTIES_CERTIFICATE_BUFFERS_H_
