// Waits until files change, for commands that run again then.
#ifndef PTEPROOF_CLI_IO_CHANGES_H_
#define PTEPROOF_CLI_IO_CHANGES_H_

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pteproof {

// Which files are watched may change as well: those of a folder.
using WatchedFiles = std::function<std::vector<std::string>()>;

class FileChanges {
 public:
  // Those that there are now are not new.
  explicit FileChanges(WatchedFiles watched);

  // Waits until a file has changed, come or gone and none has for a moment: not in the middle of
  // writing. The first of them, in the order of their names. A stop (base/stop.h) ends it.
  [[nodiscard]] std::string Wait();

 private:
  struct Stamp {
    std::filesystem::file_time_type time;
    uintmax_t size = 0;
    bool operator==(const Stamp&) const = default;
  };
  using Stamps = std::map<std::string, std::optional<Stamp>>;  // nothing: it is not there

  [[nodiscard]] Stamps Look() const;

  WatchedFiles watched_;
  Stamps known_;
};

}  // namespace pteproof

#endif  // PTEPROOF_CLI_IO_CHANGES_H_
