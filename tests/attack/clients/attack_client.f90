! A flow solver in Fortran that misuses the library, built with traps and checks as debug builds are:
! attack_fortran ATTACK. Prints "accepted" or "refused: MESSAGE".
program attack_fortran
  use, intrinsic :: iso_fortran_env, only: real64
  use, intrinsic :: ieee_exceptions
  use ermine
  implicit none

  integer, parameter :: n = 4
  character(len=*), parameter :: text = &
    'medium = { absorption_coefficient = 1.0 }' // new_line('a') // &
    'walls = { x_low = { temperature = 500 }, x_high = { temperature = 500 } }' // new_line('a') // &
    'solver = { rays_per_cell = 4, rays_per_wall_face = 4 }' // new_line('a')
  type(radiation) :: rad
  real(real64) :: faces(n + 1), t(n, n, n), q(n, n, n), wrong(n, n, n + 1)
  character(len=40) :: attack
  character(len=500) :: message
  integer :: i, stat
  logical :: raised(3)

  call get_command_argument(1, attack)
  faces = [(real(i, real64) / n, i = 0, n)]
  t = 800
  wrong = 800
  message = ''
  stat = 0
  call rad%create_from_text(text, 'client.toml')
  call rad%set_grid(faces, faces, faces, periodic=[.false., .true., .true.])
  select case (attack)
  case ('traps')
    do i = 1, 3
      t(1, 1, 1) = t(1, 1, 1) + 10
      call rad%advance(t)
    end do
    call rad%save('fortran.state')
    call rad%destroy()
    call rad%create_from_text(text, 'client.toml')
    call rad%set_grid(faces, faces, faces, periodic=[.false., .true., .true.])
    call rad%load('fortran.state')
    call rad%advance(t)
    call rad%get(ermine_source, q)
    t(1, 1, 1) = -1
    call rad%advance(t, stat=stat, errmsg=message)
    call ieee_get_flag([ieee_invalid, ieee_divide_by_zero, ieee_overflow], raised)
    if (any(raised)) error stop 'flags are raised'
  case ('shape')
    call rad%advance(wrong, stat=stat, errmsg=message)
  case ('block')
    call rad%set_block([0, 1, 1], [n, n, n], stat=stat, errmsg=message)
  case ('block_end')
    call rad%set_block([1, 1, 1], [n + 1, n, n], stat=stat, errmsg=message)
    if (stat == 0) call rad%advance(wrong(:, :, 1:n), stat=stat, errmsg=message)
  case ('order')
    call rad%set_block([1, 1, 1], [n, n, n], order=[1, 1, 3], stat=stat, errmsg=message)
  case ('face')
    call rad%set_wall(17, 500.0_real64, stat=stat, errmsg=message)
  case ('periodic_wall')
    call rad%set_wall(ermine_y_low, 500.0_real64, stat=stat, errmsg=message)
    if (stat == 0) call rad%advance(t, stat=stat, errmsg=message)
  case ('early')
    call rad%get(ermine_source, q, stat=stat, errmsg=message)
  case ('file')
    call rad%load('no_such.state', stat=stat, errmsg=message)
  case ('faces')
    call rad%set_grid(faces(1:1), faces, faces, stat=stat, errmsg=message)
  end select
  if (stat == 0) then
    print '(a)', 'accepted'
  else
    print '(2a)', 'refused: ', trim(message)
  end if
  call rad%destroy()
end program
