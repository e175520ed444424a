#pragma once

#include <ermine/tracer.hpp>

namespace ermine {

/// A solution under way on some backend.
class Submission::State {
 public:
  virtual ~State() = default;
  virtual bool ready() const = 0;
  virtual Result wait(const ProgressCallback& progress) = 0;
};

}  // namespace ermine
