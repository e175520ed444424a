! A flow code of the shape of CaNS without its flow: pencils along x on any number of processes, a
! stretched z, a scalar with one halo cell, three Runge-Kutta stages. Rolls carry hot gas between two
! cold plates, and radiation.f90 cools it. The numbers do not depend on the number of processes, bit
! for bit. OpenACC directives are comments to other compilers.
!
!   mpirun -n 4 pencil_flow           six time steps
!   mpirun -n 4 pencil_flow restart   the last three of them, from a checkpoint
!
! in a folder with input.nml, radiation.toml and an empty folder data.
program pencil_flow
  use, intrinsic :: iso_fortran_env, only: int64
  use mpi
  use mod_radiation      , only: init_radiation,advance_radiation,add_radiation,save_radiation,finish_radiation
  use mod_types
  implicit none
  !
  type scalar
    real(rp), allocatable, dimension(:,:,:) :: val,dsdtrko
    real(rp) :: alpha = 0.01_rp                         ! diffusivity
    character(len=1), dimension(0:1,3) :: cbc = reshape(['P','P','P','P','D','D'],[2,3])
    real(rp), dimension(0:1) :: bc = 0                  ! at the plates
  end type scalar
  !
  integer , parameter, dimension(3) :: ng = [16,12,20]
  real(rp), parameter, dimension(3) :: l = [2._rp,1._rp,1._rp]
  real(rp), parameter :: dt = 0.01_rp,pi = acos(-1._rp)
  real(rp), parameter, dimension(2,3) :: rkcoeff = reshape([32._rp,0._rp,25._rp,-17._rp,45._rp,-25._rp],[2,3])/60
  integer , parameter :: nstep = 6,isave = 3
  character(len=*), parameter :: datadir = 'data/'
  integer, dimension(3) :: lo,hi,n
  integer, dimension(2) :: dims = 0,coords
  integer, dimension(0:1,2:3) :: nb                     ! neighbours along y and z
  integer :: comm,myid,nproc,ierr,istep,irk,iscal,nscal = 1
  real(rp), dimension(3) :: dli
  real(rp), allocatable, dimension(:) :: zf_g,zc_g,dzci,dzfi
  real(rp), allocatable, dimension(:,:,:) :: u,w
  type(scalar), target, allocatable, dimension(:) :: scalars
  type(scalar), pointer :: s
  real(rp) :: dtrk
  logical :: restart
  character(len=16) :: argument = ''
  !
  call MPI_INIT(ierr)
  call get_command_argument(1,argument)
  restart = argument == 'restart'
  call initmpi()
  call initgrid()
  allocate(scalars(nscal))
  s => scalars(1)
  call initflow()
  istep = 0
  if(restart) call load('r')
  call boundp(s%val)
  !
  call init_radiation(MPI_COMM_WORLD,lo,hi,n,ng,l,zf_g,scalars(1)%cbc,datadir,restart)
  if(myid == 0) print '(a)',' step  mean scalar  checksum'
  do while(istep < nstep)
    istep = istep + 1
    call advance_radiation(scalars(1)%val)
    do irk=1,3
      dtrk = sum(rkcoeff(:,irk))*dt
      do iscal=1,nscal
        s => scalars(iscal)
        call rk_scal(rkcoeff(:,irk),s%alpha,s%dsdtrko,s%val)
        if(iscal == 1) call add_radiation(n,dtrk,s%val)
        call boundp(s%val)
      end do
    end do
    call out0d()
    if(istep == isave.and..not.restart) then
      call load('w')
      call save_radiation()
    end if
  end do
  call finish_radiation(myid)
  call MPI_FINALIZE(ierr)
  !
contains
  !
  subroutine initmpi()
    integer :: idir
    call MPI_COMM_SIZE(MPI_COMM_WORLD,nproc,ierr)
    call MPI_DIMS_CREATE(nproc,2,dims,ierr)
    call MPI_CART_CREATE(MPI_COMM_WORLD,2,dims,[.true.,.false.],.false.,comm,ierr)
    call MPI_COMM_RANK(comm,myid,ierr)
    call MPI_CART_COORDS(comm,myid,2,coords,ierr)
    lo = [1,1+ng(2)*coords(1)/dims(1),1+ng(3)*coords(2)/dims(2)]
    hi = [ng(1),ng(2)*(coords(1)+1)/dims(1),ng(3)*(coords(2)+1)/dims(2)]
    n = hi - lo + 1
    do idir=2,3
      call MPI_CART_SHIFT(comm,idir-2,1,nb(0,idir),nb(1,idir),ierr)
    end do
  end subroutine initmpi
  !
  subroutine initgrid()
    integer :: k
    dli = ng/l
    allocate(zf_g(0:ng(3)+1),zc_g(0:ng(3)+1),dzci(0:n(3)+1),dzfi(0:n(3)+1))
    do k=0,ng(3)
      zf_g(k) = 0.5*l(3)*(1+tanh(1.5*(2._rp*k/ng(3)-1))/tanh(1.5_rp))
    end do
    zf_g(ng(3)+1) = 2*zf_g(ng(3)) - zf_g(ng(3)-1)
    zc_g(1:) = 0.5*(zf_g(0:ng(3)) + zf_g(1:))
    zc_g(0) = -zc_g(1)
    do k=1,n(3)
      dzfi(k) = 1/(zf_g(lo(3)-1+k) - zf_g(lo(3)-2+k))
    end do
    do k=0,n(3)
      dzci(k) = 1/(zc_g(lo(3)+k) - zc_g(lo(3)-1+k))
    end do
    !$acc enter data copyin(dzci,dzfi)
  end subroutine initgrid
  !
  subroutine initflow()
    integer :: i,j,k,kk
    real(rp) :: x,y,z
    allocate(u(0:n(1)+1,0:n(2)+1,0:n(3)+1),w(0:n(1)+1,0:n(2)+1,0:n(3)+1))
    allocate(s%val(0:n(1)+1,0:n(2)+1,0:n(3)+1),s%dsdtrko(n(1),n(2),n(3)))
    s%val = 0; s%dsdtrko = 0; u = 0; w = 0
    do k=0,n(3)
      kk = lo(3) - 1 + k
      do j=1,n(2)
        do i=0,n(1)
          x = i/dli(1); y = (lo(2)+j-1.5_rp)/dli(2); z = zc_g(kk)
          w(i,j,k) = -(psi(x,zf_g(kk)) - psi(x-1/dli(1),zf_g(kk)))*dli(1)
          if(k == 0) cycle
          u(i,j,k) = (psi(x,zf_g(kk)) - psi(x,zf_g(kk-1)))*dzfi(k)
          s%val(i,j,k) = 4*z*(1-z)*(1+y*(1-y)*x*(l(1)-x))
        end do
      end do
    end do
    !$acc enter data copyin(u,w,scalars)
    !$acc enter data copyin(s%val,s%dsdtrko)
  end subroutine initflow
  !
  pure real(rp) function psi(x,z)
    real(rp), intent(in) :: x,z
    psi = sin(2*pi*x/l(1))*sin(pi*z/l(3))/pi
  end function psi
  !
  subroutine rk_scal(rkpar,alpha,dsdtrko,val)
    real(rp), intent(in), dimension(2) :: rkpar
    real(rp), intent(in) :: alpha
    real(rp), intent(inout) :: dsdtrko(:,:,:),val(0:,0:,0:)
    real(rp), dimension(n(1),n(2),n(3)) :: dsdtrk
    integer :: i,j,k
    !$acc data create(dsdtrk) copyin(dli,rkpar)
    !$acc parallel loop collapse(3) default(present) async(1)
    do k=1,n(3)
      do j=1,n(2)
        do i=1,n(1)
          dsdtrk(i,j,k) = dli(1)*(-0.5*(val(i+1,j,k)+val(i,j,k))*u(i,j,k) &
                                  +0.5*(val(i-1,j,k)+val(i,j,k))*u(i-1,j,k)) + &
                          dzfi(k)*(-0.5*(val(i,j,k+1)+val(i,j,k))*w(i,j,k) &
                                   +0.5*(val(i,j,k-1)+val(i,j,k))*w(i,j,k-1)) + &
                          alpha*dli(1)**2*(val(i+1,j,k)-2*val(i,j,k)+val(i-1,j,k)) + &
                          alpha*dli(2)**2*(val(i,j+1,k)-2*val(i,j,k)+val(i,j-1,k)) + &
                          alpha*dzfi(k)*((val(i,j,k+1)-val(i,j,k))*dzci(k) - (val(i,j,k)-val(i,j,k-1))*dzci(k-1))
        end do
      end do
    end do
    !$acc parallel loop collapse(3) default(present) async(1)
    do k=1,n(3)
      do j=1,n(2)
        do i=1,n(1)
          val(i,j,k) = val(i,j,k) + dt*(rkpar(1)*dsdtrk(i,j,k) + rkpar(2)*dsdtrko(i,j,k))
          dsdtrko(i,j,k) = dsdtrk(i,j,k)
        end do
      end do
    end do
    !$acc wait(1)
    !$acc end data
  end subroutine rk_scal
  !
  subroutine boundp(p)
    !
    ! fills the halo: x is periodic, y and z have neighbours, and plates bound z
    !
    real(rp), intent(inout) :: p(0:,0:,0:)
    real(rp) :: low,high
    integer :: i,j,k
    low = s%bc(0); high = s%bc(1)
    !$acc parallel loop collapse(2) default(present)
    do k=1,n(3)
      do j=1,n(2)
        p(0,j,k) = p(n(1),j,k)
        p(n(1)+1,j,k) = p(1,j,k)
      end do
    end do
    call exchange(p,2)
    call exchange(p,3)
    if(nb(0,3) == MPI_PROC_NULL) then
      !$acc parallel loop collapse(2) default(present)
      do j=0,n(2)+1
        do i=0,n(1)+1
          p(i,j,0) = 2*low - p(i,j,1)
        end do
      end do
    end if
    if(nb(1,3) == MPI_PROC_NULL) then
      !$acc parallel loop collapse(2) default(present)
      do j=0,n(2)+1
        do i=0,n(1)+1
          p(i,j,n(3)+1) = 2*high - p(i,j,n(3))
        end do
      end do
    end if
  end subroutine boundp
  !
  subroutine exchange(p,idir)
    !
    ! sends the outermost planes of cells across y (idir = 2) or z (3) to the neighbours
    !
    real(rp), intent(inout) :: p(0:,0:,0:)
    integer , intent(in) :: idir
    real(rp), dimension(0:n(1)+1,0:n(5-idir)+1,0:1) :: sent,received  ! over x and the other of y and z
    integer :: i,m,last,count
    last = n(5-idir)+1
    count = (n(1)+2)*(last+1)
    !$acc data create(sent,received)
    !$acc parallel loop collapse(2) default(present)
    do m=0,last
      do i=0,n(1)+1
        if(idir == 2) then
          sent(i,m,0) = p(i,1,m); sent(i,m,1) = p(i,n(2),m)
          received(i,m,0) = p(i,0,m); received(i,m,1) = p(i,n(2)+1,m)
        else
          sent(i,m,0) = p(i,m,1); sent(i,m,1) = p(i,m,n(3))
          received(i,m,0) = p(i,m,0); received(i,m,1) = p(i,m,n(3)+1)
        end if
      end do
    end do
    !$acc host_data use_device(sent,received)
    call MPI_SENDRECV(sent(0,0,0),count,MPI_REAL_RP,nb(0,idir),0,received(0,0,1),count,MPI_REAL_RP,nb(1,idir),0, &
                      comm,MPI_STATUS_IGNORE,ierr)
    call MPI_SENDRECV(sent(0,0,1),count,MPI_REAL_RP,nb(1,idir),1,received(0,0,0),count,MPI_REAL_RP,nb(0,idir),1, &
                      comm,MPI_STATUS_IGNORE,ierr)
    !$acc end host_data
    !$acc parallel loop collapse(2) default(present)
    do m=0,last
      do i=0,n(1)+1
        if(idir == 2) then
          p(i,0,m) = received(i,m,0); p(i,n(2)+1,m) = received(i,m,1)
        else
          p(i,m,0) = received(i,m,0); p(i,m,n(3)+1) = received(i,m,1)
        end if
      end do
    end do
    !$acc end data
  end subroutine exchange
  !
  subroutine out0d()
    !
    ! the exclusive or of all bits does not depend on the order of cells, as a sum does; they are
    ! rotated by the number of the cell, so that cells in each other's place are noticed
    !
    real(rp) :: own,total
    integer(int64) :: own_bits,bits
    integer :: i,j,k,cell
    !$acc update self(s%val)
    own = 0; own_bits = 0
    do k=1,n(3)
      do j=1,n(2)
        do i=1,n(1)
          cell = i + ng(1)*(lo(2)-1+j + ng(2)*(lo(3)-1+k))
          own = own + s%val(i,j,k)*(zf_g(lo(3)-1+k)-zf_g(lo(3)-2+k))/(ng(1)*ng(2))
          own_bits = ieor(own_bits,ishftc(transfer(s%val(i,j,k),own_bits),mod(cell,64)))
        end do
      end do
    end do
    call MPI_REDUCE(own,total,1,MPI_REAL_RP,MPI_SUM,0,comm,ierr)
    call MPI_REDUCE(own_bits,bits,1,MPI_INTEGER8,MPI_BXOR,0,comm,ierr)
    if(myid == 0) print '(i5,f13.6,2x,z16.16)',istep,total,bits
  end subroutine out0d
  !
  subroutine load(io)
    !
    ! the checkpoint of the scalar, one file for any number of processes
    !
    character(len=1), intent(in) :: io
    real(rp) :: own(n(1),n(2),n(3))
    integer :: file,cells,mode
    mode = merge(MPI_MODE_RDONLY,ior(MPI_MODE_WRONLY,MPI_MODE_CREATE),io == 'r')
    call MPI_TYPE_CREATE_SUBARRAY(3,ng,n,lo-1,MPI_ORDER_FORTRAN,MPI_REAL_RP,cells,ierr)
    call MPI_TYPE_COMMIT(cells,ierr)
    call MPI_FILE_OPEN(comm,datadir//'fld_s_001.bin',mode,MPI_INFO_NULL,file,ierr)
    if(ierr /= MPI_SUCCESS) error stop 'data/fld_s_001.bin cannot be opened: is there a folder data?'
    call MPI_FILE_SET_VIEW(file,0_MPI_OFFSET_KIND,MPI_REAL_RP,cells,'native',MPI_INFO_NULL,ierr)
    if(io == 'r') then
      call MPI_FILE_READ_ALL(file,own,product(n),MPI_REAL_RP,MPI_STATUS_IGNORE,ierr)
      s%val(1:n(1),1:n(2),1:n(3)) = own
      istep = isave
      !$acc update device(s%val)
    else
      !$acc update self(s%val)
      own = s%val(1:n(1),1:n(2),1:n(3))
      call MPI_FILE_WRITE_ALL(file,own,product(n),MPI_REAL_RP,MPI_STATUS_IGNORE,ierr)
    end if
    call MPI_FILE_CLOSE(file,ierr)
    call MPI_TYPE_FREE(cells,ierr)
  end subroutine load
end program pencil_flow
