// Random questions over small ranges: each is answered by trying all values, with the expressions'
// own arithmetic, and both solvers must say the same.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "properties/proofs/solver/decide.h"

namespace pteproof::proofs {
namespace {

constexpr int kQuestions = 300;
constexpr int64_t kHighest = 6;

class Questions {
 public:
  explicit Questions(uint32_t seed) : random_(seed) {}

  int Below(int count) { return static_cast<int>(random_() % static_cast<uint32_t>(count)); }

  SizeExpr Expression(int depth, int symbols) {
    if (depth == 0 || Below(5) == 0) {
      return Below(3) > 0 ? SizeExpr::Symbol(Below(symbols)) : SizeExpr(Below(14) - 4);
    }
    const SizeExpr a = Expression(depth - 1, symbols);
    const SizeExpr b = Expression(depth - 1, symbols);
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

  Comparison Statement(int symbols) {
    const auto relation = static_cast<Relation>(Below(3) == 0 ? Below(3) : 1);
    return {Expression(2, symbols), relation, Expression(2, symbols) + Below(30)};
  }

  // One to three dims, and one symbol defined over them, whose bound may be wrong.
  Obligations Next() {
    Obligations question;
    const int dims = 1 + Below(3);
    for (int d = 0; d < dims; ++d) {
      const int lo = Below(3);
      question.symbols.push_back({"d" + std::to_string(d), lo, kHighest - Below(3), {}});
    }
    const SizeExpr definition = Expression(2, dims);
    question.symbols.push_back({"size", Below(4) - 3, 5 + Below(30), definition});
    Obligation obligation;
    obligation.kind = "plan-overlap";
    for (int s = 1 + Below(2); s > 0; --s) obligation.goal.push_back(Statement(dims + 1));
    question.list.push_back(obligation);
    return question;
  }

 private:
  std::mt19937 random_;
};

bool HoldsByItself(const Comparison& of, const std::vector<int64_t>& values) {
  const int64_t left = of.left.At(values);
  const int64_t right = of.right.At(values);
  return of.relation == Relation::kLess        ? left < right
         : of.relation == Relation::kLessEqual ? left <= right
                                               : left == right;
}

bool ClauseHolds(const Clause& clause, const std::vector<int64_t>& values) {
  bool holds = false;
  for (const Comparison& of : clause) holds = holds || HoldsByItself(of, values);
  return holds;
}

// Whether the goal holds at all values of the dims.
bool HoldsEverywhere(const Obligations& question) {
  const size_t dims = question.symbols.size() - 1;
  std::vector<int64_t> values(dims + 1);
  for (size_t d = 0; d < dims; ++d) values[d] = question.symbols[d].lo;
  for (;;) {
    values[dims] = question.symbols[dims].definition->At(values);
    if (!ClauseHolds(question.list[0].goal, values)) return false;
    size_t d = 0;
    while (d < dims && ++values[d] > *question.symbols[d].hi) {
      values[d] = question.symbols[d].lo;
      ++d;
    }
    if (d == dims) return true;
  }
}

void ExpectRefutedBy(const std::vector<ModelValue>& model, const Obligations& question) {
  std::vector<int64_t> values(question.symbols.size());
  for (size_t s = 0; s < values.size(); ++s) values[s] = question.symbols[s].lo;
  for (const ModelValue& value : model) values[static_cast<size_t>(value.symbol)] = value.value;
  for (const ModelValue& value : model) {
    const Symbol& symbol = question.symbols[static_cast<size_t>(value.symbol)];
    if (symbol.definition) EXPECT_EQ(value.value, symbol.definition->At(values));
    if (symbol.definition) continue;
    EXPECT_GE(value.value, symbol.lo);
    EXPECT_LE(value.value, *symbol.hi);
  }
  EXPECT_FALSE(ClauseHolds(question.list[0].goal, values));
}

void ExpectRightAnswers(const DecideOptions& options, uint32_t seed, int count) {
  Questions questions(seed);
  int proved = 0;
  int open = 0;  // for the second solver
  for (int q = 0; q < count; ++q) {
    SCOPED_TRACE(q);
    const Obligations question = questions.Next();
    const bool holds = HoldsEverywhere(question);
    const Decision decision = Decide(question, options).at(0);
    EXPECT_EQ(decision.answer, holds ? Answer::kProved : Answer::kRefuted) << decision.reason;
    EXPECT_FALSE(decision.vacuous);
    EXPECT_FALSE(decision.disagree);
    open += decision.second == Answer::kUnknown ? 1 : 0;
    if (decision.answer == Answer::kRefuted) ExpectRefutedBy(decision.model, question);
    proved += holds ? 1 : 0;
  }
  EXPECT_LE(open, count / 50);
  EXPECT_GT(proved, count / 10);
  EXPECT_LT(proved, count - count / 10);
}

TEST(RandomQuestions, Z3AndCvc5AnswerAsTryingAllValuesDoes) {
  ExpectRightAnswers({.milliseconds = 3000, .solver = SolverChoice::kBoth}, 1, kQuestions);
}

TEST(RandomQuestions, Cvc5AloneAnswersAsTryingAllValuesDoes) {
  ExpectRightAnswers({.solver = SolverChoice::kCvc5}, 2, 40);
}

}  // namespace
}  // namespace pteproof::proofs
