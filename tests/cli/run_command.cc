#include "tests/cli/run_command.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {

pid_t StartCommand(std::vector<std::string> words, const std::string& in, const std::string& out,
                   const std::string& err) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  constexpr int kWrite = O_WRONLY | O_CREAT | O_TRUNC;
  if (in.empty()) {
    posix_spawn_file_actions_addclose(&streams, STDIN_FILENO);
  } else {
    posix_spawn_file_actions_addopen(&streams, STDIN_FILENO, in.c_str(), O_RDONLY, 0);
  }
  posix_spawn_file_actions_addopen(&streams, STDOUT_FILENO, out.c_str(), kWrite, 0600);
  posix_spawn_file_actions_addopen(&streams, STDERR_FILENO, err.c_str(), kWrite, 0600);
  pid_t child = -1;
  const int failed = posix_spawnp(&child, argv[0], &streams, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&streams);
  return failed == 0 ? child : -1;
}

CommandResult RunCommand(const std::vector<std::string>& arguments, const std::string& input,
                         const std::string& command) {
  const TempFolder folder;
  std::vector<std::string> all = {command};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const std::string out = folder.Write("out", "");
  const std::string err = folder.Write("err", "");
  CommandResult result;
  int status = 0;
  const pid_t child = StartCommand(std::move(all), input, out, err);
  if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)) {
    result.exit_code = WEXITSTATUS(status);
  }
  EXPECT_GE(result.exit_code, 0) << "the command did not end by itself";
  result.out = ReadText(out);
  result.err = ReadText(err);
  return result;
}

}  // namespace pteproof
