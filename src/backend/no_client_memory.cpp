#include "backend/client_memory.hpp"

namespace ermine {

bool on_device(const void*) { return false; }
template <class T>
void read_from_device(double*, const T*, const StridedCells&, double, double) {}
template <class T>
void write_to_device(T*, const double*, const StridedCells&, double) {}
template void read_from_device(double*, const float*, const StridedCells&, double, double);
template void read_from_device(double*, const double*, const StridedCells&, double, double);
template void write_to_device(float*, const double*, const StridedCells&, double);
template void write_to_device(double*, const double*, const StridedCells&, double);
int device_count() { return 0; }
int current_device() { return 0; }
void use_device(int) {}

}  // namespace ermine
