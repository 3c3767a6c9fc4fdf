public import TarmacCore

/// The steps of a ``ScriptedServer`` on one connection, which it closes after the last step.
///
/// ```swift
/// let script: ServerScript = [.readRequest, .write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .close]
/// ```
public struct ServerScript: Sendable, ExpressibleByArrayLiteral {
    /// A step of a script.
    public indirect enum Step: Sendable {
        /// Reads the head of the next request and records it. The body is not read.
        case readHead
        /// Reads and records the body of the last request.
        case readBody
        /// Reads at most this number of bytes of the body.
        case readSome(Int)
        /// Writes bytes as they are.
        case bytes(Bytes)
        /// Writes the bytes that the closure returns for the last request.
        case answer(@Sendable (RecordedRequest) -> Bytes)
        /// Writes a byte this number of times, without storing them.
        case fill(UInt8, count: Int)
        /// Waits for ``ScriptedServer/open(_:)`` or ``ScriptedServer/pass(_:count:)``. It reads ahead a little, to
        /// notice a peer that disconnects.
        case hold(String)
        /// Waits until the peer or ``ScriptedServer/stop()`` ends the connection.
        case stall
        /// Waits in real time, while other connections continue.
        case pause(Duration)
        /// Continues with the steps that the closure returns for the last request.
        case choose(@Sendable (RecordedRequest) -> [Step])
        /// Sends FIN and continues to read.
        case halfClose
        /// Closes the connection; the peer receives FIN.
        case close
        /// Closes the connection; the peer receives RST.
        case reset
        /// Repeats the steps forever, or this number of times.
        case loop([Step], times: Int? = nil)
    }

    public let steps: [Step]

    public init(_ steps: [Step]) { self.steps = steps }
    public init(arrayLiteral steps: Step...) { self.steps = steps }

    /// Returns a script that reads and answers requests forever, with keep-alive.
    public static func serving(_ answer: @escaping @Sendable (RecordedRequest) -> Bytes) -> ServerScript {
        [.loop([.readRequest, .answer(answer)])]
    }

    /// Returns a script that sends the same reply to every request, with keep-alive.
    public static func serving(_ reply: String) -> ServerScript { .serving { _ in Bytes(reply) } }
}

extension ServerScript.Step {
    /// Reads and records the head and body of the next request.
    public static var readRequest: Self { .loop([.readHead, .readBody], times: 1) }

    /// Writes text in UTF-8.
    public static func write(_ text: String) -> Self { .bytes(Bytes(text)) }

    /// Writes a complete response with a Content-Length.
    public static func reply(_ status: Int = 200, headers: [(String, String)] = [], _ body: String = "") -> Self {
        .write(Self.response(status, headers: headers, body))
    }

    /// Writes text in pieces of `size` bytes, each when the gate lets it pass.
    public static func pieces(of text: String, size: Int, gate: String) -> Self {
        let bytes = Array(text.utf8)
        let steps = stride(from: 0, to: bytes.count, by: size).flatMap { start -> [Self] in
            [.hold(gate), .bytes(Bytes(Array(bytes[start..<min(start + size, bytes.count)])))]
        }
        return .loop(steps, times: 1)
    }

    /// Returns the text of a complete response with a Content-Length.
    public static func response(_ status: Int = 200, headers: [(String, String)] = [], _ body: String = "") -> String {
        let fields = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
        return "HTTP/1.1 \(status) Status\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
}
