#if Tools
import FlyingSocks

/// Bytes made while they are sent.
struct DemoBytes: AsyncBufferedSequence {
    typealias Element = UInt8

    private let next: @Sendable (_ index: Int) async throws -> [UInt8]?

    /// So many bytes: the alphabet, over and over.
    static func pattern(_ count: Int) -> DemoBytes {
        let block = Array(repeatElement(Array("abcdefghijklmnopqrstuvwxyz\n".utf8), count: 2_428).joined())
        return DemoBytes { index in
            let left = count - index * block.count
            return left > 0 ? Array(block.prefix(left)) : nil
        }
    }

    /// So many lines of JSON, one after each interval.
    static func lines(_ count: Int, _ interval: Duration) -> DemoBytes {
        DemoBytes { index in
            guard index < count else { return nil }
            if index > 0 { try await Task.sleep(for: interval) }
            return Array("{\"line\":\(index + 1),\"of\":\(count)}\n".utf8)
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(make: next) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        fileprivate let make: @Sendable (Int) async throws -> [UInt8]?
        private var index = 0
        private var rest: ArraySlice<UInt8> = []

        fileprivate init(make: @escaping @Sendable (Int) async throws -> [UInt8]?) { self.make = make }

        mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

        mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
            if rest.isEmpty {
                guard let made = try await make(index) else { return nil }
                index += 1
                rest = made[...]
            }
            let piece = rest.prefix(count)
            rest = rest.dropFirst(piece.count)
            return piece
        }
    }
}
#endif
