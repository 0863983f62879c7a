#include "fuzz/vocabulary.h"

#include "properties/manifest/keys.h"
#include "pteproof/scalar_type.h"

namespace pteproof::fuzz {
namespace {

void AddElementTypes(Words& words) {
  for (int type = 0; IsScalarType(type); ++type) {
    words.push_back(Name(static_cast<ScalarType>(type)));
  }
}

Words MakeModuleWords() {
  Words words = {
      "buffer",   "shared", "method",   "dims",     "in",     "hint",       "entry",
      "store",    "return", "view",     "cond",     "while",  "map",        "scan",
      "carried",  "mapped", "writes",   "owns",     "shares", "uses",       "after",
      "in_place", "pool",   "delegate", "true",     "false",  "inf",        "nan",
      "int",      "bool",   "real",     "floordiv", "mod",    "min",        "max",
      "None",     "->",     "=",        "%",        "@",      "(",          ")",
      "[",        "]",      "{",        "}",        ",",      ":",          "0",
      "1",        "-1",     "64",       "0x7fff",   "1e400",  "2147483648", "9223372036854775807"};
  AddElementTypes(words);
  return words;
}

Words MakeAssemblyWords() {
  Words words = {"program",  "named", "contents", "method",     "banks", "bank",      "operators",
                 "return",   "call",  "operator", "inputs_as",  "free",  "move",      "outputs_as",
                 "delegate", "with",  "hex",      "jump_false", "zeros", "fill",      "data",
                 "bounded",  "order", "on",       "external",   "int",   "bool",      "double",
                 "string",   "none",  "ints",     "doubles",    "bools", "tensors",   "optionals",
                 "true",     "false", "None",     "inf",        "nan",   "=",         "%",
                 "@1:0",     "@2:16", "(",        ")",          "[",     "]",         "{",
                 "}",        ",",     ":",        "0",          "1",     "-1",        "64",
                 "0x7fff",   "%0",    "%1",       "2147483648", "@1:8",  "zeros(64)", "1e400"};
  AddElementTypes(words);
  return words;
}

Words MakeManifestWords() {
  using namespace manifest_keys;  // NOLINT: one list
  Words words = {"null",  "true", "false", "0",       "1",         "-1",       "2147483648",
                 "1e400", "[]",   "{}",    "\"\"",    "{",         "}",        "[",
                 "]",     ",",    ":",     "private", "share-1-2", "share-all"};
  const auto add = [&](const auto& keys) { words.insert(words.end(), keys.begin(), keys.end()); };
  add(kTop);
  add(kBuffer);
  add(kMethod);
  add(kInput);
  add(kDim);
  add(kOutput);
  add(kDelegate);
  add(kSuppression);
  return words;
}

}  // namespace

const Words& ModuleWords() {
  static const Words words = MakeModuleWords();
  return words;
}

const Words& AssemblyWords() {
  static const Words words = MakeAssemblyWords();
  return words;
}

const Words& ManifestWords() {
  static const Words words = MakeManifestWords();
  return words;
}

}  // namespace pteproof::fuzz
