#include "fuzz/mutate/plan/mutate_plan.h"

#include <utility>

#include "fuzz/mutate/plan/change.h"
#include "fuzz/mutate/plan/cross.h"
#include "fuzz/mutate/plan/repair.h"
#include "pteproof/read.h"
#include "pteproof/write.h"

namespace pteproof::fuzz::plan {
namespace {

// Most draws fit some part of most programs; this many nearly always find one.
constexpr int kDraws = 20;
constexpr size_t kRepairedPercent = 50;

bool ChangeOnce(Program& program, Random& random) {
  for (int draw = 0; draw < kDraws; ++draw) {
    if (random.Of(AllChanges()).make(program, random)) return true;
  }
  return false;
}

std::optional<Buffer> Written(Program& program, Random& random) {
  if (random.Percent(kRepairedPercent)) Repair(program);
  auto written = WriteProgram(program);
  if (!written.ok()) return std::nullopt;
  return std::move(written).value();
}

}  // namespace

std::optional<Buffer> Mutate(Bytes input, Random& random) {
  auto read = ReadProgram(input);
  if (!read.ok()) return std::nullopt;
  Program program = std::move(read).value();
  const size_t count = random.OneIn(3) ? 2 + random.Below(3) : 1;
  for (size_t c = 0; c < count; ++c) {
    if (!ChangeOnce(program, random)) return std::nullopt;
  }
  return Written(program, random);
}

std::optional<Buffer> Cross(Bytes a, Bytes b, Random& random) {
  auto into = ReadProgram(a);
  const auto from = ReadProgram(b);
  if (!into.ok() || !from.ok()) return std::nullopt;
  Program program = std::move(into).value();
  const bool crossed = random.OneIn(2) ? TakeMethod(program, from.value(), random)
                                       : TakePlaces(program, from.value(), random);
  return crossed ? Written(program, random) : std::nullopt;
}

}  // namespace pteproof::fuzz::plan
