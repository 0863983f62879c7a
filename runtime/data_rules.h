// The names of the rules of the `.ptd` and `.bpte` readers. Like all rule names they never change
// meaning.
#ifndef PTEPROOF_RUNTIME_DATA_RULES_H_
#define PTEPROOF_RUNTIME_DATA_RULES_H_

#include <string_view>

namespace pteproof::rule {

// External data (.ptd).
inline constexpr std::string_view kDataTruncated = "file-data-truncated";    // shorter than it says
inline constexpr std::string_view kDataIdentifier = "file-data-identifier";  // not "FT01"
inline constexpr std::string_view kDataHeader = "file-data-header";          // magic, length, sums
inline constexpr std::string_view kDataRoot = "file-data-root";              // root table's offset
inline constexpr std::string_view kDataFlatbuffer = "file-data-flatbuffer";  // offsets and lengths
inline constexpr std::string_view kDataAmplification = "file-data-amplification";  // shared parts
inline constexpr std::string_view kDataSegment = "file-data-segment";  // missing, outside, wrapping
inline constexpr std::string_view kDataKey = "file-data-key";          // an entry without a name
inline constexpr std::string_view kDataDuplicateKey = "file-data-duplicate-key";
inline constexpr std::string_view kDataLayout = "file-data-layout";  // dtype, sizes, dim_order
inline constexpr std::string_view kDataShort = "file-data-short";    // fewer bytes than the tensor
// External data against the program that uses them.
inline constexpr std::string_view kDataMissing = "file-data-missing";    // no entry of that name
inline constexpr std::string_view kDataMismatch = "file-data-mismatch";  // another type or shape

// Bundled programs (.bpte).
inline constexpr std::string_view kBundleIdentifier = "file-bundle-identifier";  // not "BP08"
inline constexpr std::string_view kBundleRoot = "file-bundle-root";
inline constexpr std::string_view kBundleFlatbuffer = "file-bundle-flatbuffer";
inline constexpr std::string_view kBundleAmplification = "file-bundle-amplification";
inline constexpr std::string_view kBundleProgram = "file-bundle-program";  // none, or too short
inline constexpr std::string_view kBundleSuite = "file-bundle-suite";    // no method name, no cases
inline constexpr std::string_view kBundleValue = "file-bundle-value";    // null, or an unknown kind
inline constexpr std::string_view kBundleLayout = "file-bundle-layout";  // dtype, sizes, dim_order
inline constexpr std::string_view kBundleDataLength = "file-bundle-data-length";
// A bundle against the program inside.
inline constexpr std::string_view kBundleMethod = "file-bundle-method";  // no such method
inline constexpr std::string_view kBundleArity = "file-bundle-arity";
inline constexpr std::string_view kBundleMismatch =
    "file-bundle-mismatch";  // another kind of value

}  // namespace pteproof::rule

#endif  // PTEPROOF_RUNTIME_DATA_RULES_H_
