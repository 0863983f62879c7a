#include "properties/agreement/drawn_plan.h"

#include <array>
#include <memory>
#include <random>
#include <utility>

#include "properties/differential/settings.h"
#include "properties/generators/draw.h"
#include "properties/manifest/of_plan.h"

namespace pteproof {
namespace {

using mutants::Damage;

// What nearly every plan has something of comes last: else it would be most of what is judged.
constexpr std::array kInstead = {Damage::kMovePlace, Damage::kMarkInPlace, Damage::kMoveValue,
                                 Damage::kSwapOrder, Damage::kLoseStore,   Damage::kSwapOutputs,
                                 Damage::kMoveBank};

}  // namespace

std::optional<DrawnPlan> DrawPlan(uint64_t seed) {
  DrawnPlan drawn;
  drawn.random = std::make_shared<const generators::RandomCase>(
      generators::BuildCase(generators::DrawCase(seed)));
  const graph::Module& module = drawn.random->module;
  const Setting setting = SettingOf(seed);
  auto planned = planner::Plan(module, setting.options);
  if (!planned.ok()) return std::nullopt;
  drawn.planned = std::move(planned).value();
  auto manifest = ManifestOfPlan(module, setting.options, drawn.planned.program);
  if (manifest.ok()) drawn.manifest = std::move(manifest).value();
  drawn.policy = setting.options.policy;
  return drawn;
}

// The kinds of damage in turn, by the seed. If the plan has nothing of that kind, another one.
std::optional<mutants::Mutation> DrawDamage(const Program& program, uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto draw = [&](size_t n) { return static_cast<size_t>(random() % n); };
  const auto tried = [&](Damage damage) -> std::optional<mutants::Mutation> {
    constexpr int kPatience = 8;  // a place that is drawn may not fit
    for (int attempt = 0; attempt < kPatience; ++attempt) {
      if (auto mutation = mutants::MutatePlan(program, damage, draw)) return mutation;
    }
    return std::nullopt;
  };
  if (auto mutation = tried(static_cast<Damage>(seed % mutants::kDamageCount))) return mutation;
  for (const Damage damage : kInstead) {
    if (auto mutation = tried(damage)) return mutation;
  }
  return std::nullopt;
}

}  // namespace pteproof
