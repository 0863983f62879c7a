// Old forms of program files, which the reader takes and current runtimes refuse or misread.
#ifndef PTEPROOF_RUNTIME_OLD_FORMS_H_
#define PTEPROOF_RUNTIME_OLD_FORMS_H_

#include "pteproof/program.h"

namespace pteproof {

struct OldForms {
  bool inline_constants = false;  // no table of constants in a segment
  bool short_header = false;      // without the size of the segment area, as up to 0.6
};

// `file`: one that ReadProgram takes. Of other bytes, such as a bundle's: none.
[[nodiscard]] OldForms OldFormsOf(Bytes file);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_OLD_FORMS_H_
