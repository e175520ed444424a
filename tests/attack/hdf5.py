"""HDF5 files that no honest program writes, through the HDF5 library that the build uses."""

import ctypes
import re
import subprocess

from harness import Unavailable

hid = ctypes.c_int64
MAXIMUM = 2**64 - 1


class Hdf5:
    """A thin layer over the C library; every call is checked."""

    def __init__(self, program):
        linked = subprocess.run(["ldd", str(program)], capture_output=True, text=True).stdout
        found = re.search(r"=> (\S*libhdf5\S*\.so\S*)", linked)
        if not found:
            raise Unavailable("the HDF5 library of the build was not found")
        self.library = ctypes.CDLL(found.group(1))
        self.call("H5open")

    def call(self, name, *arguments, kind=hid):
        function = getattr(self.library, name)
        function.restype = kind
        value = function(*arguments)
        if value is not None and value < 0:
            raise RuntimeError(f"{name} failed")
        return value

    def type(self, name):
        return hid.in_dll(self.library, f"H5T_{name}_g")

    def property(self, name):
        return hid(self.call("H5Pcreate", hid.in_dll(self.library, f"H5P_CLS_{name}_ID_g")))

    def create(self, path):
        return hid(self.call("H5Fcreate", str(path).encode(), 2, hid(0), hid(0)))

    def close(self, file):
        self.call("H5Fclose", file)

    def space(self, shape):
        dimensions = (ctypes.c_uint64 * max(len(shape), 1))(*shape)
        return hid(self.call("H5Screate_simple", len(shape), dimensions, None))

    def dataset(self, file, name, shape, values=None, stored="IEEE_F64LE", layout=None, space=None):
        """Of 64-bit numbers in memory, whatever type is stored; without values nothing is written."""
        kind = stored if isinstance(stored, hid) else self.type(stored)
        made = hid(self.call("H5Dcreate2", file, name.encode(), kind, space or self.space(shape), hid(0),
                             layout or hid(0), hid(0)))
        if values is not None:
            array = (ctypes.c_double * len(values))(*values)
            self.call("H5Dwrite", made, self.type("NATIVE_DOUBLE"), hid(0), hid(0), hid(0), array)
        self.call("H5Dclose", made)

    def chunked(self, chunk):
        layout = self.property("DATASET_CREATE")
        self.call("H5Pset_chunk", layout, len(chunk), (ctypes.c_uint64 * len(chunk))(*chunk))
        return layout

    def external(self, raw, size):
        layout = self.property("DATASET_CREATE")
        self.call("H5Pset_external", layout, str(raw).encode(), ctypes.c_int64(0), ctypes.c_uint64(size))
        return layout

    def virtual(self, shape, source, name):
        layout = self.property("DATASET_CREATE")
        self.call("H5Pset_virtual", layout, self.space(shape), str(source).encode(), name.encode(), self.space(shape))
        return layout

    def fill(self, layout, value):
        number = ctypes.c_double(value)
        self.call("H5Pset_fill_value", layout, self.type("NATIVE_DOUBLE"), ctypes.byref(number))
        return layout

    def write_part(self, file, name, start, count, values):
        """Writes some cells of a dataset only."""
        made = hid(self.call("H5Dopen2", file, name.encode(), hid(0)))
        space = hid(self.call("H5Dget_space", made))
        many = ctypes.c_uint64 * len(start)
        self.call("H5Sselect_hyperslab", space, 0, many(*start), None, many(*count), None)
        array = (ctypes.c_double * len(values))(*values)
        self.call("H5Dwrite", made, self.type("NATIVE_DOUBLE"), self.space(count), space, hid(0), array)
        self.call("H5Dclose", made)
