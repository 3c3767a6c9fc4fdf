public import TarmacCore

/// The requirements of a case and its action.
struct ConformancePlan: Sendable {
    typealias Run = @Sendable (ConformanceRig) async throws -> Void

    /// The capabilities that the transport must have.
    var needs: TransportCapabilities = []
    /// The capabilities that the transport must not have.
    var excludes: TransportCapabilities = []
    /// The connection settings, if the case is about them.
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

    /// Returns the reason why the case does not apply to a transport; `nil` if it applies.
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

    /// The names of the capabilities in the set.
    public var names: [String] { Self.table.filter { contains($0.0) }.map(\.1) }
}
