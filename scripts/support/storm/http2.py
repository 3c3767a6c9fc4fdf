"""HTTP/2 for the storm's server, over python3-h2, and how it misbehaves. A stream has the methods that server.py calls on a connection."""

import json
import random
import socket
import struct
import threading
import time

import h2.config
import h2.connection
import h2.events
import h2.exceptions
import h2.settings
import h2.stream

from links import Gone, Short

# A body that is shorter than its length is a fault of its stream (RFC 9113 §8.1.1). h2 would end the connection.
h2.stream.H2Stream._track_content_length = lambda *_: None

# A fault of the connection takes all its calls along, and one that is dead holds them until their time limits.
FAULTS = {
    "refuse": 2, "drop": 1, "lose": 2, "stall": 1, "drip": 1, "truncate": 1, "reset": 3, "late": 1, "busy": 1,
    "goaway": 0.5, "goaway-refused": 0.5, "goaway-early": 0.5, "goaway-error": 0.5, "settings": 0.3, "broken": 0.3, "dead": 0.05,
}
NO_ERROR, PROTOCOL, INTERNAL, REFUSED, CANCEL, CALM = 0, 1, 2, 7, 8, 11
LATEST = (1 << 31) - 1


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


# Bytes that break HTTP/2, for a stream (RFC 9113 §4 to §6, RFC 7541).
BREACHES = [
    lambda stream: frame(0, 0, 0, b"x"),
    lambda stream: frame(0, 0, stream + 20, b"x"),
    lambda stream: frame(1, 4, stream, b"\xff\x80\x01"),
    lambda stream: frame(3, 0, stream, b"\0\0\1"),
    lambda stream: frame(4, 0, 0, b"\0\3\0\0\0"),
    lambda stream: frame(8, 0, 0, struct.pack(">I", LATEST)),
    lambda stream: frame(9, 4, stream, b"\x88"),
    lambda stream: b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
]


class Connection:
    """One thread reads, and one for each stream answers. All of the state is under ``turn``."""

    def __init__(self, site, link):
        self.site, self.link, self.turn, self.streams = site, link, threading.Condition(), {}
        self.http = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        # The last stream that is answered, after a GOAWAY, and the last that was acted on.
        self.last, self.acted = LATEST, 0
        self.window = (1 << 16) - 1
        # Whether it is at its end, whether that is a reset, and whether it is silent.
        self.isOver, self.resets, self.dies = False, False, False

    def serve(self):
        try:
            with self.turn:
                self.http.initiate_connection()
                self.flush()
            while not self.dies and (data := self.link.recv()):
                self.take(data)
            if self.dies:
                # The client's bytes are taken by the kernel, and by nobody else.
                time.sleep(random.uniform(8, 25))
                self.resets = True
        except (OSError, Gone):
            pass
        except h2.exceptions.ProtocolError as error:
            # h2 allows nothing behind the client's GOAWAY, and HTTP/2 does.
            if self.last > 0:
                self.site.ledger.note("protocol", 0, f"{type(error).__name__} {error}".replace("\n", " "))
        finally:
            with self.turn:
                self.isOver = True
                self.turn.notify_all()
            self.link.reset() if self.resets else self.link.close()

    def take(self, data):
        with self.turn:
            for event in self.http.receive_data(data):
                stream = self.streams.get(getattr(event, "stream_id", None))
                if isinstance(event, h2.events.RequestReceived):
                    if event.stream_id <= self.last:
                        self.streams[event.stream_id] = Stream(self, event.stream_id, dict(event.headers))
                elif isinstance(event, h2.events.DataReceived):
                    if stream:
                        stream.held.append((event.data, event.flow_controlled_length))
                    elif event.flow_controlled_length:
                        self.http.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                elif isinstance(event, h2.events.StreamEnded) and stream:
                    stream.hasAll = True
                elif isinstance(event, h2.events.StreamReset) and stream:
                    stream.isOver = True
                elif isinstance(event, h2.events.ConnectionTerminated):
                    self.last = 0
            self.flush()
            self.turn.notify_all()

    # Under the turn

    def flush(self):
        data = self.http.data_to_send()
        if data and not self.dies:
            self.link.sendall(data)

    def raw(self, data):
        self.flush()
        if not self.dies:
            self.link.sendall(data)

    def go_away(self, last, code):
        self.raw(frame(7, 0, 0, struct.pack(">II", last, code)))

    def ended(self, stream):
        self.streams.pop(stream, None)
        if not self.streams and self.last < LATEST:
            # The client closes it. To close it here would be a reset where the client has sent more.
            self.link.finish()

    def die(self, how):
        """Ends it: `dead` without a word, otherwise with its last bytes."""
        self.dies, self.resets = how == "dead", how == "reset"
        self.isOver = True
        self.turn.notify_all()
        self.link.cut(socket.SHUT_RD)


class Stream:
    def __init__(self, connection, number, fields):
        self.connection, self.http, self.turn, self.number = connection, connection.http, connection.turn, number
        self.fields, self.held, self.hasAll, self.isOver = fields, [], False, False
        self.left = int(fields.get("content-length", 0))
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        try:
            self.respond()
        except (OSError, Gone):
            pass
        except h2.exceptions.ProtocolError:
            # The client has ended the stream, or the connection has.
            pass
        finally:
            try:
                with self.turn:
                    for _, length in self.held:
                        self.acknowledge(length)
                    self.connection.ended(self.number)
                    self.connection.flush()
            except (OSError, h2.exceptions.ProtocolError):
                pass

    def respond(self):
        method, target = self.fields[":method"], self.fields[":path"]
        site, connection = self.connection.site, self.connection
        fault = site.fault(method, target)
        chance = random.Random(f"{site.seed} {method} {target} {self.number}")
        if fault == "refuse":
            return self.end(REFUSED)
        if fault == "drop":
            return self.end(chance.choice([INTERNAL, CANCEL, CALM]))
        if fault == "goaway-refused":
            self.leave(self.number - 2)
            # Unless the GOAWAY says so already.
            return self.end(REFUSED)
        if fault == "busy":
            self.drain()
            return self.write(method, 503, {"retry-after": "0"}, b"")
        with self.turn:
            self.guard()
            connection.acted = max(connection.acted, self.number)
        status, head, body = site.answer(method, target, self.fields, self)
        self.drain()
        if not fault:
            return self.write(method, status, head, body)
        self.misbehave(fault, chance, status, head, body, b"" if method == "HEAD" or status in (204, 304) else body)

    def leave(self, last):
        """Answers no stream above the last, or above one that was acted on, and ends the connection behind the others."""
        with self.turn:
            last = self.connection.last = min(self.connection.last, max(last, self.connection.acted))
            self.connection.go_away(last, NO_ERROR)
            for number, stream in self.connection.streams.items():
                stream.isOver |= number > last
            self.turn.notify_all()

    def misbehave(self, fault, chance, status, head, body, sent):
        connection, half = self.connection, len(sent) // 2
        if fault == "lose":
            return self.end(chance.choice([INTERNAL, CANCEL, CALM]))
        if fault == "stall":
            time.sleep(10)
            return self.end(CANCEL)
        if fault == "dead":
            with self.turn:
                return connection.die("dead")
        if fault == "goaway":
            self.leave(self.number)
        elif fault == "goaway-early":
            # As servers do that end gracefully (RFC 9113 §6.8).
            with self.turn:
                connection.go_away(LATEST, NO_ERROR)
            time.sleep(chance.uniform(0.01, 0.2))
            with self.turn:
                self.leave(max(connection.streams))
        elif fault == "settings":
            with self.turn:
                # h2 takes a window that has become negative for a fault of the client, which it is not (RFC 9113 §6.9.2).
                connection.window = max(connection.window, chance.randrange(1 << 14, 1 << 20))
                self.http.update_settings({
                    h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS: chance.randrange(4, 200),
                    h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: connection.window})
                connection.flush()
        self.start(status, head, body)
        if fault == "drip":
            size = max(len(sent) // 20, 1)
            for offset in range(0, len(sent), size):
                self.send(sent[offset:offset + size])
                time.sleep(0.05)
            return self.finish()
        if fault == "truncate":
            self.send(sent[:half])
            return self.finish()
        if fault == "reset":
            # Before the body, in it, or when only its end is missing. NO_ERROR is none when the body is whole.
            self.send(sent[:chance.choice([0, half, len(sent)])])
            time.sleep(0.02)
            return self.end(chance.choice([NO_ERROR, INTERNAL, CANCEL, CALM]))
        if fault == "goaway-error":
            self.send(sent[:half])
            with self.turn:
                connection.go_away(self.number, INTERNAL)
                return connection.die(chance.choice(["close", "reset"]))
        if fault == "broken":
            with self.turn:
                connection.raw(chance.choice(BREACHES)(self.number))
            return
        self.send(sent)
        self.finish()
        if fault == "late":
            with self.turn:
                connection.raw(frame(0, 0, self.number, b"late"))

    # What server.py calls

    def begin(self, status, head):
        self.start(status, head, None)

    def send(self, data):
        left = memoryview(data)
        while left:
            with self.turn:
                room = self.until(lambda: min(self.http.local_flow_control_window(self.number), self.http.max_outbound_frame_size))
                self.http.send_data(self.number, bytes(left[:room]))
                self.connection.flush()
            left = left[room:]

    def finish(self):
        with self.turn:
            self.guard()
            self.http.end_stream(self.number)
            self.connection.flush()

    def chunks(self):
        while True:
            with self.turn:
                self.until(lambda: self.held or self.hasAll)
                if not self.held:
                    if self.left > 0:
                        self.connection.site.ledger.note("short", self.left, f"{self.fields[':method']} {self.fields[':path']}")
                        self.cut(PROTOCOL)
                        raise Short
                    return
                data, length = self.held.pop(0)
                self.left -= len(data)
                self.acknowledge(length)
                self.connection.flush()
            if data:
                yield data

    def json(self):
        return json.loads(b"".join(self.chunks()))

    def drain(self):
        for _ in self.chunks():
            pass

    def reset(self):
        self.end(INTERNAL)

    def cut(self, code=CANCEL):
        try:
            self.end(code)
        except (OSError, Gone, h2.exceptions.ProtocolError):
            pass

    # Frames

    def start(self, status, head, body):
        lines = [(":status", str(status))] + [(name.lower(), value) for name, value in head.items()]
        if body is not None and status not in (204, 304):
            lines.append(("content-length", str(len(body))))
        with self.turn:
            self.guard()
            self.http.send_headers(self.number, lines)
            self.connection.flush()

    def write(self, method, status, head, body):
        self.start(status, head, body)
        if method != "HEAD":
            self.send(body)
        self.finish()

    def end(self, code):
        with self.turn:
            if self.isOver or self.connection.isOver:
                raise Gone
            self.isOver = True
            self.http.reset_stream(self.number, code)
            self.connection.flush()
            self.turn.notify_all()

    def guard(self):
        if self.isOver or self.connection.isOver:
            raise Gone

    def until(self, condition):
        """Waits for what the reader brings, as long as a connection may be idle."""
        value = self.turn.wait_for(lambda: self.isOver or self.connection.isOver or condition(), 30)
        self.guard()
        if not value:
            raise Gone
        return condition()

    def acknowledge(self, length):
        if length:
            self.http.acknowledge_received_data(length, self.number)
