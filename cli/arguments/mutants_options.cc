#include "cli/arguments/mutants_options.h"

#include "cli/arguments/common_arguments.h"

namespace pteproof {

void AddMutantsOptions(CLI::App& mutants, MutantsRequest& request) {
  mutants.add_option("--only", request.only, "This defect alone")->type_name("NAME");
  mutants.add_option("--cases", request.cases, "The most cases that a checker is given")
      ->check(WholeNumber(1, 1'000'000))
      ->type_name("NUMBER");
  mutants.add_option("--seeds", request.seeds, "Sequences of cases, of which the median is taken")
      ->check(WholeNumber(1, 1000))
      ->type_name("NUMBER");
  mutants.add_option("--clean", request.clean, "Also count false alarms in this many sound plans")
      ->check(WholeNumber(1))
      ->type_name("NUMBER");
  CLI::Option* agree =
      mutants
          .add_option(
              "--agree", request.agree,
              "Instead judge this many damaged plans by all checkers, and list those on which "
              "they do not agree")
          ->check(WholeNumber(1))
          ->type_name("NUMBER");
  AddSeed(mutants, request.seed,
          "Of the first plan of --agree or --clean, or of the cases of --explain");
  mutants
      .add_flag("--explain", request.explain,
                "Instead print the first case that shows it, made small, with its essential parts")
      ->excludes(agree);
  mutants
      .add_flag("--no-proof", request.no_proof, "Leave the proof out of --agree, for more plans")
      ->needs(agree);
  mutants.add_option("--keep", request.keep, "Keep the programs that --agree lists here")
      ->needs(agree)
      ->check(CLI::ExistingDirectory.description(""))
      ->type_name("FOLDER");
  mutants.add_option("-j,--jobs", request.jobs, "Defects at once (default: all cores)")
      ->check(WholeNumber(1, 256))
      ->type_name("NUMBER");
}

}  // namespace pteproof
