// A program that uses the library as a stranger would: reads a file and says whether its plan is
// safe.
#include <cstddef>
#include <fstream>
#include <iostream>
#include <iterator>
#include <span>
#include <vector>

#include "pteproof/check.h"
#include "pteproof/read.h"

int main(int argc, char** argv) {
  if (argc != 2) return 64;
  std::ifstream stream(argv[1], std::ios::binary);
  const std::vector<char> file{std::istreambuf_iterator<char>(stream), {}};
  const auto program = pteproof::ReadProgram(std::as_bytes(std::span(file)));
  if (!program.ok()) return 2;
  const pteproof::Report report = pteproof::Check(program.value());
  for (const pteproof::Verdict verdict : report.verdicts) {
    if (verdict != pteproof::Verdict::kSafe) return 1;
  }
  std::cout << "safe\n";
  return 0;
}
