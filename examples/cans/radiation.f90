! Radiation for CaNS: scalar number 1 is the temperature of a hot gas, from which ermine computes Q, the
! divergence of the radiative heat flux. This file goes into src/ of CaNS, cans.patch has the calls of
! it. pencil_flow.f90 beside it makes the same calls without CaNS.
module mod_radiation
  use mod_types, only: rp
  use ermine, only: ermine_radiation => radiation,ermine_statistics,ermine_source
  implicit none
  private
  public init_radiation,advance_radiation,add_radiation,save_radiation,finish_radiation

  type(ermine_radiation), save :: rad
  real(rp), allocatable, save :: q(:,:,:)     ! Q in the units of the flow, with its halo
  character(len=:), allocatable, save :: state_file

contains

  subroutine init_radiation(comm,lo,hi,n,ng,l,zf_g,cbc,datadir,restart)
    !
    ! call it when grid, decomposition and scalars are known, on all processes
    !
    integer , intent(in) :: comm                           ! all processes
    integer , intent(in) :: lo(3),hi(3),n(3),ng(3)         ! first and last cell, cells here and of all
    real(rp), intent(in) :: l(3)                           ! lengths of the domain
    real(rp), intent(in) :: zf_g(0:)                       ! upper faces of cells along z, of the domain
    character(len=1), intent(in) :: cbc(0:1,3)             ! of the scalar; 'P': periodic
    character(len=*), intent(in) :: datadir
    logical , intent(in) :: restart
    real(rp) :: length,velocity,t_zero,t_unit,rho_cp
    character(len=1024) :: case_file
    namelist /radiation/ case_file,length,velocity,t_zero,t_unit,rho_cp
    integer :: unit,status,i
    !
    case_file = 'radiation.toml'
    length = 0; velocity = 0; t_unit = 0; rho_cp = 0; t_zero = 0
    open(newunit=unit,file='input.nml',status='old',action='read')
    read(unit,nml=radiation,iostat=status)
    close(unit)
    if(status /= 0) error stop 'input.nml has no namelist &radiation, or one with an error'
    if(min(length,velocity,t_unit,rho_cp) <= 0) &
      error stop '&radiation in input.nml: give length, velocity, t_unit and rho_cp above zero'
    !
    call rad%create(trim(case_file),comm=comm)
    call rad%set_grid([(length*l(1)*i/ng(1), i=0,ng(1))], &
                      [(length*l(2)*i/ng(2), i=0,ng(2))],length*zf_g(0:ng(3)), &
                      periodic=[(cbc(0,i)//cbc(1,i) == 'PP', i=1,3)])
    call rad%set_block(lo,hi,halo_below=[1,1,1])
    call rad%set_scaling(offset=t_zero,factor=t_unit,source=length/(rho_cp*velocity*t_unit))
    allocate(q(0:n(1)+1,0:n(2)+1,0:n(3)+1))
    q(:,:,:) = 0
    !$acc enter data copyin(q)
    state_file = trim(datadir)//'fld_radiation.h5'
    if(restart) call rad%load(state_file)
  end subroutine init_radiation

  subroutine advance_radiation(s)
    !
    ! once per time step, before its Runge-Kutta stages
    !
    real(rp), intent(in), contiguous, target :: s(0:,0:,0:)
    !$acc wait(1)
    call advance_and_get(s,q)
  end subroutine advance_radiation

  subroutine advance_and_get(s,q)
    !
    ! on GPUs both arrays stay where they are: ermine takes pointers to device memory
    !
    real(rp), intent(in   ), contiguous, target :: s(0:,0:,0:)
    real(rp), intent(inout), contiguous, target :: q(0:,0:,0:)
    !$acc host_data use_device(s,q)
    call rad%advance(s)
    call rad%get(ermine_source,q)
    !$acc end host_data
  end subroutine advance_and_get

  subroutine add_radiation(n,dtrk,s)
    !
    ! in each stage: Q stays the same during a time step, so that this is what it would add as a
    ! part of the right-hand side
    !
    integer , intent(in) :: n(3)
    real(rp), intent(in) :: dtrk
    real(rp), intent(inout) :: s(0:,0:,0:)
    integer :: i,j,k
    !$acc parallel loop collapse(3) default(present) async(1)
    !$OMP parallel do   collapse(3) DEFAULT(shared)
    do k=1,n(3)
      do j=1,n(2)
        do i=1,n(1)
          s(i,j,k) = s(i,j,k) - dtrk*q(i,j,k)
        end do
      end do
    end do
  end subroutine add_radiation

  subroutine save_radiation()
    !
    ! beside the checkpoint of the flow
    !
    call rad%save(state_file)
  end subroutine save_radiation

  subroutine finish_radiation(myid)
    !
    ! before MPI_FINALIZE
    !
    integer, intent(in) :: myid
    type(ermine_statistics) :: done
    call rad%get_statistics(done)
    if(myid == 0) print '(a,i0,a,f6.2,a)',' Radiation: ',done%updates,' updates, standard error ', &
                                          100*done%relative_error,' % of Q'
    call rad%destroy()
    !$acc exit data delete(q)
    deallocate(q)
  end subroutine finish_radiation

end module mod_radiation
