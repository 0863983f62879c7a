// Work done in a process of its own, whose end costs its own result only: ExecuTorch ends the
// process where an argument is of a kind that its kernel does not take.
#ifndef PTEPROOF_BENCH_IN_CHILD_H_
#define PTEPROOF_BENCH_IN_CHILD_H_

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <type_traits>

namespace pteproof::bench {

// What `work` gives, plain data; nothing where the process ended before.
template <class Work>
[[nodiscard]] auto InChild(const Work& work) -> std::optional<decltype(work())> {
  using Given = decltype(work());
  static_assert(std::is_trivially_copyable_v<Given>);
  int ends[2];
  if (pipe(ends) != 0) return std::nullopt;
  const pid_t child = fork();
  if (child == 0) {
    const Given given = work();
    const bool sent = write(ends[1], &given, sizeof given) == ssize_t{sizeof given};
    std::_Exit(sent ? EXIT_SUCCESS : EXIT_FAILURE);
  }
  close(ends[1]);
  Given given;
  const bool got = child > 0 && read(ends[0], &given, sizeof given) == ssize_t{sizeof given};
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return got ? std::optional(given) : std::nullopt;
}

}  // namespace pteproof::bench

#endif  // PTEPROOF_BENCH_IN_CHILD_H_
