#include "cli/io/guarded.h"

#include <new>

#include "base/work.h"
#include "cli/io/exit_code.h"

namespace pteproof {

std::optional<Failure> FailureOf(const std::function<void()>& work) {
  using Kind = Failure::Kind;
  try {
    work();
    return std::nullopt;
  } catch (const MemoryRanOut& e) {
    const std::string why = e.what();
    return Failure{Kind::kMemory, why.empty() ? "out of memory" : "out of memory: " + why};
  } catch (const std::bad_alloc&) {
    return Failure{Kind::kMemory, "out of memory"};
  } catch (const std::length_error&) {  // more than any memory holds
    return Failure{Kind::kMemory, "out of memory"};
  } catch (const OverLimit& over) {
    return Failure{Kind::kWork, ExplanationOf(over)};
  } catch (const Unavailable& e) {
    return Failure{Kind::kUnavailable, e.what()};
  } catch (const std::exception& e) {
    return Failure{Kind::kMistake, std::string("a bug in pteproof, please report it: ") + e.what()};
  }
}

}  // namespace pteproof
