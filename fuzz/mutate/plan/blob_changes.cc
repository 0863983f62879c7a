// What is stored for others to read: delegates and named data.
#include <array>

#include "fuzz/mutate/plan/change.h"
#include "fuzz/mutate/plan/parts.h"

namespace pteproof::fuzz::plan {
namespace {

Delegate* AnyDelegate(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  return method == nullptr || method->delegates.empty() ? nullptr : &random.Of(method->delegates);
}

bool ChangeDelegate(Program& program, Random& random) {
  Delegate* delegate = AnyDelegate(program, random);
  if (delegate == nullptr) return false;
  switch (random.Below(3)) {
    case 0:
      delegate->id = delegate->id.empty() ? "Backend" : "";
      return true;
    case 1:
      if (delegate->blob.empty()) return false;
      delegate->blob = delegate->blob.first(random.Below(delegate->blob.size()));
      return true;
    default:
      if (delegate->specs.empty()) return false;
      delegate->specs.pop_back();
      return true;
  }
}

bool ShareDelegateBlob(Program& program, Random& random) {
  Delegate* to = AnyDelegate(program, random);
  const Delegate* from = AnyDelegate(program, random);
  if (to == nullptr || from == nullptr || to->blob.data() == from->blob.data()) return false;
  to->blob = from->blob;
  return true;
}

bool DropNamed(Program& program, Random& random) {
  if (program.named_data.empty()) return false;
  const size_t at = random.Below(program.named_data.size());
  program.named_data.erase(program.named_data.begin() + static_cast<ptrdiff_t>(at));
  return true;
}

// A key with bytes of the file that have none yet.
bool AddNamed(Program& program, Random& random) {
  const auto& blobs = random.OneIn(2) ? program.constants : program.initial_values;
  NamedBlob added = {"k", blobs.empty() ? Bytes() : random.Of(blobs)};
  for (const NamedBlob& named : program.named_data) added.key += named.key;
  if (added.key.size() > 100) return false;
  program.named_data.push_back(std::move(added));
  return true;
}

constexpr std::array kBlobChanges = {
    Change{"change-delegate", ChangeDelegate},
    Change{"share-delegate-blob", ShareDelegateBlob},
    Change{"drop-named-data", DropNamed},
    Change{"add-named-data", AddNamed},
};

}  // namespace

std::span<const Change> BlobChanges() {
  return kBlobChanges;
}

}  // namespace pteproof::fuzz::plan
