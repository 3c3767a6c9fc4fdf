"""Reads the index that a debug build of Swift sources leaves behind, through the toolchain's libIndexStore."""
import ctypes
import json
import subprocess
from pathlib import Path

DEFINITION, DECLARATION, REFERENCE = 1 << 1, 1 << 0, 1 << 2
RECORD = 2


class _Text(ctypes.Structure):
    _fields_ = [("start", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self) -> str:
        return ctypes.string_at(self.start, self.length).decode() if self.length else ""


_TEXT = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, _Text)
_OBJECT = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)


def _library() -> ctypes.CDLL:
    info = subprocess.run(["swiftc", "-print-target-info"], capture_output=True, text=True, check=True).stdout
    folder = Path(json.loads(info)["paths"]["runtimeResourcePath"]).parent
    library = next(path for path in (folder / "libIndexStore.so", folder / "libIndexStore.dylib") if path.exists())
    lib = ctypes.CDLL(str(library))
    pointer, word = ctypes.c_void_p, ctypes.c_uint
    signatures = {
        "store_create": (pointer, [ctypes.c_char_p, pointer]),
        "store_units_apply_f": (ctypes.c_bool, [pointer, word, pointer, _TEXT]),
        "store_get_unit_modification_time": (ctypes.c_int, [pointer, ctypes.c_char_p, pointer, pointer, pointer]),
        "unit_reader_create": (pointer, [pointer, ctypes.c_char_p, pointer]),
        "unit_reader_dispose": (None, [pointer]),
        "unit_reader_get_main_file": (_Text, [pointer]),
        "unit_reader_dependencies_apply_f": (ctypes.c_bool, [pointer, pointer, _OBJECT]),
        "unit_dependency_get_kind": (ctypes.c_int, [pointer]),
        "unit_dependency_get_name": (_Text, [pointer]),
        "record_reader_create": (pointer, [pointer, ctypes.c_char_p, pointer]),
        "record_reader_dispose": (None, [pointer]),
        "record_reader_occurrences_apply_f": (ctypes.c_bool, [pointer, pointer, _OBJECT]),
        "occurrence_get_symbol": (pointer, [pointer]),
        "occurrence_get_roles": (ctypes.c_uint64, [pointer]),
        "occurrence_get_line_col": (None, [pointer, ctypes.POINTER(word), ctypes.POINTER(word)]),
        "symbol_get_name": (_Text, [pointer]),
        "symbol_get_usr": (_Text, [pointer]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(lib, "indexstore_" + name)
        function.restype, function.argtypes = result, arguments
    return lib


class Index:
    """The definitions and references in the Swift files below a folder."""

    def __init__(self, store: Path, sources: Path):
        self._lib = _library()
        self._store = self._lib.indexstore_store_create(str(store).encode(), None)
        # The file and the name of each definition, by its identifier; (file, line, identifier) of each reference.
        self.definitions: dict[str, tuple[Path, str]] = {}
        self.references: list[tuple[Path, int, str]] = []
        # When the file was last indexed, in seconds since 1970.
        self.times: dict[Path, float] = {}
        if self._store:
            self._read(sources)

    def _read(self, sources: Path) -> None:
        newest: dict[Path, tuple[float, list[str]]] = {}
        for unit in self._units():
            reader = self._lib.indexstore_unit_reader_create(self._store, unit.encode(), None)
            if not reader:
                continue
            file = Path(str(self._lib.indexstore_unit_reader_get_main_file(reader)))
            if sources in file.parents and file.exists():
                time = self._time(unit)
                if file not in newest or newest[file][0] < time:
                    newest[file] = (time, self._records(reader))
            self._lib.indexstore_unit_reader_dispose(reader)
        for file, (time, records) in newest.items():
            self.times[file] = time
            for record in records:
                if record.startswith(file.name + "-"):
                    self._read_record(file, record)

    def _units(self) -> list[str]:
        units: list[str] = []
        # A callback must not be collected while it is in use.
        callback = _TEXT(lambda _, name: units.append(str(name)) or True)
        self._lib.indexstore_store_units_apply_f(self._store, 0, None, callback)
        return units

    def _time(self, unit: str) -> float:
        seconds, nanoseconds = ctypes.c_int64(), ctypes.c_int64()
        self._lib.indexstore_store_get_unit_modification_time(
            self._store, unit.encode(), ctypes.byref(seconds), ctypes.byref(nanoseconds), None)
        return seconds.value + nanoseconds.value / 1e9

    def _records(self, reader) -> list[str]:
        records: list[str] = []

        def note(_, dependency):
            if self._lib.indexstore_unit_dependency_get_kind(dependency) == RECORD:
                records.append(str(self._lib.indexstore_unit_dependency_get_name(dependency)))
            return True

        self._lib.indexstore_unit_reader_dependencies_apply_f(reader, None, _OBJECT(note))
        return records

    def _read_record(self, file: Path, record: str) -> None:
        reader = self._lib.indexstore_record_reader_create(self._store, record.encode(), None)
        if not reader:
            return

        def note(_, occurrence):
            symbol = self._lib.indexstore_occurrence_get_symbol(occurrence)
            roles = self._lib.indexstore_occurrence_get_roles(occurrence)
            identifier = str(self._lib.indexstore_symbol_get_usr(symbol))
            if roles & (DEFINITION | DECLARATION):
                self.definitions[identifier] = (file, str(self._lib.indexstore_symbol_get_name(symbol)))
            if roles & REFERENCE:
                line, column = ctypes.c_uint(), ctypes.c_uint()
                self._lib.indexstore_occurrence_get_line_col(occurrence, ctypes.byref(line), ctypes.byref(column))
                self.references.append((file, line.value, identifier))
            return True

        self._lib.indexstore_record_reader_occurrences_apply_f(reader, None, _OBJECT(note))
        self._lib.indexstore_record_reader_dispose(reader)
