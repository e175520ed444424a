#pragma once

#include <exception>
#include <pybind11/pybind11.h>

namespace ermine::python {

namespace py = pybind11;

/// Whether the process that first used ermine is another one, from which this one was forked. Its
/// threads, and those of OpenMP and CUDA, are not here: whoever waits for them waits for ever.
bool forked_after_use();

/// Throws Error in a process that was forked after use; call it before anything that may start
/// threads or wait for them.
void check_process();

/// Lets Python handle signals, if this is its main thread; throws what a handler raised, such as
/// KeyboardInterrupt. With or without the interpreter.
void check_signals();

/// The same for callers that must not be thrown at: returns true, and keeps what was raised.
class Signals {
 public:
  bool raised() noexcept;
  /// Throws what was kept, if anything was.
  void rethrow();

 private:
  std::exception_ptr kept_;
};

}  // namespace ermine::python
