! Hot gas cools down in a box with cold walls: a flow solver's time loop with radiation in it. The
! "flow" is heat conduction; examples/heated_box.toml describes it. Build and run, with ermine
! installed:
!
!   cmake -B build -S examples/fortran && cmake --build build
!   build/heated_box examples/heated_box.toml
program heated_box
  use, intrinsic :: iso_fortran_env, only: real64
  use ermine
  implicit none

  integer, parameter :: n = 16                             ! cells along each axis
  real(real64), parameter :: dx = 1.0_real64 / n           ! [m]
  real(real64), parameter :: dt = 0.002_real64             ! [s]
  real(real64), parameter :: rho_cp = 400                  ! [J/(m3 K)]
  real(real64), parameter :: conductivity = 20             ! [W/(m K)]
  real(real64), parameter :: wall_temperature = 500        ! [K]

  type(radiation) :: rad
  type(ermine_statistics) :: done
  ! Temperature with a layer of ghost cells, as flow solvers have it; the heat source without.
  real(real64) :: t(0:n + 1, 0:n + 1, 0:n + 1) = 0, q(n, n, n)
  real(real64) :: faces(0:n)
  character(len=256) :: case_file = 'examples/heated_box.toml'
  integer :: i, step

  if (command_argument_count() > 0) call get_command_argument(1, case_file)

  ! What absorbs, which walls, how many rays: from the file. A program with MPI gives its
  ! communicator, too: rad%create(case_file, comm), or comm%MPI_VAL with mpi_f08. Errors end the
  ! program, unless it asks for them with stat=.
  call rad%create(case_file)

  ! This program's part is the grid, and which cells are its own: here all.
  faces = [(i * dx, i = 0, n)]
  call rad%set_grid(faces, faces, faces)
  call rad%set_block(lo=[1, 1, 1], hi=[n, n, n])

  call set_initial_temperature()
  print '(a)', ' step  time [s]  mean T [K]  max T [K]  mean Q [kW/m3]  max Q [kW/m3]'
  do step = 1, 50
    call set_ghosts()
    call rad%advance(t(1:n, 1:n, 1:n))  ! any slice will do
    call rad%get(ermine_source, q)
    call conduct_and_radiate()
    if (mod(step, 10) == 0) call print_row()
  end do

  call rad%get_statistics(done)
  print '(i0, a, f8.3, a, f6.2, a)', done%updates, ' updates, standard error of Q: ', &
    done%error / 1000, ' kW/m3, ', 100 * done%relative_error, ' %'
  print '(a, f5.1, a)', 'time of the radiation hidden behind the flow: ', &
    100 * done%hidden_fraction, ' %'
  ! Variables of a main program are never finalised.
  call rad%destroy()

contains

  subroutine set_initial_temperature()
    real(real64) :: f(n), s
    integer :: j, k
    do i = 1, n
      s = (i - 0.5_real64) * dx
      f(i) = 4 * s * (1 - s)
    end do
    do k = 1, n
      do j = 1, n
        do i = 1, n
          t(i, j, k) = 500 + 1000 * (f(i) * f(j) * f(k))
        end do
      end do
    end do
  end subroutine

  ! So that the mean of ghost and cell is the temperature of the wall.
  subroutine set_ghosts()
    t(0, :, :) = 2 * wall_temperature - t(1, :, :)
    t(n + 1, :, :) = 2 * wall_temperature - t(n, :, :)
    t(:, 0, :) = 2 * wall_temperature - t(:, 1, :)
    t(:, n + 1, :) = 2 * wall_temperature - t(:, n, :)
    t(:, :, 0) = 2 * wall_temperature - t(:, :, 1)
    t(:, :, n + 1) = 2 * wall_temperature - t(:, :, n)
  end subroutine

  subroutine conduct_and_radiate()
    real(real64) :: laplacian(n, n, n)
    laplacian = ((((t(0:n - 1, 1:n, 1:n) + t(2:n + 1, 1:n, 1:n)) &
                 + (t(1:n, 0:n - 1, 1:n) + t(1:n, 2:n + 1, 1:n))) &
                 + (t(1:n, 1:n, 0:n - 1) + t(1:n, 1:n, 2:n + 1))) &
                 - 6 * t(1:n, 1:n, 1:n)) / (dx * dx)
    t(1:n, 1:n, 1:n) = t(1:n, 1:n, 1:n) + dt / rho_cp * (conductivity * laplacian - q)
  end subroutine

  subroutine print_row()
    print '(i5, 1x, f9.3, 1x, f11.2, 1x, f10.2, 1x, f15.3, 1x, f14.3)', step, step * dt, &
      sum(t(1:n, 1:n, 1:n)) / n**3, maxval(t(1:n, 1:n, 1:n)), sum(q) / n**3 / 1000, &
      maxval(q) / 1000
  end subroutine

end program
