"""What the scripts that draw have in common: how they refuse, open results and save pictures.

A module of the tool's own where it runs one of the scripts, a file beside them otherwise. ASCII only, since it travels
on a command line of unknown encoding.
"""
import os
import tempfile


class PlotError(Exception):
    """A problem the user can mend: what is wrong, then what to do."""


def require(condition, message):
    if not condition:
        raise PlotError(message)


def open_result(path, program):
    """The tool has checked the checksums of files that begin as ermine's do; others are HDF5 from their first byte."""
    import h5py
    require(os.path.isfile(path), f"{path}: no such file, give one written by {program}")
    require(h5py.is_hdf5(path), f"{path}: not a readable HDF5 file, give one written by {program}")
    with open(path, "rb") as file:
        require(file.read(7) in (b"ermine ", b"\x89HDF\r\n\x1a"), f"{path}: its first bytes are damaged, copy it again")
    return h5py.File(path, "r")


def save_picture(figure, output, **how):
    """Write beside the target under a name that nobody can guess, then rename: no half-written picture is left, no link
    is followed, and nothing but a file is replaced."""
    temporary = None
    try:
        if os.path.exists(output) and not os.path.isfile(output):
            raise OSError("it is a folder, a pipe or a device")
        descriptor, temporary = tempfile.mkstemp(".tmp", ".ermine-plot.", os.path.dirname(output) or os.curdir)
        with os.fdopen(descriptor, "wb") as file:
            figure.savefig(file, format=output[-3:].lower(), **how)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)  # as files are made otherwise
        os.replace(temporary, output)
        temporary = None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise PlotError(f"cannot write {output} ({reason}), choose another name") from None
    finally:
        if temporary and os.path.exists(temporary):
            os.remove(temporary)
