#include "fuzz/mutate/mutators.h"

#include "fuzz/envelope.h"
#include "fuzz/mutate/mutate_bytes.h"
#include "fuzz/mutate/mutate_program.h"
#include "fuzz/mutate/mutate_words.h"
#include "fuzz/mutate/random.h"
#include "fuzz/vocabulary.h"

namespace pteproof::fuzz {
namespace {

constexpr size_t kStructuredPercent = 75;  // the others are bytes' changes
constexpr size_t kItemSize = 7;            // fuzz/targets/plan.cc
constexpr size_t kChoiceSize = 8;          // fuzz/generated_case.cc, after two bytes of setting
constexpr size_t kSettingSize = 2;
constexpr size_t kCallSize = 8;        // fuzz/calls/make_draft.h: the header, a call, a change
constexpr size_t kHeaderOfFiles = 16;  // fuzz/targets/call.cc

Buffer PlainMutate(Bytes input, uint64_t, size_t max_size, const ByteMutator& bytes) {
  return MutateBytes(input, max_size, bytes);
}

template <size_t kUnit>
Buffer CrossRecords(Bytes a, Bytes b, uint64_t seed, size_t max_size) {
  Random random(seed);
  return CrossBytes(a, b, random, max_size, kUnit);
}

template <LayerShares kShares>
Buffer MutateProgramBy(Bytes input, uint64_t seed, size_t max_size, const ByteMutator& bytes) {
  return MutateProgram(kShares, input, seed, max_size, bytes);
}

Buffer MutateText(Bytes input, uint64_t seed, size_t max_size, const ByteMutator& bytes) {
  Random random(seed);
  if (random.Percent(kStructuredPercent)) {
    const std::string_view text(reinterpret_cast<const char*>(input.data()), input.size());
    const Words& words = IsAssemblyText(text) ? AssemblyWords() : ModuleWords();
    return MutateWords(input, words, random, max_size);
  }
  return MutateBytes(input, max_size, bytes);
}

Buffer CrossTexts(Bytes a, Bytes b, uint64_t seed, size_t max_size) {
  Random random(seed);
  return CrossLines(a, b, random, max_size);
}

Bytes ChoicesOf(Bytes input) {
  const auto envelope = OpenEnvelope(input);
  return envelope ? envelope->choices : input;
}

// The header stays; `rest` makes what is behind it of what was there, or bytes change anywhere.
template <class Rest>
Buffer MutateBehind(size_t header, Bytes input, uint64_t seed, size_t max_size,
                    const ByteMutator& bytes, const Rest& rest) {
  Random random(seed);
  if (input.size() <= header || max_size <= header || !random.Percent(kStructuredPercent)) {
    return MutateBytes(input, max_size, bytes);
  }
  Buffer changed(input.begin(), input.begin() + static_cast<ptrdiff_t>(header));
  const Buffer behind = rest(input.subspan(header), random, max_size - header);
  changed.insert(changed.end(), behind.begin(), behind.end());
  return changed;
}

template <size_t kUnit>
Buffer MutateUnits(Bytes input, Random& random, size_t max_size) {
  return MutateRecords(input, random, max_size, kUnit);
}

Buffer MutateChoices(Bytes input, uint64_t seed, size_t max_size, const ByteMutator& bytes) {
  return MutateBehind(kSettingSize, ChoicesOf(input), seed, max_size, bytes,
                      MutateUnits<kChoiceSize>);
}

Buffer CrossChoices(Bytes a, Bytes b, uint64_t seed, size_t max_size) {
  Random random(seed);
  return CrossBytes(ChoicesOf(a), ChoicesOf(b), random, max_size, kSettingSize);
}

Buffer MutateItems(Bytes input, uint64_t seed, size_t max_size, const ByteMutator& bytes) {
  Random random(seed);
  if (random.Percent(kStructuredPercent)) return MutateRecords(input, random, max_size, kItemSize);
  return MutateBytes(input, max_size, bytes);
}

// The header, the calls and the changes of them are of one length.
Buffer MutateCalls(Bytes input, uint64_t seed, size_t max_size, const ByteMutator& bytes) {
  return MutateBehind(kCallSize, input, seed, max_size, bytes, MutateUnits<kCallSize>);
}

// A file behind the header is a program, as most are.
Buffer MutateCall(Bytes input, uint64_t seed, size_t max_size, const ByteMutator& bytes) {
  return MutateBehind(kHeaderOfFiles, input, seed, max_size, bytes,
                      [&](Bytes file, Random&, size_t most) {
                        return MutateProgram(kForChecks, file, seed, most, bytes);
                      });
}

}  // namespace

const Mutator kReaderMutator = {MutateProgramBy<kForReader>, CrossPrograms};
const Mutator kProgramMutator = {MutateProgramBy<kForChecks>, CrossPrograms};
const Mutator kDataMutator = {MutateData, CrossRecords<1>};
const Mutator kTextMutator = {MutateText, CrossTexts};
const Mutator kChoicesMutator = {MutateChoices, CrossChoices};
const Mutator kItemsMutator = {MutateItems, CrossRecords<kItemSize>};
const Mutator kCallsMutator = {MutateCalls, CrossRecords<kCallSize>};
const Mutator kCallMutator = {MutateCall, CrossRecords<1>};
const Mutator kPlainMutator = {PlainMutate, CrossRecords<1>};

}  // namespace pteproof::fuzz
