!> Radiative heat transfer for flow solvers in Fortran, over the C interface <ermine/ermine.h>.
!>
!>   type(radiation) :: rad
!>   call rad%create('radiation.toml', comm)        ! integer; with mpi_f08: comm%MPI_VAL
!>   call rad%set_grid(x, y, z, periodic)           ! faces [m]; once, if the file has none
!>   call rad%set_block(lo, hi)                     ! first and last cell of this process, from 1
!>   do                                             ! time steps
!>     call rad%advance(t(1:nx, 1:ny, 1:nz))        ! submits, and takes over what is due
!>     call rad%get(ermine_source, q)               ! energy equation: - q
!>   end do
!>   call rad%destroy()                             ! before MPI_Finalize
!>
!> Fields are of the cells of this process, real(4) or real(8), in the order t(x, y, z). Slices of
!> larger arrays, with halo cells for instance, are copied on the way, whole arrays are not. All
!> units are SI. All processes of the communicator make the same calls in the same order.
!>
!> An error ends the program with its message, unless `stat` is given, as of the allocate statement:
!> then that is 0 or one of ermine_error_*, and `errmsg` tells what is wrong, and what to do (cut to
!> its length; 500 characters hold all but the longest).
module ermine
  use, intrinsic :: iso_c_binding
  use ermine_c_interface
  implicit none
  private

  integer, parameter, public :: ermine_ok = 0, ermine_error_input = 1, ermine_error_memory = 2, &
    ermine_error_internal = 3
  !> Communicator of one process, with or without MPI.
  integer, parameter, public :: ermine_this_process = -1
  integer, parameter, public :: ermine_x_low = 0, ermine_x_high = 1, ermine_y_low = 2, &
    ermine_y_high = 3, ermine_z_low = 4, ermine_z_high = 5
  integer, parameter, public :: ermine_h2o = 0, ermine_co2 = 1, ermine_co = 2, ermine_ch4 = 3, &
    ermine_soot = 4
  !> Of each cell [W/m3]: Q = emission - absorption, positive where the gas loses heat; its standard
  !> error; d emission / dT [W/(m3 K)].
  integer, parameter, public :: ermine_source = 0, ermine_standard_error = 1, ermine_emission = 2, &
    ermine_absorption = 3, ermine_emission_slope = 4
  !> Of each wall face cell [W/m2]: net flux, positive where the wall loses heat, and its error.
  integer, parameter, public :: ermine_net_flux = 0, ermine_net_flux_error = 1

  integer(c_int), parameter :: language_fortran = 1

  public :: ermine_statistics, ermine_version, ermine_built_with_mpi

  !> Radiation as a flow solver holds it between its time steps. It cannot be copied.
  type, public :: radiation
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    !> create(case_file, [comm, overrides]): overrides are 'key=value', as after `ermine run --set`.
    procedure :: create
    !> create_from_text(text, name, [comm, overrides]): `name` stands for the file in messages.
    procedure :: create_from_text
    !> Cancels what is under way; nothing if there is nothing.
    procedure :: destroy
    !> set_grid(x, y, z, [periodic(3)]): face coordinates [m], one more than cells.
    procedure :: set_grid
    !> set_block(lo, hi, [order]): cells lo(1):hi(1), lo(2):hi(2), lo(3):hi(3) of the whole grid,
    !> counted from 1. order = [3, 2, 1]: fields are t(z, y, x).
    procedure :: set_block
    !> set_scaling(offset, factor, source): T [K] = offset + factor * theirs; Q [W/m3] * source.
    procedure :: set_scaling
    !> set_wall(face, temperature, [emissivity, specular]): [K], one number or a field of the whole
    !> side each, lower axis first.
    generic :: set_wall => set_wall_uniform, set_wall_temperature, set_wall_fields
    !> set_composition(species, mole_fraction), set_absorption(coefficient [1/m]): a number or a
    !> field. Of ermine_soot: volume fraction of the soot of the case.
    generic :: set_composition => set_composition_uniform, set_composition_8, set_composition_4
    generic :: set_absorption => set_absorption_uniform, set_absorption_8, set_absorption_4
    !> advance(temperature): one flow step. submit(temperature): the same by hand, then wait.
    generic :: advance => advance_8, advance_4
    generic :: submit => submit_8, submit_4
    !> poll(ready): whether wait would return at once, on all processes alike.
    procedure :: poll
    procedure :: wait
    procedure :: cancel
    !> pending(): solutions submitted and not waited for.
    procedure :: pending
    !> get(quantity, values): of the solution taken over last. Not collective, as all get_*.
    generic :: get => get_8, get_4
    !> get_wall(quantity, face, values): of the faces that this process's cells have on a side of
    !> the domain, as many as get_wall_shape(face, shape) says, lower axis first.
    generic :: get_wall => get_wall_8, get_wall_4
    procedure :: get_wall_shape
    procedure :: get_statistics
    !> get_block(lo, hi): the cells of this process, counted from 1.
    procedure :: get_block
    !> describe(text): what is solved, for people.
    procedure :: describe
    !> save(file), load(file): the run goes on bit for bit.
    procedure :: save => save_file
    procedure :: load => load_file
    procedure, private :: set_wall_uniform, set_wall_temperature, set_wall_fields
    procedure, private :: set_composition_uniform, set_composition_8, set_composition_4
    procedure, private :: set_absorption_uniform, set_absorption_8, set_absorption_4
    procedure, private :: advance_8, advance_4, submit_8, submit_4
    procedure, private :: get_8, get_4, get_wall_8, get_wall_4
    procedure, private :: refuse_copy
    generic :: assignment(=) => refuse_copy
    final :: finalize
  end type

contains

  function ermine_version() result(text)
    character(len=:), allocatable :: text
    text = text_at(c_version())
  end function

  logical function ermine_built_with_mpi()
    ermine_built_with_mpi = c_built_with_mpi() /= 0
  end function

  subroutine create(self, case_file, comm, overrides, stat, errmsg)
    class(radiation), intent(inout) :: self
    character(len=*), intent(in) :: case_file
    integer, intent(in), optional :: comm
    character(len=*), intent(in), optional :: overrides(:)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_strings), target :: list
    integer(c_int) :: status
    call self%destroy()
    call set_strings(list, overrides)
    status = c_create(c_text(case_file), list%pointers, size(list%pointers, kind=c_int), &
      communicator(comm), self%handle)
    if (status == ermine_ok) status = c_set_language(self%handle, language_fortran)
    call report(self, status, stat, errmsg)
  end subroutine

  subroutine create_from_text(self, text, name, comm, overrides, stat, errmsg)
    class(radiation), intent(inout) :: self
    character(len=*), intent(in) :: text, name
    integer, intent(in), optional :: comm
    character(len=*), intent(in), optional :: overrides(:)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_strings), target :: list
    integer(c_int) :: status
    call self%destroy()
    call set_strings(list, overrides)
    status = c_create_from_text(c_text(text), c_text(name), list%pointers, &
      size(list%pointers, kind=c_int), communicator(comm), self%handle)
    if (status == ermine_ok) status = c_set_language(self%handle, language_fortran)
    call report(self, status, stat, errmsg)
  end subroutine

  subroutine destroy(self)
    class(radiation), intent(inout) :: self
    call c_destroy(self%handle)
    self%handle = c_null_ptr
  end subroutine

  subroutine finalize(self)
    type(radiation), intent(inout) :: self
    call self%destroy()
  end subroutine

  subroutine refuse_copy(self, other)
    class(radiation), intent(inout) :: self
    class(radiation), intent(in) :: other
    if (c_associated(self%handle, other%handle)) return
    error stop 'ermine: a radiation cannot be copied, pass it as an argument'
  end subroutine

  subroutine set_grid(self, x, y, z, periodic, stat, errmsg)
    class(radiation), intent(inout) :: self
    real(c_double), intent(in), contiguous, target :: x(:), y(:), z(:)
    logical, intent(in), optional :: periodic(3)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_axis) :: axes(3)
    axes(1) = c_axis(c_loc(x), size(x) - 1, 0)
    axes(2) = c_axis(c_loc(y), size(y) - 1, 0)
    axes(3) = c_axis(c_loc(z), size(z) - 1, 0)
    if (present(periodic)) axes%periodic = merge(1, 0, periodic)
    call report(self, c_set_grid(self%handle, axes), stat, errmsg)
  end subroutine

  subroutine set_block(self, lo, hi, order, stat, errmsg)
    class(radiation), intent(inout) :: self
    integer, intent(in) :: lo(3), hi(3)
    integer, intent(in), optional :: order(3)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_block) :: block
    block%begin = lo - 1
    block%end = hi
    if (present(order)) block%order = int(order, c_int) - 1_c_int
    call report(self, c_set_block(self%handle, block), stat, errmsg)
  end subroutine

  subroutine get_block(self, lo, hi, stat, errmsg)
    class(radiation), intent(inout) :: self
    integer, intent(out) :: lo(3), hi(3)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_block) :: block
    integer(c_int) :: status
    status = c_get_block(self%handle, block)
    lo = int(block%begin) + 1
    hi = int(block%end)
    call report(self, status, stat, errmsg)
  end subroutine

  subroutine set_scaling(self, offset, factor, source, stat, errmsg)
    class(radiation), intent(inout) :: self
    real(c_double), intent(in) :: offset, factor, source
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(self, c_set_scaling(self%handle, offset, factor, source), stat, errmsg)
  end subroutine

  subroutine set_wall_uniform(self, face, temperature, emissivity, specular, stat, errmsg)
    class(radiation), intent(inout) :: self
    integer, intent(in) :: face
    real(c_double), intent(in) :: temperature
    real(c_double), intent(in), optional :: emissivity
    logical, intent(in), optional :: specular
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call self%set_wall(face, reshape([temperature], [1, 1]), reshape([black(emissivity)], [1, 1]), &
      specular, stat, errmsg)
  end subroutine

  subroutine set_wall_temperature(self, face, temperature, emissivity, specular, stat, errmsg)
    class(radiation), intent(inout) :: self
    integer, intent(in) :: face
    real(c_double), intent(in) :: temperature(:, :)
    real(c_double), intent(in), optional :: emissivity
    logical, intent(in), optional :: specular
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call self%set_wall(face, temperature, reshape([black(emissivity)], [1, 1]), specular, stat, &
      errmsg)
  end subroutine

  subroutine set_wall_fields(self, face, temperature, emissivity, specular, stat, errmsg)
    class(radiation), intent(inout) :: self
    integer, intent(in) :: face
    real(c_double), intent(in), contiguous, target :: temperature(:, :), emissivity(:, :)
    logical, intent(in), optional :: specular
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_wall) :: wall
    wall = c_wall(c_loc(temperature), size(temperature), c_loc(emissivity), size(emissivity), 0)
    if (present(specular)) wall%reflection = merge(1_c_int, 0_c_int, specular)
    call report(self, c_set_wall(self%handle, int(face, c_int), wall), stat, errmsg)
  end subroutine

  subroutine set_composition_uniform(self, species, mole_fraction, stat, errmsg)
    class(radiation), intent(inout) :: self
    integer, intent(in) :: species
    real(c_double), intent(in) :: mole_fraction
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(self, c_set_composition(self%handle, int(species, c_int), mole_fraction), stat, &
      errmsg)
  end subroutine

  subroutine set_absorption_uniform(self, coefficient, stat, errmsg)
    class(radiation), intent(inout) :: self
    real(c_double), intent(in) :: coefficient
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(self, c_set_absorption(self%handle, coefficient), stat, errmsg)
  end subroutine

  subroutine set_composition_8(self, species, mole_fraction, stat, errmsg)
    class(radiation), intent(inout) :: self
    integer, intent(in) :: species
    real(c_double), intent(in), contiguous, target :: mole_fraction(:, :, :)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call announce(self, shape(mole_fraction))
    call report(self, c_set_composition_8(self%handle, int(species, c_int), c_loc(mole_fraction)), stat, errmsg)
  end subroutine

  subroutine set_absorption_8(self, coefficient, stat, errmsg)
    class(radiation), intent(inout) :: self
    real(c_double), intent(in), contiguous, target :: coefficient(:, :, :)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call announce(self, shape(coefficient))
    call report(self, c_set_absorption_8(self%handle, c_loc(coefficient)), stat, errmsg)
  end subroutine

  subroutine advance_8(self, temperature, stat, errmsg)
    class(radiation), intent(inout) :: self
    real(c_double), intent(in), contiguous, target :: temperature(:, :, :)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call announce(self, shape(temperature))
    call report(self, c_advance_8(self%handle, c_loc(temperature)), stat, errmsg)
  end subroutine

  subroutine submit_8(self, temperature, stat, errmsg)
    class(radiation), intent(inout) :: self
    real(c_double), intent(in), contiguous, target :: temperature(:, :, :)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call announce(self, shape(temperature))
    call report(self, c_submit_8(self%handle, c_loc(temperature)), stat, errmsg)
  end subroutine

  subroutine get_8(self, quantity, values, stat, errmsg)
    class(radiation), intent(inout) :: self
    integer, intent(in) :: quantity
    real(c_double), intent(inout), contiguous, target :: values(:, :, :)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call announce(self, shape(values))
    call report(self, c_get_8(self%handle, int(quantity, c_int), c_loc(values)), stat, errmsg)
  end subroutine

  subroutine get_wall_8(self, quantity, face, values, stat, errmsg)
    class(radiation), intent(inout) :: self
    integer, intent(in) :: quantity, face
    real(c_double), intent(inout), contiguous, target :: values(:, :)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr) :: address
    character(len=:), allocatable :: complaint
    call check_wall_shape(self%handle, face, shape(values), c_loc(values), address, complaint)
    call report(self, c_get_wall_8(self%handle, int(quantity, c_int), int(face, c_int), &
      address), stat, errmsg, complaint)
  end subroutine

  subroutine set_composition_4(self, species, mole_fraction, stat, errmsg)
    class(radiation), intent(inout) :: self
    integer, intent(in) :: species
    real(c_float), intent(in), contiguous, target :: mole_fraction(:, :, :)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call announce(self, shape(mole_fraction))
    call report(self, c_set_composition_4(self%handle, int(species, c_int), c_loc(mole_fraction)), stat, errmsg)
  end subroutine

  subroutine set_absorption_4(self, coefficient, stat, errmsg)
    class(radiation), intent(inout) :: self
    real(c_float), intent(in), contiguous, target :: coefficient(:, :, :)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call announce(self, shape(coefficient))
    call report(self, c_set_absorption_4(self%handle, c_loc(coefficient)), stat, errmsg)
  end subroutine

  subroutine advance_4(self, temperature, stat, errmsg)
    class(radiation), intent(inout) :: self
    real(c_float), intent(in), contiguous, target :: temperature(:, :, :)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call announce(self, shape(temperature))
    call report(self, c_advance_4(self%handle, c_loc(temperature)), stat, errmsg)
  end subroutine

  subroutine submit_4(self, temperature, stat, errmsg)
    class(radiation), intent(inout) :: self
    real(c_float), intent(in), contiguous, target :: temperature(:, :, :)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call announce(self, shape(temperature))
    call report(self, c_submit_4(self%handle, c_loc(temperature)), stat, errmsg)
  end subroutine

  subroutine get_4(self, quantity, values, stat, errmsg)
    class(radiation), intent(inout) :: self
    integer, intent(in) :: quantity
    real(c_float), intent(inout), contiguous, target :: values(:, :, :)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call announce(self, shape(values))
    call report(self, c_get_4(self%handle, int(quantity, c_int), c_loc(values)), stat, errmsg)
  end subroutine

  subroutine get_wall_4(self, quantity, face, values, stat, errmsg)
    class(radiation), intent(inout) :: self
    integer, intent(in) :: quantity, face
    real(c_float), intent(inout), contiguous, target :: values(:, :)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr) :: address
    character(len=:), allocatable :: complaint
    call check_wall_shape(self%handle, face, shape(values), c_loc(values), address, complaint)
    call report(self, c_get_wall_4(self%handle, int(quantity, c_int), int(face, c_int), &
      address), stat, errmsg, complaint)
  end subroutine

  subroutine poll(self, ready, stat, errmsg)
    class(radiation), intent(inout) :: self
    logical, intent(out) :: ready
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int) :: status, answer
    answer = 0
    status = c_poll(self%handle, answer)
    ready = answer /= 0
    call report(self, status, stat, errmsg)
  end subroutine

  subroutine wait(self, stat, errmsg)
    class(radiation), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(self, c_wait(self%handle), stat, errmsg)
  end subroutine

  subroutine cancel(self, stat, errmsg)
    class(radiation), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(self, c_cancel(self%handle), stat, errmsg)
  end subroutine

  integer function pending(self)
    class(radiation), intent(in) :: self
    integer(c_int) :: count
    pending = 0
    if (c_pending(self%handle, count) == ermine_ok) pending = count
  end function

  subroutine get_wall_shape(self, face, shape, stat, errmsg)
    class(radiation), intent(inout) :: self
    integer, intent(in) :: face
    integer, intent(out) :: shape(2)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    integer(c_int64_t) :: found(2)
    found = 0
    status = c_wall_shape(self%handle, int(face, c_int), found)
    shape = int(found)
    call report(self, status, stat, errmsg)
  end subroutine

  subroutine get_statistics(self, statistics, stat, errmsg)
    class(radiation), intent(inout) :: self
    type(ermine_statistics), intent(out) :: statistics
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    statistics%size = c_sizeof(statistics)
    call report(self, c_get_statistics(self%handle, statistics), stat, errmsg)
  end subroutine

  subroutine describe(self, text, stat, errmsg)
    class(radiation), intent(inout) :: self
    character(len=:), allocatable, intent(out) :: text
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    type(c_ptr) :: found
    status = c_describe(self%handle, found)
    text = ''
    if (status == ermine_ok) text = text_at(found)
    call report(self, status, stat, errmsg)
  end subroutine

  subroutine save_file(self, file, stat, errmsg)
    class(radiation), intent(inout) :: self
    character(len=*), intent(in) :: file
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(self, c_save(self%handle, c_text(file)), stat, errmsg)
  end subroutine

  subroutine load_file(self, file, stat, errmsg)
    class(radiation), intent(inout) :: self
    character(len=*), intent(in) :: file
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call report(self, c_load(self%handle, c_text(file)), stat, errmsg)
  end subroutine

  !> The next call refuses arrays of other shapes than this process has, on all processes alike.
  subroutine announce(self, shape)
    class(radiation), intent(in) :: self
    integer, intent(in) :: shape(3)
    integer(c_int) :: ignored
    ignored = c_expect_shape(self%handle, int(shape, c_int64_t))
  end subroutine

  !> Hands a status on to those who asked for it; else an error ends the program. Errors of calls
  !> that all processes make are the same on all: the first one says so and ends the others, which
  !> speak only where it does not within a minute.
  subroutine report(self, status, stat, errmsg, complaint)
    class(radiation), intent(in) :: self
    integer(c_int), intent(in) :: status
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=:), allocatable, intent(in), optional :: complaint
    character(len=:), allocatable :: message
    integer(c_int) :: ignored
    if (present(stat)) stat = status
    if (status == ermine_ok) return
    if (c_associated(self%handle)) then
      message = text_at(c_last_error(self%handle))
    else
      message = 'there is no radiation yet, call create first'
    end if
    if (present(complaint)) then
      if (allocated(complaint)) message = complaint
    end if
    if (present(errmsg)) errmsg = message
    if (present(stat)) return
    if (c_rank(self%handle) > 0) ignored = c_sleep(60_c_int)
    error stop 'ermine: ' // message
  end subroutine

  integer(c_int) function communicator(comm)
    integer, intent(in), optional :: comm
    communicator = ermine_this_process
    if (present(comm)) communicator = int(comm, c_int)
  end function

  real(c_double) function black(emissivity)
    real(c_double), intent(in), optional :: emissivity
    black = 1
    if (present(emissivity)) black = emissivity
  end function

end module
