// A line on standard error for a verb that may take more than a second: what it does, how far it
// has come, and for how long. It leaves no trace; an interruption tells it, too.
#ifndef PTEPROOF_CLI_IO_STAGE_LINE_H_
#define PTEPROOF_CLI_IO_STAGE_LINE_H_

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "base/stage.h"

namespace pteproof {

// Listens to this thread's work while it lives. Shows the line on a terminal only, and renews it
// each second from a thread of its own. Do not write output meanwhile.
class StageLine : public StageListener {
 public:
  explicit StageLine(std::string_view first);
  ~StageLine() override;
  StageLine(const StageLine&) = delete;
  StageLine& operator=(const StageLine&) = delete;

  void Begins(std::string_view stage, size_t at, size_t of) override;

 private:
  void Show() const;  // holds the mutex
  void Renew();

  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  StageListener* before_;
  std::mutex mutex_;  // of what follows
  std::condition_variable ends_;
  bool over_ = false;
  std::string stage_;
  std::thread clock_;  // none where nothing is shown
};

}  // namespace pteproof

#endif  // PTEPROOF_CLI_IO_STAGE_LINE_H_
