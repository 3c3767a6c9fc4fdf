/// What goes wrong with one request.
///
/// A ``FaultServer`` does it over sockets; a ``StubTransport`` throws what a transport makes of it. ``isActedOn`` says what a
/// client can never know: whether the server did what it was asked before things went wrong.
public enum Fault: Hashable, Sendable {
    /// The request is turned away: the connection is reset, and the server does nothing. In a stub it is refused. For a port nobody
    /// listens at see ``FaultServer/refuseConnections()``.
    case refuse
    /// The server acts, and closes the connection without a byte of an answer.
    case loseResponse
    /// The server acts, and resets the connection behind that many bytes of its answer, head included.
    case reset(atByte: Int)
    /// The server acts; its body ends after that many bytes, one less than it has at most, and so does the connection.
    case truncate(toBytes: Int)
    /// The server acts, and goes quiet behind that many bytes of its answer until the client leaves.
    case stall(atByte: Int)
    /// The server acts; its answer comes whole, but in pieces of that many bytes with a pause before each.
    case drip(size: Int, every: Duration = .zero)
    /// The server acts, and answers with bytes that are no HTTP.
    case garbage
    /// The server acts; its Content-Length is wrong by so many bytes. One that is too long ends with the connection; one that
    /// is too short leaves bytes behind on it, which must become nobody's answer.
    case wrongLength(by: Int)
    /// The server answers with a status instead, and does nothing.
    ///
    /// - Parameter retryAfter: seconds for the field of that name.
    case status(Int, retryAfter: Int? = nil)
    /// A kept connection turns out to be dead when the request comes: it is closed, and the server does nothing. The first
    /// request of a connection is answered, since that is never stale.
    case staleConnection

    /// Whether the server has done what it was asked.
    public var isActedOn: Bool {
        switch self {
        case .refuse, .status, .staleConnection: false
        case .loseResponse, .reset, .truncate, .stall, .drip, .garbage, .wrongLength: true
        }
    }

    /// Faults that show at once, without a time limit of the client's.
    public static let prompt: [Fault] = [
        .refuse, .loseResponse, .reset(atByte: 0), .reset(atByte: 12), .reset(atByte: 40), .truncate(toBytes: 1), .drip(size: 7), .garbage,
        .wrongLength(by: 5), .status(500), .status(503), .status(429, retryAfter: 0),
    ]

    /// One of each kind.
    public static let everyKind: [Fault] = [
        .refuse, .loseResponse, .reset(atByte: 20), .truncate(toBytes: 1), .stall(atByte: 20), .drip(size: 7), .garbage, .wrongLength(by: 5),
        .status(503), .staleConnection,
    ]
}
