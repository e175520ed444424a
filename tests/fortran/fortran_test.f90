! The Fortran module: what it adds to the C interface, in kinds, shapes, slices and errors.
!   fortran_test NAME: runs one test; stops with 1 if something is wrong.
program fortran_test
  use, intrinsic :: iso_fortran_env, only: error_unit, real32, real64
  use ermine
  implicit none

  integer, parameter :: nx = 4, ny = 3, nz = 5
  character(len=*), parameter :: newline = new_line('a')
  character(len=*), parameter :: rest = &
    '[walls]' // newline // &
    'x_low = { temperature = 500 }' // newline // 'x_high = { temperature = 700 }' // newline // &
    'y_low = { temperature = 500 }' // newline // 'y_high = { temperature = 500 }' // newline // &
    'z_low = { temperature = 500 }' // newline // 'z_high = { temperature = 500 }' // newline // &
    '[solver]' // newline // 'backend = "cpu"' // newline // 'rays_per_cell = 64' // newline // &
    '[coupling]' // newline // 'lag = 0' // newline
  character(len=*), parameter :: grey = &
    'medium = { absorption_coefficient = 1.0 }' // newline // rest
  character(len=*), parameter :: gas = '[medium]' // newline // 'pressure = 101325' // newline // &
    'mole_fractions = { H2O = 0.1 }' // newline // 'quadrature_points = 4' // newline // rest
  character(len=*), parameter :: sooty = '[medium]' // newline // 'pressure = 101325' // newline // &
    'mole_fractions = { H2O = 0.1 }' // newline // 'quadrature_points = 4' // newline // &
    'soot = { volume_fraction = 1e-7 }' // newline // rest
  character(len=*), parameter :: misty = '[medium]' // newline // 'absorption_coefficient = 1' // newline // &
    '[medium.particles.mist]' // newline // 'scattering = 1' // newline // rest

  character(len=40) :: name = ''
  integer :: failures = 0

  call get_command_argument(1, name)
  select case (name)
  case ('kinds_and_slices'); call test_kinds_and_slices()
  case ('halo'); call test_halo()
  case ('single_precision'); call test_single_precision()
  case ('single_faces'); call test_single_faces()
  case ('balance'); call test_balance()
  case ('order'); call test_order()
  case ('settings'); call test_settings()
  case ('walls'); call test_walls()
  case ('by_hand'); call test_by_hand()
  case ('save_and_load'); call test_save_and_load()
  case ('errors'); call test_errors()
  case ('finalization'); call test_finalization()
  case ('stops'); call test_stops()
  case default; error stop 'usage: fortran_test NAME, one of the tests in fortran_test.f90'
  end select
  if (failures > 0) error stop 1

contains

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    if (holds) return
    write (error_unit, '(2a)') 'wrong: ', what
    failures = failures + 1
  end subroutine

  ! The call was refused as wrong input, with these words in the message.
  subroutine check_refused(stat, errmsg, words)
    integer, intent(in) :: stat
    character(len=*), intent(inout) :: errmsg
    character(len=*), intent(in) :: words
    call check(stat == ermine_error_input, 'not refused: ' // words)
    call check(index(errmsg, words) > 0, 'message lacks "' // words // '": ' // errmsg)
    errmsg = ''
  end subroutine

  subroutine create_box(rad, text, overrides)
    type(radiation), intent(inout) :: rad
    character(len=*), intent(in) :: text
    character(len=*), intent(in), optional :: overrides(:)
    call rad%create_from_text(text, 'test.toml', overrides=overrides)
    call rad%set_grid([0.0_real64, 0.2_real64, 0.5_real64, 0.8_real64, 1.0_real64], &
      [0.0_real64, 0.3_real64, 0.6_real64, 1.0_real64], &
      [-1.0_real64, -0.5_real64, -0.1_real64, 0.1_real64, 0.5_real64, 1.0_real64])
  end subroutine

  ! Exact in single precision.
  function temperature() result(t)
    real(real64) :: t(nx, ny, nz)
    integer :: i, j, k
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          t(i, j, k) = 800 + 64 * i + 32 * j - 16 * k
        end do
      end do
    end do
  end function

  function solution(text) result(q)
    character(len=*), intent(in) :: text
    real(real64) :: q(nx, ny, nz)
    type(radiation) :: rad
    call create_box(rad, text)
    call rad%advance(temperature())
    call rad%get(ermine_source, q)
  end function

  subroutine test_kinds_and_slices()
    type(radiation) :: rad
    real(real64) :: expected(nx, ny, nz)
    real(real64) :: t(-1:nx + 2, 0:ny, nz + 3), q(0:nx + 1, 0:ny + 1, 0:nz + 1)
    real(real32) :: t4(2 * nx, ny, nz), q4(nx, ny, 2:2 * nz + 1)
    expected = solution(grey)
    call check(all(expected /= 0), 'no solution')

    call create_box(rad, grey)
    call rad%set_block(lo=[1, 1, 1], hi=[nx, ny, nz])
    t = -1
    t(1:nx, 1:ny, 2:nz + 1) = temperature()
    q = -7
    call rad%advance(t(1:nx, 1:ny, 2:nz + 1))
    call rad%get(ermine_source, q(1:nx, 1:ny, 1:nz))
    call check(all(q(1:nx, 1:ny, 1:nz) == expected), 'slices of double precision')
    call check(count(q == -7) == size(q) - size(expected), 'cells around a slice are written')

    call create_box(rad, grey)
    t4 = -1
    q4 = 0
    t4(::2, :, :) = real(temperature(), real32)
    call rad%advance(t4(::2, :, :))
    call rad%get(ermine_source, q4(:, :, 2:2 * nz:2))
    call check(all(q4(:, :, 2:2 * nz:2) == real(expected, real32)), 'slices of single precision')
  end subroutine

  ! The same Q in fields with a halo, of its own width on each side, in any order of axes.
  subroutine test_halo()
    type(radiation) :: rad
    real(real64) :: expected(nx, ny, nz)
    real(real64) :: t(0:nx + 1, 0:ny + 1, 0:nz + 1), q(0:nx + 1, 0:ny + 1, 0:nz + 1)
    real(real32) :: turned(nz, 2 - 1:nx + 2, ny)
    integer :: stat
    character(len=500) :: errmsg = ''
    expected = solution(grey)
    call create_box(rad, grey)
    call rad%set_block([1, 1, 1], [nx, ny, nz], halo_below=[1, 1, 1])
    t = -1
    t(1:nx, 1:ny, 1:nz) = temperature()
    q = -7
    call rad%advance(t)
    call rad%get(ermine_source, q)
    call check(all(q(1:nx, 1:ny, 1:nz) == expected), 'Q within a halo')
    call check(count(q == -7) == size(q) - size(expected), 'cells of the halo are written')
    call rad%advance(t(1:nx, 1:ny, 1:nz), stat, errmsg)
    call check_refused(stat, errmsg, 'give the cells of this process: 6 x 5 x 7')

    call create_box(rad, grey)
    call rad%set_block([1, 1, 1], [nx, ny, nz], order=[3, 1, 2], halo_below=[0, 0, 0], &
      halo_above=[2, 0, 0])
    turned = -1
    turned(:, 1:nx, :) = real(reshape(temperature(), [nz, nx, ny], order=[2, 3, 1]), real32)
    call rad%advance(turned)
    turned = -7
    call rad%get(ermine_source, turned)
    call check(all(turned(:, 1:nx, :) == &
      real(reshape(expected, [nz, nx, ny], order=[2, 3, 1]), real32)), 'Q beside a halo')
    call check(all(turned(:, nx + 1:, :) == -7), 'a halo on one side is written')
    call rad%set_block([1, 1, 1], [nx, ny, nz], halo_below=[-1, 0, 0], stat=stat, errmsg=errmsg)
    call check(stat == ermine_error_input, 'a negative halo')
  end subroutine

  ! All that is real, in single precision; numbers that it has exactly.
  subroutine test_single_precision()
    type(radiation) :: rad
    real(real64) :: expected(nx, ny, nz), q(nx, ny, nz)
    real(real32) :: wall(nx, ny), emissivity(nx, ny)
    wall = 750
    emissivity = 0.5
    call create_box(rad, grey)
    call rad%set_grid([0.0_real64, 0.25_real64, 0.5_real64, 0.75_real64, 1.0_real64], &
      [0.0_real64, 0.5_real64, 1.0_real64, 1.5_real64], &
      [0.0_real64, 0.25_real64, 0.5_real64, 0.75_real64, 1.0_real64, 1.25_real64])
    call rad%set_wall(ermine_x_low, 600.0_real64, emissivity=0.75_real64)
    call rad%set_wall(ermine_z_low, real(wall, real64), emissivity=0.25_real64)
    call rad%set_wall(ermine_z_high, real(wall, real64), real(emissivity, real64))
    call rad%set_absorption(2.0_real64)
    call rad%set_scaling(512.0_real64, 256.0_real64, 0.5_real64)
    call rad%advance((temperature() - 512) / 256)
    call rad%get(ermine_source, expected)
    call check(all(expected /= 0), 'no solution')

    call create_box(rad, grey)
    call rad%set_grid([0.0, 0.25, 0.5, 0.75, 1.0], [0.0, 0.5, 1.0, 1.5], &
      [0.0, 0.25, 0.5, 0.75, 1.0, 1.25], [.false., .false., .false.])
    call rad%set_wall(ermine_x_low, 600.0, emissivity=0.75)
    call rad%set_wall(ermine_z_low, wall, emissivity=0.25)
    call rad%set_wall(ermine_z_high, wall, emissivity)
    call rad%set_absorption(2.0)
    call rad%set_scaling(512.0, 256.0, 0.5)
    call rad%advance(real((temperature() - 512) / 256, real32))
    call rad%get(ermine_source, q)
    call check(all(q == expected), 'settings of single precision')

    call create_box(rad, gas)
    call rad%set_composition(ermine_h2o, 0.25_real64)
    call rad%advance(temperature())
    call rad%get(ermine_source, expected)
    call create_box(rad, gas)
    call rad%set_composition(ermine_h2o, 0.25)
    call rad%advance(temperature())
    call rad%get(ermine_source, q)
    call check(all(q == expected), 'a mole fraction of single precision')
  end subroutine

  ! Cells of equal width stay so in single precision, so that rays cross them as quickly.
  subroutine test_single_faces()
    type(radiation) :: rad
    real(real32) :: x(0:nx), y(0:ny), z(0:nz)
    real(real64) :: q(nx, ny, nz), expected(nx, ny, nz)
    integer :: i, stat
    character(len=500) :: errmsg = ''
    x = [(0.1 * i, i=0, nx)]
    y = [(-0.7 + 1.1 * i / ny, i=0, ny)]
    z(0) = 0
    do i = 1, nz
      z(i) = z(i - 1) + 0.3
    end do
    call create_box(rad, grey)
    call rad%set_grid(x, y, z)
    call rad%advance(temperature())
    call rad%get(ermine_source, q)

    call create_box(rad, grey)
    call rad%set_grid(even(x(0), x(nx), nx), even(y(0), y(ny), ny), even(z(0), z(nz), nz))
    call rad%advance(temperature())
    call rad%get(ermine_source, expected)
    call check(all(q == expected) .and. all(q /= 0), 'faces of single precision')

    call create_box(rad, grey)
    call rad%set_grid(x(nx:0:-1), y, z, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'not increasing')
  end subroutine

  function even(from, to, cells) result(faces)
    real(real32), intent(in) :: from, to
    integer, intent(in) :: cells
    real(real64) :: faces(0:cells)
    integer :: i
    faces = [(from + (real(to, real64) - from) * i / cells, i=0, cells)]
    faces(cells) = to
  end function

  subroutine test_balance()
    type(radiation) :: rad
    type(ermine_balance) :: balance
    real(real64) :: flux(nx, ny), walls
    integer :: stat
    character(len=500) :: errmsg = ''
    call create_box(rad, grey)
    call rad%get_balance(balance, stat, errmsg)
    call check_refused(stat, errmsg, 'there is no solution yet')
    call rad%advance(temperature())
    call rad%get_balance(balance)
    call rad%get_wall(ermine_net_flux, ermine_z_high, flux)
    walls = sum(balance%walls%value)
    call check(balance%walls(ermine_z_high)%value < 0 .and. all(flux < 0), 'a cold wall gains heat')
    call check(all(balance%walls%error > 0) .and. balance%gas%error > 0, 'errors')
    call check(abs(balance%all_walls%value - walls) < 1e-9 * balance%exchanged, 'sum of the walls')
    call check(abs(balance%sum%value - balance%gas%value - walls) < 1e-9 * balance%exchanged, &
      'sum of gas and walls')
    call check(balance%gas_bias%value == 0, 'no levels of detail')
    call check(balance%exchanged >= abs(balance%gas%value), 'heat exchanged')
  end subroutine

  subroutine test_order()
    type(radiation) :: rad
    real(real64) :: q(nz, nx, ny), expected(nx, ny, nz)
    integer :: lo(3), hi(3)
    expected = solution(grey)
    call create_box(rad, grey)
    call rad%set_block([1, 1, 1], [nx, ny, nz], order=[3, 1, 2])
    call rad%get_block(lo, hi)
    call check(all(lo == 1) .and. all(hi == [nx, ny, nz]), 'block')
    call rad%advance(reshape(temperature(), [nz, nx, ny], order=[2, 3, 1]))
    call rad%get(ermine_source, q)
    call check(all(q == reshape(expected, [nz, nx, ny], order=[2, 3, 1])), 'order of axes')
  end subroutine

  subroutine test_settings()
    type(radiation) :: rad
    real(real64) :: q(nx, ny, nz), expected(nx, ny, nz), before(nx, ny, nz)
    real(real32) :: field(nx, ny, nz)
    before = solution(grey)
    call create_box(rad, grey)
    call rad%set_absorption(2.0_real64)
    call rad%advance(temperature())
    call rad%get(ermine_source, expected)
    call check(all(expected /= before), 'absorption as a number')
    call create_box(rad, grey)
    field = 2
    call rad%set_absorption(field)
    call rad%set_scaling(512.0_real64, 256.0_real64, 0.5_real64)
    call rad%advance((temperature() - 512) / 256)
    call rad%get(ermine_source, q)
    call check(all(q == expected / 2), 'absorption as a field, and scaling')
    call create_box(rad, grey)
    call rad%set_absorption(real(field, real64))
    call rad%advance(temperature())
    call rad%get(ermine_source, q)
    call check(all(q == expected), 'absorption as a field of double precision')

    call create_box(rad, gas)
    call rad%set_composition(ermine_h2o, 0.25_real64)
    call rad%advance(temperature())
    call rad%get(ermine_emission, expected)
    field = 0.25
    call create_box(rad, gas)
    call rad%set_composition(ermine_h2o, field)
    call rad%advance(temperature())
    call rad%get(ermine_emission, q)
    call check(all(abs(q - expected) < 1e-3 * expected), 'composition as a field')
    call rad%set_composition(ermine_h2o, real(field, real64) / 2)
    call rad%advance(temperature())
    call rad%get(ermine_emission, q)
    call check(all(q < 0.9 * expected), 'composition of double precision')

    call create_box(rad, sooty)
    call rad%set_composition(ermine_soot, 1e-6_real64)
    call rad%advance(temperature())
    call rad%get(ermine_emission, expected)
    field = 1e-6
    call rad%set_composition(ermine_soot, field)
    call rad%advance(temperature())
    call rad%get(ermine_emission, q)
    call check(all(abs(q - expected) < 2e-3 * expected), 'soot as a field')
    call rad%set_composition(ermine_soot, real(field, real64) / 2)
    call rad%advance(temperature())
    call rad%get(ermine_emission, q)
    call check(all(q < 0.9 * expected), 'soot of double precision')

    call create_box(rad, misty)
    call rad%set_particles('mist', ermine_particle_absorption, 0.5_real64)
    call rad%set_particles('mist', ermine_particle_scattering, 3.0)
    call rad%advance(temperature())
    call rad%get(ermine_source, expected)
    before = solution(misty)
    call check(all(expected /= before), 'particles as numbers')
    call create_box(rad, misty)
    field = 0.5
    call rad%set_particles('mist', ermine_particle_absorption, field)
    field = 3
    call rad%set_particles('mist', ermine_particle_scattering, real(field, real64))
    call rad%advance(temperature())
    call rad%get(ermine_source, q)
    call check(all(q == expected), 'particles as fields')
  end subroutine

  subroutine test_walls()
    type(radiation) :: rad
    real(real64) :: flux(nx, ny), error(nx, ny), hot(nx, ny), emissivity(nx, ny)
    real(real32) :: single(nx, ny)
    integer :: shape(2)
    call create_box(rad, grey)
    call rad%advance(temperature())
    call rad%get_wall_shape(ermine_y_low, shape)
    call check(all(shape == [nx, nz]), 'shape of a wall')
    call rad%get_wall(ermine_net_flux, ermine_z_high, flux)
    call rad%get_wall(ermine_net_flux_error, ermine_z_high, error)
    call rad%get_wall(ermine_net_flux, ermine_z_high, single)
    call check(all(flux < 0) .and. all(error > 0), 'flux of a cold wall')
    call check(all(single == real(flux, real32)), 'flux in single precision')
    hot = 500
    hot(:, 2) = 2000
    call rad%set_wall(ermine_z_high, hot, specular=.true.)
    call rad%advance(temperature())
    call rad%get_wall(ermine_net_flux, ermine_z_high, flux)
    call check(all(flux(:, 2) > 0) .and. all(flux(:, [1, 3]) < 0), 'field of temperature')
    call rad%set_wall(ermine_z_high, 2000.0_real64, emissivity=0.0_real64)
    call rad%advance(temperature())
    call rad%get_wall(ermine_net_flux, ermine_z_high, flux)
    call check(all(flux == 0), 'white wall')
    emissivity = 1
    emissivity(:, 2) = 0
    call rad%set_wall(ermine_z_high, hot, emissivity)
    call rad%advance(temperature())
    call rad%get_wall(ermine_net_flux, ermine_z_high, flux)
    call check(all(flux(:, 2) == 0) .and. all(flux(:, [1, 3]) < 0), 'field of emissivity')
  end subroutine

  subroutine test_by_hand()
    type(radiation) :: rad
    type(ermine_statistics) :: done
    real(real64) :: q(nx, ny, nz)
    character(len=:), allocatable :: text
    logical :: ready
    call check(len(ermine_version()) >= 5, 'version')
    call create_box(rad, grey)
    call rad%submit(temperature())
    call rad%submit(real(temperature(), real32))
    call check(rad%pending() == 2, 'pending')
    call rad%wait()
    call rad%get(ermine_source, q)
    call check(all(q == solution(grey)), 'submit and wait')
    ready = .false.
    do while (.not. ready)
      call rad%poll(ready)
    end do
    call rad%cancel()
    call check(rad%pending() == 0, 'nothing pending')
    call rad%get_statistics(done)
    call check(done%updates == 2 .and. done%cancelled == 1 .and. done%steps == 0, 'statistics')
    call check(done%relative_error > 0 .and. done%rays > 64 * size(q) - 1, 'statistics at the end')
    call rad%describe(text)
    call check(index(text, '4 x 3 x 5') > 0, 'description')
  end subroutine

  subroutine test_save_and_load()
    character(len=*), parameter :: file = 'fortran_test_state.h5'
    type(radiation) :: rad
    real(real64) :: t(nx, ny, nz), q(nx, ny, nz), expected(nx, ny, nz)
    integer :: unit
    call create_box(rad, grey, ['coupling.lag=1     ', 'coupling.interval=2'])
    t = temperature()
    call march(rad, t, expected, 6)
    call create_box(rad, grey, ['coupling.lag=1     ', 'coupling.interval=2'])
    t = temperature()
    call march(rad, t, q, 3)
    call rad%save(file)
    call create_box(rad, grey, ['coupling.lag=1     ', 'coupling.interval=2'])
    call rad%load(file)
    call march(rad, t, q, 3)
    call check(all(q == expected), 'goes on bit for bit')
    open (newunit=unit, file=file)  ! an old one must not help the next run of this test
    close (unit, status='delete')
  end subroutine

  subroutine march(rad, t, q, steps)
    type(radiation), intent(inout) :: rad
    real(real64), intent(inout) :: t(:, :, :), q(:, :, :)
    integer, intent(in) :: steps
    integer :: step
    do step = 1, steps
      call rad%advance(t)
      call rad%get(ermine_source, q)
      t = t - 1e-4_real64 * q
    end do
  end subroutine

  subroutine test_errors()
    type(radiation) :: rad
    real(real64) :: t(nx, ny, nz), q(nx, ny, nz + 1), flux(nx, nz)
    integer :: stat
    character(len=500) :: errmsg = ''
    t = temperature()
    call rad%advance(t, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'call create first')
    call rad%create('no_such_file.toml', stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'no_such_file.toml')
    call rad%create_from_text(grey, 'a.toml', overrides=['solver.ray=10'], stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'rays_per_cell')
    call create_box(rad, grey)
    call rad%get(ermine_source, t, stat, errmsg)
    call check_refused(stat, errmsg, 'call advance, or submit and wait')
    call rad%set_block([1, 1, 1], [nx, ny, nz - 1], stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'cells x 1 to 4, y 1 to 3, z 5 (counted from 1)')
    call rad%set_block([1, 1, 1], [nx + 1, ny, nz], stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'lo = 1, 1, 1, hi = 5, 3, 5 (counted from 1)')
    call rad%set_block([1, 1, 1], [nx, ny, nz], order=[1, 2, 2], stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, '1, 2, 2, give 1, 2 and 3')
    call rad%advance(t(:, :, 2:), stat, errmsg)
    call check_refused(stat, errmsg, '4 x 3 x 4')
    t(2, 2, 2) = -5
    call rad%advance(t, stat, errmsg)
    call check_refused(stat, errmsg, '-5 K in cell x 2, y 2, z 2 (counted from 1)')
    t = temperature()
    call rad%advance(t, stat, errmsg)
    call check(stat == ermine_ok .and. errmsg == '', 'an error where there is none')
    q = 3
    call rad%get(ermine_source, q, stat, errmsg)
    call check_refused(stat, errmsg, '4 x 3 x 6')
    call rad%get(-1, q(:, :, :nz), stat, errmsg)
    call check_refused(stat, errmsg, 'quantity -1')
    call rad%get_wall(ermine_net_flux, ermine_z_low, flux, stat, errmsg)
    call check_refused(stat, errmsg, '4 x 5')
    call check(all(q == 3), 'a refused array is written')
    call rad%wait(stat, errmsg)
    call check_refused(stat, errmsg, 'submit')
  end subroutine

  ! Each is released when its subroutine ends, once.
  subroutine test_finalization()
    real(real64) :: q(nx, ny, nz), again(nx, ny, nz)
    integer :: i
    q = solution(grey)
    do i = 1, 3
      again = solution(grey)
      call check(all(again == q), 'not the same again')
    end do
  end subroutine

  ! Without stat an error ends the program, with its message.
  subroutine test_stops()
    type(radiation) :: rad
    call rad%create('no_such_file.toml')
    print '(a)', 'went on'
  end subroutine

end program
