// Whose word counts. A manifest that was named on the command line may better a verdict: it chooses
// the loader, says what the model means, and accepts errors. So may all that are found, if the
// command says that it trusts them, and one whose bytes an entry of a config names. Another one
// that merely lies beside its file may not, by any of its keys: the file is judged with and without
// it, under the loaders that the command asks for, and the worse reading decides. Such a manifest
// explains, and makes a verdict worse.
#ifndef PTEPROOF_CLI_LOAD_TRUST_H_
#define PTEPROOF_CLI_LOAD_TRUST_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/load/file_report.h"
#include "pteproof/finding.h"
#include "pteproof/report.h"

namespace pteproof {

// A manifest that a config trusts, by the hash of its bytes: if it is found, it counts as if it
// were named.
struct TrustedManifest {
  std::string path;                   // as this process finds it
  std::string sha256;                 // 64 hexadecimal digits, in lower case
  std::optional<Policy> policy = {};  // the loader in use, unless the command names one
  std::string place = {};             // of the entry: "pteproof.toml:3"
};

// What the command line says of manifests.
struct ManifestChoice {
  std::string named;                   // empty: NAME.manifest.json beside the file, if there is one
  bool none = false;                   // not even that
  bool trust = false;                  // one that is found counts as if it were named
  std::vector<std::string> operators;  // files of signatures; what they say is believed
  std::vector<TrustedManifest> entries = {};  // found ones that are trusted
  bool any_program = false;                   // one that is named may be that of another program
};

// The manifest to use for a file; empty: none.
struct ManifestSource {
  std::string path;
  bool trusted = true;
  std::optional<TrustedManifest> entry = {};  // by which it is trusted: its bytes must be those
  bool any_program = false;                   // it may be that of another program
};

[[nodiscard]] ManifestSource ManifestFor(const std::string& file, const ManifestChoice& choice);

// The loader that decides, of a manifest that is not trusted: the one that the command asks for;
// else the manifest's, unless the verdict over all loaders is worse.
[[nodiscard]] std::optional<Policy> LoaderToJudge(const Verdicts& verdicts,
                                                  std::optional<Policy> asked,
                                                  std::optional<Policy> stated);

// Of both readings: whether the finding of that index decides the verdict, and the manifest would
// settle it: it is of the file alone, or the manifest accepts it.
[[nodiscard]] bool IsSettled(const FileReport& report, size_t finding);

// "pteproof trust model.pte", as a shell takes it.
[[nodiscard]] std::string TrustCommand(std::string_view file);

// Makes `report`, judged as if its manifest were trusted, the report of both readings. `alone` is
// the check of the file alone, `asked` the loader that the command asks for. Sets `by_word` and
// `settled` if the manifest would better the verdict or the exit code.
void Distrust(const Report& alone, std::optional<Policy> asked, FileReport& report);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_TRUST_H_
