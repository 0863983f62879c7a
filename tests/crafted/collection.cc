#include "tests/crafted/collection.h"

#include "tests/crafted/draft.h"
#include "tests/crafted/rows.h"

namespace pteproof::crafted {

std::map<std::string, std::string> MakeCollection() {
  std::map<std::string, std::string> files;
  const Rows refused = RefusedRows();
  const Rows legal = LegalRows();
  for (const Row& row : refused) files[row.file] = row.make();
  for (const Row& row : legal) files["legal/" + row.file] = row.make();
  files["INDEX.tsv"] = IndexOf(refused);
  files["legal/INDEX.tsv"] = IndexOf(legal);
  files["base.pte"] = FileBytes(BaseProgram());
  files["base.ptd"] = FileBytes(BaseData());
  files["base.bpte"] = FileBytes(BaseBundle());
  return files;
}

}  // namespace pteproof::crafted
