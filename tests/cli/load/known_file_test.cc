// Files that are something else: what every verb says of them. The bytes are those that the
// formats' own descriptions give, or what their programs write.
#include "cli/load/known_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using namespace std::string_view_literals;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// The first entry of a zip archive: a local file header (PKWARE's APPNOTE, 4.3.7) and its name.
std::string ZipOf(const std::string& name) {
  std::string text("PK\x03\x04\x14\0\0\0\0\0"sv);
  text += std::string(16, '\0');
  text += static_cast<char>(name.size());
  text += std::string(3, '\0');
  return text + name + std::string(40, 'x');
}

struct SomeFile {
  std::string name;  // as a test's name, and with an ending that would mislead
  std::string bytes;
  std::string what;
};

std::vector<SomeFile> SomeFiles() {
  return {
      {"png", std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"sv), "a PNG picture"},
      {"jpeg", std::string("\xff\xd8\xff\xe0\0\x10JFIF"sv), "a JPEG picture"},
      {"elf", std::string("\x7f\x45LF\x02\x01\x01\0\0\0\0\0"sv), "ELF"},
      {"gzip", std::string("\x1f\x8b\x08\0\0\0\0\0\0\x03"sv), "gzip"},
      {"torchSave", ZipOf("archive/data.pkl"), "a PyTorch archive"},
      {"torchExport", ZipOf("archive_format"), "a torch.export archive"},
      {"torchExport2", ZipOf("m/data/weights/config.json"), "a torch.export archive"},
      {"torchExportInFolder", ZipOf("my_model/models/model.json"), "a torch.export archive"},
      {"torchByteOrder", ZipOf("net/byteorder"), "a PyTorch archive"},
      {"zip", ZipOf("readme.txt"), "a zip archive"},
      {"pickle", std::string("\x80\x02\x8a\x0al\xfc\x9c"sv), "a Python pickle"},
      {"tflite", std::string("\x1c\0\0\0TFL3\x14\0\x20\0"sv), "a TensorFlow Lite model"},
      {"onnxWithProducer", std::string("\x08\x08\x12\x07pytorch"sv), "an ONNX model"},
      {"onnxWithGraph", std::string("\x08\x0a\x3a\x90\x01"sv), "an ONNX model"},
      {"safetensors", std::string("\x40\0\0\0\0\0\0\0{\"__metadata__\":"sv), "safetensors"},
      {"lfsPointer", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
       "a Git LFS pointer"},
      {"page", "\n<!DOCTYPE html>\n<html><body>404</body></html>", "a web page"},
      {"json", "{\n  \"layers\": [1, 2]\n}\n", "JSON"},
      {"jsonList", "[1, 2, 3]", "JSON"},
      {"manifest", "{\"pteproof\": 1, \"policy\": \"private\"}", "a manifest"},
      {"manifestAfterSpace", "\xef\xbb\xbf \n{\n  \"policy\": \"private\",\n  \"pteproof\": 1\n}",
       "a manifest"},
      {"calls", "{\"program\": \"m.pte\", \"sequences\": []}", "a recording of calls"},
  };
}

std::optional<KnownFile> KnownFileOfText(std::string_view text) {
  return KnownFileOf(std::as_bytes(std::span(text)));
}

class OtherFile : public ::testing::TestWithParam<SomeFile> {};

TEST_P(OtherFile, IsKnownByItsFirstBytes) {
  const auto known = KnownFileOfText(GetParam().bytes);
  ASSERT_TRUE(known);
  EXPECT_THAT(SentencesOf(*known), HasSubstr(GetParam().what));
}

TEST_P(OtherFile, GetsTheSameWordsFromEveryVerb) {
  const TempFolder folder;
  const std::string file = folder.Write("model.pte", GetParam().bytes);
  const auto known = KnownFileOfText(GetParam().bytes);
  ASSERT_TRUE(known);
  for (const char* verb : {"check", "inspect", "map"}) {
    const CommandResult result = RunCommand({verb, file});
    EXPECT_EQ(result.exit_code, 2) << verb;
    EXPECT_THAT(result.out, HasSubstr("model.pte: malformed\n")) << verb;
    EXPECT_THAT(result.out, HasSubstr(ExplanationOf(*known))) << verb;
    EXPECT_THAT(result.out, HasSubstr(FixOf(*known))) << verb;
  }
  for (const char* verb : {"prove", "run", "diff", "plan", "fmt", "place"}) {
    std::vector<std::string> arguments = {verb, file};
    if (std::string_view(verb) == "plan") arguments.insert(arguments.end(), {"-o", "-"});
    if (std::string_view(verb) == "fmt") arguments.insert(arguments.begin(), "dev");
    const CommandResult result = RunCommand(arguments);
    EXPECT_EQ(result.exit_code, 2) << verb;
    EXPECT_EQ(result.err, "pteproof: " + file + ": " + SentencesOf(*known) + "\n") << verb;
  }
  const CommandResult data =
      RunCommand({"check", PTEPROOF_CORPUS_DIR "/real/models/counter/counter.pte", "--data", file});
  EXPECT_EQ(data.exit_code, 2);
  EXPECT_THAT(data.out, HasSubstr(ExplanationOf(*known)));
}

INSTANTIATE_TEST_SUITE_P(Kinds, OtherFile, ::testing::ValuesIn(SomeFiles()),
                         [](const auto& info) { return info.param.name; });

TEST(KnownFile, IsNoFileThatExecuTorchWroteNorOneWithADamagedIdentifier) {
  size_t programs = 0;
  for (const auto& path : FilesBelow(PTEPROOF_CORPUS_DIR "/real")) {
    if (path.extension() != ".pte") continue;
    std::string bytes = ReadText(path.string());
    EXPECT_EQ(KnownFileOfText(bytes)->kind, KnownKind::kProgram) << path;
    bytes.replace(4, 4, "ET99");
    EXPECT_FALSE(KnownFileOfText(bytes)) << path;
    ++programs;
  }
  EXPECT_GT(programs, 30U);
}

TEST(KnownFile, IsNothingThatIsEmptyOrShortOrOtherText) {
  for (const std::string_view text : {""sv, "E"sv, "P"sv, "PK"sv, "{"sv, "hello, world"sv,
                                      "methodical work"sv, "a,b\n1,2\n"sv, "# only a comment"sv}) {
    if (text == "{") continue;  // the start of JSON
    EXPECT_FALSE(KnownFileOfText(text)) << text;
  }
}

TEST(KnownFile, IsEachModuleOfTheCorpus) {
  size_t modules = 0;
  for (const auto& path : FilesBelow(PTEPROOF_CORPUS_DIR "/modules")) {
    if (path.extension() != ".module") continue;
    const auto known = KnownFileOfText(ReadText(path.string()));
    ASSERT_TRUE(known) << path;
    EXPECT_EQ(known->kind, KnownKind::kModule) << path;
    ++modules;
  }
  EXPECT_GT(modules, 10U);
}

TEST(ModuleInPlaceOfAProgram, IsAUsageErrorOfEveryVerbThatReadsPrograms) {
  const TempFolder folder;
  const std::string file =
      folder.Copy(PTEPROOF_CORPUS_DIR "/modules/counter.module", "counter.pte");
  for (const char* verb : {"check", "inspect", "map", "prove", "run", "diff"}) {
    const CommandResult result = RunCommand({verb, file});
    EXPECT_EQ(result.exit_code, 64) << verb;
    EXPECT_THAT(result.out + result.err, HasSubstr("This is a Module")) << verb;
    EXPECT_THAT(result.out + result.err, HasSubstr("'pteproof plan'")) << verb;
  }
  const auto line = nlohmann::json::parse(RunCommand({"check", "--json", file}).out);
  EXPECT_EQ(line["verdict"], "malformed");
  EXPECT_EQ(line["findings"][0]["rule"], "file-identifier");
  EXPECT_THAT(line["findings"][0]["fix"].get<std::string>(), HasSubstr("pteproof plan"));
}

TEST(ProgramInPlaceOfAModule, IsNamedByTheVerbsThatReadModules) {
  const std::string file = PTEPROOF_CORPUS_DIR "/real/models/counter/counter.pte";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"plan", file, "-o", "-"}, {"fmt", file}, {"place", file}}) {
    const CommandResult result = RunCommand(arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments.front();
    EXPECT_THAT(result.err, HasSubstr("This is an ExecuTorch program")) << arguments.front();
  }
}

TEST(ProgramInPlaceOfData, IsNamedAsOne) {
  const std::string file = PTEPROOF_CORPUS_DIR "/real/models/counter/counter.pte";
  const CommandResult result = RunCommand({"check", file, "--data", file});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, HasSubstr("This is an ExecuTorch program"));
  EXPECT_THAT(result.out, HasSubstr("file-data-identifier"));
}

TEST(DataInPlaceOfAProgram, IsNamedByEveryVerb) {
  const std::string file = PTEPROOF_CORPUS_DIR "/real/models/external_some/external_some.ptd";
  for (const char* verb : {"check", "inspect", "map", "prove", "run", "diff"}) {
    const CommandResult result = RunCommand({verb, file});
    EXPECT_EQ(result.exit_code, 66) << verb;
    EXPECT_THAT(result.out + result.err, HasSubstr("This is data of a program (.ptd)")) << verb;
    EXPECT_THAT(result.out + result.err, HasSubstr("--data")) << verb;
  }
}

TEST(ProgramInPlaceOfAManifest, IsNamedAsOne) {
  const std::string file = PTEPROOF_CORPUS_DIR "/real/models/counter/counter.pte";
  const CommandResult result = RunCommand({"check", file, "--manifest", file});
  EXPECT_EQ(result.exit_code, 64);
  EXPECT_THAT(result.out, HasSubstr("This is an ExecuTorch program"));
}

TEST(Url, IsToBeDownloaded) {
  for (const char* verb : {"check", "inspect", "map", "prove", "run", "diff", "fmt", "place"}) {
    const CommandResult result = RunCommand({verb, "https://example.org/model.pte"});
    EXPECT_EQ(result.exit_code, 66) << verb;
    EXPECT_THAT(result.out + result.err, HasSubstr("it is a URL")) << verb;
    EXPECT_THAT(result.out + result.err, HasSubstr("download it")) << verb;
  }
  EXPECT_THAT(RunCommand({"check", "/nowhere/a.pte"}).out, Not(HasSubstr("URL")));
}

TEST(Folder, IsNamedByVerbsThatTakeOneFile) {
  const TempFolder folder;
  for (const char* verb : {"inspect", "map", "run", "diff", "fmt", "place"}) {
    const CommandResult result = RunCommand({verb, folder.path()});
    EXPECT_EQ(result.exit_code, 66) << verb;
    EXPECT_THAT(result.out + result.err, HasSubstr("it is a folder; name a file in it")) << verb;
  }
}

}  // namespace
}  // namespace pteproof
