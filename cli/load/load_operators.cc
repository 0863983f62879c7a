#include "cli/load/load_operators.h"

#include <fmt/format.h>

#include <memory>
#include <string_view>
#include <utility>

#include "cli/io/load_file.h"
#include "runtime/own_operators.h"

namespace pteproof {
namespace {

std::optional<ManifestFailure> Bind(std::shared_ptr<const OwnOperators> own,
                                    const std::string& source, Program& program) {
  const std::vector<Finding> misfits = BindOperators(std::move(own), program);
  if (misfits.empty()) return std::nullopt;
  std::string text = fmt::format("the signatures in {} do not fit the program", source);
  for (const Finding& misfit : misfits)
    text += fmt::format("\n  method {}: {}", misfit.method, misfit.explanation);
  return ManifestFailure{Outcome::kWrongManifest, std::move(text)};
}

}  // namespace

std::optional<ManifestFailure> BindOperatorFiles(const std::vector<std::string>& files,
                                                 Program& program) {
  for (const std::string& file : files) {
    const auto bytes = LoadFile(file);
    if (!bytes) {
      return ManifestFailure{
          Outcome::kUnreadable,
          fmt::format("the signatures {} cannot be read: {}", file, bytes.error().why)};
    }
    auto own = std::make_shared<OwnOperators>();
    const auto* text = reinterpret_cast<const char*>(bytes.value()->data());
    const auto errors = AddOperators({text, bytes.value()->size()}, *own);
    if (!errors.empty()) {
      std::string all = "a signature is wrong";
      for (const OwnOperatorError& error : errors)
        all += fmt::format("\n  {}:{}:{}: {}", file, error.line, error.column, error.what);
      return ManifestFailure{Outcome::kWrongManifest, std::move(all)};
    }
    if (auto failure = Bind(std::move(own), file, program)) return failure;
  }
  return std::nullopt;
}

std::optional<ManifestFailure> BindStatedOperators(const std::string& path,
                                                   const Manifest& manifest, Program& program) {
  if (manifest.operators.empty()) return std::nullopt;
  auto own = std::make_shared<OwnOperators>();
  for (size_t i = 0; i < manifest.operators.size(); ++i) {
    const auto error = AddOperator(manifest.operators[i], *own);
    if (!error) continue;
    return ManifestFailure{
        Outcome::kWrongManifest,
        fmt::format("the manifest {} is wrong\n  /operators/{}: {}", path, i, error->what)};
  }
  return Bind(std::move(own), path, program);
}

}  // namespace pteproof
