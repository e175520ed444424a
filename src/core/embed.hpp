#pragma once

/// Puts a file into the program as it is: ermine_NAME_begin and ermine_NAME_end point to its bytes.
/// For the GNU assembler and those that understand it (gcc and clang). `file` is a string literal.
#define ERMINE_EMBED(name, file)                 \
  asm(".section .rodata\n"                       \
      ".balign 16\n"                             \
      "ermine_" #name                            \
      "_begin:\n"                                \
      ".incbin \"" file                          \
      "\"\n"                                     \
      "ermine_" #name                            \
      "_end:\n"                                  \
      ".byte 0\n"                                \
      ".text\n");                                \
  extern "C" const char ermine_##name##_begin[]; \
  extern "C" const char ermine_##name##_end[]
