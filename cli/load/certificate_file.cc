#include "cli/load/certificate_file.h"

#include <nlohmann/json.hpp>

#include "cli/io/json_text.h"
#include "properties/certificate/certificate.h"
#include "pteproof/check.h"
#include "pteproof/read.h"

namespace pteproof {

std::string CertificateFile(std::span<const std::byte> program, std::string_view shown) {
  using Json = nlohmann::ordered_json;
  Json file = Json::object();
  if (const auto read = ReadProgram(program); read.ok()) {
    const Report report = Check(read.value());
    if (OverallOf(report.verdicts, std::nullopt) != Overall::kUndecided) {
      const std::string text =
          certificate::CertificateOf({read.value(), program, nullptr, false, std::nullopt, report});
      file = Json::parse(text, nullptr, false);
    }
  }
  file["shown"] = Json::parse(shown, nullptr, false);
  return JsonText(file) + "\n";
}

}  // namespace pteproof
