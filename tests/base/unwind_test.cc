#include "base/unwind.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <string>

namespace pteproof {
namespace {

TEST(GiveUp, LeavesToWhoeverCatchesIt) {
  const auto give_up = []() -> std::string { GiveUp(std::out_of_range("too far")); };
  const auto told = [](const std::exception& why) { return std::string(why.what()); };
  EXPECT_EQ(Catching<std::logic_error>(give_up, told), "too far");
}

TEST(Catching, GivesWhatTheWorkGives) {
  EXPECT_EQ(Catching<std::exception>([] { return 7; }, [](const std::exception&) { return 0; }), 7);
}

TEST(Catching, LetsOthersPass) {
  const auto give_up = []() -> int { GiveUp(std::bad_alloc()); };
  const auto caught = [](const std::logic_error&) { return 1; };
  EXPECT_THROW((void)Catching<std::logic_error>(give_up, caught), std::bad_alloc);
}

}  // namespace
}  // namespace pteproof
