// synthetic_file STORAGES METHODS FILE: writes a program with so many planned storages in each of
// its methods, which are alike.
#include <fmt/core.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "bench/synthetic_program.h"

int main(int argc, char** argv) {
  constexpr int kUsage = 64;
  if (argc != 4) {
    fmt::print(stderr, "usage: synthetic_file STORAGES METHODS FILE\n");
    return kUsage;
  }
  const auto storages = static_cast<uint32_t>(std::stoul(argv[1]));
  const auto methods = static_cast<uint32_t>(std::stoul(argv[2]));
  const std::vector<std::byte> file = pteproof::SyntheticProgram(storages, methods);
  std::ofstream stream(argv[3], std::ios::binary);
  stream.write(reinterpret_cast<const char*>(file.data()),
               static_cast<std::streamsize>(file.size()));
  return stream.flush() ? EXIT_SUCCESS : EXIT_FAILURE;
}
