public import TarmacCore

/// The cases every transport passes, run against a server that answers rightly, wrongly, slowly and not at all.
///
/// ```swift
/// @Test(arguments: TransportConformance.Case.allCases)
/// func conforms(_ name: TransportConformance.Case) async throws {
///     try await TransportConformance.run(name, with: .mine, exclusions: [.trailers: "the platform drops them"])
/// }
/// ```
public enum TransportConformance {
    /// How a case ended that did not fail.
    public enum Outcome: Sendable, Equatable, CustomStringConvertible {
        case passed
        /// It was not run.
        case skipped(reason: String)

        public var description: String {
            switch self {
            case .passed: "passed"
            case .skipped(let reason): "skipped: \(reason)"
            }
        }
    }

    /// Runs one case with a transport of its own.
    ///
    /// Whatever the case, every exchange must end exactly once, and after the shutdown no connection may be left (the
    /// latter unless `shutdownClosesConnections` is excluded).
    ///
    /// - Parameters:
    ///   - settings: for cases that set none themselves.
    ///   - exclusions: cases the transport is known not to pass, each with its reason; they are printed and skipped. So
    ///     are cases about what the transport's `capabilities` do not claim.
    ///   - limit: how long the case may take before it counts as hanging. Default 60 s.
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

    /// Shuts a transport down that may not know how to.
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
