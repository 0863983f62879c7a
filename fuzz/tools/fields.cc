// fuzz_fields count [--pairs N]                          how many mutants the programs have
// fuzz_fields try STATE FINDS [--time S] [--pairs N] [--shard I/N] [--stride N]
// fuzz_fields show FILE NUMBER OUT                       writes one mutant, and says what it is
// fuzz_fields one FILE [ORIGINAL]                        tries a file here, without a child
// Of `count` and `try` the programs are paths on standard input, one a line.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "fuzz/fields/listing.h"
#include "fuzz/fields/worker.h"
#include "fuzz/runnable.h"
#include "fuzz/tools/contents.h"
#include "pteproof/read.h"

namespace {

namespace fs = std::filesystem;
using namespace pteproof;                // NOLINT: a program of its own
using namespace pteproof::fuzz;          // NOLINT
using namespace pteproof::fuzz::fields;  // NOLINT

constexpr int kUsage = 64;
constexpr size_t kLargest = 64 * 1024;
constexpr size_t kKept = 3;  // files of finds that are alike

struct Options {
  double seconds = 1e9;
  uint64_t pairs = 0;
  uint64_t shard = 0;
  uint64_t shards = 1;
  uint64_t stride = 1;
};

struct OneProgram {
  fs::path path;
  size_t tables_size = 0;
  uint64_t id = 0;  // of its tables
};

double SecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Programs with the same tables are tried once. The smallest come first.
std::vector<OneProgram> Programs() {
  std::vector<OneProgram> programs;
  std::set<uint64_t> seen;
  size_t same = 0;
  size_t large = 0;
  size_t unsound = 0;
  for (std::string line; std::getline(std::cin, line);) {
    const Buffer file = ContentsOf(line);
    auto tree = file.size() > kLargest ? std::nullopt : Unpack(file);
    if (file.size() > kLargest) ++large;
    if (!tree) {
      unsound += file.size() <= kLargest ? 1 : 0;
      continue;
    }
    tree->rest.clear();
    const Buffer tables = Pack(*tree);
    if (!seen.insert(SeedOf(tables)).second) {
      ++same;
      continue;
    }
    programs.push_back({line, tables.size(), SeedOf(tables)});
  }
  std::ranges::sort(programs, {}, [](const OneProgram& program) {
    return std::pair(program.tables_size, program.id);
  });
  fmt::print(
      "{} programs; left out: {} with the same tables, {} above {} bytes, {} that are not "
      "sound flatbuffers\n",
      programs.size(), same, large, kLargest, unsound);
  return programs;
}

int CountAll(const Options& options) {
  uint64_t sum = 0;
  uint64_t fields = 0;
  for (const OneProgram& program : Programs()) {
    const auto listing = Listing::Of(ContentsOf(program.path));
    fmt::print("{:>8} mutants of {:>6} fields of {:>5} tables  {}\n",
               listing->singles() + options.pairs, listing->places().size(),
               listing->tree().tables.size(), program.path.string());
    sum += listing->singles() + options.pairs;
    fields += listing->places().size();
  }
  fmt::print("{} mutants of {} fields\n", sum, fields);
  return EXIT_SUCCESS;
}

// What is known of a program's trials, in a file: how many there are, the next one, and counts.
class State {
 public:
  State(const fs::path& folder, const OneProgram& program, uint64_t stride)
      : path_(folder / fmt::format("{:016x}-{}.state", program.id, stride)) {}

  void Load(uint64_t total, Trials& trials) const {
    std::ifstream stream(path_);
    uint64_t of = 0;
    stream >> of;
    if (!stream || of != total) return;  // of another list
    stream >> trials.range.first >> trials.counts.repeated >> trials.counts.broke;
    for (uint64_t& count : trials.counts.by_outcome) stream >> count;
    for (uint64_t& count : trials.counts.microseconds) stream >> count;
  }

  void Save(uint64_t total, const Trials& trials) const {
    std::string text = fmt::format("{} {} {} {}", total, trials.range.first, trials.counts.repeated,
                                   trials.counts.broke);
    for (const uint64_t count : trials.counts.by_outcome) text += fmt::format(" {}", count);
    for (const uint64_t count : trials.counts.microseconds) text += fmt::format(" {}", count);
    text += "\n";
    const fs::path part = fs::path(path_).concat(".part");
    Put(std::as_bytes(std::span(text)), part);
    fs::rename(part, path_);
  }

 private:
  fs::path path_;
};

// Finds, a line each, and the files of the first of each group.
class Finds {
 public:
  Finds(fs::path list, fs::path folder) : list_(std::move(list)), folder_(std::move(folder)) {
    std::ifstream stream(list_);
    for (std::string line; std::getline(stream, line);) ++kept_[line.substr(0, line.find('\t'))];
  }

  void Keep(const OneProgram& program, Listing& listing, const Find& find) {
    const std::string group = GroupOf(find);
    const Mutant mutant = listing.At(find.number);
    std::string file = "-";
    if (kept_[group]++ < kKept) {
      const fs::path path = folder_ / fmt::format("fields-{:016x}-{}.pte", program.id, find.number);
      Put(mutant.file, path);
      file = path.string();
    }
    std::ofstream stream(list_, std::ios::app);
    stream << fmt::format("{}\t{}\t{}\t{}\t{}\n", group, file, program.path.string(), find.number,
                          mutant.text);
  }

 private:
  fs::path list_;
  fs::path folder_;
  std::map<std::string, size_t> kept_;
};

void Print(const Counts& counts, double seconds) {
  uint64_t microseconds = 0;
  for (const uint64_t spent : counts.microseconds) microseconds += spent;
  fmt::print(
      "{} tried: {} refused, {} as before, {} judged, {} run, {} repeated, {} broke; "
      "{:.0f} s, {:.0f} s of processor time\n",
      counts.Sum(), counts.by_outcome[0], counts.by_outcome[1], counts.by_outcome[2],
      counts.by_outcome[3], counts.repeated, counts.broke, seconds,
      static_cast<double>(microseconds) / 1e6);
  for (size_t step = 0; step < kStepCount; ++step) {
    fmt::print("{}{} {:.1f} s", step == 0 ? "" : ", ", NameOf(static_cast<Step>(step)),
               static_cast<double>(counts.microseconds[step]) / 1e6);
  }
  fmt::print("\n");
}

void Add(const Counts& more, Counts& sum) {
  sum.repeated += more.repeated;
  sum.broke += more.broke;
  for (size_t i = 0; i < kOutcomeCount; ++i) sum.by_outcome[i] += more.by_outcome[i];
  for (size_t i = 0; i < kStepCount; ++i) sum.microseconds[i] += more.microseconds[i];
}

// Of one program, as far as the time goes; whether all is tried.
bool TryProgram(const OneProgram& program, const fs::path& folder, const Options& options,
                double seconds, Finds& finds, Counts& sum) {
  const Buffer file = ContentsOf(program.path);
  const auto original = ReadProgram(file);
  const auto listing = Listing::Of(file);
  const uint64_t total = listing->singles() + options.pairs;
  const State state(folder, program, options.stride);
  Trials trials;
  trials.listing = listing.get();
  trials.original = original.ok() ? &original.value() : nullptr;
  trials.range = {0, options.pairs, options.stride};
  state.Load(total, trials);
  trials.found = [&](const Find& find) {
    finds.Keep(program, *listing, find);
    state.Save(total, trials);
  };
  Limits limits;
  limits.seconds = seconds;
  limits.log = folder / fmt::format("log-{}-of-{}", options.shard, options.shards);
  const bool all = trials.range.first >= total || TryAll(trials, limits);
  if (all) trials.range.first = total;
  state.Save(total, trials);
  Add(trials.counts, sum);
  return all;
}

int Try(const fs::path& folder, const fs::path& finds_folder, const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  fs::create_directories(folder);
  fs::create_directories(finds_folder);
  Finds finds(folder / fmt::format("finds-{}-of-{}.tsv", options.shard, options.shards),
              finds_folder);
  const std::vector<OneProgram> programs = Programs();
  Counts sum;
  size_t done = 0;
  size_t mine = 0;
  for (size_t p = 0; p < programs.size(); ++p) {
    if (p % options.shards != options.shard) continue;
    ++mine;
    const double left = options.seconds - SecondsSince(start);
    if (left > 0 && TryProgram(programs[p], folder, options, left, finds, sum)) ++done;
  }
  Print(sum, SecondsSince(start));
  fmt::print("{} of {} programs are through\n", done, mine);
  return sum.broke == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int Show(const fs::path& path, uint64_t number, const fs::path& out) {
  const auto listing = Listing::Of(ContentsOf(path));
  if (!listing) return EXIT_FAILURE;
  const Mutant mutant = listing->At(number);
  Put(mutant.file, out);
  fmt::print("{}\n", mutant.text);
  return EXIT_SUCCESS;
}

int TryHere(const fs::path& path, const char* original) {
  const Buffer file = ContentsOf(path);
  const Buffer original_file = original == nullptr ? Buffer() : ContentsOf(original);
  const auto program = ReadProgram(original_file);
  const Outcome outcome = TryMutant(file, program.ok() ? &program.value() : nullptr, [](Step step) {
    fmt::print(stderr, "step: {}\n", NameOf(step));
  });
  constexpr std::array kNames = {"refused", "as before", "judged", "run"};
  fmt::print("{}\n", kNames[static_cast<size_t>(outcome)]);
  return EXIT_SUCCESS;
}

Options OptionsFrom(const std::vector<std::string>& words, size_t first) {
  Options options;
  for (size_t i = first; i + 1 < words.size(); i += 2) {
    const std::string& value = words[i + 1];
    const auto number = std::strtoull(value.c_str(), nullptr, 10);
    if (words[i] == "--time") options.seconds = std::strtod(value.c_str(), nullptr);
    if (words[i] == "--pairs") options.pairs = number;
    if (words[i] == "--stride") options.stride = std::max<uint64_t>(1, number);
    if (words[i] == "--shard" && value.find('/') != std::string::npos) {
      options.shard = number;
      options.shards =
          std::max<uint64_t>(1, std::strtoull(value.c_str() + value.find('/') + 1, nullptr, 10));
    }
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const std::string verb = words.empty() ? "" : words[0];
  if (verb == "count") return CountAll(OptionsFrom(words, 1));
  if (verb == "try" && words.size() >= 3) return Try(words[1], words[2], OptionsFrom(words, 3));
  if (verb == "show" && words.size() == 4) {
    return Show(words[1], std::strtoull(words[2].c_str(), nullptr, 10), words[3]);
  }
  if (verb == "one" && words.size() >= 2)
    return TryHere(words[1], words.size() > 2 ? argv[3] : nullptr);
  fmt::print(stderr,
             "usage: fuzz_fields count [--pairs N] < PATHS\n"
             "       fuzz_fields try STATE FINDS [--time S] [--pairs N] [--shard I/N] [--stride N] "
             "< PATHS\n"
             "       fuzz_fields show FILE NUMBER OUT\n"
             "       fuzz_fields one FILE [ORIGINAL]\n");
  return kUsage;
}
