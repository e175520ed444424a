! A flow solver as debug builds are: it traps floating-point exceptions and checks all bounds
! (-ffpe-trap=invalid,zero,overflow -fcheck=all), on two threads of its own. Stops with 1 if
! something is wrong; without its guards, ermine would end it with SIGFPE.
program traps_test
  use, intrinsic :: ieee_arithmetic
  use, intrinsic :: iso_fortran_env, only: error_unit, real64
  use omp_lib, only: omp_set_num_threads
  use ermine
  implicit none

  integer, parameter :: nx = 8, ny = 6, nz = 4
  character(len=*), parameter :: newline = new_line('a')
  character(len=*), parameter :: text = &
    '[medium]' // newline // 'pressure = 101325' // newline // &
    'mole_fractions = { H2O = 0.1, CO2 = 0.1 }' // newline // 'quadrature_points = 4' // newline // &
    '[walls]' // newline // &
    'x_low = { temperature = 500 }' // newline // 'x_high = { temperature = 700 }' // newline // &
    'y_low = { temperature = 500, emissivity = 0.5 }' // newline // &
    'y_high = { temperature = 500, emissivity = 0 }' // newline // &
    '[solver]' // newline // 'backend = "cpu"' // newline // 'rays_per_cell = 16' // newline // &
    '[coupling]' // newline // 'lag = 1' // newline
  character(len=*), parameter :: file = 'traps_test_state.h5'
  type(radiation) :: run, again
  real(real64) :: t(nx, ny, nz), q(nx, ny, nz), expected(nx, ny, nz)
  integer :: i, threads, unit

  threads = 0
  call omp_set_num_threads(2)
  !$omp parallel reduction(+ : threads)
  threads = threads + 1
  !$omp end parallel
  call check(threads == 2, 'no second thread')
  t = reshape([(900 + 4.0_real64 * i, i=1, size(t))], shape(t))

  call start(run)
  call run%advance(t)
  call run%advance(t + 10)
  call run%save(file)
  call run%advance(t + 20)
  call run%get(ermine_source, expected)
  call run%destroy()
  call check_environment()

  call start(again)
  call again%load(file)
  call again%advance(t + 20)
  call again%get(ermine_source, q)
  call again%destroy()
  call check_environment()
  call check(all(q == expected), 'another Q after load')
  call check(all(abs(q) > 0), 'no Q')

  open (newunit=unit, file=file)
  close (unit, status='delete')

contains

  subroutine start(rad)
    type(radiation), intent(inout) :: rad
    call rad%create_from_text(text, 'traps.toml')
    call rad%set_grid([(0.1_real64 * i, i=0, nx)], [(0.1_real64 * i, i=0, ny)], &
      [(0.1_real64 * i, i=0, nz)], [.false., .false., .true.])
    call rad%set_block([1, 1, 1], [nx, ny, nz])
    call rad%set_wall(ermine_x_low, 450.0_real64)
    call rad%set_composition(ermine_h2o, 0.2_real64)
  end subroutine

  ! Exceptions still trap, and none is left raised.
  subroutine check_environment()
    type(ieee_flag_type), parameter :: trapped(3) = [ieee_invalid, ieee_divide_by_zero, &
      ieee_overflow]
    logical :: flags(3), halting(3)
    call ieee_get_flag(trapped, flags)
    call ieee_get_halting_mode(trapped, halting)
    call check(.not. any(flags), 'flags are left raised')
    call check(all(halting), 'exceptions do not trap any more')
  end subroutine

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    if (holds) return
    write (error_unit, '(2a)') 'wrong: ', what
    error stop 1
  end subroutine

end program
