!> The problem of a radiation: grid, block, scaling, walls and gas.
submodule (ermine) ermine_problem
  implicit none

contains

  module procedure set_grid_8
    type(c_axis) :: axes(3)
    axes(1) = c_axis(c_loc(x), size(x) - 1, 0)
    axes(2) = c_axis(c_loc(y), size(y) - 1, 0)
    axes(3) = c_axis(c_loc(z), size(z) - 1, 0)
    if (present(periodic)) axes%periodic = merge(1, 0, periodic)
    call report(self%handle, c_set_grid(self%handle, axes), stat, errmsg)
  end procedure

  module procedure set_block
    type(c_block) :: block
    block%begin = lo - 1
    block%end = hi
    if (present(order)) block%order = int(order, c_int) - 1_c_int
    if (present(halo_below)) block%halo_below = halo_below
    if (present(halo_below)) block%halo_above = halo_below
    if (present(halo_above)) block%halo_above = halo_above
    call report(self%handle, c_set_block(self%handle, block), stat, errmsg)
  end procedure

  module procedure get_block
    type(c_block) :: block
    integer(c_int) :: status
    status = c_get_block(self%handle, block)
    lo = int(block%begin) + 1
    hi = int(block%end)
    call report(self%handle, status, stat, errmsg)
  end procedure

  module procedure set_scaling_8
    call report(self%handle, c_set_scaling(self%handle, offset, factor, source), stat, errmsg)
  end procedure

  module procedure set_wall_uniform_8
    call self%set_wall(face, reshape([temperature], [1, 1]), reshape([black_8(emissivity)], [1, 1]), &
      specular, stat, errmsg)
  end procedure

  module procedure set_wall_temperature_8
    call self%set_wall(face, temperature, reshape([black_8(emissivity)], [1, 1]), specular, stat, &
      errmsg)
  end procedure

  module procedure set_wall_fields_8
    type(c_wall) :: wall
    wall = c_wall(c_loc(temperature), size(temperature), c_loc(emissivity), size(emissivity), 0)
    if (present(specular)) wall%reflection = merge(1_c_int, 0_c_int, specular)
    call report(self%handle, c_set_wall(self%handle, int(face, c_int), wall), stat, errmsg)
  end procedure

  module procedure set_composition_uniform_8
    call report(self%handle, c_set_composition(self%handle, int(species, c_int), mole_fraction), stat, &
      errmsg)
  end procedure

  module procedure set_absorption_uniform_8
    call report(self%handle, c_set_absorption(self%handle, coefficient), stat, errmsg)
  end procedure

  module procedure set_composition_8
    call announce(self%handle, shape(mole_fraction))
    call report(self%handle, c_set_composition_8(self%handle, int(species, c_int), c_loc(mole_fraction)), &
      stat, errmsg)
  end procedure

  module procedure set_absorption_8
    call announce(self%handle, shape(coefficient))
    call report(self%handle, c_set_absorption_8(self%handle, c_loc(coefficient)), stat, errmsg)
  end procedure

  module procedure set_composition_4
    call announce(self%handle, shape(mole_fraction))
    call report(self%handle, c_set_composition_4(self%handle, int(species, c_int), c_loc(mole_fraction)), &
      stat, errmsg)
  end procedure

  module procedure set_absorption_4
    call announce(self%handle, shape(coefficient))
    call report(self%handle, c_set_absorption_4(self%handle, c_loc(coefficient)), stat, errmsg)
  end procedure

  module procedure set_particles_uniform_8
    call report(self%handle, c_set_particles(self%handle, c_text(name), &
      int(property, c_int), coefficient), stat, errmsg)
  end procedure

  module procedure set_particles_uniform_4
    call set_particles_uniform_8(self, name, property, real(coefficient, c_double), stat, errmsg)
  end procedure

  module procedure set_particles_8
    call announce(self%handle, shape(coefficient))
    call report(self%handle, c_set_particles_8(self%handle, c_text(name), &
      int(property, c_int), c_loc(coefficient)), stat, errmsg)
  end procedure

  module procedure set_particles_4
    call announce(self%handle, shape(coefficient))
    call report(self%handle, c_set_particles_4(self%handle, c_text(name), &
      int(property, c_int), c_loc(coefficient)), stat, errmsg)
  end procedure

  module procedure set_grid_4
    type(c_axis) :: axes(3)
    axes(1) = c_axis(c_loc(x), size(x) - 1, 0)
    axes(2) = c_axis(c_loc(y), size(y) - 1, 0)
    axes(3) = c_axis(c_loc(z), size(z) - 1, 0)
    if (present(periodic)) axes%periodic = merge(1, 0, periodic)
    call report(self%handle, c_set_grid_4(self%handle, axes), stat, errmsg)
  end procedure

  module procedure set_scaling_4
    call set_scaling_8(self, real(offset, c_double), real(factor, c_double), &
      real(source, c_double), stat, errmsg)
  end procedure

  module procedure set_wall_uniform_4
    call set_wall_uniform_8(self, face, real(temperature, c_double), black_4(emissivity), specular, &
      stat, errmsg)
  end procedure

  module procedure set_wall_temperature_4
    call set_wall_temperature_8(self, face, real(temperature, c_double), black_4(emissivity), &
      specular, stat, errmsg)
  end procedure

  module procedure set_wall_fields_4
    call set_wall_fields_8(self, face, real(temperature, c_double), real(emissivity, c_double), &
      specular, stat, errmsg)
  end procedure

  module procedure set_composition_uniform_4
    call set_composition_uniform_8(self, species, real(mole_fraction, c_double), stat, errmsg)
  end procedure

  module procedure set_absorption_uniform_4
    call set_absorption_uniform_8(self, coefficient=real(coefficient, c_double), stat=stat, &
      errmsg=errmsg)
  end procedure

  real(c_double) function black_8(emissivity)
    real(c_double), intent(in), optional :: emissivity
    black_8 = 1
    if (present(emissivity)) black_8 = emissivity
  end function

  real(c_double) function black_4(emissivity)
    real(c_float), intent(in), optional :: emissivity
    black_4 = 1
    if (present(emissivity)) black_4 = emissivity
  end function

end submodule
