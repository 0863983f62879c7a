// A user whom permissions hold, for tests of what cannot be read.
#ifndef PTEPROOF_TESTS_CLI_PLAIN_USER_H_
#define PTEPROOF_TESTS_CLI_PLAIN_USER_H_

#include <gtest/gtest.h>
#include <unistd.h>

namespace pteproof {

// As a user whom permissions hold, where root runs the test. Root again at the end.
class PlainUser {
 public:
  PlainUser() : changed_(geteuid() == 0) {
    constexpr uid_t kNobody = 65534;
    if (changed_) EXPECT_EQ(seteuid(kNobody), 0);
  }
  ~PlainUser() {
    if (changed_) EXPECT_EQ(seteuid(0), 0);
  }
  PlainUser(const PlainUser&) = delete;
  PlainUser& operator=(const PlainUser&) = delete;

 private:
  bool changed_;
};

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_CLI_PLAIN_USER_H_
