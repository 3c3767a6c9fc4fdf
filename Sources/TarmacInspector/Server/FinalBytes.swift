#if Inspector
import FlyingSocks

/// The body of the last response on a connection. It fails after its last byte, and FlyingFox then closes the connection.
///
/// FlyingFox keeps a connection whose request has a body that was not read, and would take the body for the next request.
struct FinalBytes: AsyncBufferedSequence, Sendable {
    typealias Element = UInt8
    let bytes: [UInt8]

    func makeAsyncIterator() -> Iterator { Iterator(rest: bytes[...]) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        fileprivate var rest: ArraySlice<UInt8>

        mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

        mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
            if rest.isEmpty { throw SocketError.disconnected }
            let piece = rest.prefix(count)
            rest = rest.dropFirst(piece.count)
            return piece
        }
    }
}
#endif
