#include "cli/io/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

namespace pteproof {

void HoldClosedStreams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    // The wrong way round, so that reading the input and writing the others are errors. It gets the
    // lowest free number, which is this one.
    const int mode = stream == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    static_cast<void>(open("/dev/null", mode));
  }
}

}  // namespace pteproof
