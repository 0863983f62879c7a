// How a program is used: a use other than calls in turn of methods that are loaded once is the same
// question about another program, or one more question about the same. Here is the former: a
// program that is loaded again has each method twice.
#ifndef PTEPROOF_PROPERTIES_USES_H_
#define PTEPROOF_PROPERTIES_USES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "pteproof/check.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"
#include "pteproof/report.h"

namespace pteproof {

// The program and the options that stand for a use. With Use::kReload each method is there a second
// time: what a loader shares both loads have in common, all else each has for itself, and each
// stores the initial values. What a manifest states of a method it states of both, but for the
// order of calls, which is then any.
class UnderUse {
 public:
  UnderUse(const Program& program, const CheckOptions& options);  // both must outlive it
  UnderUse(const UnderUse&) = delete;
  UnderUse& operator=(const UnderUse&) = delete;

  [[nodiscard]] const Program& program() const { return doubled_ ? twice_ : given_; }
  [[nodiscard]] const CheckOptions& options() const { return options_; }

  // What the report says in terms of the given program: a finding that both loads have is told
  // once, and has the method's own name; its explanation tells the loads apart.
  [[nodiscard]] Report Restored(Report report) const;

 private:
  [[nodiscard]] bool IsSecond(const std::string& method) const;

  const Program& given_;
  CheckOptions options_;
  bool doubled_ = false;
  std::string suffix_;  // of the names of second loads
  Program twice_;
  Manifest manifest_;
};

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_USES_H_
