public import TarmacCore

/// The conformance cases for transports, run against a server that answers correctly, wrongly, slowly or not at all.
///
/// ```swift
/// @Test(arguments: TransportConformance.Case.allCases)
/// func conforms(_ name: TransportConformance.Case) async throws {
///     try await TransportConformance.run(name, with: .mine, exclusions: [.trailers: "the platform drops them"])
/// }
/// ```
public enum TransportConformance {
    /// The result of a case that did not fail.
    public enum Outcome: Sendable, Equatable, CustomStringConvertible {
        case passed
        /// The case was not run.
        case skipped(reason: String)

        public var description: String {
            switch self {
            case .passed: "passed"
            case .skipped(let reason): "skipped: \(reason)"
            }
        }
    }

    /// Runs one case with a new transport.
    ///
    /// In every case, each exchange must end exactly once, and no connection may be left after the shutdown (the latter
    /// unless `shutdownClosesConnections` is excluded).
    ///
    /// - Parameters:
    ///   - name: The case.
    ///   - factory: Makes the transport.
    ///   - settings: The settings for cases without their own.
    ///   - exclusions: The cases that the transport is known to fail, each with its reason. They are printed and
    ///     skipped, as are cases about missing `capabilities`.
    ///   - limit: The longest time of a case before it counts as hanging. Default: 60 s.
    /// - Throws: ``ConformanceFailure``.
    @discardableResult
    public static func run(
        _ name: Case, with factory: TransportFactory, settings: ConnectionSettings = ConnectionSettings(),
        exclusions: [Case: String] = [:], limit: Duration = .seconds(60)
    ) async throws -> Outcome {
        if let reason = exclusions[name] {
            guard !reason.isEmpty else { throw ConformanceFailure(name: name.rawValue, reason: "an exclusion needs a reason", details: "") }
            return skip(name, factory, "excluded: \(reason)")
        }
        let rig = try ConformanceRig(
            factory, name.plan.settings ?? settings, leavesNoConnection: exclusions[.shutdownClosesConnections] == nil)
        if let reason = name.plan.missing(in: rig.transport.capabilities) {
            await rig.transport.shutdown()
            return skip(name, factory, reason)
        }
        try await run(name, rig, limit)
        return .passed
    }

    private static func skip(_ name: Case, _ factory: TransportFactory, _ reason: String) -> Outcome {
        print("\(factory.name): \(name.rawValue) skipped, \(reason)")
        return .skipped(reason: reason)
    }

    private static func run(_ name: Case, _ rig: ConformanceRig, _ limit: Duration) async throws {
        let race = Race<Void>()
        // LIFETIME: both end with the case; a case that hangs is ended by stopping its servers and its transport.
        let work = Task {
            race.finish(
                await Result {
                    try await name.plan.run(rig)
                    try await rig.finish()
                })
        }
        let timer = Task {
            try await Task.sleep(for: limit)
            race.finish(.failure(Unmet(reason: "it has not ended within \(limit)")))
        }
        do {
            try await race.value
            timer.cancel()
            rig.stop()
        } catch {
            let details = rig.details
            work.cancel()
            timer.cancel()
            rig.stop()
            await end(rig)
            throw failure(name, error, details)
        }
    }

    /// Shuts down a transport whose shutdown may hang.
    private static func end(_ rig: ConformanceRig) async {
        let race = Race<Void>()
        // LIFETIME: the first to finish is waited for; the other has nothing left to do.
        let shutdown = Task { race.finish(await Result { await rig.transport.shutdown() }) }
        let timer = Task { race.finish(await Result { try await Task.sleep(for: .seconds(5)) }) }
        try? await race.value
        shutdown.cancel()
        timer.cancel()
    }

    private static func failure(_ name: Case, _ error: any Error, _ details: String) -> ConformanceFailure {
        let reason =
            switch error {
            case let unmet as Unmet: unmet.reason
            case let error as TarmacError: "it throws \(error.code) while \(error.phase.rawValue): \(error.reason)"
            default: "it throws \(error)"
            }
        return ConformanceFailure(name: name.rawValue, reason: reason, details: details)
    }
}
