#include "tests/support/real_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "pteproof/check.h"
#include "pteproof/read.h"
#include "runtime/read_bundle.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

void ReadInto(RealFile& file, Bytes bytes) {
  auto program = ReadProgram(bytes);
  if (program) {
    file.program = std::move(program).value();
  } else {
    file.refusals = program.error();
  }
}

std::optional<Manifest> ManifestBeside(fs::path file) {
  file.replace_extension(".manifest.json");
  if (!fs::exists(file)) return std::nullopt;
  auto manifest = ParseManifest(ReadText(file));
  if (manifest) return std::move(manifest).value();
  for (const ManifestError& e : manifest.error()) {
    ADD_FAILURE() << file << " " << e.where << ": " << e.what;
  }
  return std::nullopt;
}

}  // namespace

std::unique_ptr<const RealFile> ReadReal(const fs::path& root, const fs::path& path) {
  auto file = std::make_unique<RealFile>();
  file->name = path.lexically_relative(root).generic_string();
  file->bytes = ReadBytes(path);
  file->manifest = ManifestBeside(path);
  if (path.extension() != ".bpte") {
    ReadInto(*file, file->bytes);
  } else if (const auto bundle = ReadBundle(file->bytes); bundle) {
    ReadInto(*file, bundle.value().program);
  } else {
    file->refusals = bundle.error();
  }
  return file;
}

std::vector<std::unique_ptr<const RealFile>> ReadAllReal(const fs::path& root,
                                                         const std::string& extension) {
  EXPECT_TRUE(fs::is_directory(root)) << "there is no folder " << root;
  std::vector<std::unique_ptr<const RealFile>> files;
  for (const fs::path& path : FilesBelow(root)) {
    if (path.extension() == extension) files.push_back(ReadReal(root, path));
  }
  return files;
}

Report CheckReal(const RealFile& file, bool with_manifest) {
  CheckOptions options;
  if (with_manifest && file.manifest.has_value()) {
    options.manifest = &*file.manifest;
    options.all_first = file.manifest->all_first.value_or(false);
  }
  return Check(*file.program, options);
}

bool HasDelegate(const Program& program) {
  return std::ranges::any_of(program.methods, [](const Method& m) { return !m.delegates.empty(); });
}

fs::path OwnRealRoot() {
  return fs::path(PTEPROOF_CORPUS_DIR) / "real";
}

}  // namespace pteproof
