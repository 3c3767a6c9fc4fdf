import HTTPTypes
public import TarmacCore

/// How a cassette finds the answer to a request.
public enum CassetteOrder: Sendable, Hashable {
    /// Requests come as they were recorded: the next one must be the next on the cassette.
    case asRecorded
    /// In any order: each answer is given once, equal requests get theirs as they were recorded.
    case any
}

/// Gives each answer of a cassette once, failures included.
///
/// Requests are compared by method, URL and body, secrets masked on both sides; the order of query parameters, form
/// fields and JSON members does not count. A body that was recorded from a file or a stream or in parts is not compared.
/// Secrets were never recorded: the text `masked` stands in for them in what is replayed.
///
/// A request that is not on the cassette, or no longer, fails with `TarmacError(.unsupported)`, which says what was
/// asked and what is there. What was cancelled when it was recorded is answered by nothing until it is cancelled again.
public final class CassettePlayer: Sendable {
    private struct State {
        /// What was not asked for yet.
        var left: [(entry: HAR.Entry, key: CassetteKey)]
        var missed: [String] = []
    }
    private let state: Locked<State>
    private let order: CassetteOrder
    private let mask: CassetteMask

    /// - Parameters:
    ///   - order: how an answer is found. Default: as recorded.
    ///   - redactor: what was masked when the cassette was recorded. Default: ``Redactor/standard``.
    public init(_ cassette: Cassette, order: CassetteOrder = .asRecorded, redactor: Redactor = .standard) {
        let mask = CassetteMask(redactor)
        state = Locked(State(left: cassette.entries.map { ($0, CassetteKey($0.request, mask)) }))
        self.order = order
        self.mask = mask
    }

    /// The requests on the cassette nobody has made, such as `GET https://api.shop.example/users/7`.
    public var unplayed: [String] { state.withLock { $0.left.map(\.entry.request.line) } }

    /// The requests that were made and are not on the cassette.
    public var missed: [String] { state.withLock { $0.missed } }

    /// Throws `TarmacError(.unsupported)` unless everything on the cassette was asked for, and nothing else.
    public func checkPlayed() throws(TarmacError) {
        let (left, missed) = (unplayed, missed)
        if left.isEmpty, missed.isEmpty { return }
        let parts = [(missed, "it had no answer to "), (left, "nobody asked for ")].filter { !$0.0.isEmpty }
        throw TarmacError(
            .unsupported, phase: .waiting,
            "the cassette was not played as it was recorded: "
                + parts.map { $0.1 + CassetteMiss.list($0.0) }.joined(separator: "; "), suggestion: "record it anew")
    }

    func answer(_ request: Request) async throws -> Response {
        let asked = mask.request(request)
        let entry = try state.withLock { state in
            let key = CassetteKey(asked, mask)
            let index = order == .any ? state.left.firstIndex { $0.key.isMatched(by: key) } : state.left.first?.key.isMatched(by: key) == true ? 0 : nil
            guard let index else {
                state.missed.append(asked.line)
                throw CassetteMiss(asked: asked, left: state.left.map(\.entry.request), order: order).error
            }
            return state.left.remove(at: index).entry
        }
        return try await entry.answer()
    }
}

extension TransportFactory {
    /// Answers from a cassette, and never from a network.
    public static func replaying(_ player: CassettePlayer) -> TransportFactory {
        .stub(StubTransport(name: "cassette") { try await player.answer($0) })
    }

    /// The same for a cassette nobody asks afterwards what was left on it; see ``CassettePlayer/checkPlayed()``.
    public static func replaying(_ cassette: Cassette, order: CassetteOrder = .asRecorded, redactor: Redactor = .standard) -> TransportFactory {
        .replaying(CassettePlayer(cassette, order: order, redactor: redactor))
    }
}
