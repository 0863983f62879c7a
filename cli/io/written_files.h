// The files that a call writes: each is one of its own, and none is one that the call reads.
#ifndef PTEPROOF_CLI_IO_WRITTEN_FILES_H_
#define PTEPROOF_CLI_IO_WRITTEN_FILES_H_

#include <span>
#include <string>
#include <string_view>

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

}  // namespace pteproof

#endif  // PTEPROOF_CLI_IO_WRITTEN_FILES_H_
