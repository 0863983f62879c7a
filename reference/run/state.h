// The contents of a Module's buffers between calls.
#ifndef PTEPROOF_REFERENCE_RUN_STATE_H_
#define PTEPROOF_REFERENCE_RUN_STATE_H_

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "reference/graph/module.h"

namespace pteproof {

// Contents are replaced, never changed, so that a state is copied by copying pointers.
using Contents = std::shared_ptr<const TensorValue>;

class State {
 public:
  // Every buffer at its initial value, zeros without one.
  explicit State(const graph::Module& module);

  // A buffer as a method sees it: shared ones are the same for all methods.
  [[nodiscard]] const Contents& Get(size_t method, size_t buffer) const;
  void Set(size_t method, size_t buffer, Contents contents);
  // Equal contents of all buffers, for all methods.
  bool operator==(const State& other) const;

 private:
  std::vector<bool> shared_;    // per buffer
  std::vector<Contents> held_;  // per buffer: what it holds, or a private one's initial value
  // Private ones that were set, by method and buffer.
  std::map<std::pair<size_t, size_t>, Contents> own_;
};

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_RUN_STATE_H_
