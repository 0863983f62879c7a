// The words of the text formats, for the mutators and the dictionaries.
#ifndef PTEPROOF_FUZZ_VOCABULARY_H_
#define PTEPROOF_FUZZ_VOCABULARY_H_

#include <span>
#include <string_view>
#include <vector>

namespace pteproof::fuzz {

using Words = std::vector<std::string_view>;

// Words and signs of a Module's text, element types among them; no operators.
[[nodiscard]] const Words& ModuleWords();

// The same of a program's text.
[[nodiscard]] const Words& AssemblyWords();

// Whether a text is one of a program rather than of a Module: by the word in which it begins.
[[nodiscard]] inline bool IsAssemblyText(std::string_view text) {
  const size_t start = text.find("program");
  return start != std::string_view::npos && start < text.find("method");
}

// Keys and words of a manifest, without their quotes, and numbers and signs of JSON.
[[nodiscard]] const Words& ManifestWords();

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_VOCABULARY_H_
