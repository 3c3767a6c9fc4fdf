#if Tools
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting

/// A file behind a socket: Range and If-Range by the book (RFC 9110 §14.2, §13.1.5), and each answer cut off where a test says.
final class WireFile: Sendable {
    /// What becomes of one answer.
    enum Twist: Sendable {
        /// The connection is reset behind so many bytes of the body; which of them arrive is the system's to say.
        case reset(after: Int)
        /// The connection is closed behind so many bytes of the body, which all arrive.
        case close(after: Int)
        /// Another head, and another body, in place of the answer.
        case instead(String, [UInt8])
    }

    private struct Version {
        var bytes: [UInt8]
        var tag = "\"1\""
    }

    private let version: Version
    private let twists: Locked<[Twist?]>

    /// - Parameter twists: of the first answers, in order; `nil` for none.
    init(_ bytes: [UInt8], twists: [Twist?] = []) {
        version = Version(bytes: bytes)
        self.twists = Locked(twists)
    }

    var script: ServerScript { [.loop([.readRequest, .choose { self.steps($0) }])] }

    private func steps(_ request: RecordedRequest) -> [ServerScript.Step] {
        let twist = twists.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if case .instead(let head, let body) = twist {
            return [.write("\(head)\r\nContent-Length: \(body.count)\r\n\r\n"), .bytes(Bytes(body))]
        }
        let (head, body) = Self.answer(request, version)
        return switch twist {
        case .reset(let count): [.write(head), .bytes(Bytes(Array(body.prefix(count)))), .reset]
        case .close(let count): [.write(head), .bytes(Bytes(Array(body.prefix(count)))), .close]
        case .instead, nil: [.write(head), .bytes(Bytes(body))]
        }
    }

    private static func answer(_ request: RecordedRequest, _ version: Version) -> (String, [UInt8]) {
        let length = version.bytes.count, common = "ETag: \(version.tag)\r\n"
        guard let start = start(request, version) else {
            return ("HTTP/1.1 200 OK\r\n\(common)Content-Length: \(length)\r\n\r\n", version.bytes)
        }
        guard start < length else {
            return ("HTTP/1.1 416 Range Not Satisfiable\r\n\(common)Content-Range: bytes */\(length)\r\nContent-Length: 0\r\n\r\n", [])
        }
        let head = "HTTP/1.1 206 Partial Content\r\n\(common)Content-Range: bytes \(start)-\(length - 1)/\(length)\r\nContent-Length: \(length - start)\r\n\r\n"
        return (head, Array(version.bytes[start...]))
    }

    /// The first byte asked for; `nil` for the whole.
    private static func start(_ request: RecordedRequest, _ version: Version) -> Int? {
        guard let range = request.values("Range").first, range.hasPrefix("bytes="), request.values("If-Range").allSatisfy({ $0 == version.tag }) else {
            return nil
        }
        return range.dropFirst(6).split(separator: "-").first.flatMap { Int($0) }
    }
}
#endif
