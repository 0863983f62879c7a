// The names of the rules: they appear in output, docs and suppressions, and never change meaning.
// What each means, with an example and a fix, is in properties/catalogue/. The reader's own rules
// (file-*) are named in runtime/file_rules.h.
#ifndef PTEPROOF_BASE_RULE_NAMES_H_
#define PTEPROOF_BASE_RULE_NAMES_H_

#include <string_view>

namespace pteproof::rule {

inline constexpr std::string_view kPlanOverlap = "plan-overlap";
inline constexpr std::string_view kPlanBounds = "plan-bounds";
inline constexpr std::string_view kPlanAlignment = "plan-alignment";
inline constexpr std::string_view kAliasLifetime = "alias-lifetime";
inline constexpr std::string_view kInPlaceAlias = "in-place-alias";
inline constexpr std::string_view kInPlaceSingleUse = "in-place-single-use";
inline constexpr std::string_view kInPlacePassThrough = "in-place-pass-through";
inline constexpr std::string_view kStateClobbered = "state-clobbered";
inline constexpr std::string_view kSharedLayout = "shared-layout";
inline constexpr std::string_view kStateSplit = "state-split";
inline constexpr std::string_view kWriteBackMissing = "write-back-missing";
inline constexpr std::string_view kEntryValueLost = "entry-value-lost";
inline constexpr std::string_view kReadBeforeWrite = "read-before-write";
inline constexpr std::string_view kInitialisedTwice = "initialised-twice";
inline constexpr std::string_view kInitialValueWrong = "initial-value-wrong";
inline constexpr std::string_view kMutabilityMismatch = "mutability-mismatch";
inline constexpr std::string_view kRegionEscape = "region-escape";
inline constexpr std::string_view kBoundTooSmall = "bound-too-small";
inline constexpr std::string_view kOutputMisbound = "output-misbound";
inline constexpr std::string_view kDimOrderMismatch = "dim-order-mismatch";
inline constexpr std::string_view kCallRefused = "call-refused";
inline constexpr std::string_view kOutputInvalidated = "output-invalidated";
inline constexpr std::string_view kConcurrentAccess = "concurrent-access";
inline constexpr std::string_view kDeviceMismatch = "device-mismatch";
inline constexpr std::string_view kDelegateMismatch = "delegate-mismatch";
inline constexpr std::string_view kDelegateOutputUnwritten = "delegate-output-unwritten";
inline constexpr std::string_view kMemoryMissing = "memory-missing";
inline constexpr std::string_view kLoadFails = "load-fails";
inline constexpr std::string_view kPhantomSlot = "phantom-slot";
inline constexpr std::string_view kPlanWaste = "plan-waste";
inline constexpr std::string_view kSelfCopy = "self-copy";
inline constexpr std::string_view kNotProvable = "not-provable";

}  // namespace pteproof::rule

#endif  // PTEPROOF_BASE_RULE_NAMES_H_
