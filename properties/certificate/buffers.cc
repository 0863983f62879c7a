#include "properties/certificate/buffers.h"

#include <algorithm>
#include <string>

namespace pteproof::certificate {
namespace {

using meaning::ProgramMeaning;
using meaning::StateInstance;
using meaning::StateKey;

void AddUser(Buffers& buffers, int32_t key, const StateInstance& user) {
  const int32_t only = user.place.bank == 0 ? user.method : -1;
  const auto is_it = [&](const BufferPlace& known) {
    return known.key == key && known.only == only && only < 0 && known.place == user.place;
  };
  auto found = std::ranges::find_if(buffers.places, is_it);
  if (found == buffers.places.end()) {
    found = buffers.places.insert(found, {key, user.place, only});
  }
  found->users.push_back(user);
}

}  // namespace

Buffers BuffersOf(const ProgramMeaning& meant) {
  Buffers buffers;
  buffers.listing = nlohmann::ordered_json::array();
  int32_t number = 0;
  for (const StateKey& key : meant.states.keys) {
    const StateInstance& first = key.instances.front();
    const Method& method = *meant.methods[static_cast<size_t>(first.method)].method;
    nlohmann::ordered_json entry = {std::string(method.NameOf(first.value))};
    for (const StateInstance& user : key.instances) {
      AddUser(buffers, number, user);
      nlohmann::ordered_json one = {user.method, user.value};
      if (!user.reads) one.push_back(0);
      entry.push_back(std::move(one));
    }
    buffers.listing.push_back(std::move(entry));
    ++number;
  }
  return buffers;
}

int32_t PlaceOf(const Buffers& buffers, size_t method, int32_t state) {
  for (size_t b = 0; b < buffers.places.size(); ++b) {
    for (const StateInstance& user : buffers.places[b].users) {
      if (static_cast<size_t>(user.method) == method && user.state == state) {
        return static_cast<int32_t>(b);
      }
    }
  }
  return -1;
}

}  // namespace pteproof::certificate
