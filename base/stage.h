// What long work says of itself: at which stage it is, so that whoever waits can be told.
#ifndef PTEPROOF_BASE_STAGE_H_
#define PTEPROOF_BASE_STAGE_H_

#include <cstddef>
#include <string_view>

namespace pteproof {

class StageListener {
 public:
  virtual ~StageListener() = default;
  // A stage begins, "random calls of 'decode'", the `at`-th of `of` alike; 0: there is one.
  virtual void Begins(std::string_view stage, size_t at, size_t of) = 0;
};

// Of the work that this thread does; null: nobody listens.
inline StageListener*& ListenerOfThread() {
  thread_local StageListener* listener = nullptr;
  return listener;
}

inline void TellStage(std::string_view stage, size_t at = 0, size_t of = 0) {
  if (StageListener* listener = ListenerOfThread()) listener->Begins(stage, at, of);
}

}  // namespace pteproof

#endif  // PTEPROOF_BASE_STAGE_H_
