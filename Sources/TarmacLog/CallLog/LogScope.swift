@_spi(TarmacRooms) import TarmacCore

/// The common values of calls with the same settings in a log. One reference, because a call keeps it.
final class LogScope: Sendable {
    /// Tells the clients of a log apart. A client that is gone may leave its place in memory to another, whose calls are newer.
    let client: ObjectIdentifier
    let service: String
    let tags: Set<CallTag>
    private struct Masking {
        var isKnown = false
        var redactor = Redactor.standard
    }
    private let masking = Locked(Masking())

    init(_ scope: StageScope) {
        (client, service, tags) = (ObjectIdentifier(scope.service.client), scope.service.name, scope.values.tags)
    }

    /// Makes the scope of a call that failed before its stages ran.
    init(client: ObjectIdentifier, _ event: CallEvent) { (self.client, service, tags) = (client, event.service, event.tags) }

    /// Makes the scope of a call of an archive.
    init(imported host: String) { (client, service, tags) = (ObjectIdentifier(LogScope.self), host, []) }

    var redactor: Redactor { masking.withLock { $0.redactor } }

    /// Notes the settings of the calls, which are known when the first one runs.
    func note(_ options: ResolvedOptions) {
        masking.withLock { masking in
            if !masking.isKnown { masking = Masking(isKnown: true, redactor: options.redactor) }
        }
    }
}
