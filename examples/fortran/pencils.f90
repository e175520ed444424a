! Radiation in a flow solver whose processes have pencils of the grid: all cells along x, shares of
! those along y and z. Hot gas between two cold plates cools down, by radiation alone; what comes
! out does not depend on the number of processes, bit for bit:
!
!   cmake -B build -S examples/fortran && cmake --build build
!   mpirun -n 4 build/pencils examples/pencils.toml
program pencils
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use mpi_f08
  use ermine
  implicit none

  integer, parameter :: cells(3) = [16, 12, 20]              ! along x, y, z
  real(real64), parameter :: length(3) = [2.0_real64, 1.0_real64, 1.0_real64]  ! [m]
  real(real64), parameter :: dt = 0.01_real64                ! [s]
  real(real64), parameter :: rho_cp = 400                    ! [J/(m3 K)]
  integer, parameter :: halo = 2

  type(MPI_Comm) :: comm
  type(radiation) :: rad
  type(ermine_statistics) :: done
  real(real64), allocatable :: t(:, :, :), q(:, :, :)
  integer :: dims(2) = 0, coords(2), rank, processes, lo(3), hi(3), step
  real(real64) :: heat
  integer(int64) :: checksum
  character(len=256) :: case_file = 'examples/pencils.toml'

  call MPI_Init()
  if (command_argument_count() > 0) call get_command_argument(1, case_file)

  ! Processes in two directions, and the first and last cell of this one, counted from 1: what CaNS
  ! calls lo and hi, and 2DECOMP xstart and xend.
  call MPI_Comm_size(MPI_COMM_WORLD, processes)
  call MPI_Dims_create(processes, 2, dims)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .false.], .true., comm)
  call MPI_Comm_rank(comm, rank)
  call MPI_Cart_coords(comm, rank, 2, coords)
  lo = [1, 1 + cells(2) * coords(1) / dims(1), 1 + cells(3) * coords(2) / dims(2)]
  hi = [cells(1), cells(2) * (coords(1) + 1) / dims(1), cells(3) * (coords(2) + 1) / dims(2)]

  ! The module takes communicators as integers, as `use mpi` has them; mpi_f08 has them in MPI_VAL.
  call rad%create(case_file, comm%MPI_VAL)
  call rad%set_grid(faces(1), faces(2), faces(3), periodic=[.true., .true., .false.])
  call rad%set_block(lo, hi)

  ! Arrays with a halo, in numbers of the whole grid, as many codes have them.
  allocate (t(lo(1) - halo:hi(1) + halo, lo(2) - halo:hi(2) + halo, lo(3) - halo:hi(3) + halo))
  allocate (q(lo(1):hi(1), lo(2):hi(2), lo(3):hi(3)))
  call set_initial_temperature()

  if (rank == 0) print '(a)', ' step  mean Q [kW/m3]  checksum of Q'
  do step = 1, 6
    call rad%advance(t(lo(1):hi(1), lo(2):hi(2), lo(3):hi(3)))
    call rad%get(ermine_source, q)
    t(lo(1):hi(1), lo(2):hi(2), lo(3):hi(3)) = t(lo(1):hi(1), lo(2):hi(2), lo(3):hi(3)) &
      - dt / rho_cp * q
    call sum_up(heat, checksum)
    if (rank == 0) print '(i5, f16.3, 2x, z16.16)', step, heat / product(cells) / 1000, checksum
  end do

  call rad%get_statistics(done)
  if (rank == 0) print '(i0, a, f6.2, a)', done%updates, ' updates, standard error of Q: ', &
    100 * done%relative_error, ' %'
  ! The radiation has a communicator of its own, which must be gone before MPI is.
  call rad%destroy()
  call MPI_Finalize()

contains

  function faces(axis) result(x)
    integer, intent(in) :: axis
    real(real64) :: x(0:cells(axis))
    integer :: i
    x = [(length(axis) * i / cells(axis), i = 0, cells(axis))]
  end function

  subroutine set_initial_temperature()
    real(real64) :: x, y, z
    integer :: i, j, k
    t = 0  ! halo cells are never read
    do k = lo(3), hi(3)
      do j = lo(2), hi(2)
        do i = lo(1), hi(1)
          x = (i - 0.5_real64) / cells(1)
          y = (j - 0.5_real64) / cells(2)
          z = (k - 0.5_real64) / cells(3)
          t(i, j, k) = 500 + 4000 * z * (1 - z) * (1 + 4 * x * (1 - x) * y * (1 - y))
        end do
      end do
    end do
  end subroutine

  ! Sums of numbers depend on their order, and so on the number of processes; the exclusive or of
  ! their bits does not. Bits are rotated by the number of the cell, so that cells in each other's
  ! place are noticed.
  subroutine sum_up(total, bits)
    real(real64), intent(out) :: total
    integer(int64), intent(out) :: bits
    real(real64) :: own
    integer(int64) :: own_bits
    integer :: i, j, k, cell
    own_bits = 0
    do k = lo(3), hi(3)
      do j = lo(2), hi(2)
        do i = lo(1), hi(1)
          cell = i + cells(1) * (j + cells(2) * k)
          own_bits = ieor(own_bits, ishftc(transfer(q(i, j, k), own_bits), mod(cell, 64)))
        end do
      end do
    end do
    own = sum(q)
    call MPI_Reduce(own, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, comm)
    call MPI_Reduce(own_bits, bits, 1, MPI_INTEGER8, MPI_BXOR, 0, comm)
  end subroutine

end program
