#pragma once

#include <stdexcept>

namespace ermine {

/// Bad input, a file that cannot be read or written, or a computation that cannot be trusted.
/// The message says what is wrong, where, and what to do; it is meant to be shown to the user as
/// is.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace ermine
