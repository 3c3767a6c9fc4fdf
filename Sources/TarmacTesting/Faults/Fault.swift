/// A fault of one request.
///
/// A ``FaultServer`` produces it over sockets, and a ``StubTransport`` throws the corresponding error. ``isActedOn`` is
/// the fact that a client cannot know: whether the server acted on the request before the fault.
public enum Fault: Hashable, Sendable {
    /// The connection is reset, and the server does not act. A stub refuses the connection. For a port without a
    /// listener, see ``FaultServer/refuseConnections()``.
    case refuse
    /// The server acts, and closes the connection without a byte of a response.
    case loseResponse
    /// The server acts, and resets the connection after this number of bytes of its response, head included.
    case reset(atByte: Int)
    /// The server acts. The body and the connection end after this number of bytes, and at least one byte early.
    case truncate(toBytes: Int)
    /// The server acts, and stops after this number of bytes of its response until the client disconnects.
    case stall(atByte: Int)
    /// The server acts. Its response is complete, but arrives in pieces of this size with a pause before each.
    case drip(size: Int, every: Duration = .zero)
    /// The server acts, and answers with bytes that are not HTTP.
    case garbage
    /// The server acts. Its Content-Length is wrong by this number of bytes.
    ///
    /// If it is too large, the connection ends early. If it is too small, extra bytes stay on the connection, which
    /// must not become the response to another request.
    case wrongLength(by: Int)
    /// The server answers with a status, and does not act.
    ///
    /// - Parameter retryAfter: The value of `Retry-After` in seconds. Default: no such field.
    case status(Int, retryAfter: Int? = nil)
    /// A kept connection is dead when the request arrives: it is closed, and the server does not act. The first request
    /// of a connection is answered, because a new connection is not stale.
    case staleConnection

    /// Whether the server has acted on the request.
    public var isActedOn: Bool {
        switch self {
        case .refuse, .status, .staleConnection: false
        case .loseResponse, .reset, .truncate, .stall, .drip, .garbage, .wrongLength: true
        }
    }

    /// The faults that appear at once, without a time limit of the client.
    public static let prompt: [Fault] = [
        .refuse, .loseResponse, .reset(atByte: 0), .reset(atByte: 12), .reset(atByte: 40), .truncate(toBytes: 1), .drip(size: 7), .garbage,
        .wrongLength(by: 5), .status(500), .status(503), .status(429, retryAfter: 0),
    ]

    /// One fault of each kind.
    public static let everyKind: [Fault] = [
        .refuse, .loseResponse, .reset(atByte: 20), .truncate(toBytes: 1), .stall(atByte: 20), .drip(size: 7), .garbage, .wrongLength(by: 5),
        .status(503), .staleConnection,
    ]
}
