#include "cli/load/certificate_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "base/file_name.h"
#include "cli/io/json_text.h"
#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "cli/io/store_file.h"
#include "cli/io/written_files.h"
#include "properties/certificate/certificate.h"
#include "pteproof/check.h"
#include "pteproof/read.h"

namespace pteproof {

ExitCode CertificateStore::Store(const std::string& file, std::string_view certificate,
                                 const Report& report) {
  if (!asked()) return ExitCode::kSafe;
  if (certificate.empty()) {
    const std::string question = certificate::OpenQuestion(report);
    Complain(fmt::format(
        "{}: no certificate, as {}", QuotePath(file, kLongestLine),
        question.empty() ? "the program frees memory: a freed tensor has none in the next call, "
                           "which no checker of certificates judges"
                         : "the verdict is open: " + question));
    return ExitCode::kUndecided;
  }
  if (!is_folder_ && AreOneFile(to_, file)) {
    Complain(fmt::format("--certificate would replace {}, which this call reads: name another file",
                         QuotePath(file)));
    return ExitCode::kUsage;
  }
  if (!is_folder_) return StoreFile(to_, certificate);
  std::error_code failure;  // StoreFile says so too
  std::filesystem::create_directories(FilePath(to_), failure);
  const std::string name = FileName(FilePath(file).stem());
  const int count = ++names_[name];
  const std::string numbered = count == 1 ? name : fmt::format("{}.{}", name, count);
  const auto path = FilePath(to_) / FilePath(numbered + ".cert.json");
  return StoreFile(FileName(path), certificate);
}

std::string CertificateFile(std::span<const std::byte> program, std::string_view shown) {
  using Json = nlohmann::ordered_json;
  Json file = Json::object();
  if (const auto read = ReadProgram(program); read.ok()) {
    const Report report = Check(read.value());
    const bool is_open = OverallOf(report.verdicts, std::nullopt) == Overall::kUndecided;
    if (!is_open && certificate::IsCovered(read.value())) {
      const std::string text =
          certificate::CertificateOf({read.value(), program, nullptr, false, std::nullopt, report});
      file = Json::parse(text, nullptr, false);
    }
  }
  Json results = Json::parse(shown, nullptr, false);
  const auto shortened = results.find("outputs_shortened");
  if (shortened != results.end() && !shortened->empty()) file["outputs"] = "next-call";
  file["shown"] = std::move(results);
  return JsonText(file) + "\n";
}

}  // namespace pteproof
