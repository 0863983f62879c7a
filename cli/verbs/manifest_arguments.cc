#include "cli/verbs/manifest_arguments.h"

namespace pteproof {

void AddManifestFlags(CLI::App* verb, ManifestChoice& choice) {
  auto* named =
      verb->add_option("--manifest", choice.named,
                       "What the source model says (default: NAME.manifest.json beside the file,\n"
                       "which never betters a verdict)");
  auto* none =
      verb->add_flag("--no-manifest", choice.none, "Judge from the file alone")->excludes(named);
  verb->add_flag("--trust-manifests", choice.trust,
                 "A manifest that is found beside a file counts as if it were named")
      ->excludes(none);
}

}  // namespace pteproof
