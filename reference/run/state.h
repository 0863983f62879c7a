// The contents of a Module's buffers between calls.
#ifndef PTEPROOF_REFERENCE_RUN_STATE_H_
#define PTEPROOF_REFERENCE_RUN_STATE_H_

#include <memory>
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
  [[nodiscard]] const Contents& Get(size_t method, size_t buffer) const {
    return held_[Slot(method, buffer)];
  }
  void Set(size_t method, size_t buffer, Contents contents) {
    held_[Slot(method, buffer)] = std::move(contents);
  }
  // Equal contents of all buffers, for all methods.
  bool operator==(const State& other) const;

 private:
  [[nodiscard]] size_t Slot(size_t method, size_t buffer) const {
    return shared_[buffer] ? buffer : (method + 1) * shared_.size() + buffer;
  }

  std::vector<bool> shared_;    // per buffer
  std::vector<Contents> held_;  // shared ones first, then each method's own
};

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_RUN_STATE_H_
