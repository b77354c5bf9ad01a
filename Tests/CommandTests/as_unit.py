"""Runs an instance of a systemd unit's command under the unit's restrictions, without systemd.

    unshare --mount --net python3 as_unit.py ops/odometer@.service night ODOMETER FOLDER

FOLDER becomes /srv/odometer, ODOMETER /usr/local/bin/odometer. Restrictions that a process can impose
on itself are applied: system calls (SystemCallFilter, RestrictAddressFamilies, RestrictNamespaces) and writable
executable memory (MemoryDenyWriteExecute) by seccomp; files other than ReadWritePaths, homes, devices and other
temporary folders by mounts; root and new privileges by dropping them.
"""

import ctypes
import os
import re
import shlex
import struct
import subprocess
import sys

unit, instance, binary, folder = sys.argv[1:]
NOBODY = 65534


def settings(name):
    """The values of a setting, in order."""
    with open(unit, encoding="utf-8") as file:
        lines = file.read().splitlines()
    return [line.split("=", 1)[1].replace("%i", instance) for line in lines if line.startswith(name + "=")]


def calls(group):
    """The names of a set of system calls, with those of nested sets."""
    text = subprocess.run(["systemd-analyze", "syscall-filter", group], capture_output=True, text=True, check=True).stdout
    names = [line.strip() for line in text.splitlines()[1:] if line.strip() and "#" not in line]
    return set().union(*(calls(name) if name[0] == "@" else {name} for name in names))


def allowed():
    """The system calls that the unit allows."""
    names = calls("@default")
    for value in settings("SystemCallFilter"):
        groups = set().union(*(calls(group) for group in value.lstrip("~").split()))
        names = names - groups if value[0] == "~" else names | groups
    sockets = {"socket", "socketpair"} if settings("RestrictAddressFamilies") == ["none"] else set()
    spaces = {"unshare", "setns"} if settings("RestrictNamespaces") == ["yes"] else set()
    return names - sockets - spaces


def numbers():
    with open("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", encoding="utf-8") as file:
        return {name: int(number) for name, number in re.findall(r"#define __NR_(\w+)\s+(\d+)", file.read())}


def program():
    """A filter in the kernel's format: eight bytes per instruction."""
    known = numbers()
    number, third, architecture = 0, 32, 4
    load, same, both, end, refuse, allow = 0x20, 0x15, 0x54, 0x06, 0x00050001, 0x7FFF0000
    code = [(load, 0, 0, architecture), (same, 1, 0, 0xC000003E), (end, 0, 0, refuse), (load, 0, 0, number)]
    if settings("MemoryDenyWriteExecute") == ["yes"]:
        for call, bits in ("mmap", 6), ("mprotect", 4), ("pkey_mprotect", 4):
            code += [(same, 0, 5, known[call]), (load, 0, 0, third), (both, 0, 0, bits), (same, 0, 1, bits), (end, 0, 0, refuse)]
            code += [(end, 0, 0, allow)]
    for name in sorted(allowed() & known.keys()):
        code += [(same, 0, 1, known[name]), (end, 0, 0, allow)]
    return b"".join(struct.pack("=HBBI", *step) for step in code + [(end, 0, 0, refuse)])


def mount(*words):
    subprocess.run(["mount", *words], check=True)


def enter():
    """Restricts the file system as the unit does."""
    homes = ["/root", "/home", "/run/user"] if settings("ProtectHome") == ["yes"] else []
    with open(binary, "rb") as file:
        program = file.read()
    mount("--make-rprivate", "/")
    # The folder is bound first, since it may be below /tmp, which is then hidden.
    for path in ["/srv", "/usr/local/bin", "/var/lib"] + homes + ["/tmp"] * (settings("PrivateTmp") == ["yes"]):
        if os.path.isdir(path):
            mount("-t", "tmpfs", "-o", "mode=1777" if path == "/tmp" else "mode=755", "none", path)
        if path == "/srv":
            os.mkdir("/srv/odometer")
            mount("--bind", folder, "/srv/odometer")
    os.mkdir("/var/lib/node_exporter")
    os.chown("/var/lib/node_exporter", NOBODY, NOBODY)
    with open("/usr/local/bin/odometer", "wb") as copy:
        copy.write(program)
    os.chmod("/usr/local/bin/odometer", 0o755)
    writable = [path.lstrip("-") for value in settings("ReadWritePaths") for path in value.split()]
    if settings("ProtectSystem") == ["strict"]:
        for line in open("/proc/self/mounts", encoding="utf-8").read().splitlines():
            path = line.split()[1]
            if path not in writable + ["/tmp"] and not path.startswith(("/proc", "/sys", "/dev")):
                subprocess.run(["mount", "-o", "remount,bind,ro", path], stderr=subprocess.DEVNULL, check=False)
        for path in writable:
            if not os.path.ismount(path):
                mount("--bind", path, path)
                mount("-o", "remount,bind,rw", path)


command = shlex.split(settings("ExecStart")[0])
words = program()
enter()
os.chdir(settings("WorkingDirectory")[0])
os.setgroups([])
os.setgid(NOBODY)
os.setuid(NOBODY)
os.environ.clear()
system = ctypes.CDLL(None, use_errno=True)
NO_NEW_PRIVILEGES, SECCOMP, FILTER = 38, 22, 2
held = ctypes.create_string_buffer(words)
count = struct.pack("@HxxxxxxQ", len(words) // 8, ctypes.addressof(held))
assert settings("NoNewPrivileges") == ["yes"] and system.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0
assert system.prctl(SECCOMP, FILTER, ctypes.create_string_buffer(count), 0, 0) == 0, os.strerror(ctypes.get_errno())
os.execv(command[0], command)
