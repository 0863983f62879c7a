// Reads an INDEX.tsv of corpus/crafted.
#ifndef PTEPROOF_TESTS_CRAFTED_INDEX_FILE_H_
#define PTEPROOF_TESTS_CRAFTED_INDEX_FILE_H_

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/files.h"

namespace pteproof::crafted {

struct IndexEntry {
  std::filesystem::path file;
  std::string rule;   // empty: legal
  std::string stage;  // "read" or "check"
};

// The entries of `folder`/INDEX.tsv.
inline std::vector<IndexEntry> ReadIndex(const std::filesystem::path& folder) {
  std::vector<IndexEntry> entries;
  std::istringstream lines(ReadText(folder / "INDEX.tsv"));
  std::string line;
  std::getline(lines, line);  // column names
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string file;
    std::string row;
    IndexEntry entry;
    std::getline(cells, file, '\t');
    std::getline(cells, entry.rule, '\t');
    std::getline(cells, row, '\t');
    std::getline(cells, entry.stage, '\t');
    entry.file = folder / file;
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace pteproof::crafted

#endif  // PTEPROOF_TESTS_CRAFTED_INDEX_FILE_H_
