#include <memory>

#include "cli/arguments/common_arguments.h"
#include "cli/arguments/verbs.h"
#include "cli/verbs/trust_command.h"

namespace pteproof {

Verb AddTrust(CLI::App& app) {
  CLI::App& trust = *app.add_subcommand(
      "trust", "Say what a program's manifest decides, and trust it in pteproof.toml");
  const auto request = std::make_shared<TrustRequest>();
  AddProgram(trust, request->file);
  AddPolicy(trust, request->policy, "the manifest's, or that of the entry that is there");
  trust
      .add_option("--manifest", request->manifest,
                  "The manifest (default: NAME.manifest.json beside NAME.pte)")
      ->type_name("FILE");
  AddData(trust, request->data);
  AddOperators(trust, request->operators);
  trust
      .add_option("--config", request->config,
                  "The config to write the entry to (default: pteproof.toml in the working "
                  "directory or the nearest folder above it, up to the repository's root; a new "
                  "one if there is none)")
      ->type_name("FILE");
  trust.add_flag("--dry-run", request->dry_run, "Write nothing");
  AddJson(trust, request->json, "One JSON object");
  trust.footer(
      "Exit codes: 0 written, 2 malformed, 64 usage: no manifest, a wrong one, or a config that\n"
      "cannot be changed; 66 a file that cannot be read or written.\n"
      "Example: pteproof trust llama.pte");
  return {&trust, [request] { return RunTrust(*request); }};
}

}  // namespace pteproof
