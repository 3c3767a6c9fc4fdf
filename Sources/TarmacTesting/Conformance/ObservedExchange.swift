import TarmacCore

/// One exchange of a case, with all reports of the transport about it.
final class ObservedExchange: Sendable {
    let exchange: Exchange
    private let seen: Watched<[Exchange.Report]>

    init(_ delivery: Exchange.Delivery) {
        let seen = Watched<[Exchange.Report]>([])
        self.seen = seen
        exchange = Exchange(delivery: delivery) { report in seen.update { $0.append(report) } }
    }

    var reports: [Exchange.Report] { seen.value }

    /// The number of reported ends.
    var ends: Int { reports.count(where: \.isEnded) }

    var resends: Int { reports.count { if case .resent = $0 { true } else { false } } }

    var informational: [Int] { reports.compactMap { if case .informational(let status) = $0 { status } else { nil } } }

    var isReused: [Bool?] { reports.compactMap { if case .connected(let isReused) = $0 { isReused } else { nil } } }

    var bytesSent: Int {
        reports.reduce(0) { sum, report in if case .sentBody(let bytes) = report { sum + bytes } else { sum } }
    }

    func wait(until isSatisfied: @escaping @Sendable ([Exchange.Report]) -> Bool) async throws {
        try await seen.wait(until: isSatisfied)
    }

    func hasEnded() async throws {
        try await wait { $0.contains(where: \.isEnded) }
    }

    func position(_ isWanted: (Exchange.Report) -> Bool) -> Int? { reports.firstIndex(where: isWanted) }
}

extension Exchange.Report {
    var isEnded: Bool { if case .ended = self { true } else { false } }
    var isReceivedHead: Bool { if case .receivedHead = self { true } else { false } }
    var isSentHead: Bool { if case .sentHead = self { true } else { false } }
    var isSentAll: Bool { if case .sentAll = self { true } else { false } }
}
