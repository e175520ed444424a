#pragma once

#include <ermine/error.hpp>

#include <fmt/format.h>

#include <utility>

namespace ermine {

/// Throws ermine::Error with a formatted message: what is wrong, where, what to do.
template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> message, Args&&... args) {
  throw Error(fmt::format(message, std::forward<Args>(args)...));
}

}  // namespace ermine

/// Always on: user input and files.
#define ERMINE_REQUIRE(condition, ...)             \
  do {                                             \
    if (!(condition)) ::ermine::fail(__VA_ARGS__); \
  } while (false)
