! What mod_types of CaNS has, as far as radiation.f90 and pencil_flow.f90 use it.
module mod_types
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi, only: MPI_REAL_RP => MPI_DOUBLE_PRECISION
  implicit none
  integer, parameter :: rp = real64
end module mod_types
