"""The server of scripts/fault-storm: answers, misbehaves as the seed says, and notes each effect in a file before it answers.

  server.py PORT FOLDER SEED RATE plain|tls|http2 [FAULT THAT IS LEFT OUT]...

The ledger is a file of lines "kind number detail", appended by one write each, so that a kill takes none that was answered.
A fault belongs to a method, a target and how often this process was asked for it.
"""

import collections
import functools
import hashlib
import json
import os
import pathlib
import random
import socket
import sys
import threading
import time

import http1
from links import GREETINGS, Certificates, Gone, PlainLink, Short, TLSLink, misgreet


@functools.lru_cache(maxsize=16)
def content(number):
    """The file of a number: from 64 KiB to 1.5 MiB."""
    noise = random.Random(f"file {number}")
    return noise.randbytes(noise.randrange(64 << 10, 3 << 19))


# The families and generations of access tokens that a call has carried.
SEEN = set()


class Ledger:
    def __init__(self, folder):
        self.lock = threading.Lock()
        self.path = folder / "ledger"
        self.answers, self.arrivals, self.tokens, self.uploads, self.starts = {}, collections.Counter(), {}, {}, 0
        if self.path.exists():
            for line in self.path.read_text().splitlines():
                self.learn(*line.split(" ", 2))
        self.file = os.open(self.path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o644)
        self.note("start", self.starts)

    def learn(self, kind, number, detail):
        if kind in ("post", "box"):
            self.answers[detail] = number
        elif kind == "token":
            self.tokens[number] = detail
        elif kind == "made":
            self.uploads[detail] = number
        elif kind == "start":
            self.starts += 1

    def note(self, kind, number, detail="-"):
        os.write(self.file, f"{kind} {number} {detail}\n".encode())
        self.learn(kind, str(number), detail)


class Site:
    def __init__(self, folder, seed, rate, faults):
        """:param faults: the faults and their weights."""
        self.folder, self.seed, self.rate, self.faults = folder, seed, rate, faults
        self.ledger = Ledger(folder)
        self.writers = {}

    def fault(self, method, target):
        if target.startswith(("/ready", "/events")):
            return None
        with self.ledger.lock:
            self.ledger.arrivals[f"{method} {target}"] += 1
            repetition = self.ledger.arrivals[f"{method} {target}"]
            chance = random.Random(f"{self.seed} {method} {target} {repetition}")
            if chance.random() >= self.rate:
                return None
            fault = chance.choices(list(self.faults), list(self.faults.values()))[0]
            self.ledger.note("fault", repetition, f"{fault} {method} {target}")
            return fault

    # Answers: (status, fields, body), or None when the answer was written already.

    def answer(self, method, target, fields, connection):
        path, _, query = target.partition("?")
        parts = path.strip("/").split("/")
        call = getattr(self, "on_" + parts[0], None)
        if call is None:
            return 404, {}, b"no such place"
        return call(method, parts[1:], fields, connection, query)

    def json(self, value, status=200, **fields):
        return status, {"Content-Type": "application/json", **fields}, json.dumps(value).encode()

    def on_ready(self, *_):
        return self.json({"ready": True})

    def on_get(self, method, parts, fields, connection, query):
        number = int(parts[0])
        return self.json({"n": number, "pad": "x" * (number * 37 % 1900)})

    def on_slow(self, method, parts, fields, connection, query):
        time.sleep(int(parts[1]) / 1000)
        return self.json({"n": int(parts[0])})

    def on_post(self, method, parts, fields, connection, query, kind="post"):
        number = int(connection.json()["n"])
        assert number == int(parts[0])
        key = fields.get("idempotency-key")
        with self.ledger.lock:
            if key is None or key not in self.ledger.answers:
                self.ledger.note(kind, number, key or "-")
        return self.json({"n": number})

    def on_box(self, *arguments):
        return self.on_post(*arguments, kind="box")

    def on_cached(self, method, parts, fields, connection, query):
        version = int(time.time() * 1000) // 2000
        tag = f'"{parts[0]}-{version}"'
        head = {"ETag": tag, "Cache-Control": "no-cache"}
        if fields.get("if-none-match") == tag:
            return 304, head, b""
        return self.json({"n": version, "pad": parts[0] * 300}, **head)

    # Tokens: each refresh token is good for one use, and again until the answer to that use has been seen.

    def on_login(self, method, parts, fields, connection, query):
        with self.ledger.lock:
            family = str(len(self.ledger.tokens) + 1)
            return self.token(family, 1)

    def token(self, family, generation):
        self.ledger.note("token", family, f"{generation} {time.time() + 2.5}")
        return self.json({"access": f"a.{family}.{generation}", "refresh": f"r.{family}.{generation}"})

    def on_refresh(self, method, parts, fields, connection, query):
        _, family, generation = connection.json()["refresh"].split(".")
        with self.ledger.lock:
            current = self.ledger.tokens[family].split()[0]
            if int(generation) == int(current) - 1 and (family, current) not in SEEN:
                return self.token(family, int(current))
            if current != generation:
                self.ledger.note("reuse", family, generation)
                return self.json({"error": "invalid_grant"}, 400)
            return self.token(family, int(generation) + 1)

    def on_auth(self, method, parts, fields, connection, query):
        token = fields.get("authorization", "").removeprefix("Bearer ").split(".")
        with self.ledger.lock:
            held = self.ledger.tokens.get(token[1], "0 0").split() if len(token) == 3 else ["0", "0"]
            if len(token) == 3 and held[0] == token[-1]:
                SEEN.add((token[1], token[2]))
            if held[0] == token[-1] and time.time() < float(held[1]):
                return self.json({"n": int(parts[0])})
        return self.json({"error": "expired"}, 401, **{"WWW-Authenticate": "Bearer"})

    # Files

    def on_file(self, method, parts, fields, connection, query):
        body, tag = content(int(parts[0])), f'"{parts[0]}"'
        head = {"ETag": tag, "Accept-Ranges": "bytes", "Content-Type": "application/octet-stream"}
        wanted = fields.get("range", "")
        if wanted.startswith("bytes=") and fields.get("if-range", tag) == tag:
            first, _, last = wanted[6:].partition("-")
            first, last = int(first), min(int(last or len(body)), len(body) - 1)
            if first >= len(body):
                return 416, {**head, "Content-Range": f"bytes */{len(body)}"}, b""
            head["Content-Range"] = f"bytes {first}-{last}/{len(body)}"
            return 206, head, body[first:last + 1]
        return 200, head, body

    # Uploads by tus

    def on_tus(self, method, parts, fields, connection, query):
        key = fields.get("idempotency-key", "-")
        with self.ledger.lock:
            place = self.ledger.uploads.get(key) if key != "-" else None
            if place is None:
                place = f"{parts[0]}.{fields['upload-length']}.{random.SystemRandom().randrange(1 << 40)}"
                (self.folder / "uploads" / place).touch()
                self.ledger.note("made", place, key)
        return 201, {"Location": f"/upload/{place}", "Tus-Resumable": "1.0.0"}, b""

    def on_upload(self, method, parts, fields, connection, query):
        place, file = parts[0], self.folder / "uploads" / parts[0]
        length = int(place.split(".")[1])
        with self.ledger.lock:
            before = self.writers.get(place)
            turn = self.writers[place] = (connection, threading.Lock())
        turn[1].acquire()
        try:
            if before:
                # A connection that is dead and does not know it must not hold its upload.
                before[0].cut()
                before[1].acquire()
            head = {"Tus-Resumable": "1.0.0", "Upload-Length": str(length), "Cache-Control": "no-store"}
            # The attempt before may have brought the last byte, and ended without an answer.
            self.complete(place, file, length)
            held = file.stat().st_size if file.exists() else length
            if method == "HEAD":
                return 200, {**head, "Upload-Offset": str(held)}, b""
            if int(fields["upload-offset"]) != held:
                return 409, head, b""
            with file.open("ab", buffering=0) as sink:
                try:
                    for chunk in connection.chunks():
                        sink.write(chunk)
                        held += len(chunk)
                except Short:
                    # The bytes of a malformed message are none (RFC 9113 §8.1.1).
                    sink.truncate(int(fields["upload-offset"]))
                    raise
            self.complete(place, file, length)
            return 204, {**head, "Upload-Offset": str(held)}, b""
        finally:
            turn[1].release()

    def complete(self, place, file, length):
        if file.exists() and file.stat().st_size == length:
            digest = hashlib.sha256(file.read_bytes()).hexdigest()
            with self.ledger.lock:
                self.ledger.note("upload", place.split(".")[0], f"{digest} {place}")
            file.unlink()

    # Events: the stream goes on behind the last one that was seen.

    def on_events(self, method, parts, fields, connection, query):
        last = int(fields.get("last-event-id", "0"))
        with self.ledger.lock:
            self.ledger.arrivals[parts[0]] += 1
            # Another each time: one that breaks off before its first event must not do so for ever.
            chance = random.Random(f"{self.seed} {parts[0]} {last} {self.ledger.arrivals[parts[0]]}")
        connection.begin(200, {"Content-Type": "text/event-stream"})
        connection.send(b"retry: 200\n\n")
        for number in range(last + 1, last + 1 + chance.randrange(5, 80)):
            text = f"id: {number}\ndata: {parts[0]} {number}\n\n".encode()
            ending = chance.random()
            if ending < 0.01:
                connection.send(text[:chance.randrange(1, len(text))])
                connection.reset()
                raise Gone
            if ending < 0.015:
                time.sleep(8)
            connection.send(text)
            time.sleep(0.03)
        connection.finish()
        raise Gone


class Listener:
    """Takes connections on, over plain TCP or over TLS. Some end in their handshake, as the seed says."""

    def __init__(self, wire, folder, seed, rate, without):
        if wire == "http2":
            import http2
            self.serving, faults = http2.Connection, http2.FAULTS
        else:
            self.serving, faults = http1.Connection, dict.fromkeys(http1.FAULTS if wire == "plain" else http1.TLS_FAULTS, 1)
        self.site = Site(folder, seed, rate, {fault: weight for fault, weight in faults.items() if fault not in without})
        self.certificates = None if wire == "plain" else Certificates(folder, ["h2"] if wire == "http2" else ["http/1.1"])
        # Another each time the server starts.
        self.chance, self.rate = random.Random(f"handshakes {seed} {self.site.ledger.starts}"), rate / 2

    def listen(self, port):
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("0.0.0.0", port))
        listener.listen(512)
        while True:
            link, _ = listener.accept()
            fault = None
            if self.certificates and self.chance.random() < self.rate:
                fault = self.chance.choices(list(GREETINGS), list(GREETINGS.values()))[0]
            threading.Thread(target=self.greet, args=(link, fault), daemon=True).start()

    def greet(self, link, fault):
        if not self.certificates:
            return self.serving(self.site, PlainLink(link)).serve()
        try:
            secured = TLSLink(link, self.certificates.context())
            hello = secured.hello()
            if fault:
                self.site.ledger.note("fault", 0, f"handshake-{fault}")
                return misgreet(fault, secured, self.chance)
            secured.handshake(hello)
        except (OSError, Gone):
            return link.close()
        self.serving(self.site, secured).serve()


def main():
    port, folder, seed, rate, wire = int(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), sys.argv[5]
    (folder / "uploads").mkdir(exist_ok=True)
    Listener(wire, folder, seed, rate, sys.argv[6:]).listen(port)


main()
