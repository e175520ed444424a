#pragma once

namespace ermine {

/// Whoever watches over a long computation of this thread. The computation asks now and then
/// whether to go on: often enough that it ends within a fraction of a second, too rarely to cost
/// time.
struct Watch {
  bool (*stop)(void* who) = nullptr;  ///< whether the computation ends here, its result unused
  void* who = nullptr;
};

inline constinit thread_local Watch current_watch;

/// Whether the computation of this thread ends here.
inline bool stop_asked() { return current_watch.stop && current_watch.stop(current_watch.who); }

/// Watches this thread while it lives.
class WatchScope {
 public:
  explicit WatchScope(const Watch& watch) : before_(current_watch) { current_watch = watch; }
  ~WatchScope() { current_watch = before_; }
  WatchScope(const WatchScope&) = delete;
  WatchScope& operator=(const WatchScope&) = delete;

 private:
  Watch before_;
};

}  // namespace ermine
