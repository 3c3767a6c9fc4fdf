#if Tools
import FlyingSocks

/// Bytes made while they are sent.
struct DemoBytes: AsyncBufferedSequence {
    typealias Element = UInt8

    private let next: @Sendable (_ index: Int) async throws -> [UInt8]?

    /// The error that ends a body before its announced end.
    struct BrokenOff: Error {}

    /// These bytes of a file that has the alphabet over and over.
    ///
    /// - Parameter breaksAfter: after so many ``BrokenOff`` is thrown, which ends the connection.
    static func pattern(_ range: Range<Int>, breaksAfter: Int? = nil) -> DemoBytes {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz\n".utf8)
        let turned = alphabet[(range.lowerBound % alphabet.count)...] + alphabet[..<(range.lowerBound % alphabet.count)]
        let block = Array(repeatElement(turned, count: 2_428).joined())
        let count = breaksAfter ?? range.count
        return DemoBytes { index in
            let left = count - index * block.count
            if left > 0 { return Array(block.prefix(left)) }
            if breaksAfter != nil { throw BrokenOff() }
            return nil
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

    /// Events with these numbers as their ids, one after each interval.
    static func events(_ numbers: Range<Int>, of count: Int, _ interval: Duration) -> DemoBytes {
        DemoBytes { index in
            guard index < numbers.count else { return nil }
            if index > 0 { try await Task.sleep(for: interval) }
            let number = numbers.lowerBound + index
            return Array("id: \(number)\ndata: {\"event\":\(number),\"of\":\(count)}\n\n".utf8)
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
