// The histories of calls that a program may have: all, or those that the manifest's protocol
// admits. Derived for the proofs alone: no other checker shares it.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_HISTORIES_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_HISTORIES_H_

#include <cstdint>
#include <set>
#include <vector>

#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof::proofs {

// A call that a history is to have.
struct SoughtCall {
  int32_t method = 0;
  std::set<int32_t> barred =
      {};  // methods that are not called between the one sought before and it
};

class Histories {
 public:
  // `manifest` may be null.
  static Histories Of(const Program& program, const Manifest* manifest);

  // Whether nothing is said of them.
  [[nodiscard]] bool all() const { return states_ == 0; }
  [[nodiscard]] bool Call(int32_t method) const { return Admit({{.method = method}}); }
  // Whether one of them has the sought calls in this order. O(calls * names^2).
  [[nodiscard]] bool Admit(const std::vector<SoughtCall>& sought) const;

 private:
  // From state to state: by a call, or by itself.
  struct Edge {
    int32_t from = 0;
    int32_t to = 0;
    bool call = false;
    int32_t method = -1;  // of a call; -1: no method of the program
  };

  int32_t NewState() { return states_++; }
  int32_t Build(const CallPattern& pattern, const Program& program, int32_t from);
  void Step(int32_t from, int32_t to) { edges_.push_back({from, to}); }
  void GoBack(const std::set<int32_t>& barred, std::vector<bool>& reached) const;

  int32_t states_ = 0;  // the first is the start
  std::vector<Edge> edges_;
};

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_HISTORIES_H_
