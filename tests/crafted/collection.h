// Everything that lies in corpus/crafted, by path below it.
#ifndef PTEPROOF_TESTS_CRAFTED_COLLECTION_H_
#define PTEPROOF_TESTS_CRAFTED_COLLECTION_H_

#include <map>
#include <string>

namespace pteproof::crafted {

// Path to content: the spoiled files, legal/, the three sound bases, and an INDEX.tsv per folder.
[[nodiscard]] std::map<std::string, std::string> MakeCollection();

}  // namespace pteproof::crafted

#endif  // PTEPROOF_TESTS_CRAFTED_COLLECTION_H_
