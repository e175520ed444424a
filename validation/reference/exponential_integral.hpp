#pragma once

namespace ermine::reference {

/// E_n(x) = integral over mu from 0 to 1 of mu^(n-2) exp(-x / mu), for n = 1 to 4 and x >= 0:
/// the transmission kernels of a plane layer of optical thickness x (Modest, Radiative Heat
/// Transfer, appendix on exponential integral functions). Relative error about 1e-14, until the
/// result underflows; E_1(0) is infinite.
double exponential_integral(int n, double x);

}  // namespace ermine::reference
