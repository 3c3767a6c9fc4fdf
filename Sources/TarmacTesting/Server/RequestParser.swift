import TarmacCore

/// Parses requests as their bytes arrive (RFC 9112). No I/O: bytes in, head and body out.
struct RequestParser {
    struct Malformed: Error {}

    private enum Framing: Equatable {
        case none
        case length(Int)
        case chunkSize
        case chunk(Int)
        case chunkEnd
        case trailers
    }

    private static let keptBytes = 1 << 20
    private var input: [UInt8] = []
    private var start = 0
    private var framing = Framing.none
    private(set) var body: [UInt8] = []
    private(set) var bodyLength = 0
    private(set) var chunks: [Int] = []

    /// The number of bytes that wait to be read.
    var buffered: Int { input.count - start }
    var isBodyComplete: Bool { framing == .none }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if start == input.count {
            input.removeAll(keepingCapacity: true)
            start = 0
        }
        input.append(contentsOf: bytes)
    }

    /// Returns the next head; `nil` if there are not enough bytes yet.
    mutating func head(connection: Int) throws -> RecordedRequest? {
        guard let end = endOfHead() else { return nil }
        let text = String(decoding: input[start..<end], as: UTF8.self)
        start = end
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\r\n" || $0 == "\n" }
        let words = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { throw Malformed() }
        let headers = try lines.dropFirst().filter { !$0.isEmpty }.map(Self.field)
        let request = RecordedRequest(
            connection: connection, method: String(words[0]), target: String(words[1]), version: String(words[2]),
            headers: headers)
        try begin(request)
        return request
    }

    private static func field(_ line: Substring) throws -> (name: String, value: String) {
        guard let colon = line.firstIndex(of: ":") else { throw Malformed() }
        let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        return (String(line[..<colon]), String(value))
    }

    private func endOfHead() -> Int? {
        let lineFeed = UInt8(ascii: "\n")
        var position = start
        while let newline = input[position...].firstIndex(of: lineFeed) {
            let next = input[(newline + 1)...].prefix(2)
            if next.first == lineFeed { return newline + 2 }
            if next.elementsEqual([UInt8(ascii: "\r"), lineFeed]) { return newline + 3 }
            position = newline + 1
        }
        return nil
    }

    private mutating func begin(_ request: RecordedRequest) throws {
        (body, bodyLength, chunks) = ([], 0, [])
        if request.values("transfer-encoding").contains(where: { $0.lowercased() == "chunked" }) {
            framing = .chunkSize
        } else if let length = request.values("content-length").first {
            guard let length = Int(length), length >= 0 else { throw Malformed() }
            framing = length == 0 ? .none : .length(length)
        } else {
            framing = .none
        }
    }

    /// Reads at most `limit` available bytes of the body; returns their number.
    mutating func readBody(limit: Int) throws -> Int {
        let before = bodyLength
        while framing != .none, bodyLength - before < limit {
            guard try step(limit: limit - (bodyLength - before)) else { break }
        }
        return bodyLength - before
    }

    private mutating func step(limit: Int) throws -> Bool {
        switch framing {
        case .none: return false
        case .length(let rest):
            let taken = take(min(rest, limit))
            framing = taken == rest ? .none : .length(rest - taken)
            return taken > 0
        case .chunk(let rest):
            let taken = take(min(rest, limit))
            framing = taken == rest ? .chunkEnd : .chunk(rest - taken)
            return taken > 0
        case .chunkSize:
            guard let line = line() else { return false }
            guard let size = Int(line.prefix { $0 != ";" }, radix: 16), size >= 0, line.first != "+" else { throw Malformed() }
            if size > 0 { chunks.append(size) }
            framing = size == 0 ? .trailers : .chunk(size)
        case .chunkEnd:
            guard let line = line() else { return false }
            guard line.isEmpty else { throw Malformed() }
            framing = .chunkSize
        case .trailers:
            guard let line = line() else { return false }
            if line.isEmpty { framing = .none }
        }
        return true
    }

    private mutating func take(_ count: Int) -> Int {
        let taken = min(count, buffered)
        let kept = max(0, min(taken, Self.keptBytes - body.count))
        body.append(contentsOf: input[start..<start + kept])
        start += taken
        bodyLength += taken
        return taken
    }

    private mutating func line() -> String? {
        guard let end = input[start...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        var text = input[start..<end]
        if text.last == UInt8(ascii: "\r") { text.removeLast() }
        start = end + 1
        return String(decoding: text, as: UTF8.self)
    }
}
