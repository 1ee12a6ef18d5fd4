"""How much calls make the memory of a process grow: over many, and during one."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def growth(calls, first, then):
    """The bytes by which `calls(then)` grows a new process that ran `calls(first)`.

    `calls` is a function of a module. In the process of the other tests what they left running and
    what the allocator kept of theirs would be counted too.
    """
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(_grown, calls, first, then).result()


def peak_growth(call):
    """The bytes by which this process grows at the most during a call."""
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    before = resident()
    call()
    with open("/proc/self/status") as file:
        peak = next(line for line in file if line.startswith("VmHWM"))
    return int(peak.split()[1]) * 1024 - before


def _grown(calls, first, then):
    calls(first)
    before = resident()
    calls(then)
    return resident() - before
