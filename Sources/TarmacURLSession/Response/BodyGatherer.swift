import Foundation
import TarmacCore

/// Collects the chunks of a body. A single chunk is returned without a copy.
struct BodyGatherer {
    let limit: Int
    /// The expected length of the body, which is reserved at the second chunk.
    let expected: Int64?
    private(set) var data: Data?
    private var chunks = 0

    init(limit: Int, expected: Int64?) {
        self.limit = limit
        self.expected = expected
    }

    var count: Int { data?.count ?? 0 }

    /// Whether `length` more bytes are within the limit.
    func hasRoom(for length: Int) -> Bool { length <= limit - count }

    mutating func append(_ chunk: Data) {
        chunks += 1
        switch chunks {
        case 1: data = chunk
        case 2: join(chunk)
        default: data?.append(chunk)
        }
    }

    private mutating func join(_ chunk: Data) {
        let first = data ?? Data()
        var joined = Data(capacity: max(first.count + chunk.count, room))
        joined.append(first)
        joined.append(chunk)
        data = joined
    }

    // The announced length is reserved up to 16 MiB. Beyond that, the buffer grows with the received bytes.
    private var room: Int { Int(clamping: min(expected ?? 0, Int64(limit), 16 << 20)) }

    func finish() -> Bytes { data.map { Bytes($0) } ?? .empty }
}
