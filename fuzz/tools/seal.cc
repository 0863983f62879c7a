// Puts generated cases into envelopes: fuzz_seal FROM TO takes each file of FROM, bytes that drive
// the generator or an envelope, and writes to TO, under the name it has, the envelope that the
// generator of today makes of those bytes.
#include <fmt/core.h>

#include <cstdio>
#include <filesystem>

#include "fuzz/envelope.h"
#include "fuzz/generated_case.h"
#include "fuzz/tools/contents.h"

namespace pteproof::fuzz {
namespace {

namespace fs = std::filesystem;

void Seal(const fs::path& from, const fs::path& to) {
  const Buffer input = ContentsOf(from);
  const auto envelope = OpenEnvelope(input);
  Put(EnvelopeOf(envelope ? envelope->choices : input), to / from.filename());
}

void Run(const fs::path& from, const fs::path& to) {
  for (const auto& entry : fs::directory_iterator(from)) {
    if (entry.is_regular_file()) Seal(entry.path(), to);
  }
}

}  // namespace
}  // namespace pteproof::fuzz

int main(int argc, char** argv) {
  if (argc != 3 || !std::filesystem::is_directory(argv[1])) {
    fmt::print(stderr, "usage: fuzz_seal FROM TO, where FROM and TO are folders\n");
    return 64;
  }
  pteproof::fuzz::Run(argv[1], argv[2]);
  return 0;
}
