@_spi(TarmacRooms) public import TarmacCore

/// Records the requests and responses of a transport; see ``Cassette``.
///
/// Secrets are masked before anything is stored: header fields, query and form parameters and JSON members with names
/// that the redactor or the call knows, and the values of cookies. Members are also found in lines of JSON, as in event
/// streams, and in truncated JSON. Bodies sent from files, streams or parts are left out. Bodies in other formats are
/// stored as they are: check a cassette before you publish it.
///
/// Responses are requested without content coding, because a coded one could not be masked. A streamed body is recorded
/// as it is read, and as truncated where its reader stopped. Requests without a response yet are left out.
public final class CassetteRecorder: Sendable {
    private enum Place {
        case unanswered
        case reading(RecordedBody)
        case done(HAR.Entry)
    }
    private struct State {
        var places: [Place] = []
        var size = 0
    }
    private let state = Locked(State())
    private let mask: CassetteMask
    private let bodyLimit: Int
    private let entryLimit: Int
    private let sizeLimit: Int

    /// - Parameters:
    ///   - redactor: The redactor that masks secrets. Default: ``Redactor/standard``.
    ///   - bodyLimit: The largest body in bytes; a larger one fails its call. Default: 1 MiB.
    ///   - entryLimit: The largest number of requests; one more fails its call. Default: 1,000.
    ///   - sizeLimit: The largest total size of bodies in bytes; a call beyond it fails. Default: 16 MiB.
    public init(redactor: Redactor = .standard, bodyLimit: Int = 1 << 20, entryLimit: Int = 1_000, sizeLimit: Int = 16 << 20) {
        mask = CassetteMask(redactor)
        self.bodyLimit = bodyLimit
        self.entryLimit = entryLimit
        self.sizeLimit = sizeLimit
    }

    /// The recording so far, in the order of the requests.
    public var cassette: Cassette {
        let places = state.withLock { $0.places }
        return Cassette(
            entries: places.compactMap { place in
                switch place {
                case .unanswered: nil
                case .done(let entry): entry
                case .reading(let body): entry(body.head, body.bytes, body.request, failure: CancellationError())
                }
            })
    }

    /// Reserves a place for a request.
    func begin(_ request: Request) throws -> Int {
        let size = request.body.buffered?.count ?? 0
        try check(size, of: "request")
        return try state.withLock { state in
            guard state.places.count < entryLimit else { throw Self.full("it holds \(entryLimit) requests") }
            try take(size, &state)
            state.places.append(.unanswered)
            return state.places.count - 1
        }
    }

    /// Records a response, or the part of one before a failure.
    func record(_ response: Response, body: Bytes, to request: Request, at place: Int, failure: (any Error)? = nil) throws {
        if failure == nil { try check(body.count, of: "response") }
        let entry = entry(response, body, request, failure: failure)
        try state.withLock { state in
            try take(body.count, &state)
            state.places[place] = .done(entry)
        }
    }

    /// Records a response whose body is being read.
    func record(_ body: RecordedBody, at place: Int) { state.withLock { $0.places[place] = .reading(body) } }

    /// Records a failure without a response.
    func record(_ failure: any Error, instead request: Request, at place: Int) {
        let entry = HAR.Entry(request: mask.request(request), response: HAR.Response(status: 0), failure: HAR.Failure(failure))
        state.withLock { $0.places[place] = .done(entry) }
    }

    private func entry(_ response: Response, _ body: Bytes, _ request: Request, failure: (any Error)?) -> HAR.Entry {
        HAR.Entry(
            request: mask.request(request), response: mask.response(response, body: body, to: request), failure: failure.map(HAR.Failure.init))
    }

    func check(_ count: Int, of message: String) throws {
        if count > bodyLimit { throw Self.full("the body of a \(message) is longer than \(bodyLimit) bytes") }
    }

    private func take(_ count: Int, _ state: inout State) throws {
        guard count <= sizeLimit - state.size else { throw Self.full("its bodies are longer than \(sizeLimit) bytes in all") }
        state.size += count
    }

    private static func full(_ reason: String) -> TarmacError {
        TarmacError(.unsupported, phase: .receiving, "the cassette cannot record this: \(reason)", suggestion: "raise the recorder's limit")
    }
}

extension HAR.Failure {
    /// Stores code and phase, because descriptions may differ between runs.
    init(_ error: any Error) {
        let known = error as? TarmacError
        code = known?.code.name ?? (error is CancellationError ? Self.cancelled : TarmacError.Code.transportFailed.name)
        phase = (known?.phase ?? .receiving).rawValue
    }

    static let cancelled = "cancelled"
}

extension TransportFactory {
    /// Returns a transport that sends with another one and records it.
    public static func recording(_ base: TransportFactory, on recorder: CassetteRecorder) -> TransportFactory {
        TransportFactory(name: base.name) { RecordingTransport(base: try base.makeTransport($0), recorder: recorder) }
    }
}
