"""The certificates of the storm's server, by openssl, and their rotation: the client's trust is widened before, and narrowed behind."""

import os
import pathlib
import subprocess

NAMES = ["first", "second"]


class Authorities:
    """Two authorities that take turns.

    ``server.pem`` is the server's certificate with its key, ``trust.pem`` what a client trusts that reads its file again, and ``all.pem``
    what one trusts that does not.
    """

    def __init__(self, folder, address):
        self.folder, self.current = pathlib.Path(folder), 0
        for name in NAMES:
            self.make(name, address)
        self.place("all.pem", *[f"{name}.ca" for name in NAMES])
        self.place("trust.pem", "first.ca")
        self.place("server.pem", "first.leaf", "first.key")

    def make(self, name, address):
        openssl = lambda *arguments: subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, capture_output=True)
        elliptic = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-sha256"]
        openssl("req", "-x509", *elliptic, "-keyout", f"{name}.cakey", "-out", f"{name}.ca", "-days", "30", "-subj", f"/CN=Storm {name}",
                "-addext", "keyUsage=critical,keyCertSign")
        openssl("req", *elliptic, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", "/CN=storm")
        (self.folder / f"{name}.ext").write_text(f"subjectAltName=IP:{address},DNS:localhost\nbasicConstraints=critical,CA:FALSE\n")
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", f"{name}.ca", "-CAkey", f"{name}.cakey", "-days", "30", "-set_serial", "7",
                "-extfile", f"{name}.ext", "-out", f"{name}.leaf")

    def place(self, name, *parts):
        text = "".join((self.folder / part).read_text() for part in parts)
        (self.folder / f"{name}.new").write_text(text)
        os.replace(self.folder / f"{name}.new", self.folder / name)

    def rotate(self, wait):
        """:param wait: waits longer than a connection attempt takes, and returns whether all is over."""
        old, new = NAMES[self.current], NAMES[1 - self.current]
        self.place("trust.pem", f"{old}.ca", f"{new}.ca")
        if wait():
            return
        self.place("server.pem", f"{new}.leaf", f"{new}.key")
        self.current = 1 - self.current
        if wait():
            return
        self.place("trust.pem", f"{new}.ca")
