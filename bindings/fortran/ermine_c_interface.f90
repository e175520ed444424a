!> The functions and structures of <ermine/ermine.h>, as they are, texts as C has them, and what
!> becomes of a status. The module `ermine` is what programs use.
module ermine_c_interface
  use, intrinsic :: iso_c_binding
  implicit none
  public

  !> What a coupled run has done so far, on this process; times in seconds.
  type, bind(C) :: ermine_statistics
    integer(c_int64_t) :: size = 0      !< set by get_statistics
    integer(c_int64_t) :: steps = 0     !< calls of advance
    integer(c_int64_t) :: updates = 0   !< solutions submitted
    integer(c_int64_t) :: cancelled = 0
    real(c_double) :: seconds_submitting = 0
    real(c_double) :: seconds_waiting = 0
    real(c_double) :: seconds_solving = 0  !< from submission to result
    real(c_double) :: hidden_fraction = 0  !< share of solving that the caller did not wait for
    integer(c_int64_t) :: rays = 0         !< of all processes
    real(c_double) :: relative_error = 0   !< of the last update: standard error over Q, rms
    real(c_double) :: error = 0            !< the same [W/m3], times the factor of set_scaling
    integer(c_int64_t) :: bytes_sent = 0   !< by this process to others
    integer(c_int64_t) :: field_bytes = 0  !< memory of the temperature that rays march through
  end type

  !> A Monte Carlo number and its standard error.
  type, bind(C) :: ermine_estimate
    real(c_double) :: value = 0, error = 0
  end type

  !> Energy balance of one update [W], of the whole grid, not scaled: heat lost by radiation. In
  !> theory gas and walls together lose nothing. Where wall fluxes were not computed, those of
  !> walls are zero and `sum` is the heat lost by the gas.
  type, bind(C) :: ermine_balance
    integer(c_int64_t) :: size = 0      !< set by get_balance
    type(ermine_estimate) :: gas        !< its error contains `unexplained`
    type(ermine_estimate) :: walls(0:5) !< walls(ermine_x_low), ...; zero where a side is periodic
    type(ermine_estimate) :: all_walls  !< their sum
    type(ermine_estimate) :: sum        !< of gas and walls; its error contains `unexplained`
    type(ermine_estimate) :: gas_bias   !< of `gas`, that of the levels of detail; 0 on one level
    real(c_double) :: unexplained = 0   !< part of `sum` that neither noise nor levels explain
    real(c_double) :: exchanged = 0     !< heat exchanged, to compare with
  end type

  type, bind(C) :: c_axis
    type(c_ptr) :: faces
    integer(c_int64_t) :: cells
    integer(c_int) :: periodic
  end type

  type, bind(C) :: c_block
    integer(c_int64_t) :: begin(3) = 0, end(3) = 0, halo_below(3) = 0, halo_above(3) = 0
    integer(c_int) :: order(3) = [0, 1, 2]
  end type

  type, bind(C) :: c_wall
    type(c_ptr) :: temperature
    integer(c_int64_t) :: temperature_count
    type(c_ptr) :: emissivity
    integer(c_int64_t) :: emissivity_count
    integer(c_int) :: reflection
  end type

  !> An array of C strings.
  type :: c_strings
    character(kind=c_char), allocatable :: characters(:, :)
    type(c_ptr), allocatable :: pointers(:)
  end type

  interface
    function c_version() bind(C, name='ermine_version') result(text)
      import :: c_ptr
      type(c_ptr) :: text
    end function
    integer(c_int) function c_built_with_mpi() bind(C, name='ermine_built_with_mpi')
      import :: c_int
    end function
    integer(c_int) function c_create(file, overrides, count, comm, handle) &
      bind(C, name='ermine_create')
      import :: c_int, c_char, c_ptr
      character(kind=c_char), intent(in) :: file(*)
      type(c_ptr), intent(in) :: overrides(*)
      integer(c_int), value :: count, comm
      type(c_ptr), intent(out) :: handle
    end function
    integer(c_int) function c_create_from_text(text, name, overrides, count, comm, handle) &
      bind(C, name='ermine_create_from_text')
      import :: c_int, c_char, c_ptr
      character(kind=c_char), intent(in) :: text(*), name(*)
      type(c_ptr), intent(in) :: overrides(*)
      integer(c_int), value :: count, comm
      type(c_ptr), intent(out) :: handle
    end function
    subroutine c_destroy(handle) bind(C, name='ermine_destroy')
      import :: c_ptr
      type(c_ptr), value :: handle
    end subroutine
    function c_last_error(handle) bind(C, name='ermine_last_error') result(text)
      import :: c_ptr
      type(c_ptr), value :: handle
      type(c_ptr) :: text
    end function
    integer(c_int) function c_set_grid(handle, axes) bind(C, name='ermine_set_grid')
      import :: c_int, c_ptr, c_axis
      type(c_ptr), value :: handle
      type(c_axis), intent(in) :: axes(3)
    end function
    integer(c_int) function c_set_grid_4(handle, axes) bind(C, name='ermine_set_grid_float')
      import :: c_int, c_ptr, c_axis
      type(c_ptr), value :: handle
      type(c_axis), intent(in) :: axes(3)
    end function
    integer(c_int) function c_set_block(handle, block) bind(C, name='ermine_set_block')
      import :: c_int, c_ptr, c_block
      type(c_ptr), value :: handle
      type(c_block), intent(in) :: block
    end function
    integer(c_int) function c_get_block(handle, block) bind(C, name='ermine_get_block')
      import :: c_int, c_ptr, c_block
      type(c_ptr), value :: handle
      type(c_block), intent(out) :: block
    end function
    integer(c_int) function c_set_scaling(handle, offset, factor, source) &
      bind(C, name='ermine_set_scaling')
      import :: c_int, c_ptr, c_double
      type(c_ptr), value :: handle
      real(c_double), value :: offset, factor, source
    end function
    integer(c_int) function c_set_wall(handle, face, wall) bind(C, name='ermine_set_wall')
      import :: c_int, c_ptr, c_wall
      type(c_ptr), value :: handle
      integer(c_int), value :: face
      type(c_wall), intent(in) :: wall
    end function
    integer(c_int) function c_set_composition(handle, species, fraction) &
      bind(C, name='ermine_set_composition')
      import :: c_int, c_ptr, c_double
      type(c_ptr), value :: handle
      integer(c_int), value :: species
      real(c_double), value :: fraction
    end function
    integer(c_int) function c_set_composition_8(handle, species, fraction) &
      bind(C, name='ermine_set_composition_field')
      import :: c_int, c_ptr
      type(c_ptr), value :: handle
      integer(c_int), value :: species
      type(c_ptr), value :: fraction
    end function
    integer(c_int) function c_set_composition_4(handle, species, fraction) &
      bind(C, name='ermine_set_composition_field_float')
      import :: c_int, c_ptr
      type(c_ptr), value :: handle
      integer(c_int), value :: species
      type(c_ptr), value :: fraction
    end function
    integer(c_int) function c_set_absorption(handle, coefficient) &
      bind(C, name='ermine_set_absorption')
      import :: c_int, c_ptr, c_double
      type(c_ptr), value :: handle
      real(c_double), value :: coefficient
    end function
    integer(c_int) function c_set_absorption_8(handle, coefficient) &
      bind(C, name='ermine_set_absorption_field')
      import :: c_int, c_ptr
      type(c_ptr), value :: handle
      type(c_ptr), value :: coefficient
    end function
    integer(c_int) function c_set_absorption_4(handle, coefficient) &
      bind(C, name='ermine_set_absorption_field_float')
      import :: c_int, c_ptr
      type(c_ptr), value :: handle
      type(c_ptr), value :: coefficient
    end function
    integer(c_int) function c_set_particles(handle, name, property, coefficient) &
      bind(C, name='ermine_set_particles')
      import :: c_int, c_ptr, c_char, c_double
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), value :: property
      real(c_double), value :: coefficient
    end function
    integer(c_int) function c_set_particles_8(handle, name, property, coefficient) &
      bind(C, name='ermine_set_particles_field')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), value :: property
      type(c_ptr), value :: coefficient
    end function
    integer(c_int) function c_set_particles_4(handle, name, property, coefficient) &
      bind(C, name='ermine_set_particles_field_float')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), value :: property
      type(c_ptr), value :: coefficient
    end function
    integer(c_int) function c_advance_8(handle, temperature) bind(C, name='ermine_advance')
      import :: c_int, c_ptr
      type(c_ptr), value :: handle
      type(c_ptr), value :: temperature
    end function
    integer(c_int) function c_advance_4(handle, temperature) bind(C, name='ermine_advance_float')
      import :: c_int, c_ptr
      type(c_ptr), value :: handle
      type(c_ptr), value :: temperature
    end function
    integer(c_int) function c_submit_8(handle, temperature) bind(C, name='ermine_submit')
      import :: c_int, c_ptr
      type(c_ptr), value :: handle
      type(c_ptr), value :: temperature
    end function
    integer(c_int) function c_submit_4(handle, temperature) bind(C, name='ermine_submit_float')
      import :: c_int, c_ptr
      type(c_ptr), value :: handle
      type(c_ptr), value :: temperature
    end function
    integer(c_int) function c_poll(handle, ready) bind(C, name='ermine_poll')
      import :: c_int, c_ptr
      type(c_ptr), value :: handle
      integer(c_int), intent(out) :: ready
    end function
    integer(c_int) function c_wait(handle) bind(C, name='ermine_wait')
      import :: c_int, c_ptr
      type(c_ptr), value :: handle
    end function
    integer(c_int) function c_cancel(handle) bind(C, name='ermine_cancel')
      import :: c_int, c_ptr
      type(c_ptr), value :: handle
    end function
    integer(c_int) function c_pending(handle, count) bind(C, name='ermine_pending')
      import :: c_int, c_ptr
      type(c_ptr), value :: handle
      integer(c_int), intent(out) :: count
    end function
    integer(c_int) function c_get_8(handle, quantity, values) bind(C, name='ermine_get')
      import :: c_int, c_ptr
      type(c_ptr), value :: handle
      integer(c_int), value :: quantity
      type(c_ptr), value :: values
    end function
    integer(c_int) function c_get_4(handle, quantity, values) bind(C, name='ermine_get_float')
      import :: c_int, c_ptr
      type(c_ptr), value :: handle
      integer(c_int), value :: quantity
      type(c_ptr), value :: values
    end function
    integer(c_int) function c_get_wall_8(handle, quantity, face, values) &
      bind(C, name='ermine_get_wall')
      import :: c_int, c_ptr
      type(c_ptr), value :: handle
      integer(c_int), value :: quantity, face
      type(c_ptr), value :: values
    end function
    integer(c_int) function c_get_wall_4(handle, quantity, face, values) &
      bind(C, name='ermine_get_wall_float')
      import :: c_int, c_ptr
      type(c_ptr), value :: handle
      integer(c_int), value :: quantity, face
      type(c_ptr), value :: values
    end function
    integer(c_int) function c_wall_shape(handle, face, shape) bind(C, name='ermine_wall_shape')
      import :: c_int, c_ptr, c_int64_t
      type(c_ptr), value :: handle
      integer(c_int), value :: face
      integer(c_int64_t), intent(out) :: shape(2)
    end function
    integer(c_int) function c_get_balance(handle, balance) bind(C, name='ermine_get_balance')
      import :: c_int, c_ptr, ermine_balance
      type(c_ptr), value :: handle
      type(ermine_balance), intent(inout) :: balance
    end function
    integer(c_int) function c_get_statistics(handle, statistics) &
      bind(C, name='ermine_get_statistics')
      import :: c_int, c_ptr, ermine_statistics
      type(c_ptr), value :: handle
      type(ermine_statistics), intent(inout) :: statistics
    end function
    integer(c_int) function c_describe(handle, text) bind(C, name='ermine_describe')
      import :: c_int, c_ptr
      type(c_ptr), value :: handle
      type(c_ptr), intent(out) :: text
    end function
    integer(c_int) function c_save(handle, file) bind(C, name='ermine_save')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: file(*)
    end function
    integer(c_int) function c_load(handle, file) bind(C, name='ermine_load')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: file(*)
    end function
    integer(c_int) function c_rank(handle) bind(C, name='ermine_rank')
      import :: c_int, c_ptr
      type(c_ptr), value :: handle
    end function
    integer(c_int) function c_set_language(handle, language) bind(C, name='ermine_set_language')
      import :: c_int, c_ptr
      type(c_ptr), value :: handle
      integer(c_int), value :: language
    end function
    integer(c_int) function c_expect_shape(handle, extents) bind(C, name='ermine_expect_shape')
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: handle
      integer(c_int64_t), intent(in) :: extents(3)
    end function
    integer(c_int) function c_sleep(seconds) bind(C, name='sleep')
      import :: c_int
      integer(c_int), value :: seconds
    end function
    integer(c_size_t) function c_strlen(text) bind(C, name='strlen')
      import :: c_size_t, c_ptr
      type(c_ptr), value :: text
    end function
  end interface

contains

  !> The next call refuses arrays of other shapes than this process has, on all processes alike.
  subroutine announce(handle, shape)
    type(c_ptr), intent(in) :: handle
    integer, intent(in) :: shape(3)
    integer(c_int) :: ignored
    ignored = c_expect_shape(handle, int(shape, c_int64_t))
  end subroutine

  !> Hands a status on to those who asked for it; else an error ends the program. Errors of calls
  !> that all processes make are the same on all: the first one says so and ends the others, which
  !> speak only where it does not within a minute.
  subroutine report(handle, status, stat, errmsg, complaint)
    type(c_ptr), intent(in) :: handle
    integer(c_int), intent(in) :: status
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=:), allocatable, intent(in), optional :: complaint
    character(len=:), allocatable :: message
    integer(c_int) :: ignored
    if (present(stat)) stat = status
    if (status == 0) return
    if (c_associated(handle)) then
      message = text_at(c_last_error(handle))
    else
      message = 'there is no radiation yet, call create first'
    end if
    if (present(complaint)) then
      if (allocated(complaint)) message = complaint
    end if
    if (present(errmsg)) errmsg = message
    if (present(stat)) return
    if (c_rank(handle) > 0) ignored = c_sleep(60_c_int)
    error stop 'ermine: ' // message
  end subroutine

  !> The address of a field on a side of the domain, if it has the shape that this process has there;
  !> else none, which the library refuses, and a complaint to tell in place of its own.
  subroutine check_wall_shape(handle, face, shape, given, address, complaint)
    type(c_ptr), intent(in) :: handle
    integer, intent(in) :: face, shape(2)
    type(c_ptr), intent(in) :: given
    type(c_ptr), intent(out) :: address
    character(len=:), allocatable, intent(out) :: complaint
    integer(c_int64_t) :: cells(2)
    address = given
    if (c_wall_shape(handle, int(face, c_int), cells) /= 0) return
    if (all(shape == cells)) return
    address = c_null_ptr
    complaint = 'the field is ' // product_text(int(shape, c_int64_t)) // &
      ', give the faces of this process: ' // product_text(cells)
  end subroutine

  !> '4 x 8 x 2'
  function product_text(numbers) result(text)
    integer(c_int64_t), intent(in) :: numbers(:)
    character(len=:), allocatable :: text
    character(len=80) :: buffer
    write (buffer, '(i0, *(" x ", i0))') numbers
    text = trim(buffer)
  end function

  function c_text(text) result(terminated)
    character(len=*), intent(in) :: text
    character(kind=c_char, len=:), allocatable :: terminated
    terminated = trim(text) // c_null_char
  end function

  subroutine set_strings(list, texts)
    type(c_strings), intent(inout), target :: list
    character(len=*), intent(in), optional :: texts(:)
    integer :: i, j
    if (.not. present(texts)) then
      allocate (list%pointers(0))
      return
    end if
    allocate (list%characters(len(texts) + 1, size(texts)), list%pointers(size(texts)))
    list%characters = c_null_char
    do i = 1, size(texts)
      do j = 1, len_trim(texts(i))
        list%characters(j, i) = texts(i)(j:j)
      end do
      list%pointers(i) = c_loc(list%characters(1, i))
    end do
  end subroutine

  function text_at(address) result(text)
    type(c_ptr), intent(in) :: address
    character(len=:), allocatable :: text
    character(kind=c_char), pointer :: characters(:)
    integer :: i
    call c_f_pointer(address, characters, [c_strlen(address)])
    allocate (character(len=size(characters)) :: text)
    do i = 1, size(characters)
      text(i:i) = characters(i)
    end do
  end function

end module
