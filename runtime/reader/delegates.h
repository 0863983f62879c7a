// A method's delegates: their ids and blobs. What a blob means is the backend's business.
#ifndef PTEPROOF_RUNTIME_READER_DELEGATES_H_
#define PTEPROOF_RUNTIME_READER_DELEGATES_H_

#include "runtime/reader/method_scope.h"

namespace pteproof::reader {

// Fills the method's delegates. `inline_blobs` is the program's table of blobs inside the
// flatbuffer.
void ReadDelegates(const MethodScope& scope, const WireTables<schema::InlineBlob>* inline_blobs);

}  // namespace pteproof::reader

#endif  // PTEPROOF_RUNTIME_READER_DELEGATES_H_
