// What the tools read and write: whole files. Where that fails, the tool ends and says so.
#ifndef PTEPROOF_FUZZ_TOOLS_CONTENTS_H_
#define PTEPROOF_FUZZ_TOOLS_CONTENTS_H_

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "fuzz/mutate/mutator.h"
#include "pteproof/program.h"

namespace pteproof::fuzz {

inline Buffer ContentsOf(const std::filesystem::path& path) {
  constexpr int kNoInput = 66;
  std::ifstream stream(path, std::ios::binary);
  if (!stream || std::filesystem::is_directory(path)) {
    fmt::print(stderr, "{}: cannot be read: give the path of a file\n", path.string());
    std::exit(kNoInput);
  }
  const std::vector<char> text{std::istreambuf_iterator<char>(stream), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

inline void Put(Bytes bytes, const std::filesystem::path& path) {
  constexpr int kCannotCreate = 73;
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  if (stream.flush()) return;
  fmt::print(stderr, "{}: the file cannot be written\n", path.string());
  std::exit(kCannotCreate);
}

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_TOOLS_CONTENTS_H_
