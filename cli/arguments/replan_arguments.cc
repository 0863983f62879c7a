#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/arguments/common_arguments.h"
#include "cli/arguments/placement_choices.h"
#include "cli/arguments/verbs.h"
#include "cli/io/time_limit.h"
#include "cli/verbs/link_command.h"
#include "cli/verbs/replan_command.h"

namespace pteproof {
namespace {

// Methods of one file that share buffers from now on: a program that is linked alone.
LinkRequest LinkAlone(const ReplanRequest& request, const std::vector<std::string>& share) {
  LinkRequest link;
  link.files = {request.file};
  link.output = request.output;
  link.certificate = request.certificate;
  link.options.share = share;
  link.policy = request.policy;
  link.manifest = request.manifest;
  link.data = request.data;
  link.seed = request.seed;
  link.calls = request.calls;
  link.json = request.json;
  return link;
}

constexpr uint64_t kMostBanks = 1'000;

// A positive number, from the whole text; 0: it is not one.
uint64_t NumberIn(std::string_view digits) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number);
  return error == std::errc() && end == digits.end() ? number : 0;
}

// Of A=B, both above 0; zeros: it is not that.
std::pair<uint64_t, uint64_t> TwoNumbersIn(std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos) return {0, 0};
  return {NumberIn(text.substr(0, equals)), NumberIn(text.substr(equals + 1))};
}

// Of FROM=TO; nothing: it is not that.
std::optional<planner::BankChange> BankChangeOf(const std::string& text) {
  const auto [from, to] = TwoNumbersIn(text);
  const bool are_banks = from > 0 && from <= kMostBanks && to > 0 && to <= kMostBanks;
  if (!are_banks || from == to) return std::nullopt;
  return planner::BankChange{static_cast<uint32_t>(from), static_cast<uint32_t>(to)};
}

// `--bank-size BANK=BYTES`, which may be repeated.
void AddBankSizes(CLI::App& replan, std::map<uint32_t, uint64_t>& sizes) {
  const auto check = [](const std::string& text) {
    const auto [bank, bytes] = TwoNumbersIn(text);
    const bool is_right = bank > 0 && bank <= kMostBanks && bytes > 0;
    return is_right ? "" : "BANK=BYTES is a memory id and a size, such as 1=65536, not " + text;
  };
  replan
      .add_option_function<std::vector<std::string>>(
          "--bank-size",
          [&sizes](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) {
              const auto [bank, bytes] = TwoNumbersIn(text);
              const auto [size, is_new] = sizes.try_emplace(static_cast<uint32_t>(bank), bytes);
              if (is_new || size->second == bytes) continue;
              throw CLI::ValidationError(fmt::format("--bank-size: bank {} has {} bytes or {}",
                                                     bank, size->second, bytes));
            }
          },
          "The most bytes that the target has in a bank, by memory id; may be repeated. Values of "
          "a repair that do not fit go to other banks of the program, and no new plan is larger")
      ->check(CLI::Validator(check, ""))
      ->allow_extra_args(false)
      ->type_name("BANK=BYTES");
}

}  // namespace

Verb AddReplan(CLI::App& app) {
  CLI::App& replan =
      *app.add_subcommand("replan", "Make a program's memory plan smaller, and prove the new one");
  const auto request = std::make_shared<ReplanRequest>();
  const auto timeout = std::make_shared<std::optional<double>>();
  const auto share = std::make_shared<std::vector<std::string>>();
  AddProgram(replan, request->file);
  AddProgramOutput(
      replan, request->output,
      "Write the new program here, in a bundle if the old one is in one, and NAME.manifest.json "
      "beside it if the old one has a manifest; - is standard output")
      ->required();
  replan
      .add_option("--certificate", request->certificate,
                  "Write the certificate of the new program here, as JSON")
      ->type_name("FILE");
  AddAlgorithm(replan, request->options.algorithm);
  AddTimeout(replan, *timeout,
             "bank's search by best and exact (default: equal work on every machine)");
  AddAlignment(replan, request->options.alignment,
               "The least alignment of every offset that changes, a power of two (default: that of "
               "the old offsets)");
  replan.add_flag("--in-place", request->options.in_place,
                  "Let results lie over operands that die, for operators whose kernels allow it in "
                  "ExecuTorch 1.5.1 (those of other vendors may not), let stores come as soon as "
                  "they may, let index_put_ update buffers where they lie, and drop calls that "
                  "only copy");
  replan.add_flag("--move-state", request->move_state,
                  "Let buffers move within their banks too, the same way in all methods");
  replan.add_flag("--reorder", request->reorder,
                  "Let instructions come in another order that data, stores and calls of unknown "
                  "effect allow, if the plan then takes fewer bytes; values get other numbers");
  AddChoice(replan, "--outputs", request->options.outputs,
            Choices<planner::OutputsLast>{{"next-call", planner::OutputsLast::kNextCall},
                                          {"own-next-call", planner::OutputsLast::kOwnNextCall},
                                          {"always", planner::OutputsLast::kAlways}},
            "Planned outputs last until the next call of any method, as ExecuTorch promises "
            "(default: next-call), until the next call of their own method, or until that writes "
            "them again, with nothing else in their bytes (always)");
  AddBankSizes(replan, request->options.bank_sizes);
  CLI::Option* bank =
      replan
          .add_option_function<std::string>(
              "--bank", [request](const std::string& text) { request->bank = BankChangeOf(text); },
              "Values of bank FROM go to bank TO, which may grow: memory ids from 1 on. State "
              "stays, and so do outputs that the caller may read after calls of other methods")
          ->check(CLI::Validator(
              [](const std::string& text) {
                return BankChangeOf(text)
                           ? ""
                           : "FROM=TO are two different memory ids from 1 on, such as 1=3, not " +
                                 text;
              },
              ""))
          ->type_name("FROM=TO");
  replan.add_flag("--repair", request->repair,
                  "Of an unsafe program: plan its meaning instead, with copies if it takes them; "
                  "banks may grow");
  bank->excludes(replan.get_option("--repair"));
  AddOperatorsOf(
      replan, request->operators_of,
      "Copies of --repair and updates of --in-place may call operators that the program "
      "does not: those of ExecuTorch's wheel (wheel), or of a file with one name a line, "
      "such as aten::copy_ or aten::clone.out");
  CLI::Option* shares = AddList(
      replan, "--share", *share,
      "Buffers of one name that methods share from now on, with * and ?, as link does it; may be "
      "repeated",
      "NAME");
  for (const char* other :
       {"--algorithm", "--timeout", "--alignment", "--in-place", "--move-state", "--reorder",
        "--outputs", "--bank", "--bank-size", "--repair", "--operators-of"}) {
    shares->excludes(replan.get_option(other));
  }
  AddPolicy(replan, request->policy, "the manifest's, or all three");
  AddLoaderFile(replan, request->loader_file);
  shares->excludes(AddLoad(replan, request->all_first));
  AddManifest(replan, request->manifest);
  AddData(replan, request->data);
  AddSeed(replan, request->seed, "Equal seeds make equal random calls");
  replan
      .add_option("--runs", request->calls,
                  "Random calls of each method (default: as many as a second's work, at most 1000)")
      ->check(WholeNumber(0, 1'000'000))
      ->type_name("NUMBER");
  const auto time = std::make_shared<std::optional<double>>();
  AddTime(replan, *time, "then nothing is written, except a repair that is finished");
  AddJson(replan, request->json, "One JSON object, the certificate");
  AddHtml(replan, request->html, "a page with the plans before and after side by side");
  replan.footer(
      "Exit codes: 0 written, 1 the plan is unsafe, 2 malformed, 3 undecided, 64 usage, 66 a file\n"
      "that cannot be read or written, 70 the new plan cannot be shown right: nothing is written.\n"
      "Example: pteproof replan model.pte -o smaller.pte --certificate smaller.json");
  return {&replan, [request, timeout, share, time] {
            if (*timeout) {
              request->options.effort = {std::numeric_limits<int64_t>::max(), *timeout};
            }
            return Within(*time, "replan", [&] {
              if (!share->empty()) return RunLink(LinkAlone(*request, *share));
              return RunReplan(*request);
            });
          }};
}

}  // namespace pteproof
