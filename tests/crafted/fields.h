// Field numbers, union tags and enum values of the file formats: a second statement of
// runtime/schema, so that a slip in one shows.
#ifndef PTEPROOF_TESTS_CRAFTED_FIELDS_H_
#define PTEPROOF_TESTS_CRAFTED_FIELDS_H_

#include <cstdint>

namespace pteproof::crafted {

namespace program {
enum : uint16_t {
  kVersion,
  kMethods,
  kInlineConstants,
  kInlineBlobs,
  kSegments,
  kConstants,
  kInitialValues,
  kNamedData
};
}
namespace method {
enum : uint16_t {
  kName,
  kContainer,
  kValues,
  kInputs,
  kOutputs,
  kChains,
  kOperators,
  kDelegates,
  kBankSizes,
  kBankDevices
};
}
namespace value {
enum : uint16_t { kTag, kHeld };
}
namespace tag {
enum : uint8_t {
  kNone,
  kNull,
  kInt,
  kBool,
  kDouble,
  kTensor,
  kString,
  kIntList,
  kDoubleList,
  kBoolList,
  kTensorList,
  kOptionalTensorList
};
}
namespace tensor {
enum : uint16_t {
  kType,
  kStorageOffset,
  kSizes,
  kDimOrder,
  kRequiresGrad,
  kDataIndex,
  kPlacement,
  kLayout,
  kDynamism,
  kExtra
};
}
namespace placement {
enum : uint16_t { kBank, kLow, kHigh };
}
namespace extra {
enum : uint16_t { kMutableSegment, kName, kSource, kDevice, kDeviceIndex };
}
namespace chain {
enum : uint16_t { kInputs, kOutputs, kInstructions, kStackTrace };
}
namespace instruction {
enum : uint16_t { kTag, kHeld };
}
namespace call {
enum : uint8_t { kNone, kKernel, kDelegate, kMove, kJumpFalse, kFree };
enum : uint16_t { kIndex, kArgs };    // kernel and delegate calls
enum : uint16_t { kFirst, kSecond };  // moves (from, to), jumps (condition, target), frees (value)
}  // namespace call
namespace op {
enum : uint16_t { kName, kOverload };
}
namespace delegate {
enum : uint16_t { kId, kBlob, kSpecs };
enum : uint16_t { kSource, kIndex };  // of the blob reference; source 0: inline, 1: segment
enum : uint16_t { kKey, kValue };     // of a compile spec
}  // namespace delegate
namespace segment {
enum : uint16_t { kOffset, kSize };
enum : uint16_t { kIndex, kOffsets };   // of a table of places in one segment
enum : uint16_t { kKey, kKeySegment };  // of named data
}  // namespace segment
namespace bank_device {
enum : uint16_t { kBank, kDevice, kDeviceIndex };
}

namespace data {
enum : uint16_t { kVersion, kSegments, kEntries };
enum : uint16_t { kKey, kSegmentIndex, kLayoutTable };
enum : uint16_t { kType, kSizes, kDimOrder };
}  // namespace data
namespace early_data {
enum : uint16_t { kVersion, kAlignment, kTensors, kSegments };
enum : uint16_t { kName, kType, kSizes, kDimOrder, kSegmentIndex, kOffset };
}  // namespace early_data
namespace bundle {
enum : uint16_t { kVersion, kSuites, kProgram };
enum : uint16_t { kMethod, kCases };
enum : uint16_t { kInputs, kExpected };
enum : uint16_t { kTag, kHeld };
enum : uint8_t { kNone, kTensor, kInt, kBool, kDouble };
enum : uint16_t { kType, kSizes, kBytes, kDimOrder };
}  // namespace bundle

inline constexpr uint8_t kFloat32 = 6;
inline constexpr uint8_t kBoolType = 11;

}  // namespace pteproof::crafted

#endif  // PTEPROOF_TESTS_CRAFTED_FIELDS_H_
