"""Host programs that trap floating-point errors."""

from harness import need, sound


def attacks(world):
    c, fortran = world.client("attack_client"), world.client("attack_fortran")

    def in_c(medium, threads):
        def attack(folder):
            ended = world.run([c, "traps", medium, "state"], folder, env={"OMP_NUM_THREADS": threads})
            sound(ended)
            need("Q " in ended.out and "refused" not in ended.out, f"{ended}")
            need("traps 1 flags 0" in ended.out, f"traps or flags are not as they were: {ended}")

        return attack

    def in_fortran(folder):
        ended = world.run([fortran, "traps"], folder)
        sound(ended)
        need(ended.code == 0 and ended.out.startswith("refused: "), f"{ended}")
        need("Note: The following floating-point exceptions" not in ended.err, f"flags are left raised: {ended}")

    for medium in ("grey", "gas"):
        for threads in ("1", "3"):
            yield f"C: {medium} gas, {threads} threads", in_c(medium, threads)
    yield "Fortran: create, advance, save, load, destroy", in_fortran
