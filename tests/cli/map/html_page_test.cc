#include "cli/map/html_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cli/load/judge.h"
#include "cli/map/page_parts.h"
#include "tests/cli/map/well_formed.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

FileReport ReportOnPage(const std::filesystem::path& file) {
  JudgeOptions options;
  options.picture = true;
  return Judge({file.string(), ""}, options);
}

FileReport ReportOnCorpus(const std::string& file) {
  return ReportOnPage(PTEPROOF_CORPUS_DIR "/real/" + file);
}

const std::string kSafeFile = "models/llama_block/llama_block.pte";
const std::string kUnsafeFile = "bugs/cond-siblings/cond-siblings.pte";
const std::string kMalformedFile = "bugs/initial-out-of-table/initial-out-of-table.pte";

std::string PageOfFiles(const std::vector<std::string>& files) {
  HtmlPage page(false);
  for (const std::string& file : files) page.Add(ReportOnCorpus(file));
  return page.Text();
}

size_t TimesIn(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

TEST(HtmlPage, IsWellFormedForAllRealFilesTogether) {
  RecordProperty("slow", "reads every program of the corpus");
  HtmlPage page(false);
  size_t files = 0;
  for (const auto& path : FilesBelow(PTEPROOF_CORPUS_DIR "/real")) {
    if (path.extension() != ".pte" && path.extension() != ".bpte") continue;
    page.Add(ReportOnPage(path));
    ++files;
  }
  const std::string text = page.Text();
  EXPECT_EQ(PageProblem(text), "");
  EXPECT_EQ(TimesIn(text, "<section class=\"file\""), files);
}

TEST(HtmlPage, IsWellFormedWithoutFilesAndWithAMalformedOne) {
  EXPECT_EQ(PageProblem(HtmlPage(false).Text()), "");
  const std::string malformed = PageOfFiles({kMalformedFile});
  EXPECT_EQ(PageProblem(malformed), "");
  EXPECT_THAT(malformed, HasSubstr("file-mutable-data"));
  EXPECT_THAT(malformed, HasSubstr("{\"pictures\":[]}"));
}

TEST(HtmlPage, TellsTheFindingsWithoutAScript) {
  const std::string text = PageOfFiles({kUnsafeFile});
  const std::string plain = text.substr(text.find("<body>"));
  EXPECT_THAT(plain, HasSubstr("expects v3 bank 1 [0,32) written by instruction 1"));
  EXPECT_THAT(plain, HasSubstr("Fix: Clone each result after its cond"));
  EXPECT_THAT(plain, HasSubstr("<code>pteproof rules region-escape</code>"));
}

TEST(HtmlPage, HasUnsafeFilesFirstAndSafeOnesLast) {
  const std::string text = PageOfFiles({kSafeFile, kMalformedFile, kUnsafeFile});
  const size_t body = text.find("<tbody>");
  const size_t unsafe = text.find("data-verdict=\"unsafe\"", body);
  const size_t malformed = text.find("data-verdict=\"malformed\"", body);
  const size_t safe = text.find("data-verdict=\"safe\"", body);
  EXPECT_LT(unsafe, malformed);
  EXPECT_LT(malformed, safe);
  EXPECT_NE(safe, std::string::npos);
  EXPECT_EQ(PageOfFiles({kSafeFile}).find("<div class=\"files\">"), std::string::npos);
}

TEST(HtmlPage, ShowsTwoPlansSideBySideBelowTheReport) {
  HtmlPage page(false, "pteproof compare");
  page.AddPair(ReportOnCorpus(kUnsafeFile), ReportOnCorpus(kSafeFile), "a <b> & c\nd");
  const std::string text = page.Text();
  EXPECT_EQ(PageProblem(text), "");
  EXPECT_THAT(text, HasSubstr("<pre class=\"told\">a &lt;b&gt; &amp; c\nd</pre>"));
  EXPECT_LT(text.find("<h2>Before: "), text.find("<h2>After: "));
  EXPECT_THAT(text, HasSubstr("data-picture=\"0\""));
  EXPECT_THAT(text, HasSubstr("data-picture=\"1\""));
}

// Nothing from elsewhere, and no way from a string to markup or code.
TEST(HtmlPage, LoadsNothing) {
  const std::string text = PageOfFiles({kUnsafeFile});
  for (const char* forbidden :
       {"http:", "https:", "url(", "@import", "@font-face", "src=", "fetch(", "XMLHttp", "import(",
        "innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "Function(",
        "setTimeout(\"", " style=\""}) {
    EXPECT_THAT(text, Not(HasSubstr(forbidden)));
  }
}

TEST(HtmlPage, NamesTheOneScriptThatMayRun) {
  const std::string text = PageOfFiles({kUnsafeFile});
  EXPECT_THAT(text, HasSubstr("default-src 'none'; script-src '" + SourceHash(PageScript()) + "'"));
  EXPECT_EQ(TimesIn(text, "<script>"), 1U);
  EXPECT_EQ(PageScript().sha256.size(), 64U);
  EXPECT_THAT(std::string(PageScript().text), Not(HasSubstr("</script")));
}

// The hash of nothing, as it is widely known.
TEST(PageParts, WriteAHashInBase64) {
  EXPECT_EQ(SourceHash({"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}),
            "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
}

// Compilers and browsers then agree on the bytes, and the hash is that of both.
TEST(PageParts, AreAscii) {
  for (const PagePart& part : {PageScript(), PageStyle()}) {
    EXPECT_GT(part.text.size(), 1000U);
    for (const char c : part.text) ASSERT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7F));
  }
}

}  // namespace
}  // namespace pteproof
