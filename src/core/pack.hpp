#pragma once

/// Packs are small vectors of numbers that one instruction works on, a type for each set of
/// instructions. A file that uses one is compiled for these instructions, others must not: what
/// such a file defines inline may be taken by the linker for other files too and would fail on
/// lesser processors. So it includes nothing with inline functions of its own but what depends on
/// the type of the pack.
#define ERMINE_PACK inline __attribute__((always_inline))
