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
!> All real numbers and arrays may be real(4) or real(8); those of one call have the same kind.
!> Fields are of the cells of this process, in the order t(x, y, z), with the halo that set_block was
!> told of. Whole arrays are passed as they are; slices of larger arrays are copied on the way. Cells
!> and axes are counted from 1. All units are SI. All processes of the communicator make the same
!> calls in the same order.
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
  !> Of particles [1/m].
  integer, parameter, public :: ermine_particle_absorption = 0, ermine_particle_scattering = 1
  !> Of each cell [W/m3]: Q = emission - absorption, positive where the gas loses heat; its standard
  !> error; d emission / dT [W/(m3 K)].
  integer, parameter, public :: ermine_source = 0, ermine_standard_error = 1, ermine_emission = 2, &
    ermine_absorption = 3, ermine_emission_slope = 4
  !> Of each wall face cell [W/m2]: net flux, positive where the wall loses heat, and its error.
  integer, parameter, public :: ermine_net_flux = 0, ermine_net_flux_error = 1

  integer(c_int), parameter :: language_fortran = 1

  public :: ermine_balance, ermine_estimate, ermine_statistics, ermine_version, ermine_built_with_mpi

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
    !> set_grid(x, y, z, [periodic(3)]): face coordinates [m], one more than cells. In single
    !> precision, cells whose widths differ by rounding only become cells of equal width.
    generic :: set_grid => set_grid_8, set_grid_4
    !> set_block(lo, hi, [order, halo_below, halo_above]): cells lo(1):hi(1), lo(2):hi(2), lo(3):hi(3)
    !> of the whole grid, counted from 1. order = [3, 2, 1]: fields are t(z, y, x). halo_below and
    !> halo_above: cells that all fields have besides, below and above along x, y and z; they are
    !> neither read nor written. halo_above left out: as halo_below.
    procedure :: set_block
    !> set_scaling(offset, factor, source): T [K] = offset + factor * theirs; Q [W/m3] * source.
    generic :: set_scaling => set_scaling_8, set_scaling_4
    !> set_wall(face, temperature, [emissivity, specular]): [K], one number or a field of the whole
    !> side each, lower axis first.
    generic :: set_wall => set_wall_uniform_8, set_wall_temperature_8, set_wall_fields_8, &
      set_wall_uniform_4, set_wall_temperature_4, set_wall_fields_4
    !> set_composition(species, mole_fraction), set_absorption(coefficient [1/m]): a number or a
    !> field. Of ermine_soot: volume fraction of the soot of the case.
    generic :: set_composition => set_composition_uniform_8, set_composition_uniform_4, &
      set_composition_8, set_composition_4
    generic :: set_absorption => set_absorption_uniform_8, set_absorption_uniform_4, &
      set_absorption_8, set_absorption_4
    !> set_particles(name, property, coefficient [1/m]): of particles that the case has, a number or a
    !> field. property: ermine_particle_absorption or ermine_particle_scattering.
    generic :: set_particles => set_particles_uniform_8, set_particles_uniform_4, &
      set_particles_8, set_particles_4
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
    !> get_balance(balance): energy balance of the whole grid [W], of the solution taken over last.
    procedure :: get_balance
    procedure :: get_statistics
    !> get_block(lo, hi): the cells of this process, counted from 1.
    procedure :: get_block
    !> describe(text): what is solved, for people.
    procedure :: describe
    !> save(file), load(file): the run goes on bit for bit.
    procedure :: save => save_file
    procedure :: load => load_file
    procedure, private :: set_grid_8, set_grid_4, set_scaling_8, set_scaling_4
    procedure, private :: set_wall_uniform_8, set_wall_temperature_8, set_wall_fields_8
    procedure, private :: set_wall_uniform_4, set_wall_temperature_4, set_wall_fields_4
    procedure, private :: set_composition_uniform_8, set_composition_uniform_4
    procedure, private :: set_composition_8, set_composition_4
    procedure, private :: set_absorption_uniform_8, set_absorption_uniform_4
    procedure, private :: set_absorption_8, set_absorption_4
    procedure, private :: set_particles_uniform_8, set_particles_uniform_4
    procedure, private :: set_particles_8, set_particles_4
    procedure, private :: advance_8, advance_4, submit_8, submit_4
    procedure, private :: get_8, get_4, get_wall_8, get_wall_4
    procedure, private :: refuse_copy
    generic :: assignment(=) => refuse_copy
    final :: finalize
  end type

  !> The bodies are in ermine_problem.f90 and ermine_steps.f90.
  interface
    module subroutine set_grid_8(self, x, y, z, periodic, stat, errmsg)
      class(radiation), intent(inout) :: self
      real(c_double), intent(in), contiguous, target :: x(:), y(:), z(:)
      logical, intent(in), optional :: periodic(3)
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine set_grid_4(self, x, y, z, periodic, stat, errmsg)
      class(radiation), intent(inout) :: self
      real(c_float), intent(in), contiguous, target :: x(:), y(:), z(:)
      logical, intent(in), optional :: periodic(3)
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine set_block(self, lo, hi, order, stat, errmsg, halo_below, halo_above)
      class(radiation), intent(inout) :: self
      integer, intent(in) :: lo(3), hi(3)
      integer, intent(in), optional :: order(3), halo_below(3), halo_above(3)
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine get_block(self, lo, hi, stat, errmsg)
      class(radiation), intent(inout) :: self
      integer, intent(out) :: lo(3), hi(3)
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine set_scaling_8(self, offset, factor, source, stat, errmsg)
      class(radiation), intent(inout) :: self
      real(c_double), intent(in) :: offset, factor, source
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine set_scaling_4(self, offset, factor, source, stat, errmsg)
      class(radiation), intent(inout) :: self
      real(c_float), intent(in) :: offset, factor, source
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine set_wall_uniform_8(self, face, temperature, emissivity, specular, stat, errmsg)
      class(radiation), intent(inout) :: self
      integer, intent(in) :: face
      real(c_double), intent(in) :: temperature
      real(c_double), intent(in), optional :: emissivity
      logical, intent(in), optional :: specular
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine set_wall_uniform_4(self, face, temperature, emissivity, specular, stat, errmsg)
      class(radiation), intent(inout) :: self
      integer, intent(in) :: face
      real(c_float), intent(in) :: temperature
      real(c_float), intent(in), optional :: emissivity
      logical, intent(in), optional :: specular
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine set_wall_temperature_8(self, face, temperature, emissivity, specular, stat, errmsg)
      class(radiation), intent(inout) :: self
      integer, intent(in) :: face
      real(c_double), intent(in) :: temperature(:, :)
      real(c_double), intent(in), optional :: emissivity
      logical, intent(in), optional :: specular
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine set_wall_temperature_4(self, face, temperature, emissivity, specular, stat, errmsg)
      class(radiation), intent(inout) :: self
      integer, intent(in) :: face
      real(c_float), intent(in) :: temperature(:, :)
      real(c_float), intent(in), optional :: emissivity
      logical, intent(in), optional :: specular
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine set_wall_fields_8(self, face, temperature, emissivity, specular, stat, errmsg)
      class(radiation), intent(inout) :: self
      integer, intent(in) :: face
      real(c_double), intent(in), contiguous, target :: temperature(:, :), emissivity(:, :)
      logical, intent(in), optional :: specular
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine set_wall_fields_4(self, face, temperature, emissivity, specular, stat, errmsg)
      class(radiation), intent(inout) :: self
      integer, intent(in) :: face
      real(c_float), intent(in) :: temperature(:, :), emissivity(:, :)
      logical, intent(in), optional :: specular
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine set_composition_uniform_8(self, species, mole_fraction, stat, errmsg)
      class(radiation), intent(inout) :: self
      integer, intent(in) :: species
      real(c_double), intent(in) :: mole_fraction
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine set_composition_uniform_4(self, species, mole_fraction, stat, errmsg)
      class(radiation), intent(inout) :: self
      integer, intent(in) :: species
      real(c_float), intent(in) :: mole_fraction
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine set_absorption_uniform_8(self, coefficient, stat, errmsg)
      class(radiation), intent(inout) :: self
      real(c_double), intent(in) :: coefficient
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine set_absorption_uniform_4(self, coefficient, stat, errmsg)
      class(radiation), intent(inout) :: self
      real(c_float), intent(in) :: coefficient
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine set_composition_8(self, species, mole_fraction, stat, errmsg)
      class(radiation), intent(inout) :: self
      integer, intent(in) :: species
      real(c_double), intent(in), contiguous, target :: mole_fraction(:, :, :)
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine set_absorption_8(self, coefficient, stat, errmsg)
      class(radiation), intent(inout) :: self
      real(c_double), intent(in), contiguous, target :: coefficient(:, :, :)
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine set_composition_4(self, species, mole_fraction, stat, errmsg)
      class(radiation), intent(inout) :: self
      integer, intent(in) :: species
      real(c_float), intent(in), contiguous, target :: mole_fraction(:, :, :)
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine set_absorption_4(self, coefficient, stat, errmsg)
      class(radiation), intent(inout) :: self
      real(c_float), intent(in), contiguous, target :: coefficient(:, :, :)
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine set_particles_uniform_8(self, name, property, coefficient, stat, errmsg)
      class(radiation), intent(inout) :: self
      character(len=*), intent(in) :: name
      integer, intent(in) :: property
      real(c_double), intent(in) :: coefficient
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine set_particles_uniform_4(self, name, property, coefficient, stat, errmsg)
      class(radiation), intent(inout) :: self
      character(len=*), intent(in) :: name
      integer, intent(in) :: property
      real(c_float), intent(in) :: coefficient
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine set_particles_8(self, name, property, coefficient, stat, errmsg)
      class(radiation), intent(inout) :: self
      character(len=*), intent(in) :: name
      integer, intent(in) :: property
      real(c_double), intent(in), contiguous, target :: coefficient(:, :, :)
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine set_particles_4(self, name, property, coefficient, stat, errmsg)
      class(radiation), intent(inout) :: self
      character(len=*), intent(in) :: name
      integer, intent(in) :: property
      real(c_float), intent(in), contiguous, target :: coefficient(:, :, :)
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine advance_8(self, temperature, stat, errmsg)
      class(radiation), intent(inout) :: self
      real(c_double), intent(in), contiguous, target :: temperature(:, :, :)
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine submit_8(self, temperature, stat, errmsg)
      class(radiation), intent(inout) :: self
      real(c_double), intent(in), contiguous, target :: temperature(:, :, :)
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine get_8(self, quantity, values, stat, errmsg)
      class(radiation), intent(inout) :: self
      integer, intent(in) :: quantity
      real(c_double), intent(inout), contiguous, target :: values(:, :, :)
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine get_wall_8(self, quantity, face, values, stat, errmsg)
      class(radiation), intent(inout) :: self
      integer, intent(in) :: quantity, face
      real(c_double), intent(inout), contiguous, target :: values(:, :)
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine advance_4(self, temperature, stat, errmsg)
      class(radiation), intent(inout) :: self
      real(c_float), intent(in), contiguous, target :: temperature(:, :, :)
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine submit_4(self, temperature, stat, errmsg)
      class(radiation), intent(inout) :: self
      real(c_float), intent(in), contiguous, target :: temperature(:, :, :)
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine get_4(self, quantity, values, stat, errmsg)
      class(radiation), intent(inout) :: self
      integer, intent(in) :: quantity
      real(c_float), intent(inout), contiguous, target :: values(:, :, :)
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine get_wall_4(self, quantity, face, values, stat, errmsg)
      class(radiation), intent(inout) :: self
      integer, intent(in) :: quantity, face
      real(c_float), intent(inout), contiguous, target :: values(:, :)
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine poll(self, ready, stat, errmsg)
      class(radiation), intent(inout) :: self
      logical, intent(out) :: ready
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine wait(self, stat, errmsg)
      class(radiation), intent(inout) :: self
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine cancel(self, stat, errmsg)
      class(radiation), intent(inout) :: self
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module integer function pending(self)
      class(radiation), intent(in) :: self
    end function
    module subroutine get_wall_shape(self, face, shape, stat, errmsg)
      class(radiation), intent(inout) :: self
      integer, intent(in) :: face
      integer, intent(out) :: shape(2)
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine get_balance(self, balance, stat, errmsg)
      class(radiation), intent(inout) :: self
      type(ermine_balance), intent(out) :: balance
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine get_statistics(self, statistics, stat, errmsg)
      class(radiation), intent(inout) :: self
      type(ermine_statistics), intent(out) :: statistics
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine describe(self, text, stat, errmsg)
      class(radiation), intent(inout) :: self
      character(len=:), allocatable, intent(out) :: text
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine save_file(self, file, stat, errmsg)
      class(radiation), intent(inout) :: self
      character(len=*), intent(in) :: file
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
    module subroutine load_file(self, file, stat, errmsg)
      class(radiation), intent(inout) :: self
      character(len=*), intent(in) :: file
      integer, intent(out), optional :: stat
      character(len=*), intent(inout), optional :: errmsg
    end subroutine
  end interface

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
    call report(self%handle, status, stat, errmsg)
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
    call report(self%handle, status, stat, errmsg)
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

  integer(c_int) function communicator(comm)
    integer, intent(in), optional :: comm
    communicator = ermine_this_process
    if (present(comm)) communicator = int(comm, c_int)
  end function

end module
