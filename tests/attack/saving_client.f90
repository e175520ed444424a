! A flow code that saves after every step and may be killed at any moment:
!
!   saving_client CASE.toml FOLDER STEPS
!
! Its restart is a pair of files, its own fields and the state of the radiation; pairs take turns, and the file `last`
! names the newest whole one. It goes on from there if there is one, and prints every step that is saved. At the end
! it prints all bits of its temperature, added up.
program saving_client
  use, intrinsic :: iso_fortran_env, only: real64, int64
  use ermine
  implicit none

  integer, parameter :: n = 6
  type(radiation) :: rad
  real(real64) :: t(n, n, n), q(n, n, n), faces(0:n)
  character(len=512) :: case_file, folder, word
  integer :: step, steps, i, unit
  logical :: resumed

  call get_command_argument(1, case_file)
  call get_command_argument(2, folder)
  call get_command_argument(3, word)
  read (word, *) steps

  call rad%create(case_file)
  faces = [(real(i, real64) / n, i=0, n)]
  call rad%set_grid(faces, faces, faces)
  call rad%set_block(lo=[1, 1, 1], hi=[n, n, n])

  step = 0
  t = reshape([(600.0_real64 + mod(37 * i, 400), i=1, n**3)], [n, n, n])
  inquire (file=trim(folder)//'/last', exist=resumed)
  if (resumed) call restart()
  do while (step < steps)
    call rad%advance(t)
    call rad%get(ermine_source, q)
    t = t - 0.0005_real64 * q / 400
    step = step + 1
    call save_all()
    print '(a, i0)', 'saved ', step
    flush (6)
  end do
  print '(a, i0, a, z16.16)', 'end ', step, ' ', sum(transfer(t, [0_int64]))
  call rad%destroy()

contains

  function pair(number) result(name)
    integer, intent(in) :: number
    character(len=:), allocatable :: name
    name = trim(folder)//'/'//achar(iachar('a') + mod(number, 2))
  end function pair

  subroutine save_all()
    call rad%save(pair(step)//'.state.h5')
    open (newunit=unit, file=pair(step)//'.flow', form='unformatted', access='stream', status='replace')
    write (unit) step, t
    close (unit)
    open (newunit=unit, file=trim(folder)//'/last.new', status='replace')
    write (unit, '(i0)') step
    close (unit)
    call rename_file(trim(folder)//'/last.new', trim(folder)//'/last')
  end subroutine save_all

  subroutine restart()
    open (newunit=unit, file=trim(folder)//'/last', status='old')
    read (unit, *) step
    close (unit)
    open (newunit=unit, file=pair(step)//'.flow', form='unformatted', access='stream', status='old')
    read (unit) i, t
    close (unit)
    if (i /= step) error stop 'the fields are of another step'
    call rad%load(pair(step)//'.state.h5')
    print '(a, i0)', 'resumed ', step
    flush (6)
  end subroutine restart

  subroutine rename_file(from, to)
    use, intrinsic :: iso_c_binding, only: c_char, c_int, c_null_char
    character(len=*), intent(in) :: from, to
    interface
      integer(c_int) function c_rename(from, to) bind(c, name='rename')
        import :: c_char, c_int
        character(kind=c_char), intent(in) :: from(*), to(*)
      end function c_rename
    end interface
    if (c_rename(from//c_null_char, to//c_null_char) /= 0) error stop 'renaming failed'
  end subroutine rename_file
end program saving_client
