import TarmacJSON
@_spi(TarmacRooms) public import TarmacCore
import TarmacSupport

extension Options {
    /// The stored responses that the call makes stale when it succeeds. Layers add up. Default: none.
    ///
    /// ```swift
    /// struct DeleteNote: Endpoint, Encodable {
    ///     typealias Value = Void
    ///     static let route: Route = .delete("/notes/{id}")
    ///     var id: Int
    ///     func configure(_ options: inout Options) { options.makesStale = [.endpoint(ListNotes.self), .urlPrefix("/notes")] }
    /// }
    /// ```
    /// The next call asks the server again, and a stale response answers only while there is no connection. An outbox
    /// stores the setting with the entry, and applies it when the entry is sent. URLs are absolute, or begin with `/` and
    /// are below the hosts of the call's service. A selection by id, key or age is refused.
    public var makesStale: [CacheSelection] {
        get { (self[Settings.makesStale] ?? []).map(CacheSelection.init(stored:)) }
        set { self[Settings.makesStale] = newValue.map(\.stored) }
    }
}

extension CacheSelection {
    /// Selects the responses to the calls of an endpoint, whatever their parameters.
    public static func endpoint<E: Endpoint>(_ type: E.Type) -> CacheSelection { .tag(endpointTag(E.endpointName)) }

    /// Returns the tag of every response to an endpoint.
    static func endpointTag(_ name: String) -> String { "endpoint:" + name }

    private struct Stored: Codable {
        var service: String?
        var environment: String?
        var principal: String?
        var url: String?
        var urlPrefix: String?
        var tag: String?
    }

    /// The selection as text; empty for one that cannot be stored.
    fileprivate var stored: String {
        let absolute = without(url: isRelative(url), urlPrefix: isRelative(urlPrefix))
        guard id == nil, key == nil, olderThan == nil, (try? absolute.checked()) != nil else { return "" }
        let fields = Stored(service: service, environment: environment, principal: principal, url: url, urlPrefix: urlPrefix, tag: tag)
        return (try? TarmacJSONEncoder().encodeBytes(fields)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Reads a selection. One of a later version may have conditions that are unknown here, so it selects everything.
    fileprivate init(stored text: String) {
        let fields = try? TarmacJSONDecoder().decode(Stored.self, from: Array(text.utf8))
        self.init {
            ($0.service, $0.environment, $0.principal) = (fields?.service, fields?.environment, fields?.principal)
            ($0.url, $0.urlPrefix, $0.tag) = (fields?.url, fields?.urlPrefix, fields?.tag)
        }
    }

    private func isRelative(_ text: String?) -> Bool { text?.utf8.first == UInt8(ascii: "/") }

    private func without(url leavesURL: Bool, urlPrefix leavesPrefix: Bool) -> CacheSelection {
        var selection = self
        if leavesURL { selection.url = nil }
        if leavesPrefix { selection.urlPrefix = nil }
        return selection
    }

    /// Returns the selection below each base URL, or itself if its URLs are absolute.
    fileprivate func below(_ bases: [String]) -> [CacheSelection] {
        guard isRelative(url) || isRelative(urlPrefix) else { return [self] }
        return bases.map { base in
            var selection = self
            if isRelative(url) { selection.url = url.map { base + $0 } }
            if isRelative(urlPrefix) { selection.urlPrefix = urlPrefix.map { base + $0 } }
            return selection
        }
    }
}

extension CacheState: StaleObserver {
    func didMakeStale(_ selections: [String], by context: CallContext) async {
        let kinds: Set<HostKind> = [context.options.values.host, .origin, HostKind("cdn")]
        let bases = kinds.compactMap { context.scope.hosts?[$0] }.map { $0.utf8.last == UInt8(ascii: "/") ? String($0.dropLast()) : $0 }
        let meant = selections.flatMap { CacheSelection(stored: $0).below(Array(Set(bases))) }.compactMap { try? $0.checked() }
        for writeQueue in writeQueues {
            for selection in meant { await writeQueue.outdate(selection, for: context) }
        }
    }
}
