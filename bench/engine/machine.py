"""What a result has to say of where it was measured."""
import os
import pathlib
import platform
import subprocess


def machine():
    lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    return {"processors": os.cpu_count(), "model": model, "kernel": platform.release(),
            "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2 ** 30)}


def commit(root):
    def said(*command):
        return subprocess.run(["git", "-C", str(root), *command], capture_output=True, text=True, check=False).stdout.strip()
    changed = said("status", "--porcelain", "--untracked-files=no", "src", "include", "bench")
    return said("rev-parse", "--short=12", "HEAD") + (" with changes" if changed else "")
