// What both inputs are made of: bounded work, hashes, text and JSON.
#ifndef PTEPROOF_CHECKER_TWIN_TEXT_H_
#define PTEPROOF_CHECKER_TWIN_TEXT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checker/twin/twin.h"

namespace pteproof_twin {

// What is left of the work, and why the judge has stopped. The first reason is kept; afterwards all
// go on with what they have, and end.
struct Work {
  int64_t left = 0;
  std::optional<Exit> stopped = std::nullopt;
  std::string why = {};

  void Stop(Exit exit, std::string words) {
    if (!stopped) why = std::move(words);
    if (!stopped) stopped = exit;
  }

  // False: too much.
  bool Spend(uint64_t steps) {
    if (stopped) return false;
    if (steps > static_cast<uint64_t>(left)) {
      Stop(Exit::kInPart, "too much work");
      return false;
    }
    left -= static_cast<int64_t>(steps);
    return true;
  }

  bool Need(bool condition, const char* otherwise) {
    if (!condition) Stop(Exit::kMalformed, otherwise);
    return condition && !stopped;
  }
};

// In hexadecimal.
[[nodiscard]] std::string Sha256(std::string_view bytes);

// A name holds any bytes, and no name is to end a line and begin one of its own.
[[nodiscard]] std::string Printed(std::string_view line);

enum class JsonKind : uint8_t { kNull, kBool, kWhole, kReal, kText, kList, kObject };

struct JsonNode {
  JsonKind kind = JsonKind::kNull;
  int64_t number = 0;  // saturated; of a text its index
  uint32_t end = 0;    // behind its last part
};

// Parts follow their list or object; an object's keys and values take turns.
struct JsonTree {
  std::vector<JsonNode> nodes;
  std::vector<std::string> texts;
};

// A value in a tree.
class Json {
 public:
  Json(const JsonTree& tree, uint32_t at) : tree_(&tree), at_(at) {}
  [[nodiscard]] bool Is(JsonKind kind) const { return Node().kind == kind; }
  [[nodiscard]] int64_t Number() const { return Node().number; }
  [[nodiscard]] bool IsText(std::string_view text) const {
    return Is(JsonKind::kText) && Text() == text;
  }
  [[nodiscard]] const std::string& Text() const {
    return tree_->texts[static_cast<size_t>(Node().number)];
  }
  [[nodiscard]] std::vector<Json> Parts() const;
  [[nodiscard]] std::optional<Json> Find(std::string_view key) const;  // the last one

 private:
  [[nodiscard]] const JsonNode& Node() const { return tree_->nodes[at_]; }

  const JsonTree* tree_;
  uint32_t at_;
};

// RFC 8259, in UTF-8; lists and objects lie at most kDeepest deep. False: it is not.
inline constexpr size_t kDeepest = 500;
[[nodiscard]] bool ReadJson(std::string_view text, JsonTree& tree);

}  // namespace pteproof_twin

#endif  // PTEPROOF_CHECKER_TWIN_TEXT_H_
