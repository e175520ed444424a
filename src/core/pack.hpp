#pragma once

/// Packs are small vectors of numbers that one instruction works on, a type for each set of
/// instructions. A file that uses one is compiled for these instructions, others must not: what
/// such a file defines inline may be taken by the linker for other files too and would fail on
/// lesser processors. So it includes nothing with inline functions of its own but what depends on
/// the type of the pack.
///
/// All of it is inlined, as packs passed through memory would cost more than what is done to them.
/// With sanitizers, whose checks are many times as much code, that would take a quarter of an hour.
#ifdef __SANITIZE_ADDRESS__
#define ERMINE_PACK_INLINE
#else
#define ERMINE_PACK_INLINE __attribute__((always_inline))
#endif
#define ERMINE_PACK inline ERMINE_PACK_INLINE
