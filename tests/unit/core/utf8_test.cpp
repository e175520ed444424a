#include "core/utf8.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

TEST(Utf8, AcceptsWellFormedText) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("grid = 3\n"));
  EXPECT_TRUE(is_utf8("\xEF\xBB\xBE'"));
  EXPECT_TRUE(is_utf8("caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x94\xA5"));
}

TEST(Utf8, RefusesWhatIsNot) {
  EXPECT_FALSE(is_utf8("\xC3"));                       // truncated
  EXPECT_FALSE(is_utf8("\x80"));                       // continuation without lead
  EXPECT_FALSE(is_utf8("\xC0\xAF"));                   // overlong
  EXPECT_FALSE(is_utf8("\xE0\x80\xAF"));               // overlong
  EXPECT_FALSE(is_utf8("\xED\xA0\x80"));               // surrogate
  EXPECT_FALSE(is_utf8("\xF4\x90\x80\x80"));           // beyond U+10FFFF
  EXPECT_FALSE(is_utf8(std::string_view("a\0b", 3)));  // NUL
}

}  // namespace
}  // namespace ermine
