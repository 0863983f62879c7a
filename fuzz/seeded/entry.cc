// fuzz_read with a reader that lacks one check: PTEPROOF_SEEDED_BUG in the environment is its name,
// and "list" lists them all.
#include "fuzz/entry.h"

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

#include "fuzz/seeded/bugs.h"
#include "fuzz/target.h"

namespace {

using pteproof::reader::Bug;

const pteproof::fuzz::Target& Reader() {
  static const pteproof::fuzz::Target& target = *pteproof::fuzz::TargetNamed("fuzz_read");
  return target;
}

constexpr int kUsage = 64;

Bug AskedBug() {
  const char* asked = std::getenv("PTEPROOF_SEEDED_BUG");
  const std::string_view name = asked == nullptr ? "" : asked;
  if (name == "list") {
    for (const pteproof::fuzz::BugRow& row : pteproof::fuzz::AllBugs())
      fmt::print("{}\t{}\n", row.name, row.unchecked);
    std::exit(0);
  }
  const Bug bug = pteproof::fuzz::BugNamed(name);
  if (bug != Bug::kNone || name.empty()) return bug;
  fmt::print(stderr,
             "There is no seeded bug \"{}\": nothing would be measured. PTEPROOF_SEEDED_BUG=list "
             "lists them.\n",
             name);
  std::exit(kUsage);
}

}  // namespace

const pteproof::fuzz::Mutator& pteproof::fuzz::EntryMutator() {
  return *Reader().mutator;
}

// A name that is wrong ends the process before anything is measured.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  static_cast<void>(AskedBug());
  return 0;
}

// The bug is in the target's reader only: a mutator reads with a sound one.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Bug bug = AskedBug();
  pteproof::fuzz::SeedBug(bug);
  static_cast<void>(Reader().run(std::as_bytes(std::span(data, size))));
  pteproof::fuzz::SeedBug(Bug::kNone);
  return 0;
}
