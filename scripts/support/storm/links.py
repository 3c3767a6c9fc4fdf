"""The connections of the storm's server: bytes over TCP, or over TLS with what can go wrong there."""

import os
import pathlib
import socket
import ssl
import struct
import threading


class Gone(Exception):
    """The connection, or the stream, is over."""


class Short(Gone):
    """A message has ended before its Content-Length."""


class PlainLink:
    def __init__(self, link):
        self.link = link
        # Half-open ones end as well.
        link.settimeout(30)
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def recv(self):
        return self.link.recv(65536)

    def sendall(self, data):
        self.link.sendall(data)

    def close(self):
        self.link.close()

    def reset(self):
        """Ends it with a reset. Only the thread that reads may do so."""
        self.link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.link.close()

    def cut(self, how=socket.SHUT_RDWR):
        """Wakes the thread that reads, which closes it."""
        try:
            self.link.shutdown(how)
        except OSError:
            pass


class TLSLink(PlainLink):
    """TLS in memory, so that two threads may use it and what is sent need not be TLS."""

    def __init__(self, link, context):
        super().__init__(link)
        self.inward, self.outward, self.lock = ssl.MemoryBIO(), ssl.MemoryBIO(), threading.Lock()
        self.tls = context.wrap_bio(self.inward, self.outward, server_side=True)

    def hello(self):
        """Returns the client's first bytes, for ``handshake``."""
        data = self.link.recv(65536)
        if not data:
            raise Gone
        return data

    def handshake(self, data):
        while True:
            with self.lock:
                self.inward.write(data)
                try:
                    self.tls.do_handshake()
                    return self.flush()
                except ssl.SSLWantReadError:
                    self.flush()
            data = self.hello()

    def flush(self):
        self.link.sendall(self.outward.read())

    def recv(self):
        while True:
            with self.lock:
                try:
                    return self.tls.read(65536)
                except ssl.SSLWantReadError:
                    self.flush()
                except ssl.SSLZeroReturnError:
                    return b""
            data = self.link.recv(65536)
            if not data:
                return b""
            with self.lock:
                self.inward.write(data)

    def sendall(self, data):
        with self.lock:
            left = memoryview(data)
            while left:
                left = left[self.tls.write(left):]
            self.flush()

    def raw(self, data):
        """Sends bytes that no record holds."""
        with self.lock:
            self.link.sendall(data)

    def notify(self):
        """Sends close_notify."""
        try:
            with self.lock:
                try:
                    self.tls.unwrap()
                except ssl.SSLError:
                    pass
                self.flush()
        except OSError:
            pass

    def finish(self):
        """Sends nothing more, and leaves the end to the client."""
        self.notify()
        self.cut(socket.SHUT_WR)

    def close(self, notifies=True):
        if notifies:
            self.notify()
        self.link.close()


class Certificates:
    """The server's certificate, which run.py replaces: each connection gets the one that is there when it begins."""

    def __init__(self, folder, protocols):
        self.path, self.protocols, self.made = pathlib.Path(folder) / "server.pem", protocols, None

    def context(self):
        stamp = os.stat(self.path).st_mtime_ns
        if self.made is None or self.made[0] != stamp:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.path)
            context.set_alpn_protocols(self.protocols)
            self.made = stamp, context
        return self.made[1]


def misgreet(fault, link, chance):
    """Ends a connection in its handshake. The client has sent its first bytes."""
    if fault == "alert":
        # A fatal handshake_failure, internal_error or unrecognized_name (RFC 8446 §6).
        link.raw(bytes([21, 3, 3, 0, 2, 2, chance.choice([40, 80, 112])]))
    elif fault == "garbage":
        link.raw(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
    elif fault == "silence":
        threading.Event().wait(10)
    if fault == "reset":
        link.reset()
    else:
        link.close(notifies=False)


GREETINGS = {"alert": 3, "garbage": 3, "close": 3, "reset": 3, "silence": 1}
