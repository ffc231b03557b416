"""LLVM's NVPTX machine passes in Rust.

`plugin()` is the path that `llc -load` takes. `ptxpasses.triton.install()` gives every kernel of Triton our code, and `report()`
writes a page that shows the gain.
"""

from ptxpasses._files import NotFound, llc, plugin
from ptxpasses._kernels import report
from ptxpasses._llc import CompileError, Compiler
from ptxpasses._version import VERSION as __version__

__all__ = ["CompileError", "Compiler", "NotFound", "__version__", "llc", "plugin", "report"]
