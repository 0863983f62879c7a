// The files that a call writes: each is one of its own, and none is one that the call reads.
#ifndef PTEPROOF_CLI_IO_WRITTEN_FILES_H_
#define PTEPROOF_CLI_IO_WRITTEN_FILES_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pteproof {

struct WrittenFile {
  std::string_view what;  // as a complaint calls it: "--certificate"
  std::string name;       // empty: it is not written
};

// Whether both names lead to one file, which need not be there. No name leads to none.
[[nodiscard]] bool AreOneFile(const std::string& a, const std::string& b);

// Why the files cannot be written; empty: they can. Standard output takes one of them.
[[nodiscard]] std::string WhyNotWritten(std::span<const WrittenFile> written,
                                        std::span<const std::string> read);

// What a call makes: a program, mostly with the manifest beside it, and more files.
struct MadeFiles {
  std::string name;
  std::string manifest;  // its name; empty: none is written
  std::vector<WrittenFile> more;
};

// Of what it is made.
struct OldFiles {
  std::string name;
  std::vector<std::string> manifests;
};

// The same, where the new program may take the place of one of the old ones, and its manifest the
// place of that one's. `read`: other files that the call reads.
[[nodiscard]] std::string WhyNotMade(const MadeFiles& made, std::span<const OldFiles> of,
                                     std::span<const std::string> read);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_IO_WRITTEN_FILES_H_
