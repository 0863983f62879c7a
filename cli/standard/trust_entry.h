// Writes an entry of [[trust]] into the text of a pteproof.toml.
#ifndef PTEPROOF_CLI_STANDARD_TRUST_ENTRY_H_
#define PTEPROOF_CLI_STANDARD_TRUST_ENTRY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pteproof/finding.h"
#include "pteproof/result.h"

namespace pteproof {

struct TrustEntry {
  std::string manifest;  // from the config's folder, with slashes
  std::string sha256;
  std::optional<Policy> policy = {};  // nothing: that of an entry that is there stays
};

enum class EntryChange : uint8_t { kAdded, kReplaced, kKept };

struct ConfigWithTrust {
  std::string text;
  EntryChange change = EntryChange::kAdded;
};

// The entry as it is added: "[[trust]]" and a line for each key.
[[nodiscard]] std::string TextOf(const TrustEntry& entry);

// The text with that entry; all else stays byte for byte. Of a manifest that has an entry the hash
// and the policy are replaced, else the entry comes at the end. Nothing is changed, and the error
// says so, if the text is not TOML, or if its entries have a form that can only be changed by hand.
[[nodiscard]] Result<ConfigWithTrust, std::string> WithTrustEntry(std::string_view text,
                                                                  const TrustEntry& entry);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_STANDARD_TRUST_ENTRY_H_
