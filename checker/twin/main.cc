// pteproof-checker model.pte model.cert.json [data.ptd ...]: the twin as a command,
// with the lines and exit codes of pteproof_checker.py.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>

#include "checker/twin/twin.h"

namespace {

using pteproof_twin::File;

std::optional<std::string> ReadFile(const std::string& name) {
  std::ifstream stream(name, std::ios::binary);
  if (!stream) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 2) {
    std::cout << "usage: pteproof-checker model.pte model.cert.json [data.ptd ...]\n";
    return 2;
  }
  std::vector<std::string> files;
  for (const std::string& word : words) {
    auto bytes = ReadFile(word);
    if (!bytes) {
      std::cout << "malformed  cannot read " << word << "\n";
      return 2;
    }
    files.push_back(std::move(*bytes));
  }
  std::vector<File> data;
  for (size_t k = 2; k < files.size(); ++k) data.push_back(std::as_bytes(std::span(files[k])));
  const auto answer = pteproof_twin::Judge(std::as_bytes(std::span(files[0])), files[1],
                                           pteproof_twin::ReviewedOperators(), data);
  for (const std::string& line : LinesOf(answer)) std::cout << line << "\n";
  return static_cast<int>(answer.exit);
}
