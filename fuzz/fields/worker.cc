// The parent forks; the child says in shared memory which mutant it tries and in which step it is,
// and ends by a signal, by a sanitizer, by its own timer of processor time, or when all is tried.
// The parent looks at its memory and that it moves on, and forks again behind the mutant that ended
// it.
#include "fuzz/fields/worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <ctime>
#include <fstream>
#include <new>
#include <unordered_set>

#include "fuzz/runnable.h"

// Of the sanitizers, where they are linked.
extern "C" void __sanitizer_print_stack_trace() __attribute__((weak));

namespace pteproof::fuzz::fields {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kTooLong = 98;

struct Shared {
  std::atomic<uint64_t> next = 0;     // all before it are done
  std::atomic<uint64_t> current = 0;  // the one that is tried
  std::atomic<uint64_t> beats = 0;    // steps so far
  std::atomic<uint8_t> step = 0;
  std::atomic<bool> done = false;
  std::array<std::atomic<uint64_t>, kOutcomeCount> by_outcome = {};
  std::atomic<uint64_t> repeated = 0;
  std::array<std::atomic<uint64_t>, kStepCount> microseconds = {};
};

class SharedMemory {
 public:
  SharedMemory()
      : memory_(mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                     -1, 0)) {
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    shared_ = new (memory_) Shared();
  }
  ~SharedMemory() { munmap(memory_, sizeof(Shared)); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  [[nodiscard]] Shared& operator*() const { return *shared_; }

 private:
  void* memory_;
  Shared* shared_;
};

extern "C" void SayWhereTimeWent(int) {
  constexpr char kWords[] = "ERROR: a step took too long\n";
  static_cast<void>(!write(STDERR_FILENO, kWords, sizeof(kWords) - 1));
  if (__sanitizer_print_stack_trace != nullptr) __sanitizer_print_stack_trace();
  _exit(kTooLong);
}

void SetTimer(double seconds) {
  itimerval timer = {};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec =
      static_cast<suseconds_t>((seconds - static_cast<double>(timer.it_value.tv_sec)) * 1e6);
  setitimer(ITIMER_PROF, &timer, nullptr);
}

uint64_t ProcessMicroseconds() {
  timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000 + static_cast<uint64_t>(now.tv_nsec) / 1'000;
}

void PrepareChild(const Limits& limits) {
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const int log = open(limits.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
  if (log >= 0) dup2(log, STDERR_FILENO);
  signal(SIGPROF, SayWhereTimeWent);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// In the child.
class Trial {
 public:
  Trial(Shared& shared, const Trials& trials, const Limits& limits, Clock::time_point end)
      : shared_(shared), trials_(trials), limits_(limits), end_(end) {}

  bool Try(uint64_t number, Bytes file) {
    shared_.current = number;
    if (!seen_.insert(SeedOf(file)).second) {
      ++shared_.repeated;
    } else {
      const Outcome outcome =
          trials_.tries(file, trials_.original, [this](Step step) { Begin(step); });
      SetTimer(0);
      ++shared_.by_outcome[static_cast<size_t>(outcome)];
      Account();
    }
    shared_.next = number + 1;
    return Clock::now() < end_;
  }

 private:
  void Begin(Step step) {
    Account();
    shared_.step = static_cast<uint8_t>(step);
    ++shared_.beats;
    SetTimer(limits_.step_seconds);
  }

  void Account() {
    const uint64_t now = ProcessMicroseconds();
    if (started_ > 0) shared_.microseconds[shared_.step] += now - started_;
    started_ = now;
  }

  Shared& shared_;
  const Trials& trials_;
  const Limits& limits_;
  Clock::time_point end_;
  std::unordered_set<uint64_t> seen_;
  uint64_t started_ = 0;
};

uint64_t ResidentMegabytes(pid_t child) {
  std::ifstream statm(fmt::format("/proc/{}/statm", child));
  uint64_t all = 0;
  uint64_t resident = 0;
  statm >> all >> resident;
  return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) >> 20;
}

// Until the child ends, or is ended: why; empty: by itself. Its status goes to `status`.
std::string Watch(pid_t child, const Shared& shared, const Limits& limits, int& status) {
  constexpr auto kStill = std::chrono::seconds(120);
  constexpr timespec kNap = {0, 20'000'000};
  sigset_t of_children;
  sigemptyset(&of_children);
  sigaddset(&of_children, SIGCHLD);
  std::string why;
  uint64_t beats = shared.beats;
  auto moved = Clock::now();
  while (waitpid(child, &status, WNOHANG) == 0) {
    sigtimedwait(&of_children, nullptr, &kNap);
    if (!why.empty()) continue;
    const auto now = Clock::now();
    if (shared.beats != beats) {
      beats = shared.beats;
      moved = now;
    }
    if (ResidentMegabytes(child) > limits.megabytes) {
      why = fmt::format("more than {} MB", limits.megabytes);
    } else if (now - moved > kStill) {
      why = "it stands still";
    }
    if (!why.empty()) kill(child, SIGKILL);
  }
  return why;
}

bool IsOfInterest(const std::string& line) {
  return line.find("ERROR: ") != std::string::npos ||
         line.find("runtime error: ") != std::string::npos ||
         line.find("broken promise: ") != std::string::npos || line.starts_with("    #");
}

std::vector<std::string> WordsIn(const std::filesystem::path& log) {
  constexpr size_t kMostLines = 24;
  constexpr size_t kLongest = 400;
  std::ifstream stream(log);
  std::vector<std::string> words;
  for (std::string line; words.size() < kMostLines && std::getline(stream, line);) {
    const bool next_stack = words.size() > 1 && line.empty();
    if (next_stack) break;
    if (IsOfInterest(line)) words.push_back(line.substr(0, kLongest));
  }
  return words;
}

std::string EndOf(int status) {
  if (WIFSIGNALED(status)) return fmt::format("signal {}", WTERMSIG(status));
  if (WEXITSTATUS(status) == kTooLong) return "too long";
  return fmt::format("exit code {}", WEXITSTATUS(status));
}

void AddCounts(const Shared& shared, Counts& counts) {
  for (size_t i = 0; i < kOutcomeCount; ++i) counts.by_outcome[i] += shared.by_outcome[i];
  for (size_t i = 0; i < kStepCount; ++i) counts.microseconds[i] += shared.microseconds[i];
  counts.repeated += shared.repeated;
}

// Whether all is tried.
bool OneChild(Trials& trials, const Limits& limits, Clock::time_point end) {
  const SharedMemory memory;
  Shared& shared = *memory;
  shared.next = trials.range.first;
  const pid_t child = fork();
  if (child < 0) throw std::bad_alloc();
  if (child == 0) {
    PrepareChild(limits);
    Trial trial(shared, trials, limits, end);
    bool all = true;
    trials.listing->ForEach(
        trials.range, [&](uint64_t number, Bytes file) { return all = trial.Try(number, file); });
    shared.done = all;
    _exit(0);
  }
  int status = 0;
  const std::string why = Watch(child, shared, limits, status);
  AddCounts(shared, trials.counts);
  trials.range.first = shared.next;
  const bool clean = why.empty() && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (clean) return shared.done;
  ++trials.counts.broke;
  trials.range.first = shared.current + 1;
  trials.found({shared.current, static_cast<Step>(shared.step.load()),
                why.empty() ? EndOf(status) : why, WordsIn(limits.log)});
  return false;
}

// Without addresses, process ids and numbers, which differ where the fault is the same.
std::string WithoutNumbers(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    const bool digit = (c >= '0' && c <= '9');
    if (!digit) {
      plain += c;
    } else if (!plain.ends_with('#')) {
      plain += '#';
    }
  }
  return plain;
}

}  // namespace

uint64_t Counts::Sum() const {
  uint64_t sum = repeated + broke;
  for (const uint64_t count : by_outcome) sum += count;
  return sum;
}

bool TryAll(Trials& trials, const Limits& limits) {
  sigset_t of_children;
  sigemptyset(&of_children);
  sigaddset(&of_children, SIGCHLD);
  sigprocmask(SIG_BLOCK, &of_children, nullptr);
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(limits.seconds));
  while (Clock::now() < end) {
    if (OneChild(trials, limits, end)) return true;
  }
  return false;
}

std::string GroupOf(const Find& find) {
  constexpr size_t kFrames = 5;
  constexpr size_t kWords = 100;
  std::string group = fmt::format("{} | {}", NameOf(find.step), find.ended);
  size_t frames = 0;
  for (const std::string& line : find.words) {
    const size_t offset = line.rfind("+0x");
    if (!line.starts_with("    #")) {
      const size_t from = line.find("ERROR: ");
      std::string_view said = std::string_view(line).substr(from == std::string::npos ? 0 : from);
      for (const char* address : {" on address", " on unknown address", " at pc"}) {
        said = said.substr(0, said.find(address));
      }
      group += " | " + WithoutNumbers(said.substr(0, kWords));
    } else if (offset != std::string::npos && ++frames <= kFrames) {
      // "(/folders/module+0x12)"
      const size_t module = line.rfind('/', offset) + 1;
      group += " | " + line.substr(module, line.find(')', offset) - module);
    }
  }
  return group;
}

}  // namespace pteproof::fuzz::fields
