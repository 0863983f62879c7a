// What the page asks for: each question is about one program among the files that it holds, and its
// answer is one JSON object.
#ifndef PTEPROOF_WEB_ANSWERS_H_
#define PTEPROOF_WEB_ANSWERS_H_

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "pteproof/finding.h"

namespace pteproof::web {

struct Question {
  std::string program;                // a file's name
  std::vector<std::string> data;      // names of its data files
  std::string manifest;               // the name of one that the reader vouches for; or empty
  std::string certificate;            // the name of one that lies beside it; or empty
  std::optional<Policy> policy = {};  // none: that of the manifest, else all three are judged
};

// As `check` judges it: {"exit", "json": the text of `check --json`, in which numbers are exact,
// "text", "markdown", "headlines": one for each finding, "notes": likewise, "picture": as
// cli/map/page_data.h has it, or null, "identity": {"sha256": of the program's tables, "size": of
// its file}, or null}.
[[nodiscard]] nlohmann::ordered_json CheckAnswer(const Question& question);

// As `memory --json` prints it, with "rows": [key, words] of each count, in order.
[[nodiscard]] nlohmann::ordered_json MemoryAnswer(const Question& question);

// As `inspect --json` prints it.
[[nodiscard]] nlohmann::ordered_json ListingAnswer(const Question& question);

// The certificate that is given, else that of the verdict, and what the checker's twin says of it:
// {"certificate": text, "given", "exit", "lines"}.
[[nodiscard]] nlohmann::ordered_json CertificateAnswer(const Question& question);

}  // namespace pteproof::web

#endif  // PTEPROOF_WEB_ANSWERS_H_
