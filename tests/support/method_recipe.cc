#include "tests/support/method_recipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

int32_t Below(std::mt19937& random, int32_t bound) {
  return static_cast<int32_t>(random() % static_cast<uint32_t>(bound));
}

bool OneIn(std::mt19937& random, int32_t n) {
  return Below(random, n) == 0;
}

class RecipeMaker {
 public:
  RecipeMaker(std::mt19937& random, const RecipeLimits& limits)
      : random_(random), limits_(limits) {}

  Recipe Make() {
    Values();
    const int32_t steps = 1 + Below(random_, 12);
    for (int32_t s = 0; s < steps; ++s) Step(s, steps);
    const auto made = static_cast<int32_t>(recipe_.steps.size());
    for (RecipeStep& step : recipe_.steps) step.target = std::min(step.target, made);
    const int32_t outputs = 1 + Below(random_, 2);
    for (int32_t o = 0; o < outputs; ++o) {
      const int32_t v = AnyKnown();
      if (v >= 0 && std::ranges::find(recipe_.outputs, v) == recipe_.outputs.end())
        recipe_.outputs.push_back(v);
    }
    return recipe_;
  }

 private:
  const RecipeValue& At(int32_t v) const { return recipe_.values[static_cast<size_t>(v)]; }
  bool Knows(int32_t v) const { return known_[static_cast<size_t>(v)]; }
  int32_t ValueCount() const { return static_cast<int32_t>(recipe_.values.size()); }

  void Values() {
    const int32_t count = 2 + Below(random_, 7);
    const int32_t inputs = Below(random_, 3);
    const bool state = OneIn(random_, 3);
    for (int32_t v = 0; v < count; ++v) {
      RecipeValue value;
      value.bank = OneIn(random_, 8) ? 2 : 1;
      value.offset = 4 * static_cast<uint64_t>(Below(random_, 6));
      value.elements = 1 + Below(random_, 3);
      value.is_input = v < inputs;
      value.is_state = v == inputs && state;
      value.is_handle = limits_.moves && v > inputs && OneIn(random_, 3);
      recipe_.values.push_back(value);
      known_.push_back(value.is_input || value.is_state);
      as_out_.push_back(value.is_input || value.is_state);
    }
  }

  int32_t AnyKnown() {
    const int32_t start = Below(random_, ValueCount());
    for (int32_t n = 0; n < ValueCount(); ++n) {
      if (const int32_t v = (start + n) % ValueCount(); Knows(v)) return v;
    }
    return -1;
  }

  // A known operand that fits a result of so many elements; -1: there is none.
  int32_t Operand(int32_t elements, bool may_spread) {
    const int32_t start = Below(random_, ValueCount());
    for (int32_t n = 0; n < ValueCount(); ++n) {
      const int32_t v = (start + n) % ValueCount();
      if (Knows(v) && (At(v).elements == elements || (may_spread && At(v).elements == 1))) return v;
    }
    return -1;
  }

  void Step(int32_t s, int32_t steps) {
    constexpr std::array kKinds = {StepKind::kAdd,  StepKind::kAdd,  StepKind::kMul,
                                   StepKind::kFlip, StepKind::kFlip, StepKind::kCopy,
                                   StepKind::kPut,  StepKind::kMove, StepKind::kMove,
                                   StepKind::kJump, StepKind::kJump};
    RecipeStep step;
    step.kind = kKinds[static_cast<size_t>(Below(random_, static_cast<int32_t>(kKinds.size())))];
    if (step.kind == StepKind::kJump) {
      step.a = OneIn(random_, 12) ? Below(random_, 2) : -1;
      const bool back = limits_.jumps_back && OneIn(random_, 3);
      step.target = back ? Below(random_, s + 1) : s + 1 + Below(random_, steps - s);
      if (!limits_.jumps) step.kind = StepKind::kAdd;
    }
    if (step.kind == StepKind::kMove && !limits_.moves) step.kind = StepKind::kFlip;
    for (int tries = 0; step.kind != StepKind::kJump && !Fill(step); ++tries) {
      if (tries == 8) return;
    }
    recipe_.steps.push_back(step);
  }

  bool Fill(RecipeStep& step) {
    step.to = Below(random_, ValueCount());
    const bool in_place = step.kind == StepKind::kCopy || step.kind == StepKind::kPut;
    const bool is_move = step.kind == StepKind::kMove;
    if (!limits_.writes_to_handles && At(step.to).is_handle != is_move) return false;
    if (in_place ? !as_out_[static_cast<size_t>(step.to)] : At(step.to).is_state) return false;
    const bool binary = step.kind == StepKind::kAdd || step.kind == StepKind::kMul;
    step.a = Operand(At(step.to).elements, binary || step.kind == StepKind::kCopy);
    step.b = binary ? Operand(At(step.to).elements, true) : step.a;
    if (step.a < 0 || step.b < 0) return false;
    step.slot = step.to;
    if (is_move) {
      if (step.to == step.a || At(step.to).is_input) return false;
    } else if (limits_.other_slots && in_place && OneIn(random_, 6)) {
      AnotherSlot(step);
    }
    known_[static_cast<size_t>(step.to)] = known_[static_cast<size_t>(step.slot)] = true;
    if (!in_place && !is_move) as_out_[static_cast<size_t>(step.to)] = true;
    return true;
  }

  void AnotherSlot(RecipeStep& step) {
    const int32_t v = Below(random_, ValueCount());
    if (At(v).is_input || At(v).is_state || At(v).elements != At(step.to).elements) return;
    const bool same_place = At(v).bank == At(step.to).bank && At(v).offset == At(step.to).offset;
    if (!limits_.writes_to_handles && !At(v).is_handle && Knows(v) && !same_place) return;
    step.slot = v;
    if (At(v).is_handle) return;
    recipe_.values[static_cast<size_t>(v)].bank = At(step.to).bank;
    recipe_.values[static_cast<size_t>(v)].offset = At(step.to).offset;
  }

  std::mt19937& random_;
  RecipeLimits limits_;
  Recipe recipe_;
  std::vector<bool> known_;
  std::vector<bool> as_out_;  // may be updated in place without looking like a buffer
};

bool HasJumps(const Recipe& recipe) {
  return std::ranges::any_of(recipe.steps,
                             [](const RecipeStep& s) { return s.kind == StepKind::kJump; });
}

void Emit(MethodBuilder& builder, const RecipeStep& step, int32_t condition, int32_t first) {
  switch (step.kind) {
    case StepKind::kAdd:
      builder.Call("aten::add.out", {step.a, step.b, builder.Int(1), step.to, step.slot});
      return;
    case StepKind::kMul:
      builder.Call("aten::mul.out", {step.a, step.b, step.to, step.slot});
      return;
    case StepKind::kFlip:
      builder.Flip(step.a, step.to);
      return;
    case StepKind::kCopy:
      builder.Call("aten::copy_", {step.to, step.a, builder.Bool(false), step.slot});
      return;
    case StepKind::kPut: {
      const int32_t index = builder.Constant(1, {1}, ScalarType::kInt64);
      const int32_t list = builder.OptionalTensorList({index});
      builder.Call("aten::index_put_", {step.to, list, step.a, builder.Bool(false), step.slot});
      return;
    }
    case StepKind::kMove:
      builder.Move(step.a, step.to);
      return;
    case StepKind::kJump:
      builder.JumpFalse(step.a < 0 ? condition : builder.Bool(step.a != 0), first + step.target);
      return;
  }
}

constexpr std::array<std::string_view, 7> kStepNames = {"add",  "mul",  "flip", "copy_",
                                                        "put_", "move", "jump"};

}  // namespace

Recipe RandomRecipe(std::mt19937& random, const RecipeLimits& limits) {
  return RecipeMaker(random, limits).Make();
}

bool IsWellFormed(const Recipe& recipe) {
  std::vector<bool> known;
  for (const RecipeValue& v : recipe.values) known.push_back(v.is_input || v.is_state);
  std::vector<bool> as_out = known;
  const auto at = [](int32_t v) { return static_cast<size_t>(v); };
  for (const RecipeStep& s : recipe.steps) {
    if (s.kind == StepKind::kJump) continue;
    const bool in_place = s.kind == StepKind::kCopy || s.kind == StepKind::kPut;
    if (!known[at(s.a)] || !known[at(s.b)] || (in_place && !as_out[at(s.to)])) return false;
    known[at(s.to)] = true;
    if (s.kind != StepKind::kFlip && s.kind != StepKind::kMove) known[at(s.slot)] = true;
    if (!in_place && s.kind != StepKind::kMove) as_out[at(s.to)] = true;
  }
  return std::ranges::all_of(recipe.outputs, [&](int32_t v) { return known[at(v)]; });
}

Recipe WithoutStep(const Recipe& recipe, size_t step) {
  Recipe smaller = recipe;
  smaller.steps.erase(smaller.steps.begin() + static_cast<std::ptrdiff_t>(step));
  for (RecipeStep& s : smaller.steps) {
    if (s.target > static_cast<int32_t>(step)) --s.target;
  }
  return smaller;
}

Method MethodOf(const Recipe& recipe) {
  MethodBuilder builder;
  for (size_t v = 0; v < recipe.values.size(); ++v) {
    const RecipeValue& value = recipe.values[v];
    builder.Planned(value.bank, value.offset, {value.elements},
                    value.is_state ? fmt::format("b{}", v) : "");
    if (value.is_input) builder.Input(static_cast<int32_t>(v));
  }
  int32_t condition = -1;
  if (HasJumps(recipe)) {
    condition = builder.Bool(false);
    builder.Move(builder.Bool(true), condition);
  }
  const int32_t first = builder.Next();
  for (const RecipeStep& step : recipe.steps) Emit(builder, step, condition, first);
  for (const int32_t v : recipe.outputs) builder.Output(v);
  return builder.Build();
}

std::string Words(const Recipe& recipe) {
  std::string words;
  for (size_t v = 0; v < recipe.values.size(); ++v) {
    const RecipeValue& at = recipe.values[v];
    words +=
        fmt::format("v{} bank {} [{},{}){}{}\n", v, at.bank, at.offset,
                    at.offset + 4 * static_cast<uint64_t>(at.elements), at.is_input ? " input" : "",
                    at.is_state    ? " state"
                    : at.is_handle ? " handle"
                                   : "");
  }
  for (size_t s = 0; s < recipe.steps.size(); ++s) {
    const RecipeStep& at = recipe.steps[s];
    words += fmt::format("{}: {} a={} b={} to={} slot={} target={}\n", s,
                         kStepNames[static_cast<size_t>(at.kind)], at.a, at.b, at.to, at.slot,
                         at.target);
  }
  return words + fmt::format("outputs: {}\n", fmt::join(recipe.outputs, " "));
}

namespace {

class OrderedMaker {
 public:
  explicit OrderedMaker(std::mt19937& random) : random_(random) {}

  OrderedMethod Make() {
    if (OneIn(random_, 2)) state_ = Know(builder_.Planned(2, 0, {2}, "cache"));
    for (int32_t i = 1 + Below(random_, 2); i > 0; --i) {
      builder_.Input(Know(builder_.Planned(1, Place(), {2})));
    }
    for (int32_t s = 4 + Below(random_, 9); s > 0; --s) Step();
    builder_.Output(known_.back());
    if (OneIn(random_, 2)) builder_.Output(Any());
    return {builder_.Build(), views_};
  }

 private:
  int32_t Know(int32_t v) {
    known_.push_back(v);
    return v;
  }
  uint64_t Place() { return 4 * static_cast<uint64_t>(Below(random_, 24)); }
  int32_t Any() {
    return known_[static_cast<size_t>(Below(random_, static_cast<int32_t>(known_.size())))];
  }

  void Step() {
    if (OneIn(random_, 4)) {
      View();
    } else if (state_ >= 0 && OneIn(random_, 4)) {
      last_store_ = builder_.Copy(state_, Any());
    } else {
      const int32_t x = Any();
      const int32_t y = Any();
      const int32_t out = builder_.Planned(1, Place(), {2});
      builder_.Add(x, y, out);
      Know(out);
    }
  }

  // Of the last value of its place, so that nothing else can be meant.
  void View() {
    const auto place_of = [&](int32_t v) {
      return std::pair(builder_.TensorAt(v).bank, builder_.TensorAt(v).offset);
    };
    const auto place = place_of(Any());
    int32_t base = -1;
    for (const int32_t v : known_) {
      if (place_of(v) == place) base = v;
    }
    const auto made = std::ranges::find(views_, base, &BruteView::view);
    if (made != views_.end() && made->instruction <= last_store_) return;
    views_.push_back(
        {builder_.Next(), Know(builder_.Planned(place.first, place.second, {2})), base});
  }

  std::mt19937& random_;
  MethodBuilder builder_;
  std::vector<int32_t> known_;  // ascending
  std::vector<BruteView> views_;
  int32_t state_ = -1;
  int32_t last_store_ = -1;
};

}  // namespace

OrderedMethod RandomOrderedMethod(std::mt19937& random) {
  return OrderedMaker(random).Make();
}

}  // namespace pteproof
