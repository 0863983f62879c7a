#include "properties/certificate/buffers.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

namespace pteproof::certificate {
namespace {

using meaning::ProgramMeaning;
using meaning::StateInstance;
using meaning::StateKey;

// `first`: the first place of that key. Its places are the last ones so far.
void AddUser(Buffers& buffers, size_t first, int32_t key, const StateInstance& user) {
  const int32_t only = user.place.bank == 0 ? user.method : -1;
  const auto is_it = [&](const BufferPlace& known) {
    return known.only == only && only < 0 && known.place == user.place;
  };
  auto found = std::find_if(buffers.places.begin() + static_cast<ptrdiff_t>(first),
                            buffers.places.end(), is_it);
  if (found == buffers.places.end()) {
    found = buffers.places.insert(found, {key, user.place, only});
  }
  found->users.push_back(user);
  buffers.number[{user.method, user.state}] = static_cast<int32_t>(found - buffers.places.begin());
}

// The names of constants. No name is among them.
std::set<std::string_view> ConstantNames(const ProgramMeaning& meant) {
  std::set<std::string_view> names;
  for (const meaning::MethodMeaning& method : meant.methods) {
    for (size_t v = 0; v < method.roles.of.size(); ++v) {
      if (method.roles.of[v] != meaning::Role::kConstant) continue;
      names.insert(method.method->NameOf(static_cast<int32_t>(v)));
    }
  }
  names.erase("");
  return names;
}

}  // namespace

Buffers BuffersOf(const ProgramMeaning& meant) {
  const std::set<std::string_view> constants = ConstantNames(meant);
  Buffers buffers;
  buffers.listing = nlohmann::ordered_json::array();
  int32_t number = 0;
  for (const StateKey& key : meant.states.keys) {
    const StateInstance& first = key.instances.front();
    const Method& method = *meant.methods[static_cast<size_t>(first.method)].method;
    const bool is_constant = constants.contains(method.NameOf(first.value));
    if (key.written_somewhere && is_constant) continue;
    nlohmann::ordered_json entry = {std::string(method.NameOf(first.value))};
    const size_t first_place = buffers.places.size();
    for (const StateInstance& user : key.instances) {
      AddUser(buffers, first_place, number, user);
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
  const auto found = buffers.number.find({static_cast<int32_t>(method), state});
  return found == buffers.number.end() ? -1 : found->second;
}

}  // namespace pteproof::certificate
