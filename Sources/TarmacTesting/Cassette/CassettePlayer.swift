import HTTPTypes
@_spi(TarmacRooms) public import TarmacCore

/// The way a cassette finds the response to a request.
public enum CassetteOrder: Sendable, Hashable {
    /// The requests arrive in the recorded order: the next one must be the next on the cassette.
    case asRecorded
    /// In any order: each response is used once, and equal requests get theirs in the recorded order.
    case any
}

/// Replays each response of a cassette once, failures included.
///
/// Requests are compared by method, URL and body, with secrets masked on both sides. The order of query parameters,
/// form fields and JSON members does not matter. A body that was recorded from a file, a stream or parts is not
/// compared. Secrets are not recorded: the replay has the text `masked` in their place.
///
/// A request that is not on the cassette, or no longer, throws `TarmacError(.unsupported)` with the request and the
/// remaining ones. A request whose recording was cancelled gets no response until it is cancelled again.
public final class CassettePlayer: Sendable {
    private struct State {
        /// The entries that were not requested yet.
        var left: [(entry: HAR.Entry, key: CassetteKey)]
        var missed: [String] = []
    }
    private let state: Locked<State>
    private let order: CassetteOrder
    private let mask: CassetteMask

    /// Creates a player.
    ///
    /// - Parameters:
    ///   - cassette: The cassette to replay.
    ///   - order: The way a response is found. Default: as recorded.
    ///   - redactor: The redactor that masked the cassette. Default: ``Redactor/standard``.
    public init(_ cassette: Cassette, order: CassetteOrder = .asRecorded, redactor: Redactor = .standard) {
        let mask = CassetteMask(redactor)
        state = Locked(State(left: cassette.entries.map { ($0, CassetteKey($0.request, mask)) }))
        self.order = order
        self.mask = mask
    }

    /// The requests on the cassette that were not made, such as `GET https://api.shop.example/users/7`.
    public var unplayed: [String] { state.withLock { $0.left.map(\.entry.request.line) } }

    /// The requests that were made and are not on the cassette.
    public var missed: [String] { state.withLock { $0.missed } }

    /// Throws `TarmacError(.unsupported)` unless exactly the requests on the cassette were made.
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
    /// Returns a transport that answers from a cassette, and never uses a network.
    public static func replaying(_ player: CassettePlayer) -> TransportFactory {
        .stub(StubTransport(name: "cassette") { try await player.answer($0) })
    }

    /// Returns a transport that answers from a cassette, without a later check; see ``CassettePlayer/checkPlayed()``.
    public static func replaying(_ cassette: Cassette, order: CassetteOrder = .asRecorded, redactor: Redactor = .standard) -> TransportFactory {
        .replaying(CassettePlayer(cassette, order: order, redactor: redactor))
    }
}
