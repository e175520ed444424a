"""Fields in HDF5 and CSV files that lack data, lie elsewhere, or are something else."""

import ctypes
import random

from harness import refused, refused_or_succeeded, sound, succeeded
from hdf5 import MAXIMUM, Hdf5, hid

SHAPE = (2, 3, 4)  # z, y, x
CELLS = 24
CASE = """
temperature = {temperature}
medium = {{ absorption_coefficient = {absorption} }}
[grid]
x = {{ {x}, periodic = false }}
y = {{ cells = 3, to = 1.0, periodic = true }}
z = {{ cells = 2, to = 1.0, periodic = true }}
[walls]
x_low = {{ temperature = 500 }}
x_high = {{ temperature = 600 }}
[solver]
rays_per_cell = 2
rays_per_wall_face = 2
"""
GOOD = [500.0 + i for i in range(CELLS)]


def run(world, folder, temperature="500", absorption="1.0", x="cells = 4, to = 1.0"):
    (folder / "case.toml").write_text(CASE.format(temperature=temperature, absorption=absorption, x=x))
    return world.run([world.ermine, "run", "case.toml", "-q", "-o", "out"], folder)


def missing_data(h):
    """Each makes a file with a dataset T whose numbers are not there."""

    def never_written(file, folder):
        h.dataset(file, "T", SHAPE)

    def never_written_with_fill(file, folder):
        h.dataset(file, "T", SHAPE, layout=h.fill(h.property("DATASET_CREATE"), 700.0))

    def no_chunk(file, folder):
        h.dataset(file, "T", SHAPE, layout=h.chunked((1, 1, 4)))

    def some_chunks(file, folder):
        h.dataset(file, "T", SHAPE, layout=h.fill(h.chunked((1, 1, 4)), 700.0))
        h.write_part(file, "T", (0, 0, 0), (1, 1, 4), [600.0] * 4)

    def all_chunks_but_one(file, folder):
        h.dataset(file, "T", SHAPE, layout=h.chunked((1, 1, 4)))
        h.write_part(file, "T", (0, 0, 0), (1, 3, 4), [600.0] * 12)
        h.write_part(file, "T", (1, 0, 0), (1, 2, 4), [600.0] * 8)

    def virtual_without_source(file, folder):
        h.dataset(file, "T", SHAPE, layout=h.virtual(SHAPE, folder / "no_source.h5", "T"))

    def virtual_without_dataset(file, folder):
        h.close(h.create(folder / "source.h5"))
        h.dataset(file, "T", SHAPE, layout=h.virtual(SHAPE, folder / "source.h5", "T"))

    def virtual_of_never_written(file, folder):
        source = h.create(folder / "source.h5")
        h.dataset(source, "T", SHAPE)
        h.close(source)
        h.dataset(file, "T", SHAPE, layout=h.virtual(SHAPE, folder / "source.h5", "T"))

    def external_missing(file, folder):
        h.dataset(file, "T", SHAPE, layout=h.external(folder / "no.raw", 8 * CELLS))

    def external_short(file, folder):
        (folder / "short.raw").write_bytes(b"\0\0\0\0\0\x40\x8f\x40" * (CELLS // 2))
        h.dataset(file, "T", SHAPE, layout=h.external(folder / "short.raw", 8 * CELLS))

    def external_empty(file, folder):
        (folder / "empty.raw").write_bytes(b"")
        h.dataset(file, "T", SHAPE, layout=h.external(folder / "empty.raw", 8 * CELLS))

    def external_zero_device(file, folder):
        h.dataset(file, "T", SHAPE, layout=h.external("/dev/zero", 8 * CELLS))

    return [never_written, never_written_with_fill, no_chunk, some_chunks, all_chunks_but_one, virtual_without_source,
            virtual_without_dataset, virtual_of_never_written, external_missing, external_short, external_empty,
            external_zero_device]


def odd_datasets(h):
    """Each makes a file with something named T that is no field of this grid."""

    def other_shape(shape):
        return lambda file, folder: h.dataset(file, "T", shape, [500.0] * max(1, _product(shape)))

    def bad_value(value):
        return lambda file, folder: h.dataset(file, "T", SHAPE, [value, *GOOD[1:]])

    def other_type(name):
        return lambda file, folder: h.dataset(file, "T", SHAPE, stored=name)

    def no_space(file, folder):
        h.dataset(file, "T", (), space=hid(h.call("H5Screate", 2)))

    def scalar(file, folder):
        h.dataset(file, "T", (), [500.0], space=hid(h.call("H5Screate", 0)))

    def text(file, folder):
        kind = hid(h.call("H5Tcopy", h.type("C_S1")))
        h.call("H5Tset_size", kind, ctypes.c_size_t(8))
        h.dataset(file, "T", SHAPE, stored=kind)

    def variable_text(file, folder):
        kind = hid(h.call("H5Tcopy", h.type("C_S1")))
        h.call("H5Tset_size", kind, ctypes.c_size_t(MAXIMUM))
        h.dataset(file, "T", SHAPE, stored=kind)

    def compound(file, folder):
        kind = hid(h.call("H5Tcreate", 6, ctypes.c_size_t(16)))
        h.call("H5Tinsert", kind, b"a", ctypes.c_size_t(0), h.type("NATIVE_DOUBLE"))
        h.dataset(file, "T", SHAPE, stored=kind)

    def array(file, folder):
        kind = hid(h.call("H5Tarray_create2", h.type("NATIVE_DOUBLE"), 1, (ctypes.c_uint64 * 1)(2)))
        h.dataset(file, "T", SHAPE, stored=kind)

    def group(file, folder):
        h.call("H5Gcreate2", file, b"T", hid(0), hid(0), hid(0))

    def link(target):
        return lambda file, folder: h.call("H5Lcreate_soft", target, file, b"T", hid(0), hid(0))

    def external_link(name):
        return lambda file, folder: h.call("H5Lcreate_external", name, b"T", file, b"T", hid(0), hid(0))

    def enormous(file, folder):
        h.dataset(file, "T", (2**40, 2**20), layout=h.chunked((1, 1)))

    shapes = [(4, 3, 2), (24,), (2, 12), (2, 3, 4, 1), (1, 2, 3, 4), (2, 3, 5), (1,), (0,), (2, 3, 0)]
    values = [float("nan"), float("inf"), -float("inf"), -1.0, 1e6, 1e308]
    types = ["STD_B64LE", "STD_REF_OBJ", "UNIX_D32LE"]
    return [*map(other_shape, shapes), *map(bad_value, values), *map(other_type, types), no_space, scalar, text,
            variable_text, compound, array, group, link(b"/T"), link(b"/nothing"), link(b"/"),
            external_link(b"missing.h5"), external_link(b"field.h5"), external_link(b"/dev/zero"), enormous]


def _product(shape):
    product = 1
    for n in shape:
        product *= n
    return product


CSV = [
    b"", b"\n", b"x,T\n", b"0,500\n", b"0,500\n1", b"0,500\n1,600,7\n", b"0,500\n0,600\n", b"1,500\n0,600\n", b"0,500\n1,nan\n",
    b"0,500\n1,inf\n", b"0,500\n1,1e400\n", b"0,500\n1,-5\n", b"0,500\n1,0x10\n", b"0,500\n1,6e2e\n", b"0;500\n1;1,5\n",
    b"0,500\n0.5,\n1,600\n", b"\0\0\0\0", b"0,500\n\0001,600\n", b"\xef\xbb\xbf0,500\n1,600\n", b"0,500\r1,600\r",
    b"0,500\n0.5,600\n", b"a\nb\n0,500\n1,600\n", b"0 500 1 600", b'"0","500"\n"1","600"\n', b"\xff\xfe0\0,\0", b"0,500\n" + b"1" * 1_000_000,
    b"0,500\n" + b"," * 1_000_000 + b"\n1,600\n", b"#" * 1_000_000, b"nan,nan\nnan,nan\n", b"-inf,1\ninf,1\n",
]


def attacks(world):
    h = Hdf5(world.ermine)
    rng = random.Random(world.seed)

    def hdf5(make, expect, where="temperature"):
        def attack(folder):
            file = h.create(folder / "field.h5")
            try:
                make(file, folder)
            except RuntimeError:
                return  # This HDF5 does not even write it.
            finally:
                h.close(file)
            value = '{ hdf5 = "field.h5", dataset = "T" }'
            expect(run(world, folder, **{where: value}))

        return attack

    yield "control: fields in HDF5 are read", hdf5(lambda f, _: h.dataset(f, "T", SHAPE, GOOD), succeeded)
    yield "control: fields in HDF5 are read", hdf5(lambda f, _: h.dataset(f, "T", SHAPE, GOOD, stored="IEEE_F32BE"), succeeded)
    yield "control: fields in HDF5 are read", hdf5(
        lambda f, _: h.dataset(f, "T", SHAPE, GOOD, layout=h.chunked((1, 1, 4))), succeeded)
    for make in missing_data(h):
        # Zeros pass as an absorption coefficient, and as 0 K.
        yield "HDF5 data that are not there", hdf5(make, refused)
        yield "HDF5 data that are not there", hdf5(make, refused, "absorption")
    for make in odd_datasets(h):
        yield "HDF5 data of another kind", hdf5(make, refused)

    def damaged(folder):
        file = h.create(folder / "field.h5")
        h.dataset(file, "T", SHAPE, GOOD, layout=h.chunked((1, 3, 4)))
        h.close(file)
        data = bytearray((folder / "field.h5").read_bytes())
        if rng.random() < 0.2:
            del data[rng.randrange(len(data)):]
        for _ in range(rng.choice((1, 1, 8))):
            if data:
                data[rng.randrange(min(len(data), 2000))] ^= 1 << rng.randrange(8)
        (folder / "field.h5").write_bytes(data)
        refused_or_succeeded(run(world, folder, '{ hdf5 = "field.h5", dataset = "T" }'))

    def csv(data, **where):
        def attack(folder):
            (folder / "field.csv").write_bytes(data)
            ended = run(world, folder, **where)
            sound(ended)
            if ended.code != 0:
                refused(ended)

        return attack

    for _ in range(world.count):
        yield "HDF5 files with damaged structure", damaged
    profile = {"temperature": '{ profile = "field.csv", axis = "x" }'}
    faces = {"x": 'faces = "field.csv"'}
    for data in CSV:
        yield "CSV profiles", csv(data, **profile)
        yield "CSV faces", csv(data, **faces)
    for _ in range(world.count // 4):
        data = bytearray(b"# x [m], T [K]\nx,T\n0,500\n0.25,700.5\n0.5,8e2\n1,600\n")
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] = rng.choice(b"0159.,;e-+ \n\r\t#nx\0\xff")
        yield "CSV profiles", csv(bytes(data), **profile)
