// What a file does not say, and has two readings: the questions that are asked of it. How a verdict
// comes about when there are some is in properties/readings.h. A new kind needs words there
// (WordsOf, SettlementOf) and in print.cc.
#ifndef PTEPROOF_MEANING_QUESTIONS_H_
#define PTEPROOF_MEANING_QUESTIONS_H_

#include <compare>
#include <cstdint>
#include <set>
#include <string>

namespace pteproof {

enum class DoubtKind : uint8_t {
  kOperandUpdated,   // an operator that nobody knows updates an argument that the usual reading
                     // takes for read alone
  kResultFilled,     // it makes all of a result that held a value before; usually it keeps a part
  kDelegateOperand,  // a delegate call reads this argument, a buffer; usually it makes it
};

struct Doubt {
  DoubtKind kind = DoubtKind::kOperandUpdated;
  std::string subject;   // the operator's name; of delegate calls, the method's
  int32_t call = 0;      // of delegate calls: its number among the method's, from 0
  int32_t argument = 0;  // position, from 0

  auto operator<=>(const Doubt&) const = default;
};

// The doubts that are read the other way.
using Reading = std::set<Doubt>;

}  // namespace pteproof

#endif  // PTEPROOF_MEANING_QUESTIONS_H_
