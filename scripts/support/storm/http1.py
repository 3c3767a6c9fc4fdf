"""HTTP/1.1 for the storm's server, and how it misbehaves."""

import email.utils
import json
import time

from links import Gone

FAULTS = ["refuse", "lose", "stall", "drip", "truncate", "reset", "double", "busy", "garbage"]
# Over TLS also a body that ends with its connection and without close_notify, and bytes that are no record.
TLS_FAULTS = FAULTS + ["unnotified", "record"]


class Connection:
    def __init__(self, site, link):
        self.site, self.link, self.buffer, self.left = site, link, b"", 0

    def serve(self):
        try:
            while self.request():
                pass
        except (OSError, Gone):
            pass
        finally:
            self.link.close()

    def request(self):
        while b"\r\n\r\n" not in self.buffer:
            self.more()
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        line, *lines = head.decode("latin-1").split("\r\n")
        fields = {name.lower(): value.strip() for name, _, value in (each.partition(":") for each in lines)}
        method, target, _ = line.split(" ")
        self.left = int(fields.get("content-length", 0))
        if fields.get("expect"):
            self.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        fault = self.site.fault(method, target)
        if fault == "refuse":
            self.reset()
            return False
        if fault == "busy":
            self.drain()
            return self.write(method, 503, {"Retry-After": "0"}, b"")
        status, head, body = self.site.answer(method, target, fields, self)
        self.drain()
        return self.misbehave(fault, method, status, head, body) if fault else self.write(method, status, head, body)

    def misbehave(self, fault, method, status, head, body):
        whole = self.head(status, head, body) + (b"" if method == "HEAD" or status == 304 else body)
        if fault == "lose":
            self.reset()
        elif fault == "stall":
            time.sleep(10)
        elif fault == "garbage":
            # No header that is cut off: that ends FoundationNetworking's process (Documentation/Platforms.md).
            self.send(b"\x16\x03\x01 this is no answer\r\n\r\n")
        elif fault == "double":
            self.send(whole * 2 if len(whole) < 700 else whole)
            return True
        elif fault == "drip":
            start = whole.index(b"\r\n\r\n") + 4
            self.send(whole[:start])
            size = max(len(body) // 20, 1)
            for offset in range(start, len(whole), size):
                self.send(whole[offset:offset + size])
                time.sleep(0.05)
            return True
        elif fault == "unnotified":
            # Without a length only close_notify says that the body is whole.
            self.send(self.head(status, head, None) + body[:len(body) // 2])
            time.sleep(0.02)
            self.link.close(notifies=False)
        else:
            start = whole.index(b"\r\n\r\n") + 4
            self.send(whole[:start + (len(whole) - start) // 2])
            if fault == "record":
                time.sleep(0.02)
                self.link.raw(b"\x17\x03\x03\x00\x20" + b"\x5a" * 32)
            if fault == "reset":
                time.sleep(0.02)
                self.reset()
        return False

    def head(self, status, head, body):
        lines = [f"HTTP/1.1 {status} S", "Date: " + email.utils.formatdate(usegmt=True)]
        lines += [f"{name}: {value}" for name, value in head.items()]
        if body is not None and status not in (204, 304):
            lines.append(f"Content-Length: {len(body)}")
        if body is None:
            lines.append("Connection: close")
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    def write(self, method, status, head, body):
        self.send(self.head(status, head, body) + (body if method != "HEAD" else b""))
        return True

    # A body that is written while it arises, and ends with the connection.

    def begin(self, status, head):
        self.send(self.head(status, head, None))

    def finish(self):
        raise Gone

    # Bytes

    def send(self, data):
        self.link.sendall(data)

    def more(self):
        chunk = self.link.recv()
        if not chunk:
            raise Gone
        self.buffer += chunk

    def chunks(self):
        while self.left:
            if not self.buffer:
                self.more()
            chunk, self.buffer = self.buffer[:self.left], self.buffer[self.left:]
            self.left -= len(chunk)
            yield chunk

    def drain(self):
        for _ in self.chunks():
            pass

    def json(self):
        return json.loads(b"".join(self.chunks()))

    def reset(self):
        self.link.reset()

    def cut(self):
        self.link.cut()
