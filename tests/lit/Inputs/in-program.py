"""Loads the plugin into this process and goes on after a refusal: in-program.py PLUGIN [LIBRARY...].

The libraries, LLVM's, are loaded first. Prints what the plugin says and what LLVM's loader of pass plugins would be told.
"""

import ctypes
import os
import subprocess
import sys

plugin, libraries = sys.argv[1], sys.argv[2:]


class PassPluginLibraryInfo(ctypes.Structure):
    """That of LLVM 22, the longest."""

    _fields_ = [
        ("api_version", ctypes.c_uint32),
        ("name", ctypes.c_char_p),
        ("version", ctypes.c_char_p),
        ("register_callbacks", ctypes.c_void_p),
        ("pre_code_gen", ctypes.c_void_p),
    ]


for library in libraries:
    ctypes.CDLL(library, ctypes.RTLD_GLOBAL)
os.environ["PTXPASSES_RETURNS_TO"] = str(os.getpid())
loaded = ctypes.CDLL(plugin)
loaded.ptxpasses_refusal.restype = ctypes.c_char_p
refusal = loaded.ptxpasses_refusal()
print("refusal:", refusal and refusal.decode())
loaded.llvmGetPassPluginInfo.restype = PassPluginLibraryInfo
info = loaded.llvmGetPassPluginInfo()
print("pass plugin: version %d of the interface, %s" % (info.api_version, info.name.decode()))

# A child inherits the variable, but has not asked.
if refusal:
    child = subprocess.run(
        [sys.executable, "-c", "import ctypes, sys; ctypes.CDLL(sys.argv[1])", plugin],
        capture_output=True,
        text=True,
    )
    print("child: status %d, %d lines" % (child.returncode, len(child.stderr.splitlines())))
