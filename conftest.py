"""Tests run the kernels interpreted, on purpose: nothing to compile, and a debugger steps through."""

import os

os.environ.setdefault("FLAGFALL_KERNELS", "interpreted")
