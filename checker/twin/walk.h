// One method: what its instructions do, and the pass that keeps equations "what n means lies in
// these bytes". A name n is a value, or values + b: the end of buffer b, which the next call finds.
#ifndef PTEPROOF_CHECKER_TWIN_WALK_H_
#define PTEPROOF_CHECKER_TWIN_WALK_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "checker/twin/program.h"

namespace pteproof_twin {

struct Letter {
  char what = '-';  // as operators.tsv explains them
  bool returned = false;
};

using Signature = std::vector<Letter>;
using Signatures = std::map<std::string, Signature, std::less<>>;

// Letters that do not exist stop the work.
[[nodiscard]] Signature ReadSignature(std::string_view code, Work& work);

struct BufferUser {
  int64_t method = 0;
  int32_t value = 0;
  bool reads = false;  // a call reads what it finds
};

// A buffer at one place. All places with one key are one buffer of the model.
struct Buffer {
  int64_t key = 0;
  std::string name;
  Place place;
  std::vector<BufferUser> users;
};

struct Birth {
  int32_t value = 0;
  std::vector<int32_t> sources;
};

// By instruction, in the order of the certificate.
struct Births {
  std::vector<std::pair<int64_t, std::vector<Birth>>> listed;
  std::map<int64_t, size_t> number;

  [[nodiscard]] const std::vector<Birth>& At(int64_t i) const;
};

struct OperandRead {
  int32_t value = 0;
  bool elementwise = false;
};

struct Rename {
  int32_t to = 0;
  int32_t source = 0;
};

// What one instruction does to tensors.
struct Effects {
  std::vector<OperandRead> reads;
  std::vector<std::pair<int32_t, char>> writes;  // by value: one of w W u f n
  std::vector<Rename> names;                     // returned, after the writes
  std::vector<Rename> moves;                     // a name lies where its source lies
  bool repeats = false;  // an operand read by elements repeats them where another tensor has more

  [[nodiscard]] bool Writes(int32_t v) const;
  [[nodiscard]] std::vector<int32_t> Updated() const;
};

struct Head {
  std::set<int32_t> kept, begun;
};

using Places = std::vector<Place>;

// The lines of what a file does not show.
class Trusted {
 public:
  explicit Trusted(Work& work) : work_(&work) {}
  void Add(std::string line);
  [[nodiscard]] const std::set<std::string>& Lines() const { return lines_; }

 private:
  Work* work_;
  std::set<std::string> lines_;
};

// What program and certificate say of a method before anything is walked.
struct Facts {
  const Method* method = nullptr;
  int64_t m = 0;
  const std::vector<Buffer>* buffers = nullptr;
  std::vector<Places> places;  // by value, one each
  Births births, placed;
  std::vector<Effects> effects;
  std::map<int64_t, Head> heads;
  std::set<int64_t> idle;
  std::set<int64_t> targets;  // of jumps back
  std::map<int32_t, int64_t> first_use, first_write;
  std::set<int32_t> scalars;                         // that an instruction may write
  std::set<int32_t> handles;                         // names that lie where something moved them
  std::set<std::pair<int32_t, int32_t>> one_tensor;  // (source, name): a move or a result made it
  std::set<int32_t> varies;                          // of sizes below a bound, itself or by a move
  std::set<int32_t> made;  // that mean something, and not just what a kernel leaves alone (n)
  // What a move or a return, also one of the call before, may make a name of a buffer.
  std::set<int32_t> stand_ins;
  std::map<int32_t, int32_t> own;               // by value: the buffer that it is a name of
  std::vector<std::pair<int32_t, bool>> users;  // buffers of this method: value, whether it is read
  std::vector<int32_t> user_buffers;            // of the same
  std::set<std::string, std::less<>> names;     // of its buffers

  [[nodiscard]] int32_t End(size_t b) const {
    return static_cast<int32_t>(method->values.size() + b);
  }
  [[nodiscard]] const Place& PlaceOf(int64_t v) const { return method->At(v).place; }
};

// Malformed parts stop the work.
[[nodiscard]] Facts ReadFacts(const Program& program, int64_t m, const std::vector<Buffer>& buffers,
                              const Json& part, const Signatures& signatures, Trusted& trusted,
                              Work& work);

// Rule B: a line for each birth that does not follow from the file.
void TrustBirths(const Facts& facts, Trusted& trusted, Work& work);

// B: whether the listing introduces values in ascending order, at least four.
[[nodiscard]] bool IsNumbered(const Facts& facts);

// Why an equation has ended: value v was written over it by an instruction, -1 for the caller.
struct Cause {
  int64_t instruction = 0;
  int32_t value = 0;
  std::string words = {};  // in place of both
};

// As a buffer: this or that one or none, by the path.
inline constexpr int32_t kSome = -2;

// The equations at one point of a path.
struct State {
  struct Held {
    Places places;  // several: it lies in one of them
    int64_t number = 0;
  };
  struct Owner {
    Place place;
    int32_t name = 0;
    int64_t number = 0;
  };

  std::map<int32_t, Held> held;
  std::map<int32_t, Places> at;      // by moved name: where it may lie; absent: anywhere
  std::map<int32_t, int32_t> alias;  // by value: the buffer that it is a name of, or kSome
  std::set<int32_t> unfilled;        // on all paths
  std::set<int32_t> maybe;           // held, but unfilled on some path
  std::map<int32_t, Cause> lost;
  std::map<int64_t, std::vector<Owner>> banks;  // what is held, and some that was
  int64_t count = 0;

  void Hold(int32_t name, const Places& places, Work& work);
  void Lose(int32_t name, const Cause& cause);
  // The names that have a byte of the place.
  void Find(const Place& place, std::set<int32_t>& found, Work& work);
};

class Walk {
 public:
  Walk(const Facts& facts, Trusted& trusted, Work& work)
      : facts_(facts), method_(*facts.method), trusted_(trusted), work_(work) {}

  // Over the listing once. The equations when a call ends; nothing: no call ends.
  std::optional<State> Run();
  // One path: the jumps that go either way, 1 if taken. The equations when the call ends; nothing:
  // the path stops before.
  std::optional<State> Follow(const std::vector<int64_t>& path,
                              const std::map<size_t, Cause>& lost);

  struct Miss {
    int64_t instruction = 0;
    int32_t value = 0;
    std::string words;
  };
  [[nodiscard]] const std::vector<Miss>& Misses() const { return misses_; }
  [[nodiscard]] const std::set<int32_t>& Stored() const { return stored_; }  // buffers

 private:
  State Entry(const std::map<size_t, Cause>& lost);
  void EnterOthers(State& s);
  void Bear(State& s, int64_t i, const Birth& birth, bool by_call);
  bool Operands(State& s, int64_t i);
  // On the path of an unsafe claim: whether they may be the same.
  bool SameElements(int32_t v, int32_t w, bool repeats) const;
  bool MayWrite(const State& s, int64_t i, int32_t v, char letter, const Places* where);
  std::set<int32_t> Write(State& s, int64_t i, int32_t v, char letter, bool sound);
  void WriteAll(State& s, int64_t i, const std::vector<std::pair<int32_t, char>>& writes,
                bool sound);
  void Take(State& s, int64_t i, const Rename& rename);
  void LoseOthers(State& s, int64_t i, int32_t v);
  void Step(State& s, int64_t i);
  void Leave(State& s);
  State Weaken(State& s, int64_t i);
  void JumpBack(const State& s, int64_t i, int64_t to, const State* invariant);
  [[nodiscard]] std::pair<bool, int64_t> Branches(int64_t i) const;
  State Meet(const State& a, const State& b);
  State Copy(const State& s);
  [[nodiscard]] const Places* Where(const State& s, int32_t v) const;
  [[nodiscard]] bool Holds(const State& s, int32_t v) const;
  void Fault(int64_t i, int32_t v, const std::string& words);
  void MissRead(const State& s, int64_t i, int32_t v);

  const Facts& facts_;
  const Method& method_;
  Trusted& trusted_;
  Work& work_;
  bool follows_ = false;  // an unsafe claim
  std::vector<Miss> misses_;
  std::set<int32_t> stored_;
  std::set<int32_t> replaced_;  // values that were replaced in place
};

}  // namespace pteproof_twin

#endif  // PTEPROOF_CHECKER_TWIN_WALK_H_
