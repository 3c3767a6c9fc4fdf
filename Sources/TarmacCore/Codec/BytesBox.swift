/// A class around bytes, for owners that must be one.
final class BytesBox: Sendable {
    let bytes: Bytes
    init(_ bytes: Bytes) { self.bytes = bytes }
}
