/// A class that holds bytes, for APIs whose owner must be a class.
final class BytesBox: Sendable {
    let bytes: Bytes
    init(_ bytes: Bytes) { self.bytes = bytes }
}
