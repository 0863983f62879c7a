// Writes corpus/crafted anew: make_crafted FOLDER. Files there of other names stay.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tests/crafted/collection.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: make_crafted FOLDER\n", stderr);
    return 64;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder / "legal");
  for (const auto& [path, content] : pteproof::crafted::MakeCollection()) {
    std::ofstream out(folder / path, std::ios::binary);
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
    if (!out.flush()) {
      std::fprintf(stderr, "cannot write %s\n", (folder / path).c_str());
      return 74;
    }
  }
  return 0;
}
