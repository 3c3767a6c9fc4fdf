public import TarmacCore

/// What a ``ScriptedServer`` does on one connection, step by step; after the last step it closes it.
///
/// ```swift
/// let script: ServerScript = [.readRequest, .write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .close]
/// ```
public struct ServerScript: Sendable, ExpressibleByArrayLiteral {
    /// One step.
    public indirect enum Step: Sendable {
        /// Reads the head of the next request and records it; its body stays where it is.
        case readHead
        /// Reads the body of the request whose head was read last, and records it.
        case readBody
        /// Reads that many bytes of the body, or what there is until its end.
        case readSome(Int)
        /// Writes bytes as they are.
        case bytes(Bytes)
        /// Writes what the closure makes of the request read last.
        case answer(@Sendable (RecordedRequest) -> Bytes)
        /// Writes a byte that many times, made on the fly.
        case fill(UInt8, count: Int)
        /// Waits for ``ScriptedServer/open(_:)`` or ``ScriptedServer/pass(_:count:)``; reads ahead a little, so that a
        /// peer that leaves is noticed.
        case hold(String)
        /// Waits until the peer or ``ScriptedServer/stop()`` ends it.
        case stall
        /// Waits so long, for real; other connections go on.
        case pause(Duration)
        /// Goes on with the steps the closure makes of the request whose head was read last.
        case choose(@Sendable (RecordedRequest) -> [Step])
        /// Sends FIN and goes on reading.
        case halfClose
        /// Closes; the peer gets FIN.
        case close
        /// Closes; the peer gets RST.
        case reset
        /// The steps again and again, or that many times.
        case loop([Step], times: Int? = nil)
    }

    public let steps: [Step]

    public init(_ steps: [Step]) { self.steps = steps }
    public init(arrayLiteral steps: Step...) { self.steps = steps }

    /// Keep-alive: reads a request and answers it, for ever.
    public static func serving(_ answer: @escaping @Sendable (RecordedRequest) -> Bytes) -> ServerScript {
        [.loop([.readRequest, .answer(answer)])]
    }

    /// Keep-alive: the same reply to every request.
    public static func serving(_ reply: String) -> ServerScript { .serving { _ in Bytes(reply) } }
}

extension ServerScript.Step {
    /// Reads head and body of the next request and records them.
    public static var readRequest: Self { .loop([.readHead, .readBody], times: 1) }

    /// Writes text as it is, in UTF-8.
    public static func write(_ text: String) -> Self { .bytes(Bytes(text)) }

    /// Writes a complete response with a Content-Length.
    public static func reply(_ status: Int = 200, headers: [(String, String)] = [], _ body: String = "") -> Self {
        .write(Self.response(status, headers: headers, body))
    }

    /// Writes text in pieces of `size` bytes, each once the gate lets it pass.
    public static func pieces(of text: String, size: Int, gate: String) -> Self {
        let bytes = Array(text.utf8)
        let steps = stride(from: 0, to: bytes.count, by: size).flatMap { start -> [Self] in
            [.hold(gate), .bytes(Bytes(Array(bytes[start..<min(start + size, bytes.count)])))]
        }
        return .loop(steps, times: 1)
    }

    /// The text of a complete response with a Content-Length.
    public static func response(_ status: Int = 200, headers: [(String, String)] = [], _ body: String = "") -> String {
        let fields = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
        return "HTTP/1.1 \(status) Status\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
}
