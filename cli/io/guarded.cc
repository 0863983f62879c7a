#include "cli/io/guarded.h"

#include <new>
#include <string>

#include "base/work.h"
#include "cli/io/exit_code.h"

namespace pteproof {
namespace {

constexpr const char* kRanOut = "out of memory";

// Where an allocation failed, no reason says more. All others are limits.
std::string WordsOfMemory(const MemoryRanOut& why) {
  const std::string reason = why.what();
  if (reason.empty() || reason == kRanOut) return kRanOut;
  return std::string(kRanOut) + ": " + reason + " (`pteproof run --memory` sets another)";
}

}  // namespace

std::optional<Failure> FailureOf(const std::function<void()>& work) {
  using Kind = Failure::Kind;
  try {
    work();
    return std::nullopt;
  } catch (const MemoryRanOut& e) {
    return Failure{Kind::kMemory, WordsOfMemory(e)};
  } catch (const std::bad_alloc&) {
    return Failure{Kind::kMemory, kRanOut};
  } catch (const std::length_error&) {  // more than any memory holds
    return Failure{Kind::kMemory, kRanOut};
  } catch (const OverLimit& over) {
    return Failure{Kind::kWork, ExplanationOf(over)};
  } catch (const Unavailable& e) {
    return Failure{Kind::kUnavailable, e.what()};
  } catch (const std::exception& e) {
    return Failure{Kind::kMistake, std::string("a bug in pteproof, please report it: ") + e.what()};
  }
}

}  // namespace pteproof
