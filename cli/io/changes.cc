#include "cli/io/changes.h"

#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "base/file_name.h"
#include "base/stop.h"

namespace pteproof {
namespace {

// A name in which two looks differ.
std::string FirstDifference(const auto& before, const auto& now) {
  for (const auto& [name, stamp] : now) {
    const auto found = before.find(name);
    if (found == before.end() || found->second != stamp) return name;
  }
  for (const auto& [name, stamp] : before) {
    if (!now.contains(name)) return name;
  }
  return "";
}

}  // namespace

FileChanges::FileChanges(WatchedFiles watched) : watched_(std::move(watched)), known_(Look()) {}

FileChanges::Stamps FileChanges::Look() const {
  Stamps stamps;
  for (const std::string& name : watched_()) {
    std::optional<Stamp>& stamp = stamps[name];
    std::error_code error;
    const auto time = std::filesystem::last_write_time(FilePath(name), error);
    if (error) continue;
    const uintmax_t size = std::filesystem::file_size(FilePath(name), error);
    stamp = Stamp{time, error ? 0 : size};
  }
  return stamps;
}

std::string FileChanges::Wait() {
  constexpr std::chrono::milliseconds kPause(200);
  Stamps last = known_;
  while (true) {
    std::this_thread::sleep_for(kPause);
    EndIfStopped();
    Stamps now = Look();
    const bool settled = now == last;
    last = std::move(now);
    if (!settled || last == known_) continue;
    return FirstDifference(std::exchange(known_, last), last);
  }
}

}  // namespace pteproof
