// The certificate's checker as a voter: a safe verdict gets its certificate, and the checker's twin
// has to confirm it. A refusal is a mistake of the check, of the certificate or of the checker,
// or one of the differences that are known and stated here.
#ifndef PTEPROOF_FUZZ_TWIN_VOTE_H_
#define PTEPROOF_FUZZ_TWIN_VOTE_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "pteproof/program.h"
#include "pteproof/report.h"

namespace pteproof::fuzz {

enum class TwinVote : uint8_t {
  kNotAsked,  // the verdict is not safe
  kConfirmed,
  kTooMuchWork,
  kKnown,    // it refuses, and the program belongs to a known difference
  kRefuses,  // a disagreement
};

// A class of programs that the check calls safe and that do not follow by the checker's rules.
struct KnownDifference {
  std::string_view name;
  std::string_view words;  // why the check and the checker may both be right
};

inline constexpr std::array kKnownDifferences = {
    KnownDifference{"two-values-of-one-name",
                    "a method has two values of one buffer's name that are not one place: the "
                    "checker takes each for the whole buffer"},
    KnownDifference{"store-that-may-be-lost",
                    "the check warns of a store that stores the bytes that are there: the checker "
                    "takes it for a store as any other"},
    KnownDifference{"loads-that-meet",
                    "two values that are loaded share bytes, or stand for one buffer with data of "
                    "its own each: the checker asks that loads agree, the check that no read finds "
                    "a difference"},
    KnownDifference{"moved-by-a-call",
                    "a call moves a value that a later call needs: the checker knows of no place "
                    "that outlives the call"},
    KnownDifference{"memory-of-the-caller",
                    "an output lies in memory of the caller, and some path does not write it: the "
                    "check takes the caller's bytes for what is meant"},
    KnownDifference{"refused-call",
                    "the check warns of a call that the kernel refuses: nothing after it is ever "
                    "run, and the checker does not know that"},
};

struct TwinAnswer {
  TwinVote vote = TwinVote::kNotAsked;
  const KnownDifference* known = nullptr;
  std::string why = {};  // it refuses
};

// `file` holds the program, `report` is of the program alone.
[[nodiscard]] TwinAnswer AskTwin(const Program& program, Bytes file, const Report& report,
                                 Policy policy);

// Counts of answers. At the end of the process a line of them goes to standard error, if
// PTEPROOF_FUZZ_VOTES is set in the environment. If it is `strict`, a refusal is a find: of files
// that no exporter writes, the checker refuses some in ways that are not stated above yet.
class TwinTally {
 public:
  ~TwinTally();
  TwinTally() = default;
  TwinTally(const TwinTally&) = delete;
  TwinTally& operator=(const TwinTally&) = delete;

  [[nodiscard]] static bool IsStrict();
  void Add(const TwinAnswer& answer);
  [[nodiscard]] std::string Line() const;

 private:
  std::array<uint64_t, 5> votes_ = {};
  std::array<uint64_t, kKnownDifferences.size()> known_ = {};
};

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_TWIN_VOTE_H_
