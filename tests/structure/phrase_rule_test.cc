#include "tests/structure/phrase_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/structure/links.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

using testing::ElementsAre;
using testing::IsEmpty;

const fs::path kRoot = PTEPROOF_SOURCE_DIR;
const fs::path kList = kRoot / "tests" / "structure" / "unwanted_phrases.txt";

const fs::path kListOfDocuments = kRoot / "tests" / "structure" / "unwanted_in_documents.txt";

const std::vector<UnwantedPhrase> kNumber = {{"is no number of", "is not a number of"}};

TEST(PhraseRule, ReadsPhrasesWithAndWithoutAdvice) {
  const auto phrases = ReadPhrases("# words\n\nThe Way Of => the checker\n  its own affair  \n");
  ASSERT_EQ(phrases.size(), 2U);
  EXPECT_EQ(phrases[0].words, "the way of");
  EXPECT_EQ(phrases[0].instead, "the checker");
  EXPECT_EQ(phrases[1].words, "its own affair");
  EXPECT_EQ(phrases[1].instead, "");
}

TEST(PhraseRule, KeepsBlanksBetweenQuotes) {
  const auto phrases = ReadPhrases("\" is no \" => is not a\n");
  ASSERT_EQ(phrases.size(), 1U);
  EXPECT_EQ(phrases[0].words, " is no ");
  EXPECT_THAT(PhraseViolations({"a.md", "This is none\n"}, phrases), IsEmpty());
  EXPECT_THAT(PhraseViolations({"a.md", "This is no\nlist\n"}, phrases),
              ElementsAre("a.md:1: ' is no ', write 'is not a'"));
}

TEST(PhraseRule, NamesPlacePhraseAndAdvice) {
  EXPECT_THAT(PhraseViolations({"a.md", "one\ntwo is no number of 64 bits\n"}, kNumber),
              ElementsAre("a.md:2: 'is no number of', write 'is not a number of'"));
  EXPECT_THAT(PhraseViolations({"a.md", "x IS NO number\n"}, {{"is no number", ""}}),
              ElementsAre("a.md:1: 'is no number'"));
}

TEST(PhraseRule, SeesAPhraseOverBreaksOfCommentsAndLiterals) {
  EXPECT_THAT(PhraseViolations({"a.cc", "// it is no\n  // number of bits\n"}, kNumber),
              ElementsAre("a.cc:1: 'is no number of', write 'is not a number of'"));
  EXPECT_THAT(PhraseViolations({"a.cc", "f(\"it is no num\"\n  \"ber of bits\");\n"}, kNumber),
              ElementsAre("a.cc:1: 'is no number of', write 'is not a number of'"));
  EXPECT_THAT(PhraseViolations({"a.md", "it is\nno   number\nof bits"}, kNumber),
              ElementsAre("a.md:1: 'is no number of', write 'is not a number of'"));
}

TEST(PhraseRule, NamesEveryPlace) {
  EXPECT_THAT(PhraseViolations({"a.md", "is no number of\nis no number of\n"}, kNumber),
              ElementsAre("a.md:1: 'is no number of', write 'is not a number of'",
                          "a.md:2: 'is no number of', write 'is not a number of'"));
}

TEST(PhraseRule, IsSilentOnOtherWords) {
  EXPECT_THAT(PhraseViolations({"a.md", "it is not a number of bits\nis no\n"}, kNumber),
              IsEmpty());
  EXPECT_THAT(PhraseViolations({"a.cc", "\"is no \", \"number of\"\n"}, kNumber), IsEmpty());
}

bool IsText(const fs::path& path) {
  for (const char* extension : {".h", ".cc", ".md", ".py", ".json", ".txt", ".module", ".fbs"}) {
    if (path.extension() == extension) return path != kList && path != kListOfDocuments;
  }
  return false;
}

std::vector<SourceFile> SourcesAndDocuments() {
  std::vector<SourceFile> files;
  const auto add = [&](const fs::path& path) {
    files.push_back({path.lexically_relative(kRoot).generic_string(), ReadText(path)});
  };
  for (const char* name :
       {"README.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md"}) {
    add(kRoot / name);
  }
  for (const char* folder :
       {"include", "base", "reference", "runtime", "meaning", "planner", "properties", "api",
        "capi", "fuzz", "cli", "python", "bench", "tests", "docs", "checker", "web", "editors"}) {
    for (const fs::path& path : FilesBelow(kRoot / folder)) {
      if (IsText(path)) add(path);
    }
  }
  return files;
}

// To forbid a phrase, add a line to the list.
TEST(Phrases, ThatWereReplacedDoNotComeBack) {
  RecordProperty("slow", "reads all sources");
  const auto phrases = ReadPhrases(ReadText(kList));
  ASSERT_GE(phrases.size(), 5U);
  const auto files = SourcesAndDocuments();
  ASSERT_GE(files.size(), 500U);
  std::string all;
  for (const SourceFile& file : files) {
    if (file.path == "tests/structure/phrase_rule_test.cc") continue;  // shows how they are found
    if (file.path == "tests/structure/phrase_rule.cc") continue;
    for (const std::string& violation : PhraseViolations(file, phrases)) all += violation + "\n";
  }
  EXPECT_EQ(all, "");
}

std::vector<SourceFile> DocumentsAndPublicHeaders() {
  std::vector<SourceFile> files;
  for (const SourceFile& file : SourcesAndDocuments()) {
    if (file.path.ends_with(".md")) {
      files.push_back({file.path, WithoutCode(file.text)});
    } else if (file.path.starts_with("include/") || file.path.starts_with("api/")) {
      files.push_back(file);
    }
  }
  return files;
}

// Quoted old words are code: `is no X`.
TEST(Phrases, ThatReadAsTranslatedDoNotComeBackIntoDocuments) {
  RecordProperty("slow", "reads all sources");
  const auto phrases = ReadPhrases(ReadText(kListOfDocuments));
  ASSERT_GE(phrases.size(), 20U);
  const auto files = DocumentsAndPublicHeaders();
  ASSERT_GE(files.size(), 50U);
  std::string all;
  for (const SourceFile& file : files) {
    for (const std::string& violation : PhraseViolations(file, phrases)) all += violation + "\n";
  }
  EXPECT_EQ(all, "");
}

}  // namespace
}  // namespace pteproof
