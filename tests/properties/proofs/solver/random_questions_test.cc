// Random questions over small ranges: each is answered by trying all values, with the expressions'
// own arithmetic, and both solvers must say the same.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "properties/proofs/solver/decide.h"
#include "tests/support/counts.h"

namespace pteproof::proofs {
namespace {

// One to three dims, and after them a symbol that is defined over them: ids from `first`.
struct Asked {
  int first = 0;
  int dims = 0;
};

class Questions {
 public:
  explicit Questions(uint32_t seed) : random_(seed) {}

  // Adds one to the list. The bound of its defined symbol may be wrong.
  Asked AddTo(Obligations& all) {
    const Asked asked = {static_cast<int>(all.symbols.size()), 1 + Below(3)};
    first_ = asked.first;
    symbols_ = asked.dims;
    for (int d = 0; d < asked.dims; ++d) {
      const int lo = Below(3);
      all.symbols.push_back({"d" + std::to_string(d), lo, 6 - Below(3), {}});
    }
    const SizeExpr definition = Expression(2);
    all.symbols.push_back({"size", Below(4) - 3, 5 + Below(30), definition});
    ++symbols_;
    Obligation obligation;
    obligation.kind = "plan-overlap";
    for (int s = 1 + Below(2); s > 0; --s) obligation.goal.push_back(Statement());
    all.list.push_back(obligation);
    return asked;
  }

 private:
  int Below(int count) { return static_cast<int>(random_() % static_cast<uint32_t>(count)); }

  SizeExpr Expression(int depth) {
    if (depth == 0 || Below(5) == 0) {
      const int symbol = first_ + Below(symbols_);
      return Below(3) > 0 ? SizeExpr::Symbol(symbol) : SizeExpr(Below(14) - 4);
    }
    const SizeExpr a = Expression(depth - 1);
    const SizeExpr b = Expression(depth - 1);
    switch (Below(7)) {
      case 0:
        return a - b;
      case 1:
        return a * b;
      case 2:
        return FloorDiv(a, b);
      case 3:
        return Mod(a, b);
      case 4:
        return Min(a, b);
      case 5:
        return Max(a, b);
      default:
        return a + b;
    }
  }

  Comparison Statement() {
    const auto relation = static_cast<Relation>(Below(3) == 0 ? Below(3) : 1);
    const SizeExpr left = Expression(2);
    return {left, relation, Expression(2) + Below(24)};
  }

  std::mt19937 random_;
  int first_ = 0;
  int symbols_ = 0;
};

bool ComparisonHolds(const Comparison& of, const std::vector<int64_t>& values) {
  const int64_t left = of.left.At(values);
  const int64_t right = of.right.At(values);
  return of.relation == Relation::kLess        ? left < right
         : of.relation == Relation::kLessEqual ? left <= right
                                               : left == right;
}

bool ClauseHolds(const Clause& clause, const std::vector<int64_t>& values) {
  bool holds = false;
  for (const Comparison& of : clause) holds = holds || ComparisonHolds(of, values);
  return holds;
}

std::vector<int64_t> LowestValues(const Symbols& symbols) {
  std::vector<int64_t> values;
  for (const Symbol& symbol : symbols) values.push_back(symbol.lo);
  return values;
}

// Whether the goal holds at all values of the dims.
bool HoldsEverywhere(const Obligations& all, const Asked& asked, const Clause& goal) {
  std::vector<int64_t> values = LowestValues(all.symbols);
  const auto size = static_cast<size_t>(asked.first + asked.dims);
  for (;;) {
    values[size] = all.symbols[size].definition->At(values);
    if (!ClauseHolds(goal, values)) return false;
    auto d = static_cast<size_t>(asked.first);
    while (d < size && ++values[d] > *all.symbols[d].hi) {
      values[d] = all.symbols[d].lo;
      ++d;
    }
    if (d == size) return true;
  }
}

void ExpectRefutes(const std::vector<ModelValue>& model, const Symbols& symbols,
                   const Clause& goal) {
  std::vector<int64_t> values = LowestValues(symbols);
  for (const ModelValue& value : model) values[static_cast<size_t>(value.symbol)] = value.value;
  for (const ModelValue& value : model) {
    const Symbol& symbol = symbols[static_cast<size_t>(value.symbol)];
    if (symbol.definition) {
      EXPECT_EQ(value.value, symbol.definition->At(values));
    } else {
      EXPECT_GE(value.value, symbol.lo);
      EXPECT_LE(value.value, *symbol.hi);
    }
  }
  EXPECT_FALSE(ClauseHolds(goal, values));
}

void ExpectRightAnswers(const DecideOptions& options, uint32_t seed, int count) {
  Questions questions(seed);
  Obligations all;
  std::vector<Asked> asked;
  for (int q = 0; q < count; ++q) asked.push_back(questions.AddTo(all));
  const std::vector<Decision> decisions = Decide(all, options);
  ASSERT_EQ(decisions.size(), asked.size());
  int proved = 0;
  int open = 0;  // for the second solver
  for (size_t q = 0; q < asked.size(); ++q) {
    SCOPED_TRACE(q);
    const Clause& goal = all.list[q].goal;
    const Decision& decision = decisions[q];
    const bool holds = HoldsEverywhere(all, asked[q], goal);
    EXPECT_EQ(decision.answer, holds ? Answer::kProved : Answer::kRefuted) << decision.reason;
    EXPECT_FALSE(decision.vacuous);
    EXPECT_FALSE(decision.disagree);
    if (decision.answer == Answer::kRefuted) ExpectRefutes(decision.model, all.symbols, goal);
    proved += holds ? 1 : 0;
    open += decision.second == Answer::kUnknown ? 1 : 0;
  }
  EXPECT_LE(open, 1 + count / 50);
  EXPECT_GT(proved, count / 10);
  EXPECT_LT(proved, count - count / 10);
}

TEST(RandomQuestions, Z3AndCvc5AnswerAsTryingAllValuesDoes) {
  RecordProperty("slow", "asks a solver");
  ExpectRightAnswers({.milliseconds = 3000, .solver = SolverChoice::kBoth}, 1,
                     static_cast<int>(Cases(60, 300)));
}

TEST(RandomQuestions, Cvc5AloneAnswersAsTryingAllValuesDoes) {
  RecordProperty("slow", "asks a solver");
  ExpectRightAnswers({.solver = SolverChoice::kCvc5}, 2, 40);
}

}  // namespace
}  // namespace pteproof::proofs
