// The fuzzers' dictionaries: byte strings that inputs hold, for libFuzzer's own mutator. Made from
// the schema, the operator table and the text formats' words; stored in fuzz/dictionaries.
#ifndef PTEPROOF_FUZZ_DICTIONARIES_H_
#define PTEPROOF_FUZZ_DICTIONARIES_H_

#include <span>
#include <string>
#include <string_view>

namespace pteproof::fuzz {

struct Dictionary {
  std::string_view kind;  // of inputs, as Target::kind; stored as "program.dict"
  std::string (*text)();  // in libFuzzer's and AFL's format, an entry a line
};

[[nodiscard]] std::span<const Dictionary> AllDictionaries();

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_DICTIONARIES_H_
