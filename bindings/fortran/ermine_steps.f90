!> What a radiation does in a time loop, its results and restarts.
submodule (ermine) ermine_steps
  implicit none

contains

  module procedure advance_8
    call announce(self%handle, shape(temperature))
    call report(self%handle, c_advance_8(self%handle, c_loc(temperature)), stat, errmsg)
  end procedure

  module procedure submit_8
    call announce(self%handle, shape(temperature))
    call report(self%handle, c_submit_8(self%handle, c_loc(temperature)), stat, errmsg)
  end procedure

  module procedure get_8
    call announce(self%handle, shape(values))
    call report(self%handle, c_get_8(self%handle, int(quantity, c_int), c_loc(values)), stat, errmsg)
  end procedure

  module procedure get_wall_8
    type(c_ptr) :: address
    character(len=:), allocatable :: complaint
    call check_wall_shape(self%handle, face, shape(values), c_loc(values), address, complaint)
    call report(self%handle, c_get_wall_8(self%handle, int(quantity, c_int), int(face, c_int), &
      address), stat, errmsg, complaint)
  end procedure

  module procedure advance_4
    call announce(self%handle, shape(temperature))
    call report(self%handle, c_advance_4(self%handle, c_loc(temperature)), stat, errmsg)
  end procedure

  module procedure submit_4
    call announce(self%handle, shape(temperature))
    call report(self%handle, c_submit_4(self%handle, c_loc(temperature)), stat, errmsg)
  end procedure

  module procedure get_4
    call announce(self%handle, shape(values))
    call report(self%handle, c_get_4(self%handle, int(quantity, c_int), c_loc(values)), stat, errmsg)
  end procedure

  module procedure get_wall_4
    type(c_ptr) :: address
    character(len=:), allocatable :: complaint
    call check_wall_shape(self%handle, face, shape(values), c_loc(values), address, complaint)
    call report(self%handle, c_get_wall_4(self%handle, int(quantity, c_int), int(face, c_int), &
      address), stat, errmsg, complaint)
  end procedure

  module procedure poll
    integer(c_int) :: status, answer
    answer = 0
    status = c_poll(self%handle, answer)
    ready = answer /= 0
    call report(self%handle, status, stat, errmsg)
  end procedure

  module procedure wait
    call report(self%handle, c_wait(self%handle), stat, errmsg)
  end procedure

  module procedure cancel
    call report(self%handle, c_cancel(self%handle), stat, errmsg)
  end procedure

  module procedure pending
    integer(c_int) :: count
    pending = 0
    if (c_pending(self%handle, count) == ermine_ok) pending = count
  end procedure

  module procedure get_wall_shape
    integer(c_int) :: status
    integer(c_int64_t) :: found(2)
    found = 0
    status = c_wall_shape(self%handle, int(face, c_int), found)
    shape = int(found)
    call report(self%handle, status, stat, errmsg)
  end procedure

  module procedure get_balance
    balance%size = c_sizeof(balance)
    call report(self%handle, c_get_balance(self%handle, balance), stat, errmsg)
  end procedure

  module procedure get_statistics
    statistics%size = c_sizeof(statistics)
    call report(self%handle, c_get_statistics(self%handle, statistics), stat, errmsg)
  end procedure

  module procedure describe
    integer(c_int) :: status
    type(c_ptr) :: found
    status = c_describe(self%handle, found)
    text = ''
    if (status == ermine_ok) text = text_at(found)
    call report(self%handle, status, stat, errmsg)
  end procedure

  module procedure save_file
    call report(self%handle, c_save(self%handle, c_text(file)), stat, errmsg)
  end procedure

  module procedure load_file
    call report(self%handle, c_load(self%handle, c_text(file)), stat, errmsg)
  end procedure

end submodule
