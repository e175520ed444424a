#pragma once

#include <ermine/case.hpp>

#include "core/fingerprint.hpp"

namespace ermine {

/// All of a case that processes must agree on.
Fingerprint fingerprint(const Case& problem);
Fingerprint fingerprint(const CoupledCase& problem);

}  // namespace ermine
