#!/usr/bin/env bash
# Installs the packages of `make deb` in a new, minimal Debian, runs the tool there, builds programs
# against the library in all languages, and removes the packages again.
#   tests/packaging/clean_root.sh PACKAGE.deb...
# As root, with debootstrap and a mirror ($MIRROR); takes minutes. Works in a temporary folder and
# removes it.
set -euo pipefail

[ $# -gt 0 ] || {
  echo "usage: $0 PACKAGE.deb..." >&2
  exit 2
}
[ "$(id -u)" = 0 ] || {
  echo "clean_root.sh: error: a new root can be made by root only" >&2
  exit 1
}
command -v debootstrap >/dev/null || {
  echo "clean_root.sh: error: no debootstrap here, install it: apt-get install debootstrap" >&2
  exit 1
}
tests=$(cd "$(dirname "$0")/.." && pwd)
suite=$(. /etc/os-release && echo "$VERSION_CODENAME") # packages need libraries of this one
scratch=$(mktemp -d)
root=$scratch/root
cleanup() {
  if mountpoint -q "$root/proc"; then umount "$root/proc"; fi
  rm -rf --one-file-system "$scratch"
}
trap cleanup EXIT
. "$tests/consumer/steps.sh"
# inside COMMAND...: in the root, in /home, with nothing of the environment but a proxy.
inside() {
  env -i PATH=/usr/local/bin:/usr/bin:/usr/sbin:/bin:/sbin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    ${http_proxy:+http_proxy="$http_proxy"} chroot "$root" sh -c 'cd /home && exec "$@"' sh "$@"
}
install() { quietly inside apt-get install -y -qq --no-install-recommends "$@"; }
# package NAME: its file, as apt wants it.
package() { (cd "$root/home" && echo ./"$1"_*.deb); }

step "a new Debian $suite"
debootstrap --variant=minbase "$suite" "$root" "${MIRROR:-http://deb.debian.org/debian}" >/dev/null
mount -t proc proc "$root/proc"
cp "$@" "$root/home"
cp "$tests/consumer/installed_clients.sh" "$tests/consumer/steps.sh" "$root/home"
inside apt-get update -qq

step "ermine"
install "$(package ermine)"
inside ermine --version
inside ermine info
inside ermine run /usr/share/ermine/examples/grey_box.toml --set solver.rays_per_cell=64
[ -s "$root/home/results/grey_box.h5" ] || fail "ermine run has written nothing"
inside ermine run /usr/share/ermine/examples/flame.toml --set solver.rays_per_cell=64

step "ermine on two processes"
install openmpi-bin
inside env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 2 \
  ermine run /usr/share/ermine/examples/grey_box.toml --set solver.rays_per_cell=64

step "ermine-channel"
install "$(package ermine-channel)"
inside ermine channel /usr/share/ermine/examples/channel/laminar.toml --set time.steps=20

step "libermine-dev, python3-ermine"
install "$(package libermine-dev)" "$(package python3-ermine)" cmake make pkg-config gfortran
inside env PYTHON=python3 ./installed_clients.sh /usr cpp c fortran python
inside python3 -c 'import ermine; print("import ermine", ermine.__version__)'

step "removed"
inside apt-get purge -y -qq ermine ermine-channel libermine-dev python3-ermine >/dev/null
left=$(find "$root/usr" "$root/etc" "$root/var" -name 'ermine*' -o -name 'libermine*' -o -name '*[-_]ermine*')
[ -z "$left" ] || fail "left behind: $left"
printf '\nthe packages work in a clean root\n'
