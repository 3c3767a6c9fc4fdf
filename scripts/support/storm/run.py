#!/usr/bin/env python3
"""Flies calls of every kind through links that go down and servers that die, and holds what the client says against the server's ledger.

  scripts/fault-storm --minutes N [--tls | --http2] [--seed N] [--transport nio|urlsession|both] [--rate SHARE] [--keep] [--no-report]
                      [--program PATH]

Each transport has two network namespaces of its own, joined by a veth pair: the client in one, the server in the other. They belong to
a namespace of this script, so the kernel removes them when it ends, however it ends. Needs root, or user namespaces.
Exits with 1 when something does not hold. A report goes between the markers of Documentation/Reliability.md.
"""

import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import line
import report
from authorities import Authorities

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
CLIENT, SERVER, PORT = "10.66.0.1", "10.66.0.2", 8080
# The only one that URLSession trusts on Linux.
ROOTS = "/etc/ssl/certs/ca-certificates.crt"
# Growth of resident memory from the second quarter of the storm to its last, by medians.
GROWTH = 16 << 20


def sh(*command, check=True, text=None):
    done = subprocess.run(command, input=text, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if check and done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stdout}")
    return done.stdout


def content_digest(number):
    noise = random.Random(f"file {number}")
    return hashlib.sha256(noise.randbytes(noise.randrange(64 << 10, 3 << 19))).hexdigest()


class Wire:
    """Two namespaces and the link between them. This process is in the client's already."""

    def __init__(self):
        # Names of namespaces go there. Seen by this process and its children alone, and gone with them.
        sh("mount", "-t", "tmpfs", "tmpfs", "/run")
        sh("ip", "netns", "add", "server")
        sh("ip", "link", "set", "lo", "up")
        sh("ip", "link", "add", "c", "type", "veth", "peer", "name", "s", "netns", "server")
        sh("ip", "addr", "add", f"{CLIENT}/24", "dev", "c")
        sh("ip", "link", "set", "c", "up")
        sh("ip", "-n", "server", "addr", "add", f"{SERVER}/24", "dev", "s")
        sh("ip", "-n", "server", "link", "set", "lo", "up")
        sh("ip", "-n", "server", "link", "set", "s", "up")

    def client_link(self, state):
        sh("ip", "link", "set", "c", state)

    def server_link(self, state):
        sh("ip", "-n", "server", "link", "set", "s", state)

    def rules(self, verdict):
        """Rules for what comes in at both ends; an empty one takes them away."""
        chain = f"chain i {{\n type filter hook input priority 0\n {verdict}\n }}\n" if verdict else ""
        table = f"table inet storm\ndelete table inet storm\ntable inet storm {{\n{chain}}}\n"
        sh("nft", "-f", "-", text=table)
        sh("ip", "netns", "exec", "server", "nft", "-f", "-", text=table)

    def slow(self, rate):
        for command in (["tc"], ["tc", "-n", "server"]):
            device = "c" if len(command) == 1 else "s"
            sh(*command, "qdisc", "del", "dev", device, "root", check=False)
            if rate:
                sh(*command, "qdisc", "add", "dev", device, "root", "tbf", "rate", rate, "burst", "16kb", "latency", "200ms")

    def heal(self):
        self.rules("")
        self.slow(None)
        self.client_link("up")
        self.server_link("up")


class Server:
    def __init__(self, folder, options):
        arguments = [str(each) for each in (PORT, folder, options.seed, options.rate, options.wire)]
        if options.transport == "urlsession":
            # libcurl takes such a body for whole (Documentation/Platforms.md).
            arguments.append("unnotified")
        self.command = ["ip", "netns", "exec", "server", sys.executable, str(HERE / "server.py"), *arguments]
        self.process = None
        self.errors = (folder / "server.err").open("ab")

    def start(self):
        self.process = subprocess.Popen(self.command, stderr=self.errors)

    def signal(self, number):
        self.process.send_signal(number)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Faults(threading.Thread):
    """Faults of the wire and of the server's process, one after another, as the seed says."""

    KINDS = [
        "client link down", "server link down", "silence", "loss", "resets", "some resets", "slow link",
        "server killed", "server frozen", "half-open",
    ]

    def __init__(self, wire, server, seed):
        super().__init__(daemon=True)
        self.wire, self.server, self.chance = wire, server, random.Random(f"wire {seed}")
        self.over = threading.Event()
        self.counts, self.seconds, self.log, self.error = collections.Counter(), 0.0, [], None
        self.began = time.monotonic()

    def run(self):
        try:
            while not self.over.wait(self.chance.uniform(0.5, 6)):
                kind = self.chance.choice(self.KINDS)
                # Most are short, some take 20 s.
                length = 0.2 * 100 ** self.chance.random()
                self.counts[kind] += 1
                self.log.append((round(time.monotonic() - self.began, 2), kind, round(length, 2)))
                begin = time.monotonic()
                getattr(self, kind.replace(" ", "_").replace("-", "_"))(length)
                self.seconds += time.monotonic() - begin
        except BaseException as error:
            self.error = error
        finally:
            self.wire.heal()

    def client_link_down(self, length):
        self.wire.client_link("down")
        self.over.wait(length)
        self.wire.client_link("up")

    def server_link_down(self, length):
        self.wire.server_link("down")
        self.over.wait(length)
        self.wire.server_link("up")

    def ruled(self, verdict, length):
        self.wire.rules(verdict)
        self.over.wait(length)
        self.wire.rules("")

    def silence(self, length):
        self.ruled("tcp sport 0-65535 drop", length)

    def loss(self, length):
        self.ruled(f"numgen random mod 100 < {self.chance.randrange(5, 40)} drop", length)

    def resets(self, length):
        self.ruled("meta l4proto tcp reject with tcp reset", min(length, 4))

    def some_resets(self, length):
        self.ruled("meta l4proto tcp numgen random mod 100 < 3 reject with tcp reset", length)

    def slow_link(self, length):
        self.wire.slow(f"{self.chance.randrange(200, 2000)}kbit")
        self.over.wait(length)
        self.wire.slow(None)

    def server_killed(self, length):
        self.server.kill()
        self.over.wait(min(length, 8))
        self.server.start()

    def server_frozen(self, length):
        self.server.signal(signal.SIGSTOP)
        self.over.wait(length)
        self.server.signal(signal.SIGCONT)

    def half_open(self, length):
        """The server dies in silence: the client's connections are there, and nobody knows them."""
        self.wire.rules("tcp sport 0-65535 drop")
        self.server.kill()
        self.over.wait(length)
        self.server.start()
        time.sleep(0.3)
        self.wire.rules("")


class Rotation(threading.Thread):
    """The server's authority changes, again and again."""

    # Longer than a connection attempt takes, also one that was made before a fault of the wire.
    PAUSE = 15

    def __init__(self, authorities, seed):
        super().__init__(daemon=True)
        self.authorities, self.chance, self.over, self.count = authorities, random.Random(f"rotation {seed}"), threading.Event(), 0

    def run(self):
        while not self.over.wait(self.chance.uniform(5, 30)):
            self.authorities.rotate(lambda: self.over.wait(self.PAUSE))
            self.count += 1


class Samples(threading.Thread):
    """Memory, descriptors and threads of the client, once a second."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.phase, self.rows, self.calls = pid, "warm", [], 0

    def run(self):
        began = time.monotonic()
        while True:
            try:
                status = pathlib.Path(f"/proc/{self.pid}/status").read_text()
                row = {line.split(":")[0]: line.split()[1] for line in status.splitlines() if line.startswith(("VmRSS", "Threads"))}
                if "VmRSS" not in row:
                    return
                self.rows.append({
                    "at": time.monotonic() - began, "phase": self.phase, "calls": self.calls, "memory": int(row["VmRSS"]) << 10,
                    "threads": int(row["Threads"]), "descriptors": len(os.listdir(f"/proc/{self.pid}/fd"))})
            except (FileNotFoundError, ProcessLookupError, PermissionError):
                return
            time.sleep(1)

    def of(self, name, first, last):
        rows = [row[name] for row in self.rows if row["phase"] == "storm"]
        rows = sorted(rows[int(len(rows) * first):max(int(len(rows) * last), 1)])
        return rows[len(rows) // 2] if rows else 0

    def growth(self):
        """Bytes of resident memory a call, from the second quarter on."""
        rows = [row for row in self.rows if row["phase"] == "storm"]
        return line.slope([(row["calls"], row["memory"]) for row in rows[len(rows) // 4:]])

    def peak(self, name):
        return max((row[name] for row in self.rows), default=0)


class Ledgers:
    """What the client says has landed, against what the server did."""

    def __init__(self, notes, ledger, transport):
        self.transport = transport
        self.claims, self.deeds = collections.defaultdict(list), collections.defaultdict(list)
        for line in notes.read_text().splitlines():
            kind, number, detail = line.split(" ", 2)
            self.claims[kind].append((int(number), detail))
        for line in ledger.read_text().splitlines():
            kind, number, detail = line.split(" ", 2)
            self.deeds[kind].append((number, detail))

    def uploads(self):
        """Each upload that landed, with its digest and those of the server."""
        uploads = collections.defaultdict(list)
        for number, detail in self.deeds["upload"]:
            uploads[int(number)].append(detail.split()[0])
        return [(number, digest, uploads[number]) for number, digest in self.claims["upload"]]

    def cut(self):
        """The uploads from which libcurl left out a part after a refusal: `resendHead` in Documentation/Platforms.md."""
        if self.transport != "urlsession" or not self.deeds["short"]:
            return set()
        return {number for number, digest, found in self.uploads() if len(found) == 1 and found != [digest]}

    def violations(self):
        posts = collections.Counter(int(number) for number, _ in self.deeds["post"])
        boxes = collections.Counter(int(number) for number, _ in self.deeds["box"])
        sent, boxed = {number for number, _ in self.claims["sent"]}, {number for number, _ in self.claims["box"]}
        yield from (f"POST {number} took effect {count} times" for number, count in posts.items() if count > 1)
        yield from (f"POST {number} landed, and the server does not know it" for number, _ in self.claims["post"] if not posts[number])
        yield from (f"POST {number} was never sent, and took effect" for number in posts if number not in sent)
        yield from (f"outbox entry {number} took effect {boxes[number]} times" for number in boxed if boxes[number] != 1)
        yield from (f"outbox entry {number} was never enqueued, and took effect" for number in boxes if number not in boxed)
        yield from (f"download {number} is another file" for number, digest in self.claims["download"] if digest != content_digest(number))
        cut = self.cut()
        wrong = (each for each in self.uploads() if each[2] != [each[1]] and each[0] not in cut)
        yield from (f"upload {number} became {found}, not {digest}" for number, digest, found in wrong)
        yield from (f"the client broke HTTP/2: {detail}" for _, detail in self.deeds["protocol"])
        # libcurl does so after a refusal (Documentation/Platforms.md).
        if self.transport != "urlsession":
            yield from (f"{detail} ended with {number} bytes missing" for number, detail in self.deeds["short"])


class Run:
    def __init__(self, options, folder):
        self.options, self.transport, self.folder = options, options.transport, folder

    def fly(self):
        wire = Wire()
        server, rotation = Server(self.folder, self.options), None
        scheme, trust = "http", []
        if self.options.wire != "plain":
            rotation = Rotation(Authorities(self.folder, SERVER), self.options.seed)
            scheme = "https"
            if self.transport == "nio":
                trust = ["--trust", str(self.folder / "trust.pem")]
            else:
                sh("mount", "--bind", str(self.folder / "all.pem"), ROOTS)
        server.start()
        time.sleep(1)
        seconds = int(self.options.minutes * 60)
        client = subprocess.Popen(
            [self.options.program, "storm", self.transport, "--base-url", f"{scheme}://{SERVER}:{PORT}", "--folder", str(self.folder), *trust,
             "--seed", str(self.options.seed), "--seconds", str(seconds), "--warm-up", str(min(60, max(10, seconds // 20)))],
            stdout=subprocess.PIPE, stderr=(self.folder / "client.err").open("wb"), text=True)
        samples, faults, report = Samples(client.pid), Faults(wire, server, self.options.seed), None
        samples.start()
        watchdog = threading.Timer(seconds + 540, client.kill)
        watchdog.start()
        try:
            for text in client.stdout:
                text = text.strip()
                if text.startswith("{"):
                    report = json.loads(text)
                    break
                if text.isdigit():
                    samples.calls = int(text)
                    continue
                samples.phase = text
                if text == "storm":
                    faults.began = time.monotonic()
                    faults.start()
                    if rotation:
                        rotation.start()
                elif text == "drain":
                    if rotation:
                        rotation.over.set()
                    faults.over.set()
                    faults.join()
                    wire.heal()
            client.wait()
        finally:
            watchdog.cancel()
            faults.over.set()
            client.kill()
            server.kill()
        return self.judged(report, client.returncode, samples, faults, rotation)

    def mayLeave(self, report, faults):
        """AsyncHTTPClient keeps a connection over HTTP/2 whose server became silent before its first SETTINGS (Documentation/Platforms.md)."""
        if self.transport != "nio" or self.options.wire != "http2":
            return 0
        return sum(faults.counts.values()) if all(name.startswith("socket:") for name in report["descriptorsLeft"]) else 0

    def judged(self, report, code, samples, faults, rotation):
        violations = []
        if report is None:
            tail = (self.folder / "client.err").read_text(errors="replace")[-2000:]
            violations.append(f"the client's process ended with {code} and without a report: {tail}")
            report = collections.defaultdict(int, outcomes={}, violations=[], descriptorsLeft=[])
        if faults.error:
            violations.append(f"the faults ended: {faults.error!r}")
        violations += report["violations"]
        if not faults.counts:
            violations.append("no fault of the wire was made")
        if report["violationCount"] > len(report["violations"]):
            violations.append(f"and {report['violationCount'] - len(report['violations'])} more")
        if report["open"]:
            violations.append(f"{report['open']} calls began and never ended")
        if len(report["descriptorsLeft"]) > self.mayLeave(report, faults):
            violations.append(f"descriptors left open: {report['descriptorsLeft']}")
        ledgers = Ledgers(self.folder / "notes", self.folder / "ledger", self.transport)
        violations += list(ledgers.violations())
        early, late = samples.of("memory", 0.25, 0.5), samples.of("memory", 0.75, 1)
        if self.options.minutes >= 5 and late - early > GROWTH:
            violations.append(f"memory grew from {early >> 20} to {late >> 20} MiB")
        return {
            "transport": self.transport, "violations": violations, "report": report, "early": early, "late": late,
            "peak": samples.peak("memory"), "growth": samples.growth(), "rotations": rotation.count if rotation else 0,
            "descriptors": samples.peak("descriptors"), "threads": samples.peak("threads"),
            "wire": dict(faults.counts), "broken": faults.seconds,
            "faults": collections.Counter(detail.split()[0] for _, detail in ledgers.deeds["fault"]),
            "cut": len(ledgers.cut()), "claims": {kind: len(rows) for kind, rows in ledgers.claims.items()}, "deeds": {kind: len(rows) for kind, rows in ledgers.deeds.items()},
            "samples": samples.rows, "log": faults.log,
        }


def main():
    parser = argparse.ArgumentParser(prog="scripts/fault-storm", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30)
    wires = parser.add_mutually_exclusive_group()
    wires.add_argument("--tls", dest="wire", action="store_const", const="tls", help="HTTP/1.1 over TLS, whose authority changes")
    wires.add_argument("--http2", dest="wire", action="store_const", const="http2", help="HTTP/2 over such TLS")
    parser.set_defaults(wire="plain")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=0.08, help="the share of requests that the server treats badly")
    parser.add_argument("--transport", choices=["nio", "urlsession", "both"], default="both")
    parser.add_argument("--program", default=str(ROOT / ".build-release/release/tarmac-bench"))
    parser.add_argument("--keep", action="store_true", help="keeps the folder with notes, ledger and samples")
    parser.add_argument("--no-report", action="store_true", help="leaves Documentation/Reliability.md as it is")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    options = parser.parse_args()
    # Ends like Ctrl-C, also where a shell has made that one ignored.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit(130))
    if options.inside:
        folder = pathlib.Path(options.inside)
        (folder / "result").write_text(json.dumps(Run(options, folder).fly()))
    else:
        sys.exit(outside(options))


def outside(options):
    """Starts one process for each transport in namespaces of its own."""
    transports = ["nio", "urlsession"] if options.transport == "both" else [options.transport]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="storm-"))
    unshare = ["unshare", "--net", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child"]
    if os.getuid() != 0:
        unshare += ["--user", "--map-root-user"]
    children, results = [], []
    try:
        for transport in transports:
            (folder / transport).mkdir()
            command = [*unshare, sys.executable, str(HERE / "run.py"), *sys.argv[1:], "--transport", transport, "--inside", str(folder / transport)]
            children.append(subprocess.Popen(command, start_new_session=True))
        for child in children:
            child.wait()
        for transport in transports:
            file = folder / transport / "result"
            if not file.exists():
                print(f"FAIL: {transport}: the run ended without a result")
                return 1
            results.append(json.loads(file.read_text()))
    finally:
        # Takes everything in the namespaces along, and the namespaces.
        for child in children:
            child.kill()
            child.wait()
        if options.keep:
            print(f"kept {folder}", flush=True)
        else:
            shutil.rmtree(folder, ignore_errors=True)
    text = report.markdown(options, results)
    print(text)
    for each in results:
        for violation in each["violations"]:
            print(f"FAIL: {each['transport']}: {violation}")
    is_sound = not any(each["violations"] for each in results)
    if is_sound and len(results) == 2 and not options.no_report:
        report.write(options.wire, text)
    return 0 if is_sound else 1


main()
