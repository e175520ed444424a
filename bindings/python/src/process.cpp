#include "process.hpp"

#include <ermine/error.hpp>

#include <atomic>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace ermine::python {
namespace {

std::atomic<pid_t> first_user{0};

bool on_main_thread() {
  // Python handles signals there alone, and others need not disturb it.
  return ::syscall(SYS_gettid) == ::getpid();
}

}  // namespace

bool forked_after_use() {
  const pid_t user = first_user;
  return user != 0 && user != ::getpid();
}

void check_process() {
  if (forked_after_use()) {
    throw Error(
        "this process was forked from one that had used ermine, and has none of its threads: start "
        "processes with multiprocessing.get_context('spawn'), or use ermine in them only");
  }
  first_user = ::getpid();
}

void check_signals() {
  if (!on_main_thread()) return;
  const py::gil_scoped_acquire interpreter;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

bool Signals::raised() noexcept {
  try {
    check_signals();
    return false;
  } catch (...) {
    kept_ = std::current_exception();
    return true;
  }
}

void Signals::rethrow() {
  if (kept_) std::rethrow_exception(std::exchange(kept_, nullptr));
}

}  // namespace ermine::python
