#include <algorithm>
#include <memory>
#include <thread>

#include "cli/arguments/common_arguments.h"
#include "cli/arguments/placement_choices.h"
#include "cli/arguments/verbs.h"
#include "cli/verbs/place_command.h"

namespace pteproof {

Verb AddPlace(CLI::App& app) {
  CLI::App& place = *app.add_subcommand("place", "Give storages their offsets, from lifetimes");
  const auto request = std::make_shared<PlaceRequest>();
  request->jobs = std::max(1U, std::thread::hardware_concurrency());
  place
      .add_option("FILE", request->file,
                  "A table id,lower,upper,size[,alignment][,offset][,bank] (.csv), or - for "
                  "standard input")
      ->required()
      ->type_name("FILE");
  CLI::Option* const algorithm = AddAlgorithm(place, request->algorithm);
  place.add_option("--capacity", request->capacity, "The most bytes of every bank")
      ->check(WholeNumber(0))
      ->type_name("BYTES");
  AddAlignment(place, request->alignment,
               "The least alignment of every offset, a power of two (default: 1)");
  AddTime(place, request->seconds,
          "the search of best and exact (default: equal work on every machine)");
  place
      .add_option("-j,--jobs", request->jobs,
                  "Threads of the search, which change no offset (default: all cores)")
      ->check(WholeNumber(1, 1024))
      ->type_name("NUMBER");
  CLI::Option* const output =
      AddOutput(place, request->output, "Write the table here (default: -, standard output)");
  place
      .add_flag("--verify", request->verify,
                "Place nothing: say whether the offsets of the table are right")
      ->excludes(algorithm)
      ->excludes(output);
  AddJson(place, request->json,
          "One JSON object per bank, each on a line; the table only to -o FILE");
  place.footer(
      "Exit codes: 0 done, 1 does not fit the capacity or is not right, 2 not a table of\n"
      "lifetimes, 64 usage, 66 a file that cannot be read or written.\n"
      "Example: pteproof place lifetimes.csv --algorithm best --alignment 16");
  return {&place, [request] { return RunPlace(*request); }};
}

}  // namespace pteproof
