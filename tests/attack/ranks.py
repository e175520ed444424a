"""Processes that were given different problems, or do different things."""

from cases import CHANNEL, GREY, RESTART, write
from harness import Unavailable, need, succeeded


def told(ended):
    """Neither an answer nor a crash nor a hang, but one message of ours. mpirun adds lines of its own."""
    need(not ended.hung, f"hangs: {ended}")
    errors = {line.partition("error: ")[2] for line in (ended.err + ended.out).splitlines() if "ermine" in line and "error: " in line}
    for bad in ("Segmentation fault", "signal 11", "signal 6", "Signal: ", "terminate called", "MPI_ERR"):
        need(bad not in ended.err + ended.out, f"crashes: {ended}")
    need(ended.code != 0, f"accepted: {ended}")
    need(len(errors) == 1, f"{len(errors)} different messages: {sorted(errors)} {ended}")


def attacks(world):
    def run(folder, first, second, verb="run"):
        write(folder, "a.toml", GREY)
        words = [world.ermine, verb, "a.toml", *(["-q", "-o", "out"] if verb == "run" else [])]
        return world.mpi(folder, [*words, *first], [*words, *second])

    def control(folder):
        succeeded(run(folder, [], []))

    yield "control: two processes run a case", control

    def different(first, second, verb="run"):
        return lambda folder: told(run(folder, first, second, verb))

    changes = [
        ["temperature=700"], ["temperature=500+1000*x+1e-6"], ["solver.seed=3"], ["solver.rays_per_cell=8"],
        ["solver.rays_per_wall_face=3"], ["medium.absorption_coefficient=2"], ["walls.x_low.temperature=501"],
        ["walls.x_high.emissivity=0.9"], ["walls.x_high.reflection=specular"], ["grid.x.cells=5"], ["grid.x.to=2.0"],
        ["grid.y.cells=1"], ["solver.method=classic"], ["solver.precision=double"], ["solver.levels=1"],
        ["solver.target_error=0.5"], ["medium={gas='CO',pressure=1e5,quadrature_points=1}"], ["output.name=b"],
    ]
    for number, change in enumerate(changes):
        words = [w for one in change for w in ("--set", one)]
        yield "ermine run: another problem on one rank", different(*(([], words) if number % 2 else (words, [])))
    yield "ermine run: one rank cannot read its case", different([], ["--set", "temperature=-1"])
    yield "ermine run: one rank cannot read its case", different(["--set", "nonsense=1"], [])

    def verbs(folder):
        write(folder, "a.toml", GREY)
        told(world.mpi(folder, [world.ermine, "run", "a.toml", "-q", "-o", "out"], [world.ermine, "check", "a.toml"]))

    yield "another command on one rank", verbs

    def channel(folder, first, second):
        write(folder, "c.toml", CHANNEL)
        words = [world.channel, "c.toml", "--quiet"]
        return world.mpi(folder, [*words, *first], [*words, *second])

    def different_channels(first, second):
        return lambda folder: told(channel(folder, first, second))

    if world.channel.exists():
        yield "control: two processes run a channel", lambda folder: succeeded(channel(folder, [], []))
        for number, change in enumerate([
                "time.steps=9", "time.step=0.01", "grid.cells=[4,4,8]", "grid.cells=[6,4,4]", "flow.reynolds=400", "flow.seed=2",
                "temperature.walls=[900,573]", "radiation.capacity=1000", "radiation.case.solver.seed=3",
                "radiation.case.coupling.interval=1", "output.restart_every=1", "output.statistics_every=2", "output.name=b"]):
            words = ["--set", change]
            yield "ermine channel: another problem on one rank", different_channels(*(([], words) if number % 2 else (words, [])))

        def restart_on_one(folder):
            write(folder, "c.toml", CHANNEL)
            succeeded(world.run([world.channel, "c.toml", "--quiet"], folder))
            more = ["--set", "time.steps=6"]
            told(channel(folder, ["--restart", RESTART, *more], more))

        yield "ermine channel: a restart file on one rank", restart_on_one

    try:
        client = world.client("attack_client")
    except Unavailable:
        return

    def apart(what, first, second):
        def attack(folder):
            ended = world.mpi(folder, [client, "apart", what, first], [client, "apart", what, second],
                              env={"ERMINE_RANK_TIMEOUT": "30"})
            need(not ended.hung, f"hangs: {ended}")
            for bad in ("Segmentation fault", "Signal: ", "terminate called", "MPI_ERR"):
                need(bad not in ended.err + ended.out, f"crashes: {ended}")
            refusals = ended.out.count("refused: ")
            need(refusals == 2 or ended.code != 0, f"{refusals} of 2 processes are told: {ended}")
            need("accepted" not in ended.out, f"accepted: {ended}")

        return attack

    yield "API: control, equal problems", lambda folder: succeeded(
        world.mpi(folder, [client, "apart", "absorption", "2"], [client, "apart", "absorption", "2"]))
    for what, first, second in (("absorption", "2", "3"), ("wall", "500", "501"), ("grid", "1", "2"), ("scaling", "1", "1.5")):
        yield "API: another problem on one rank", apart(what, first, second)
    yield "API: a rank skips a collective call", apart("skip", "0", "1")
