#if Inspector
import FlyingSocks
import Foundation

/// Reads the requests of one connection and writes their answers. It reads no head above ``RequestHead/longest``, and no body above
/// ``Gate/largestBody``.
struct InspectorConnection {
    private let socket: AsyncSocket
    /// The bytes that were read and belong to no request yet.
    private var buffer: [UInt8] = []

    init(_ socket: AsyncSocket) { self.socket = socket }

    /// Answers requests until one is the last.
    mutating func serve(_ handler: InspectorServer.Handler) async throws {
        do {
            while let request = try await head() {
                if let refusal = handler.refusal(request) { return try await write(refusal, to: request) }
                let answer = await handler.answer(request, try await take(request.bodyLength))
                try await write(answer, to: request)
                if answer.isLast || request.endsConnection { return }
            }
        } catch let refusal as Refusal { try await write(.refused(refusal, isLast: true), to: nil) }
    }

    // MARK: Reading

    /// Returns the next request, or `nil` at the end of the connection.
    private mutating func head() async throws -> InspectorRequest? {
        var searched = 0
        while true {
            if let end = RequestHead.end(in: buffer, from: searched), end <= RequestHead.longest {
                defer { buffer.removeFirst(end) }
                guard let request = RequestHead.request(buffer[..<end]) else { throw Refusal(400, .brokenHead, "the request is none of HTTP/1.1") }
                return request
            }
            guard buffer.count <= RequestHead.longest else {
                throw Refusal(431, .longHead, "the request line and the fields are longer than \(RequestHead.longest) bytes", value: "\(RequestHead.longest)")
            }
            searched = buffer.count
            guard try await read() else { return nil }
        }
    }

    /// Returns the next bytes of a body, or `nil` if the connection ends before.
    private mutating func take(_ count: Int) async throws -> [UInt8]? {
        while buffer.count < count { guard try await read() else { return nil } }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    /// Reads what has come. Returns `false` at the end of the connection.
    private mutating func read() async throws -> Bool {
        do { buffer += try await socket.read(atMost: 4_096) } catch SocketError.disconnected { return false }
        return true
    }

    // MARK: Writing

    private func write(_ answer: Answer, to request: InspectorRequest?) async throws {
        var lines = ["HTTP/1.1 \(answer.status) "] + answer.headers.map { "\($0): \($1)" }
        switch answer.content {
        case .bytes(let bytes):
            // A response to HEAD, which is always a refusal, has no body (RFC 9110 §9.3.2).
            let body = request?.method == "HEAD" ? [] : bytes
            lines.append("Content-Length: \(body.count)")
            try await socket.write(Data(Self.head(lines) + body))
        case .events(let stream):
            try await socket.write(Data(Self.head(lines)))
            var events = stream.makeAsyncIterator()
            while let text = try await events.nextBuffer(suggested: 65_536) { try await socket.write(Data(text)) }
        }
    }

    private static func head(_ lines: [String]) -> [UInt8] { Array((lines + ["", ""]).joined(separator: "\r\n").utf8) }
}
#endif
