public import TarmacCore

/// What a case needs and does.
struct ConformancePlan: Sendable {
    typealias Run = @Sendable (ConformanceRig) async throws -> Void

    /// What the transport must claim.
    var needs: TransportCapabilities = []
    /// What the transport must not claim.
    var excludes: TransportCapabilities = []
    /// The connection settings, when the case is about them.
    var settings: ConnectionSettings?
    let run: Run

    init(
        needs: TransportCapabilities = [], excludes: TransportCapabilities = [], settings: ConnectionSettings? = nil,
        _ run: @escaping Run
    ) {
        self.needs = needs
        self.excludes = excludes
        self.settings = settings
        self.run = run
    }

    /// Why the case says nothing about a transport with these capabilities; `nil` when it does.
    func missing(in capabilities: TransportCapabilities) -> String? {
        let missing = needs.subtracting(capabilities).names
        if !missing.isEmpty { return "not claimed: \(missing.joined(separator: ", "))" }
        let claimed = excludes.intersection(capabilities).names
        return claimed.isEmpty ? nil : "claimed: \(claimed.joined(separator: ", "))"
    }
}

extension TransportCapabilities {
    private static let table: [(TransportCapabilities, String)] = [
        (.backPressure, "backPressure"), (.informationalResponses, "informationalResponses"), (.trailers, "trailers"),
        (.separateHeaders, "separateHeaders"), (.decodesContent, "decodesContent"),
        (.protocolVersion, "protocolVersion"), (.unknownLengthBodies, "unknownLengthBodies"),
        (.resendsOnStaleConnection, "resendsOnStaleConnection"), (.connectionReports, "connectionReports"),
        (.headerOrder, "headerOrder"), (.bodyWithAnyMethod, "bodyWithAnyMethod"), (.http2, "http2"),
        (.networkAccess, "networkAccess"),
    ]

    /// The names of what is in the set.
    public var names: [String] { Self.table.filter { contains($0.0) }.map(\.1) }
}
