// Idea: at one place of banks that hold buffers only lies one buffer for all methods. Each method
// that says anything votes for the names that it admits there; a name with the votes of all of them
// stays, another one goes. Within a method a name is given once.
//
// Invariant: no vote adds a name, so the rounds end.
//
// Cost: O(n log n) a round, n the fitting names of all buffers.
#include "properties/proofs/facts/common_names.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace pteproof::proofs {
namespace {

using Spot = std::pair<Extent, ScalarType>;

struct Ballot {
  int voters = 0;
  std::map<std::string_view, int> votes = {};

  [[nodiscard]] bool HasWinner() const {
    return std::ranges::any_of(votes, [&](const auto& vote) { return vote.second == voters; });
  }
};

// The buffers of one method whose place tells: each with its spot.
std::vector<std::pair<Spot, BufferPart*>> PlacedBuffers(MethodFacts& facts) {
  std::map<uint32_t, bool> buffers_only;
  std::vector<std::pair<Spot, BufferPart*>> placed;
  for (BufferPart& buffer : facts.parts.buffers) {
    const Extent place = ExtentOf(*facts.method, buffer.value);
    if (place.empty()) continue;
    if (!buffers_only.contains(place.bank)) {
      buffers_only[place.bank] = HoldsBuffersOnly(facts, place.bank);
    }
    if (!buffers_only[place.bank]) continue;
    placed.push_back({{place, facts.method->TensorOf(buffer.value)->dtype}, &buffer});
  }
  return placed;
}

class Election {
 public:
  explicit Election(std::vector<MethodFacts>& methods) : methods_(methods) {
    for (MethodFacts& facts : methods) {
      for (const auto& placed : PlacedBuffers(facts)) placed_.push_back(placed);
    }
  }

  void Run() {
    bool changed = true;
    while (changed) {
      changed = Vote();
      changed = GiveNames() || changed;
    }
  }

 private:
  // Whether a name lost.
  bool Vote() {
    std::map<Spot, Ballot> ballots;
    for (const auto& [spot, buffer] : placed_) {
      if (buffer->name.empty() && buffer->fitting.empty()) continue;
      Ballot& ballot = ballots[spot];
      ++ballot.voters;
      if (!buffer->name.empty()) ++ballot.votes[buffer->name];
      for (const std::string_view name : buffer->fitting) ++ballot.votes[name];
    }
    size_t lost = 0;
    for (const auto& [spot, buffer] : placed_) {
      if (buffer->fitting.empty() || !ballots[spot].HasWinner()) continue;
      const Ballot& ballot = ballots[spot];
      lost += std::erase_if(buffer->fitting, [&](std::string_view name) {
        return ballot.votes.at(name) < ballot.voters;
      });
    }
    return lost > 0;
  }

  // Whether a buffer got a name.
  bool GiveNames() {
    bool given = false;
    for (MethodFacts& facts : methods_) {
      std::map<std::string_view, int> claims;
      for (const BufferPart& buffer : facts.parts.buffers) {
        if (buffer.fitting.size() == 1) ++claims[*buffer.fitting.begin()];
      }
      std::erase_if(claims, [](const auto& claim) { return claim.second > 1; });
      for (BufferPart& buffer : facts.parts.buffers) {
        const bool mine = buffer.fitting.size() == 1 && claims.contains(*buffer.fitting.begin());
        if (mine) buffer.name = *buffer.fitting.begin();
        std::erase_if(buffer.fitting, [&](std::string_view name) { return claims.contains(name); });
      }
      given = given || !claims.empty();
    }
    return given;
  }

  std::vector<MethodFacts>& methods_;
  std::vector<std::pair<Spot, BufferPart*>> placed_;
};

}  // namespace

void NameByPlaces(std::vector<MethodFacts>& methods) {
  const auto is_open = [](const BufferPart& buffer) { return !buffer.fitting.empty(); };
  const auto has_open = [&](const MethodFacts& facts) {
    return std::ranges::any_of(facts.parts.buffers, is_open);
  };
  if (methods.size() > 1 && std::ranges::any_of(methods, has_open)) Election(methods).Run();
}

bool HoldsBuffersOnly(const MethodFacts& facts, uint32_t bank) {
  for (int32_t v = 0; v < facts.value_count(); ++v) {
    const Extent place = ExtentOf(*facts.method, v);
    const bool here = !place.empty() && place.bank == bank;
    if (here && facts.parts.BufferOf(facts.names.RootOf(v)) < 0) return false;
  }
  return true;
}

}  // namespace pteproof::proofs
