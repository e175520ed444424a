! Errors among several processes, each of which has a slab of the grid: the last one gives an array
! of a wrong shape. All are told so; with the argument "stops", where nobody asks for `stat`, by one
! message that ends the program.
program ranks_test
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use ermine
  implicit none

  character(len=*), parameter :: newline = new_line('a')
  character(len=*), parameter :: text = 'medium = { absorption_coefficient = 1.0 }' // newline // &
    '[solver]' // newline // 'backend = "cpu"' // newline // 'rays_per_cell = 16' // newline
  integer, parameter :: n = 4
  type(radiation) :: rad
  real(real64), allocatable :: t(:, :, :)
  character(len=500) :: errmsg = ''
  character(len=10) :: how = ''
  integer :: i, rank, size, stat

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call get_command_argument(1, how)
  call rad%create_from_text(text, 'ranks.toml', MPI_COMM_WORLD%MPI_VAL)
  call rad%set_grid([(0.1_real64 * i, i=0, n)], [(0.1_real64 * i, i=0, n)], &
    [(0.1_real64 * i, i=0, n * size)], [.true., .true., .true.])
  call rad%set_block([1, 1, 1 + n * rank], [n, n, n * (rank + 1)])
  allocate (t(n, n, merge(n + 1, n, rank == size - 1)))
  t = 800
  if (how == 'stops') call rad%advance(t)
  call rad%advance(t, stat, errmsg)
  if (stat /= ermine_error_input .or. &
      index(errmsg, 'the temperature is 4 x 4 x 5, give the cells of this process: 4 x 4 x 4') == 0) &
    error stop 'not told to all: ' // errmsg
  call rad%destroy()
  call MPI_Finalize()
end program
