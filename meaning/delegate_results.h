// Which arguments of a delegate call are its results. A file lists operands and results of a
// delegate one after the other and does not say where the results begin.
//
//     delegate 0 (v3, v4, v0, v1, v7, v8, v9)      v0 and v1 are buffers, stored to later:
//                 operands........ results..       they are read, not made
//
// The exporter lists results last, numbered one after the other, and each is new. So the look goes
// backwards from the last argument and ends at the first that is known to be there before the call:
// what something made, holds data or has a name; a buffer, which stands before the inputs in the
// exporter's numbering; a view of bytes that are wanted afterwards, in this call or, of a buffer,
// in the next; a value that the numbering places before the call, or before another argument to its
// left, or apart from the results to its right. O(arguments) for each call.
#ifndef PTEPROOF_MEANING_DELEGATE_RESULTS_H_
#define PTEPROOF_MEANING_DELEGATE_RESULTS_H_

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "pteproof/program.h"
#include "reference/op_schema.h"

namespace pteproof::meaning {

// Whether numbers of values tell when they were made (exporter_order.h).
enum class Numbers : uint8_t { kTell, kTellNothing };

class DelegateResults {
 public:
  // Points into `method`. `given`: per value, whether the caller or a manifest says that it is
  // there at entry. O(n log n) in arguments.
  DelegateResults(const Method& method, Numbers numbers, std::vector<bool> given);

  // That call makes the value and does not read it: it overwrites what was there.
  void NoteMade(int32_t value, int32_t instruction);

  // The position of the first result of the call at `instruction`, of which all arguments from
  // `end` on are results. `defined`: per value, whether something made it before the call.
  [[nodiscard]] size_t FirstResult(int32_t instruction, size_t end,
                                   const std::vector<bool>& defined) const;

  // Whether this result might as well be an operand: a buffer, if no number tells, and it is stored
  // to later or not read any more; or a view of a value that had its place and type before.
  [[nodiscard]] bool IsDoubtful(int32_t instruction, int32_t value,
                                const std::vector<bool>& defined) const;

  // Whether this last argument might as well be a result, though it is taken for a view: nothing
  // else says so than that the older value is read later, and it is read later itself.
  [[nodiscard]] bool MayBeResult(int32_t instruction, int32_t value,
                                 const std::vector<bool>& defined) const;

 private:
  struct Use {
    int32_t value = 0;
    int32_t at = 0;
    bool overwrites = false;  // and reads nothing

    auto operator<=>(const Use&) const = default;
  };
  using Form = std::tuple<uint32_t, uint64_t, uint64_t, ScalarType>;  // bank, offset, bytes, type

  struct Jump {
    int32_t at = 0;
    int32_t target = 0;
    int32_t condition = 0;  // a value
  };

  // Paths are followed over so many jumps. Beyond, bytes that are read further down count as read.
  static constexpr size_t kMostTurns = 1000;
  // The looks at values that may have been there before take so many steps, for all calls together.
  // Then nothing else counts as there. A method that an exporter wrote needs some thousands.
  static constexpr uint64_t kMostSteps = 10'000'000;

  void Note(const Instruction& instruction, int32_t at);
  void NoteStores(const OpSchema& op, std::span<const int32_t> args, int32_t at);
  void NoteUse(int32_t v, int32_t at, bool overwrites = false);
  void NoteNextCall();
  // Whether a path from the instruction on reads the bytes of `v`, before anything overwrites them.
  [[nodiscard]] bool IsWantedAfter(int32_t v, int32_t instruction) const;
  enum class Answer : uint8_t { kYes, kStop, kGoOn };
  template <class Look>
  [[nodiscard]] bool AnyStretch(int32_t start, const Look& look) const;
  void GoOn(const Jump& jump) const;
  // Whether some path from one instruction comes to the other.
  [[nodiscard]] bool Leads(int32_t from, int32_t to) const;
  // It is there at entry, or nothing makes it, or some path from what makes it comes here.
  [[nodiscard]] bool MayBeThere(int32_t v, int32_t instruction) const;
  // The first use at that instruction or further down; null: none.
  [[nodiscard]] const Use* NextUse(int32_t v, int32_t from) const;
  [[nodiscard]] bool IsThereBefore(int32_t instruction, int32_t v,
                                   const std::vector<bool>& defined) const;
  // It is given, it holds data or has a name, or it is a buffer by its number.
  [[nodiscard]] bool IsAtEntry(int32_t v, const Tensor& tensor) const;
  // Something made it, or it was there at entry.
  [[nodiscard]] bool IsKnown(int32_t v, const std::vector<bool>& defined) const;
  [[nodiscard]] size_t NumberedFrom(std::span<const int32_t> args) const;
  [[nodiscard]] bool NumbersTell() const;
  [[nodiscard]] bool IsPassed(int32_t v, int32_t instruction) const;
  [[nodiscard]] bool IsView(int32_t instruction, int32_t v, const std::vector<bool>& defined) const;
  // Whether a value that was there before has the place and type of `v`, and `holds` is true of it.
  template <class Holds>
  [[nodiscard]] bool AnyTwin(int32_t v, const std::vector<bool>& defined, Holds holds) const;

  const Method& method_;
  Numbers numbers_;
  std::vector<bool> given_;
  int32_t first_input_ = -1;                      // -1: no input
  std::vector<int32_t> last_use_;                 // per value; the instruction count: an output
  std::vector<Use> uses_;                         // ascending
  std::vector<Jump> jumps_;                       // ascending
  std::vector<bool> varies_;                      // per value: an instruction or the caller sets it
  std::vector<int32_t> first_store_;              // per value: by an operator that updates it; -1
  std::vector<int32_t> highest_;                  // per instruction: highest value so far
  std::map<Form, std::vector<int32_t>> of_form_;  // planned values, ascending
  mutable uint64_t steps_ = 0;                    // so far
  // Of the walk at hand: where stretches begin, and per instruction the last walk that came by.
  mutable std::vector<int32_t> open_;
  mutable std::vector<uint32_t> seen_;
  mutable uint32_t question_ = 0;
};

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_DELEGATE_RESULTS_H_
