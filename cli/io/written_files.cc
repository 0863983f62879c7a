#include "cli/io/written_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "base/file_name.h"
#include "cli/io/quote.h"
#include "cli/io/store_file.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

fs::path Canonical(const std::string& name) {
  std::error_code failure;  // what cannot be looked at is what its name says
  const fs::path path = FilePath(name);
  const fs::path whole = fs::weakly_canonical(fs::absolute(path, failure), failure);
  return failure ? path.lexically_normal() : whole;
}

}  // namespace

bool AreOneFile(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return false;
  if (a == b || a == kStandardOutput || b == kStandardOutput) return a == b;
  std::error_code failure;
  return Canonical(a) == Canonical(b) || fs::equivalent(FilePath(a), FilePath(b), failure);
}

std::string WhyNotWritten(std::span<const WrittenFile> written, std::span<const std::string> read) {
  for (size_t i = 0; i < written.size(); ++i) {
    const auto& [what, name] = written[i];
    for (const WrittenFile& other : written.first(i)) {
      if (!AreOneFile(other.name, name)) continue;
      return fmt::format("{} and {} are one file, {}: give each a name of its own", other.what,
                         what, name == kStandardOutput ? "standard output" : QuotePath(name));
    }
    for (const std::string& each : read) {
      if (name == kStandardOutput || !AreOneFile(each, name)) continue;
      return fmt::format("{} would replace {}, which this call reads: name another file", what,
                         QuotePath(each));
    }
  }
  return "";
}

std::string WhyNotMade(const MadeFiles& made, std::span<const OldFiles> of,
                       std::span<const std::string> read) {
  std::vector<WrittenFile> written = {{"-o", made.name}, {"the manifest of -o", made.manifest}};
  written.insert(written.end(), made.more.begin(), made.more.end());
  std::string why = WhyNotWritten(written, read);
  for (const OldFiles& old : of) {
    if (!why.empty()) break;
    std::vector<std::string> files = old.manifests;
    files.push_back(old.name);
    const size_t in_place = AreOneFile(made.name, old.name) ? 2 : 0;
    why = WhyNotWritten(std::span(written).subspan(in_place), files);
  }
  return why;
}

}  // namespace pteproof
