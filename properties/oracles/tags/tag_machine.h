// The banks of a program with, for each byte, the write that it comes from. A run that knows the
// expected write of every value compares it with the bytes here.
#ifndef PTEPROOF_PROPERTIES_ORACLES_TAGS_TAG_MACHINE_H_
#define PTEPROOF_PROPERTIES_ORACLES_TAGS_TAG_MACHINE_H_

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "properties/oracles/tags/tag_runs.h"
#include "pteproof/finding.h"
#include "pteproof/program.h"

namespace pteproof {

// A read that sees wrong bytes, or a result that is written over an operand that its own
// instruction still reads.
struct TagFinding {
  std::string method;
  int32_t instruction = 0;  // the reader; one past the last: an output, when the call has ended
  int32_t value = 0;
  std::string explanation;
  // Bytes that no instruction has made, or too few rows, whatever the plan.
  bool unwritten = false;
};

class TagMachine {
 public:
  // A freshly loaded program, which must outlive it. Buffers are still to be added.
  TagMachine(const Program& program, Policy policy);

  // A buffer's bytes when the program is loaded: zeros, or its stored data.
  void AddState(const std::string& key, size_t method, int32_t value, bool stored);

  // A constant's bytes, as they are in the file.
  [[nodiscard]] TagRuns ConstantOf(const Tensor& tensor) const;

  // A call begins; every value lies where the file has it.
  void Enter(size_t method);
  // The write of a whole value by instruction `at` (-1: an input). Marks its place, and returns its
  // tags.
  [[nodiscard]] TagRuns Write(int32_t at, int32_t value, uint64_t nbytes);
  // The same of `count` bytes from its byte `first` on; the rest is as in `old`.
  [[nodiscard]] TagRuns WritePart(int32_t at, int32_t value, const TagRuns& old, uint64_t first,
                                  uint64_t count);
  // `to` is from now on in the place of `from`.
  void Rename(int32_t from, int32_t to);
  // The content of a buffer, and its new content.
  [[nodiscard]] const TagRuns& StateOf(const std::string& key) { return states_[key].runs; }
  void SetState(const std::string& key, const TagRuns& runs) { states_[key].runs = runs; }

  // Instruction `at` needs the value's bytes, and they should be these.
  void Read(int32_t at, int32_t value, std::span<const TagRun> expected);
  // An operand that is read while a result is written: `in_step` where element i of the result
  // needs none but element i of the operand.
  void CheckApart(int32_t at, int32_t operand, uint64_t operand_bytes, int32_t result,
                  uint64_t result_bytes, bool in_step);

  // The first one of all calls.
  [[nodiscard]] const std::optional<TagFinding>& finding() const { return finding_; }
  // The first buffer whose bytes in its bank are wrong; nothing: all are right.
  [[nodiscard]] std::optional<std::string> LostState() const;

 private:
  struct Place {
    TaggedBank* bank = nullptr;  // none: the value's memory is the caller's
    uint32_t memory_id = 0;      // 0: a constant's
    uint64_t first = 0;
    auto operator<=>(const Place&) const = default;
  };
  struct State {
    Place place;
    TagRuns runs;
    std::string name;
  };
  struct Origin {
    size_t method = 0;
    int32_t instruction = -1;
    int32_t value = 0;
    int64_t call = 0;  // 0: loading
  };

  // Stored initial values of one place that are alike as far as they go.
  struct Loaded {
    Tag tag = 0;
    std::vector<Bytes> contents;
  };

  struct Result {
    int32_t value = 0;
    uint64_t nbytes = 0;
  };

  void MixWithOtherResults(int32_t at, int32_t value, uint64_t nbytes);
  void AddConstant(size_t method, int32_t value);
  [[nodiscard]] bool LacksRows(int32_t value, uint64_t nbytes) const;
  [[nodiscard]] Place PlaceIn(size_t method, int32_t value);
  [[nodiscard]] Tag NewTag(int32_t at, int32_t value);
  [[nodiscard]] Tag TagOfStored(const Place& place, int32_t value);
  [[nodiscard]] static std::string RangeText(const Place& place, uint64_t first, uint64_t end);
  [[nodiscard]] std::string OriginText(Tag tag) const;
  void Report(int32_t at, int32_t value, std::string explanation, bool unwritten = false);

  const Program* program_;
  Policy policy_;
  std::map<std::pair<int64_t, uint32_t>, TaggedBank> banks_;  // by owner, memory id or constant
  std::map<uint32_t, Tag> constants_;
  std::map<std::string, State> states_;
  std::map<Place, std::vector<Loaded>> loaded_;  // stored initial values
  std::vector<Origin> origins_;                  // by tag - kFirstTag
  std::vector<Place> places_;                    // of the values of the method at hand
  std::set<Place> by_rows_;                      // of what this call has collected
  std::vector<Result> results_;                  // of the instruction at hand so far
  int32_t results_at_ = -1;
  size_t method_ = 0;
  int64_t call_ = 0;
  std::optional<TagFinding> finding_;
};

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_TAGS_TAG_MACHINE_H_
