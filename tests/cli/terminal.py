# SPDX-License-Identifier: GPL-2.0-or-later
"""terminal.py COLUMNS SCENE... -- COMMAND...: run a command on a terminal as a shell with job control
does, play a scene on it, exit as the command does.

Files: screen, every byte that came; draws, the status lines, one a line; final, what was left on the
screen. A scene is of: wait:REGEX (something that comes from now on), size:COLUMNS, sleep:SECONDS,
key:X (with Ctrl), remove:PATTERN (files), stopped (wait until it is), fg, bg; background and tostop hold from its start on."""
import fcntl, glob, os, pty, re, select, signal, struct, sys, termios, time

CLEAR = b"\r\033[J"


def shell(argv, status, command, background):
    """Between the terminal and the command: a process group that stops needs a parent outside it."""
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)
        if not background:
            os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execvp(argv[0], argv)
    while True:
        _, how = os.waitpid(pid, os.WUNTRACED)
        if not os.WIFSTOPPED(how):
            os.write(status, b"e")
            os._exit(os.waitstatus_to_exitcode(how) & 255)
        os.tcsetpgrp(0, os.getpgrp())
        os.write(1, b"\n[stopped]\n")
        os.write(status, b"s")
        if os.read(command, 1) == b"f":
            os.tcsetpgrp(0, pid)
        os.killpg(pid, signal.SIGCONT)


class Terminal:
    def __init__(self, columns, argv, background, tostop):
        from_shell, status = os.pipe()
        command, self.command = os.pipe()
        size, go = os.pipe()  # the command must not see a terminal without a size
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.read(size, 1)
            shell(argv, status, command, background)
        os.close(status)
        self.status, self.data, self.seen, self.states = from_shell, b"", 0, b""
        self.resize(columns)
        if tostop:
            self.tostop()
        os.write(go, b"g")

    def resize(self, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

    def pump(self, until, limit=60):
        """Read on until until() is true; False when the time is up first."""
        end = time.monotonic() + limit
        while not until():
            ready, _, _ = select.select([self.master, self.status], [], [], 0.05)
            if self.status in ready:
                state = os.read(self.status, 1)
                self.states += state or b"e"
            if self.master in ready:
                try:
                    self.data += os.read(self.master, 65536)
                except OSError:  # all writers have gone
                    return until()
            if time.monotonic() > end:
                return False
        return True

    def wait(self, pattern):
        def found():
            match = re.compile(pattern.encode()).search(self.data, self.seen)
            if match:
                self.seen = match.end()
            return match
        return self.pump(found)

    def tostop(self):
        mode = termios.tcgetattr(self.master)
        mode[3] |= termios.TOSTOP
        termios.tcsetattr(self.master, termios.TCSANOW, mode)

    def act(self, scene):
        name, _, value = scene.partition(":")
        if name == "wait":
            return self.wait(value)
        if name == "size":
            self.seen = len(self.data)
            self.resize(int(value))
        elif name == "sleep":
            end = time.monotonic() + float(value)
            self.pump(lambda: time.monotonic() > end)
        elif name == "key":
            os.write(self.master, bytes([ord(value) & 31]))
        elif name == "remove":
            for path in glob.glob(value):
                os.unlink(path)
        elif name == "stopped":
            return self.pump(lambda: self.states.endswith(b"s"))
        elif name in ("fg", "bg"):
            self.seen = len(self.data)
            self.states = b""
            os.write(self.command, name[:1].encode())
        return True


def final(data):
    """What is left on a screen that is wide enough."""
    lines, column = [""], 0
    for part in re.findall(r"\033\[J|[\r\n]|[^\r\n\033]+", data.decode()):
        if part == "\033[J":
            lines[-1] = lines[-1][:column]
        elif part == "\r":
            column = 0
        elif part == "\n":
            lines.append("")
            column = 0
        else:
            lines[-1] = lines[-1][:column] + part + lines[-1][column + len(part):]
            column += len(part)
    return "\n".join(lines)


def main():
    split = sys.argv.index("--")
    scenes = sys.argv[2:split]
    term = Terminal(int(sys.argv[1]), sys.argv[split + 1:], "background" in scenes,
                    "tostop" in scenes)
    failed = next((s for s in scenes if not term.act(s)), None)
    done = failed is None and term.pump(lambda: b"e" in term.states)
    if not done:
        print("terminal.py: waited in vain:", failed or "end of the command", file=sys.stderr)
    term.pump(lambda: False, 0.2)
    with open("screen", "wb") as f:
        f.write(term.data)
    with open("draws", "wb") as f:
        f.write(b"".join(d + b"\n" for d in re.findall(re.escape(CLEAR) + rb"(step [^\r\n]*)\r", term.data)))
    with open("final", "w") as f:
        f.write(final(term.data))
    if not done:
        os.close(term.master)
        return 99
    return os.waitstatus_to_exitcode(os.waitpid(term.pid, 0)[1])


sys.exit(main())
