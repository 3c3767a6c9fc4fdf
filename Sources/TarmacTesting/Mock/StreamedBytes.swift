#if MockServer
import FlyingSocks
import TarmacCore

/// A stream of chunks in the form that FlyingFox reads.
struct StreamedBytes: AsyncBufferedSequence {
    typealias Element = UInt8

    let stream: ByteStream

    func makeAsyncIterator() -> Iterator { Iterator(source: stream.makeAsyncIterator()) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        fileprivate var source: ByteStream.Iterator
        private var rest: ArraySlice<UInt8> = []

        fileprivate init(source: ByteStream.Iterator) { self.source = source }

        mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

        mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
            while rest.isEmpty {
                guard let chunk = try await source.next() else { return nil }
                rest = chunk.array[...]
            }
            let piece = rest.prefix(count)
            rest = rest.dropFirst(piece.count)
            return piece
        }
    }
}
#endif
