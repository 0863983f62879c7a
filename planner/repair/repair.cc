#include "planner/repair/repair.h"

#include <optional>
#include <utility>

#include "meaning/program_meaning.h"
#include "planner/lift/webs.h"
#include "planner/repair/doubtful_name.h"
#include "planner/repair/pack_within.h"
#include "planner/repair/spread.h"
#include "planner/repair/state_places.h"
#include "planner/replan/new_numbers.h"

namespace pteproof::planner {
namespace {

Conventions ConventionsOf(const MeantMethod& meant) {
  const Method& method = meant.method();
  Conventions conventions;
  int32_t last = -1;
  for (const DerivedName& name : meant.names) {
    if (std::exchange(last, name.value) == name.value) continue;  // taken more than once
    const NamedBytes& first = name.bytes.front();
    if (name.bytes.size() > 1) {
      ++conventions.concatenations;
    } else if (first.at != 0 ||
               method.TensorOf(first.of)->nbytes != method.TensorOf(name.value)->nbytes) {
      ++conventions.slices;
    } else {
      ++conventions.views;
    }
  }
  for (const meaning::StateSlot& state : meant.recovered->roles.states) {
    const bool is_told = !state.key.empty() || state.initial > 0;
    if (!is_told && IsBuffer(*meant.recovered, state.value)) ++conventions.unnamed_buffers;
  }
  return conventions;
}

}  // namespace

Manifest WithNewNumbers(Manifest manifest, const Program& program, const Repaired& repaired) {
  std::vector<std::vector<int32_t>> values_at;
  for (const RepairedMethod& method : repaired.methods) values_at.push_back(method.values);
  return WithNewNumbers(std::move(manifest), program, values_at);
}

Repaired Repair(const Program& program, const ReplanOptions& options,
                std::span<const Operator> operators, bool move_state) {
  std::vector<Operator> known(operators.begin(), operators.end());
  for (const Method& method : program.methods) {
    known.insert(known.begin(), method.operators.begin(), method.operators.end());
  }
  Repaired repaired;
  Program apart = program;
  const meaning::ProgramMeaning meaning = meaning::MeaningOf(program, options.manifest);
  for (size_t m = 0; m < program.methods.size(); ++m) {
    Method& method = apart.methods[m];
    const MeantMethod meant = MeantMethodOf(meaning.methods[m]);
    Separated separated = SeparateNames(meant, known);
    if (auto doubt = DoubtfulNameIn(meant)) separated.failure = *std::move(doubt);
    if (repaired.failure.empty() && !separated.failure.empty()) {
      repaired.failure = "'" + method.name + "': " + separated.failure;
    }
    repaired.methods.push_back({.conventions = ConventionsOf(meant),
                                .copies = std::move(separated.copies),
                                .instructions = std::move(separated.instructions),
                                .values = std::move(separated.values)});
    method = std::move(separated.method);
  }
  if (!repaired.failure.empty()) return repaired;
  // What was copied apart means the same in another listing, with values of other numbers.
  std::optional<Manifest> manifest;
  if (options.manifest != nullptr) manifest = WithNewNumbers(*options.manifest, apart, repaired);
  const auto meant = meaning::MeaningOf(apart, manifest ? &*manifest : nullptr);
  Spread spread = SpreadOut(apart, meant, move_state);
  if (!spread.failure.empty()) {
    repaired.failure = std::move(spread.failure);
    return repaired;
  }
  ReplanOptions packing = options;
  packing.spread = true;
  Packed packed =
      PackWithin(std::move(spread.program), BanksOf(program, options.bank_sizes), meant, packing);
  repaired.failure = std::move(packed.failure);
  repaired.replanned = std::move(packed.replanned);
  SetSizesBefore(program, repaired.replanned);
  return repaired;
}

}  // namespace pteproof::planner
