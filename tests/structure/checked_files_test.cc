// The lists of scripts/fuzz-seeded: what they name is there.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/files.h"

namespace pteproof {
namespace {

using Columns = std::vector<std::string>;

std::vector<std::string> PiecesOf(const std::string& text, char between) {
  std::vector<std::string> pieces;
  std::istringstream stream(text);
  for (std::string piece; std::getline(stream, piece, between);) pieces.push_back(piece);
  return pieces;
}

std::filesystem::path SourceDir() {
  return PTEPROOF_SOURCE_DIR;
}

std::vector<Columns> RowsOf(const std::string& list) {
  std::vector<Columns> rows;
  for (const std::string& line : PiecesOf(ReadText(SourceDir() / list), '\n')) {
    if (!line.empty() && line[0] != '#') rows.push_back(PiecesOf(line, '\t'));
  }
  return rows;
}

// By the name that sites have of it: "region.cc".
std::string TextOfChecked(const std::string& name) {
  for (const Columns& row : RowsOf("fuzz/seeded/checked_files.txt")) {
    if (std::filesystem::path(row[0]).filename() == name) return ReadText(SourceDir() / row[0]);
  }
  return "";
}

bool IsSite(const std::string& site) {
  const std::vector<std::string> parts = PiecesOf(site, ':');
  return parts.size() >= 3 && TextOfChecked(parts[0]).find(parts[1] + "(") != std::string::npos;
}

TEST(CheckedFiles, AreSourcesWithTargetsOfTheFuzzers) {
  std::vector<std::string> targets;
  for (const Columns& row : RowsOf("fuzz/targets.txt")) targets.push_back(PiecesOf(row[0], ' ')[0]);
  std::vector<std::string> names;
  for (const Columns& row : RowsOf("fuzz/seeded/checked_files.txt")) {
    EXPECT_TRUE(std::filesystem::exists(SourceDir() / row[0])) << row[0];
    names.push_back(std::filesystem::path(row[0]).filename());
    ASSERT_GE(row.size(), 2U) << row[0];
    for (const std::string& target : PiecesOf(row[1], ',')) {
      EXPECT_EQ(std::ranges::count(targets, target), 1) << target;
    }
  }
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end()) << "sites are told apart by file names";
}

TEST(CheckedFiles, HaveTheFunctionsOfAllReasons) {
  for (const std::string list : {"scripts/seeded_reasons.tsv", "fuzz/seeded/behind.tsv"}) {
    const std::vector<Columns> rows = RowsOf(list);
    for (size_t r = 1; r < rows.size(); ++r) {
      EXPECT_TRUE(IsSite(rows[r][0])) << list << ": " << rows[r][0];
      EXPECT_EQ(rows[r].size(), rows[0].size()) << list << ": " << rows[r][0];
    }
  }
  const std::vector<Columns> pairs = RowsOf("fuzz/seeded/behind.tsv");
  for (size_t r = 1; r < pairs.size(); ++r) EXPECT_TRUE(IsSite(pairs[r][1])) << pairs[r][1];
}

}  // namespace
}  // namespace pteproof
