#pragma once

#include <ermine/coupling.hpp>

#include <cstdint>
#include <string>

namespace ermine {

/// How messages speak to those who call the library.
struct Caller {
  Language language = Language::cpp;

  /// "advance()", as the caller has it.
  std::string call(const char* name) const {
    switch (language) {
      case Language::c:
        return std::string("ermine_") + name + "()";
      case Language::fortran:
        return name;
      default:
        return std::string(name) + "()";
    }
  }
  /// The number of the first cell and of the first axis.
  std::int64_t first() const { return language == Language::fortran ? 1 : 0; }
  const char* counted() const {
    return language == Language::fortran ? "(counted from 1)" : "(counted from 0)";
  }
};

}  // namespace ermine
