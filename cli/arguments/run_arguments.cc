// The verbs that make recorded calls: `eval` in the reference, `run` as planned. They take the same
// arguments, and `run` those of the banks besides.
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "cli/arguments/common_arguments.h"
#include "cli/arguments/verbs.h"
#include "cli/verbs/eval_command.h"

namespace pteproof {
namespace {

// Any of them replaces all bounds that hold else; those that are left out are zero.
void AddTolerance(CLI::App& verb, std::optional<Tolerance>& tolerance) {
  const auto bounds = [&tolerance]() -> Tolerance& {
    return tolerance ? *tolerance : tolerance.emplace();
  };
  const auto is_bound = NumberFrom(0);
  verb.add_option_function<double>(
          "--rtol", [bounds](double rtol) { bounds().rtol = rtol; },
          "Numbers agree within atol + rtol * |expected| (default: as recorded, else by the "
          "operators, docs/reference/calls.md)")
      ->check(is_bound)
      ->type_name("NUMBER");
  verb.add_option_function<double>(
          "--atol", [bounds](double atol) { bounds().atol = atol; }, "See --rtol")
      ->check(is_bound)
      ->type_name("NUMBER");
  verb.add_option_function<int64_t>(
          "--ulp", [bounds](int64_t ulp) { bounds().ulp = ulp; },
          "Numbers agree if they are at most this many steps apart, from one number of the type to "
          "the next; integers, too")
      ->check(WholeNumber(0))
      ->type_name("NUMBER");
}

// `--compare` and `--semantics` keep their words: they name what a recording holds.
void AddCalls(CLI::App& verb, EvalRequest& request, const std::string& otherwise) {
  verb.add_option(
          "--calls", request.calls,
          "Recorded calls and their outputs (default: calls.json beside the file" + otherwise + ")")
      ->type_name("FILE");
  verb.add_option(
          "--inputs", request.inputs,
          "Inputs of calls whose outputs are compared with nothing: arrays that numpy.savez "
          "wrote (.npz), named by their position, or a recording")
      ->excludes("--calls")
      ->type_name("FILE");
  AddChoice(
      verb, "--compare", request.compare,
      Choices<std::string>{{"truth", "truth"}, {"executorch", "executorch"}, {"eager", "eager"}},
      "The recorded outputs that must agree (default: truth, as the recording says)");
  AddChoice(verb, "--semantics", request.semantics,
            Choices<std::string>{{"real", "real"}, {"hash", "hash"}},
            "What operators do: their meaning (real), or a mix of their operands (hash; "
            "default: as the calls were recorded)");
  AddTolerance(verb, request.tolerance);
  AddPolicy(verb, request.policy, "as the calls were recorded");
  AddManifest(verb, request.manifest);
  AddData(verb, request.data);
  AddQuiet(verb, request.quiet, "Only the calls that do not agree");
  AddJson(verb, request.json, "One JSON object per call, each on a line, and one with the counts");
}

void AddBankChoices(CLI::App& run, EngineOptions& engine) {
  AddChoice(run, "--mode", engine.mode,
            Choices<RunMode>{{"planned", RunMode::kPlanned},
                             {"private-storage", RunMode::kPrivateStorage},
                             {"tagged", RunMode::kTagged}},
            "In the banks (default: planned), with a storage of its own for every value, or with "
            "every byte of the banks tagged with the write that it comes from");
  AddChoice(run, "--state-initial", engine.apply,
            Choices<ApplyState>{{"once", ApplyState::kOnce}, {"each-load", ApplyState::kEachLoad}},
            "Stored state is applied once (default), or at each method's load as ExecuTorch does");
  AddChoice(run, "--state-fill", engine.fill,
            Choices<StateFill>{{"zero", StateFill::kZero}, {"poison", StateFill::kPoison}},
            "The contents of state without a stored value (default: zero)");
}

void AddLimits(CLI::App& run, RunLimits& limits) {
  run.add_option("--memory", limits.memory,
                 "Bytes that banks and outputs may take (default: 384 MiB, and 16 for each byte of "
                 "the program's data)")
      ->check(WholeNumber(1, std::numeric_limits<uint64_t>::max()))
      ->type_name("BYTES");
  run.add_option("--work", limits.work,
                 "Elements that the operators of one call may read and write (default: 2^28, and "
                 "512 for each byte of the program's data)")
      ->check(WholeNumber(1))
      ->type_name("NUMBER");
}

}  // namespace

Verb AddEval(CLI::App& app) {
  CLI::App& eval = *app.add_subcommand("eval", "Run a program in the reference interpreter");
  const auto request = std::make_shared<EvalRequest>();
  eval.add_option("FILE", request->file, "A program (.pte, .bpte, .pteasm) or a Module (.module)")
      ->required()
      ->type_name("FILE");
  AddCalls(eval, *request, "");
  eval.footer(
      "Exit codes: 0 all calls agree, 1 one differs, 2 malformed, 3 an operator is unknown to the\n"
      "reference, 64 usage, 66 a file that cannot be read.\n"
      "Example: pteproof eval model.pte --calls calls.json --compare eager");
  return {&eval, [request] { return RunEval(*request); }};
}

Verb AddRun(CLI::App& app) {
  CLI::App& run = *app.add_subcommand("run", "Run a program as it is planned, in its banks");
  const auto request = std::make_shared<EvalRequest>();
  request->engine.emplace();
  AddProgram(run, request->file);
  AddCalls(run, *request, ", else random inputs");
  AddSeed(run, request->seed, "Of random inputs");
  AddLoad(run, request->all_first);
  AddBankChoices(run, *request->engine);
  AddLimits(run, request->engine->limits);
  run.footer(
      "Exit codes: 0 all calls agree, 1 one differs, 2 malformed, 3 an operator is unknown to the\n"
      "runtime, 64 usage, 66 a file that cannot be read.\n"
      "Example: pteproof run model.pte --calls calls.json --compare executorch");
  return {&run, [request] { return RunEval(*request); }};
}

}  // namespace pteproof
