"""Calls the CUDA driver: modules, memory, launches, events.

Problem. The programs beside this one have to run on a bare machine with a GPU, where there may be no toolkit and no compiler.

Method. libcuda.so.1 comes with the driver; its C functions are called by ctypes. Each status is checked: one that is not 0 is raised as
`CudaError`. After an error that a kernel caused, the context is lost, and so is the process.

Source. CUDA Driver API 13.0. Deviation: none. Complexity: a call of C for each function.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from dataclasses import dataclass

NUM_REGISTERS, LOCAL_BYTES, MAX_DYNAMIC_SHARED = 4, 3, 8
"""Attributes of a function (CUfunction_attribute)."""


class CudaError(Exception):
    """The driver says that something failed."""

    def __init__(self, function: str, status: int, name: str) -> None:
        super().__init__(f"{function}: {name}")
        self.status = status


@dataclass
class Arguments:
    """The arguments of a launch, as the driver takes them: an array of pointers, and the values that they point to."""

    values: list[ctypes.Array[ctypes.c_char]]
    pointers: ctypes.Array[ctypes.c_void_p]

    @staticmethod
    def of(values: Sequence[bytes]) -> Arguments:
        """Keeps the bytes of each argument, aligned as each of C's types may need it."""
        kept: list[ctypes.Array[ctypes.c_char]] = []
        for value in values:
            room = ctypes.create_string_buffer(len(value) + 16)
            offset = -ctypes.addressof(room) % 16
            aligned = (ctypes.c_char * len(value)).from_buffer(room, offset)
            ctypes.memmove(aligned, value, len(value))
            kept.append(aligned)
        pointers = (ctypes.c_void_p * max(1, len(kept)))(*[ctypes.addressof(one) for one in kept])
        return Arguments(kept, pointers)


class Driver:
    """The first GPU of the machine."""

    def __init__(self) -> None:
        try:
            self.library = ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            raise CudaError("libcuda.so.1", -1, str(error)) from error
        self.call("cuInit", 0)
        self.device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(self.device), 0)

    def call(self, function: str, *arguments: object) -> None:
        """Calls a function of the driver; its status must be 0."""
        status: int = getattr(self.library, function)(*arguments)
        if status:
            name = ctypes.c_char_p()
            self.library.cuGetErrorName(status, ctypes.byref(name))
            raise CudaError(function, status, (name.value or b"error %d" % status).decode())

    def open(self) -> None:
        """Makes the GPU's context this thread's."""
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self.device)
        self.call("cuCtxSetCurrent", context)

    def attribute(self, number: int) -> int:
        """Reads a number that the GPU has (CUdevice_attribute)."""
        value = ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(value), number, self.device)
        return value.value

    def name(self) -> str:
        """Reads the GPU's name."""
        text = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", text, 256, self.device)
        return text.value.decode()

    def architecture(self) -> str:
        """Finds which processor ptxas has to compile for."""
        return f"sm_{self.attribute(75)}{self.attribute(76)}"

    def version(self) -> str:
        """Reads the version of CUDA that the driver has."""
        number = ctypes.c_int()
        self.call("cuDriverGetVersion", ctypes.byref(number))
        return f"{number.value // 1000}.{number.value % 1000 // 10}"

    # ---- code

    def load(self, cubin: bytes) -> ctypes.c_void_p:
        """Loads a cubin."""
        module = ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), cubin)
        return module

    def unload(self, module: ctypes.c_void_p) -> None:
        """Gives a module up."""
        self.call("cuModuleUnload", module)

    def function(self, module: ctypes.c_void_p, name: str) -> ctypes.c_void_p:
        """Finds a kernel."""
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        return function

    def of_function(self, function: ctypes.c_void_p, number: int) -> int:
        """Reads a number that a kernel has."""
        value = ctypes.c_int()
        self.call("cuFuncGetAttribute", ctypes.byref(value), number, function)
        return value.value

    def allow_shared(self, function: ctypes.c_void_p, size: int) -> None:
        """Lets a kernel have so much dynamic shared memory; more than 48 KiB must be asked for."""
        if size > 48 << 10:
            self.call("cuFuncSetAttribute", function, MAX_DYNAMIC_SHARED, size)

    def launch(self, function: ctypes.c_void_p, grid: Sequence[int], block: Sequence[int], shared: int, arguments: Arguments) -> None:
        """Launches a kernel; it runs later."""
        gx, gy, gz = (*grid, 1, 1)[:3]
        bx, by, bz = (*block, 1, 1)[:3]
        self.call("cuLaunchKernel", function, gx, gy, gz, bx, by, bz, shared, None, arguments.pointers, None)

    def wait(self) -> None:
        """Waits for all that was launched."""
        self.call("cuCtxSynchronize")

    # ---- memory

    def free_memory(self) -> int:
        """Finds how many bytes are free."""
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        self.call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        return free.value

    def allocate(self, size: int) -> int:
        """Allocates memory; its address."""
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(size, 1)))
        return address.value

    def free(self, address: int) -> None:
        """Gives memory up."""
        self.call("cuMemFree_v2", ctypes.c_uint64(address))

    def fill(self, address: int, byte: int, size: int) -> None:
        """Fills memory with a byte."""
        self.call("cuMemsetD8_v2", ctypes.c_uint64(address), ctypes.c_ubyte(byte), ctypes.c_size_t(size))

    def write(self, address: int, data: bytes) -> None:
        """Copies bytes to the GPU."""
        if data:
            self.call("cuMemcpyHtoD_v2", ctypes.c_uint64(address), data, ctypes.c_size_t(len(data)))

    def read(self, address: int, size: int) -> bytes:
        """Copies bytes from the GPU."""
        data = ctypes.create_string_buffer(max(size, 1))
        if size:
            self.call("cuMemcpyDtoH_v2", data, ctypes.c_uint64(address), ctypes.c_size_t(size))
        return data.raw[:size]

    def copy(self, to: int, source: int, size: int) -> None:
        """Copies bytes on the GPU, after all that was launched before."""
        self.call("cuMemcpyDtoDAsync_v2", ctypes.c_uint64(to), ctypes.c_uint64(source), ctypes.c_size_t(size), None)

    # ---- time

    def event(self) -> ctypes.c_void_p:
        """Makes an event."""
        event = ctypes.c_void_p()
        self.call("cuEventCreate", ctypes.byref(event), 0)
        return event

    def record(self, event: ctypes.c_void_p) -> None:
        """Has the GPU note the time after all that was launched."""
        self.call("cuEventRecord", event, None)

    def between(self, first: ctypes.c_void_p, last: ctypes.c_void_p) -> float:
        """Finds the milliseconds between two events, which have happened."""
        time = ctypes.c_float()
        self.call("cuEventElapsedTime_v2", ctypes.byref(time), first, last)
        return time.value


def management() -> ctypes.CDLL | None:
    """Loads NVML, which comes with the driver; `None` if it is not there."""
    try:
        library = ctypes.CDLL("libnvidia-ml.so.1")
    except OSError:
        return None
    return library if library.nvmlInit_v2() == 0 else None


def driver_version() -> str:
    """Reads the version of the driver; empty without NVML."""
    text = ctypes.create_string_buffer(96)
    library = management()
    return text.value.decode() if library is not None and library.nvmlSystemGetDriverVersion(text, 96) == 0 else ""


def clock() -> int | None:
    """Reads the clock of the first GPU's multiprocessors in MHz; `None` without NVML."""
    library = management()
    device, value = ctypes.c_void_p(), ctypes.c_uint()
    if library is None or library.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(device)):
        return None
    return None if library.nvmlDeviceGetClockInfo(device, 1, ctypes.byref(value)) else value.value


def number_bytes(kind: str, value: float | int) -> bytes:
    """Writes a number as a kernel's parameter has it; `kind` is the word of a launch file. Numbers of a launch file's f32 and f64 are bits."""
    size = int(kind[1:]) // 8
    if kind[0] == "f" and isinstance(value, float):
        return struct.pack("<f" if size == 4 else "<d", value)
    return (int(value) % (1 << 8 * size)).to_bytes(size, "little")
