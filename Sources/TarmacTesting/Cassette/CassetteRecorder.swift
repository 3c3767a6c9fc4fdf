public import TarmacCore

/// Records what a transport sends and receives; see ``Cassette``.
///
/// Secrets are masked before anything is kept: header fields, query and form parameters and members of JSON whose names
/// the redactor knows, the call's own among them, and the values of cookies. Members are found in lines of JSON, such as
/// event streams have, and in JSON that was cut off, too. Bodies sent from files or streams or in parts are left out;
/// those in other formats are kept as they are: look at a cassette before you publish it.
///
/// Answers are asked for uncoded, since nothing in a coded one could be masked. A streamed body is recorded as it is read,
/// and as one that was cut off where its reader left it. Requests that were not answered yet are left out.
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
    ///   - redactor: what is masked. Default: ``Redactor/standard``.
    ///   - bodyLimit: the longest body in bytes; a longer one fails its call. Default 1 MiB.
    ///   - entryLimit: how many requests; one more fails its call. Default 1,000.
    ///   - sizeLimit: how many bytes of bodies in all; what goes beyond fails its call. Default 16 MiB.
    public init(redactor: Redactor = .standard, bodyLimit: Int = 1 << 20, entryLimit: Int = 1_000, sizeLimit: Int = 16 << 20) {
        mask = CassetteMask(redactor)
        self.bodyLimit = bodyLimit
        self.entryLimit = entryLimit
        self.sizeLimit = sizeLimit
    }

    /// What was recorded so far, in the order the requests were sent.
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

    /// Keeps a place for a request.
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

    /// Records an answer, or the part of one that came before a failure.
    func record(_ response: Response, body: Bytes, to request: Request, at place: Int, failure: (any Error)? = nil) throws {
        if failure == nil { try check(body.count, of: "response") }
        let entry = entry(response, body, request, failure: failure)
        try state.withLock { state in
            try take(body.count, &state)
            state.places[place] = .done(entry)
        }
    }

    /// Records an answer whose body is being read.
    func record(_ body: RecordedBody, at place: Int) { state.withLock { $0.places[place] = .reading(body) } }

    /// Records that there was no answer.
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
    /// Code and phase: a description may be another each time.
    init(_ error: any Error) {
        let known = error as? TarmacError
        code = known?.code.name ?? (error is CancellationError ? Self.cancelled : TarmacError.Code.transportFailed.name)
        phase = (known?.phase ?? .receiving).rawValue
    }

    static let cancelled = "cancelled"
}

extension TransportFactory {
    /// Sends with another transport and records it.
    public static func recording(_ base: TransportFactory, on recorder: CassetteRecorder) -> TransportFactory {
        TransportFactory(name: base.name) { RecordingTransport(base: try base.makeTransport($0), recorder: recorder) }
    }
}
