"""How much memory there is: what would need more is refused before it is copied."""

from __future__ import annotations

import os

FEW = 1 << 20  # bytes that are always there: to ask the system costs a fifth of a call on a small problem


def available() -> float:
    """Bytes that a program may still take without swapping; infinite where nobody says."""
    return min(_system(), _group())


def _system() -> float:
    try:
        with open("/proc/meminfo", encoding="ascii") as f:
            for line in f:
                if line.startswith("MemAvailable:"):
                    return 1024.0 * int(line.split()[1])
    except (OSError, ValueError, IndexError):
        pass
    try:  # not what is free: what there is
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        return float("inf")


def _group() -> float:
    """What the control group leaves, as in a container."""
    try:
        with open("/sys/fs/cgroup/memory.max", encoding="ascii") as most, open("/sys/fs/cgroup/memory.current", encoding="ascii") as used:
            return float(int(most.read()) - int(used.read()))
    except (OSError, ValueError):  # no group, or "max"
        return float("inf")


def check(what: str, need: float, remedy: str) -> None:
    """Raises a ValueError where something needs more bytes than there are."""
    if need <= FEW:
        return
    free = available()
    if need > free:
        raise ValueError(f"{what} would need {need / 1e9:.1f} GB, and {free / 1e9:.1f} GB are free: {remedy}")
