// A row for each kind, in the order in which they are tried: what has a magic number first, then
// formats that only look like themselves. No row may take what is a program with damaged first
// bytes: those begin with a small number in four bytes, of which the upper ones are 0.
#include "cli/load/known_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "runtime/file_kind.h"

namespace pteproof {
namespace {

constexpr std::string_view kNameAProgram =
    "Name an ExecuTorch program (.pte), as to_executorch() writes it";
constexpr std::string_view kExport =
    "Export the model with ExecuTorch (torch.export, to_edge, to_executorch), and name the .pte";

using namespace std::string_view_literals;

bool IsPng(std::string_view text) {
  return text.starts_with("\x89PNG\r\n\x1a\n"sv);
}

bool IsJpeg(std::string_view text) {
  return text.starts_with("\xff\xd8\xff"sv);
}

bool IsElf(std::string_view text) {
  return text.starts_with("\x7f\x45LF"sv);
}

bool IsGzip(std::string_view text) {
  return text.starts_with("\x1f\x8b"sv);
}

bool IsZip(std::string_view text) {
  return text.starts_with("PK\x03\x04"sv) || text.starts_with("PK\x05\x06"sv);
}

// The name of a zip archive's first entry; empty for what is none.
std::string_view FirstNameIn(std::string_view text) {
  constexpr size_t kLengthAt = 26;
  constexpr size_t kNameAt = 30;
  if (!IsZip(text) || text.size() < kNameAt) return {};
  const auto byte = [&](size_t at) { return static_cast<size_t>(static_cast<uint8_t>(text[at])); };
  return text.substr(kNameAt, byte(kLengthAt) + (byte(kLengthAt + 1) << 8U));
}

// PyTorch's archives hold a pickle, or, from torch.export, "archive_format" and "models/".
bool IsTorchArchive(std::string_view text) {
  const std::string_view name = FirstNameIn(text);
  if (name.empty()) return false;
  constexpr std::array kParts = {".pkl"sv,           "/byteorder"sv,      "/version"sv,
                                 "archive_format"sv, "archive_version"sv, "models/"sv,
                                 "/data/"sv};
  return std::ranges::any_of(kParts, [&](std::string_view part) {
    return name.find(part) != std::string_view::npos || name == part.substr(1);
  });
}

// What torch.export.save writes: its archive has parts that no other has.
bool IsExportArchive(std::string_view text) {
  constexpr std::array kParts = {"/data/weights/"sv, "/data/constants/"sv, "/data/sample_inputs/"sv,
                                 "/models/"sv, "archive_format"sv};
  const std::string_view name = FirstNameIn(text);
  return std::ranges::any_of(
      kParts, [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

// torch.save before PyTorch 1.6, and any other pickle of protocols 2 to 5.
bool IsPickle(std::string_view text) {
  return text.size() > 2 && text[0] == '\x80' && text[1] >= 2 && text[1] <= 5;
}

bool IsTflite(std::string_view text) {
  return text.size() >= 8 && text.substr(4, 4) == "TFL3";
}

// Protocol buffers: field 1 (ir_version), a small number, then the producer's name or the graph.
bool IsOnnx(std::string_view text) {
  constexpr char kLatestVersion = 40;
  constexpr std::string_view kNextFields = "\x12\x1a\x22\x2a\x32\x3a\x42";
  return text.size() > 3 && text[0] == '\x08' && text[1] > 0 && text[1] < kLatestVersion &&
         kNextFields.find(text[2]) != std::string_view::npos;
}

// A length in eight bytes, and JSON.
bool IsSafetensors(std::string_view text) {
  return text.size() > 9 && text.substr(4, 4) == "\0\0\0\0"sv && text.substr(8, 2) == "{\""sv;
}

bool IsLfsPointer(std::string_view text) {
  return text.starts_with("version https://git-lfs.github.com/spec/");
}

std::string_view WithoutSpace(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // a byte order mark
  const size_t start = text.find_first_not_of(" \t\r\n");
  return start == std::string_view::npos ? "" : text.substr(start);
}

bool IsHtml(std::string_view text) {
  constexpr size_t kLongest = 15;
  std::string start(WithoutSpace(text).substr(0, kLongest));
  std::ranges::transform(start, start.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return start.starts_with("<!doctype html") || start.starts_with("<html");
}

bool IsJson(std::string_view text) {
  const std::string_view start = WithoutSpace(text);
  if (start.empty() || (start[0] != '{' && start[0] != '[')) return false;
  const std::string_view next = WithoutSpace(start.substr(1));
  constexpr std::string_view kMayFollow = "\"{}[]";
  return next.empty() || kMayFollow.find(next[0]) != std::string_view::npos ||
         (start[0] == '[' && (next[0] == '-' || (next[0] >= '0' && next[0] <= '9')));
}

bool HasKey(std::string_view text, std::string_view key) {
  constexpr size_t kFar = 4096;  // where a file's own key stands at the latest
  return IsJson(text) && text.substr(0, kFar).find(key) != std::string_view::npos;
}

bool IsManifest(std::string_view text) {
  return HasKey(text, "\"pteproof\"");
}

bool IsCalls(std::string_view text) {
  return HasKey(text, "\"sequences\"");
}

// From the first word on that is not in a comment.
std::string_view WithoutComments(std::string_view text) {
  std::string_view start = WithoutSpace(text);
  while (start.starts_with('#')) {
    start = WithoutSpace(start.substr(std::min(start.find('\n'), start.size())));
  }
  return start;
}

bool IsModule(std::string_view text) {
  const std::string_view start = WithoutComments(text);
  return start.starts_with("method ") || start.starts_with("buffer @");
}

// The word `program`, and what may follow it.
bool IsAssemblyText(std::string_view text) {
  constexpr std::string_view kWord = "program";
  const std::string_view start = WithoutComments(text);
  if (!start.starts_with(kWord)) return false;
  const std::string_view rest = start.substr(kWord.size());
  const std::string_view next = WithoutComments(rest);
  const bool ends = rest.empty() || rest.size() != next.size();
  return ends && (next.empty() || next.starts_with("method") || next.starts_with("named") ||
                  next.starts_with("contents"));
}

struct KnownRow {
  bool (*is)(std::string_view text);
  KnownFile file;
};

constexpr auto kRows = std::to_array<KnownRow>({
    {IsPng, {KnownKind::kForeign, "a PNG picture", kNameAProgram}},
    {IsJpeg, {KnownKind::kForeign, "a JPEG picture", kNameAProgram}},
    {IsElf, {KnownKind::kForeign, "an executable or a library (ELF)", kNameAProgram}},
    {IsGzip, {KnownKind::kForeign, "compressed (gzip)", "Unpack it with 'gunzip' or 'tar' first"}},
    {IsExportArchive,
     {KnownKind::kForeign, "a torch.export archive (.pt2)",
      "Load it with torch.export.load, lower it (to_edge, to_executorch), and name the .pte"}},
    {IsTorchArchive, {KnownKind::kForeign, "a PyTorch archive (.pt)", kExport}},
    {IsZip, {KnownKind::kForeign, "a zip archive", "Unpack it, and name the .pte inside"}},
    {IsPickle, {KnownKind::kForeign, "a Python pickle, as torch.save writes it (.pt)", kExport}},
    {IsTflite,
     {KnownKind::kForeign, "a TensorFlow Lite model (TFL3)",
      "pteproof judges ExecuTorch programs alone: use the tools of TensorFlow Lite"}},
    {IsLfsPointer,
     {KnownKind::kForeign, "a Git LFS pointer, which stands for the file",
      "Fetch the file with 'git lfs pull'"}},
    {IsHtml,
     {KnownKind::kForeign, "a web page (HTML), perhaps in place of a download",
      "Download the file itself"}},
    {IsManifest,
     {KnownKind::kManifest, "a manifest, which describes a program",
      "Name the program, and the manifest with --manifest"}},
    {IsCalls,
     {KnownKind::kForeign, "a recording of calls",
      "Name the program, and the recording with --calls of 'pteproof run' or 'eval'"}},
    {IsJson, {KnownKind::kForeign, "JSON", kNameAProgram}},
    {IsModule,
     {KnownKind::kModule, "a Module, a program as text before it is planned",
      "'pteproof plan' makes a .pte of it; 'fmt' and, from a file named .module, 'eval' and "
      "'prove' "
      "read it"}},
    {IsAssemblyText,
     {KnownKind::kAssembly, "a program as text (.pteasm)",
      "'pteproof assemble' makes a .pte of it; verbs that read a program take it by the ending "
      ".pteasm"}},
    {IsSafetensors, {KnownKind::kForeign, "a file of weights (safetensors)", kExport}},
    {IsOnnx,
     {KnownKind::kForeign, "an ONNX model",
      "pteproof judges ExecuTorch programs alone: use the tools of ONNX"}},
});

}  // namespace

std::optional<KnownFile> KnownFileOf(Bytes file) {
  switch (Sniff(file)) {
    case FileKind::kProgram:
    case FileKind::kBundle:
      return KnownFile{KnownKind::kProgram, "an ExecuTorch program (.pte, .bpte)",
                       "'pteproof check' judges it; 'inspect', 'prove', 'map', 'run', 'eval' and "
                       "'diff' read it"};
    case FileKind::kData:
      return KnownFile{KnownKind::kData, "data of a program (.ptd)",
                       "Name the program, and the data with --data"};
    case FileKind::kUnknown:
      break;
  }
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  for (const KnownRow& row : kRows) {
    if (row.is(text)) return row.file;
  }
  return std::nullopt;
}

std::string ExplanationOf(const KnownFile& file) {
  return fmt::format("This is {}.", file.what);
}

std::string FixOf(const KnownFile& file) {
  return fmt::format("{}.", file.advice);
}

std::string SentencesOf(const KnownFile& file) {
  return fmt::format("{} {}", ExplanationOf(file), FixOf(file));
}

}  // namespace pteproof
