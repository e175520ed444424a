#pragma once

#include <ermine/ermine.h>
#include <ermine/radiation.hpp>

#include "core/check.hpp"
#include "core/fp_guard.hpp"

#include <exception>
#include <new>
#include <optional>
#include <string>

/// What a C program holds: a Radiation, none if it could not be made, and the text of the last
/// error.
struct ermine_radiation {
  std::optional<ermine::Radiation> radiation;
  std::string error;
  std::string description;
  int rank = 0;

  /// Keeps what it can of the message: where memory lacks for it, its first characters.
  int fail(int status, const char* message) noexcept {
    try {
      error = message;
    } catch (...) {
      error = "out of memory";  // short enough to need none
    }
    return status;
  }
};

namespace ermine::capi {

/// Does something that may throw; a status for each exception, whose text the handle keeps.
template <class Action>
int guarded(ermine_radiation* handle, Action action) noexcept {
  if (handle == nullptr) return ERMINE_ERROR_INPUT;
  try {
    const FloatingPointGuard guard;
    action();
    return ERMINE_OK;
  } catch (const Error& error) {
    return handle->fail(ERMINE_ERROR_INPUT, error.what());
  } catch (const std::bad_alloc&) {
    return handle->fail(ERMINE_ERROR_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    return handle->fail(ERMINE_ERROR_INTERNAL, error.what());
  } catch (...) {
    return handle->fail(ERMINE_ERROR_INTERNAL, "an exception of unknown kind");
  }
}

/// The same with the Radiation of a handle.
template <class Action>
int with_radiation(ermine_radiation* handle, Action action) noexcept {
  if (handle != nullptr && !handle->radiation) return ERMINE_ERROR_INPUT;  // its error stays
  return guarded(handle, [&] { action(*handle->radiation); });
}

/// Something that may not be NULL. Fields of cells go to Radiation as they are: it knows whether
/// this process has cells, and tells the other processes if something is wrong.
template <class T>
T* required(T* pointer, const char* name) {
  ERMINE_REQUIRE(pointer != nullptr, "{} is NULL, give its address", name);
  return pointer;
}

/// A member of an enumeration that counts from 0, from its number in ermine.h.
template <class Enum>
Enum enum_from(int number, Enum last, const char* name) {
  ERMINE_REQUIRE(number >= 0 && number <= static_cast<int>(last),
                 "{} {} does not exist, give one of its constants (0 to {})", name, number,
                 static_cast<int>(last));
  return static_cast<Enum>(number);
}

}  // namespace ermine::capi
