// Puts generated cases into envelopes: fuzz_seal FROM TO takes each file of FROM, bytes that drive
// the generator or an envelope, and writes to TO, under the name it has, the envelope that the
// generator of today makes of those bytes.
#include <fmt/core.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "fuzz/envelope.h"
#include "fuzz/generated_case.h"

namespace pteproof::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<std::byte> ReadFile(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(stream), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

bool Seal(const fs::path& from, const fs::path& to) {
  const std::vector<std::byte> input = ReadFile(from);
  const auto envelope = OpenEnvelope(input);
  const std::vector<std::byte> sealed = EnvelopeOf(envelope ? envelope->choices : input);
  std::ofstream stream(to / from.filename(), std::ios::binary);
  stream.write(reinterpret_cast<const char*>(sealed.data()),
               static_cast<std::streamsize>(sealed.size()));
  return static_cast<bool>(stream.flush());
}

int Run(const fs::path& from, const fs::path& to) {
  for (const auto& entry : fs::directory_iterator(from)) {
    if (!entry.is_regular_file() || Seal(entry.path(), to)) continue;
    fmt::print(stderr, "fuzz_seal: {} cannot be written\n",
               (to / entry.path().filename()).string());
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace pteproof::fuzz

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: fuzz_seal FROM TO\n");
    return 64;
  }
  return pteproof::fuzz::Run(argv[1], argv[2]);
}
