"""Flow solvers in C and Fortran that misuse the library."""

from harness import need, sound

HUGE = ["-1", "-9223372036854775808", "9223372036854775807", "4611686018427387904", "1000000000000"]


def rejected(ended, *, words=(), never=()):
    """The call was refused, with a message."""
    sound(ended)
    need(ended.code == 0, f"{ended}")
    need(ended.out.startswith("refused: "), f"accepted: {ended}")
    message = ended.out.removeprefix("refused: ").strip()
    need(len(message.splitlines()) == 1, f"not one message: {ended}")
    for word in words:
        need(word in message, f"the message lacks '{word}': {message}")
    for word in never:
        need(word not in message, f"the message has '{word}': {message}")


def attacks(world):
    c = world.client("attack_client")

    def attempt(program, *words, **expected):
        return lambda folder: rejected(world.run([program, *words], folder), **expected)

    for what in ("halo_below", "halo_above", "cells", "begin", "end", "temperatures", "emissivities"):
        for number in HUGE:
            yield f"C: absurd {what}", attempt(c, "sizes", what, number)
    for what in ("order", "face", "quantity", "species"):
        for number in ("-1", "7", "2147483647", "-2147483648"):
            yield f"C: {what} out of range", attempt(c, "sizes", what, number)
    for number in ("-1", "0", "1", "9223372036854775807"):
        yield "C: size of statistics", lambda folder, n=number: sound(world.run([c, "sizes", "statistics", n], folder))
    yield "C: wall on a periodic axis", attempt(c, "periodic_wall", words=["periodic"])
    yield "C: wall on a periodic axis", attempt(c, "periodic_wall_in_case", words=["periodic"])
    for number in ("nan", "inf", "-inf", "-1", "1e300", "1e6"):
        yield "C: temperature out of range", attempt(c, "temperature", number)

    def another_problem(what):
        def attack(folder):
            sound(world.run([c, "save", "state"], folder))
            rejected(world.run([c, "load_other", what, "state"], folder))

        return attack

    for what in ("gas", "wall", "absorption", "grid"):
        yield "C: state of another problem", another_problem(what)

    fortran = world.client("attack_fortran")
    # What a Fortran program sees has no names of C or C++, and no cell 0.
    foreign = ["ermine_set_", "ermine_get", "ermine_advance", "::", "begin", "NULL"]
    for what in ("shape", "block", "block_end", "order", "face", "periodic_wall", "early", "file", "faces"):
        yield f"Fortran: {what}", attempt(fortran, what, never=foreign)
