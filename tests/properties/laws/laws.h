// Laws that hold for every Module, each stated once with its reason. Tests and campaigns try them
// on random cases; nothing here draws any.
#ifndef PTEPROOF_TESTS_PROPERTIES_LAWS_LAWS_H_
#define PTEPROOF_TESTS_PROPERTIES_LAWS_LAWS_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "properties/generators/build_module.h"

namespace pteproof {

using generators::RandomCase;

struct Law {
  std::string_view name;    // "renamed-arguments"
  std::string_view states;  // one sentence
  std::string_view reason;  // why it holds, and what its breach would mean
  // How the case breaks the law; nothing: it keeps it. `pick` chooses among the ways to try it.
  std::optional<std::string> (*breach)(const RandomCase& c, uint64_t pick) = nullptr;
};

[[nodiscard]] std::span<const Law> AllLaws();

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_PROPERTIES_LAWS_LAWS_H_
