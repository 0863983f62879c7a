// Two blobs, compared by what they compute.
#ifndef PTEPROOF_TESTS_PROPERTIES_COMPARE_COMPARED_BLOBS_H_
#define PTEPROOF_TESTS_PROPERTIES_COMPARE_COMPARED_BLOBS_H_

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "properties/compare/terms/blob_terms.h"
#include "runtime/delegates/opened_blob.h"

namespace pteproof::compare {

// Opens blobs, and keeps them for the table.
class OpenedBlobs {
 public:
  std::optional<TermId> Term(std::string bytes) {
    const std::string& kept = bytes_.emplace_back(std::move(bytes));
    opened_.push_back(
        delegates::OpenBlob({reinterpret_cast<const std::byte*>(kept.data()), kept.size()}));
    return TermOfBlob(table_, opened_.back().front());
  }
  [[nodiscard]] std::string Difference(TermId olds, TermId news) const {
    return BlobDifference(table_, olds, news);
  }

 private:
  std::deque<std::string> bytes_;
  std::deque<std::vector<delegates::OpenedBlob>> opened_;
  TermTable table_;
};

// "same", in what they differ, or "by bytes".
inline std::string ComparedBlobs(const std::string& olds, const std::string& news) {
  OpenedBlobs opened;
  const auto a = opened.Term(olds);
  const auto b = opened.Term(news);
  if (!a || !b) return "by bytes";
  return *a == *b ? "same" : opened.Difference(*a, *b);
}

}  // namespace pteproof::compare

#endif  // PTEPROOF_TESTS_PROPERTIES_COMPARE_COMPARED_BLOBS_H_
