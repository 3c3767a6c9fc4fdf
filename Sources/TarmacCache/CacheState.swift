@_spi(TarmacRooms) import TarmacCore
import TarmacDigest

/// The state that a client keeps for its caches: the store in memory, the stores in use, and the lookups in the
/// background.
final class CacheState: ClientState, ChangeObserver {
    let memory = CacheWriteQueue(MemoryCacheStore())
    /// Salts the digest of credentials, so that it cannot be compared with anything outside this process.
    private let salt: [UInt8]
    private let state = Locked(State())
    private static let maximumPrincipals = 256
    private static let maximumFacts = 2048
    private static let maximumIgnored = 64

    private struct State {
        var principals: [Principal: (text: String, isDurable: Bool)] = [:]
        /// The last principal that was asked for. Comparing with it is faster than hashing.
        var latest: (principal: Principal, text: (text: String, isDurable: Bool))?
        /// The last sensitive data of the app and its digest. It changes with a log-in.
        var sensitive = (text: "", digest: "")
        var facts: [UInt64: CacheFacts] = [:]
        var writeQueues: [ObjectIdentifier: CacheWriteQueue] = [:]
        var revalidating: Set<Revalidation> = []
        /// The callers that wait for the end of all revalidations.
        var idling = Waiters()
        /// The arguments that rules have ignored so far. Responses under these rules are stored under URLs without
        /// them.
        var ignored: Set<Set<String>> = []
    }

    /// A revalidation in the background.
    struct Revalidation: Hashable {
        private let key: CacheKey
        private let variant: ExactText

        init(key: CacheKey, variant: String) { (self.key, self.variant) = (key, ExactText(variant)) }
    }

    private let time: any TimeSource
    private let changes: ChangeLog
    /// The time that revalidations in the background may take at a shutdown.
    static let revalidationLimit = Duration.seconds(2)

    init(_ client: ClientScope) {
        salt = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
        time = client.time
        changes = client.changes
        for layer in client.layers { if let store = layer.cacheStore?.store { writeQueue(of: store) } }
        client.changes.add(self)
    }

    func settle() async { await settle(within: Self.revalidationLimit, time) }
    func flush() async { await flush(within: .seconds(30)) }

    func didChange(_ urls: [String], by context: CallContext) async {
        for writeQueue in writeQueues {
            for url in urls { await writeQueue.remove(.url(url), for: context) }
        }
    }

    /// Returns the text for a principal, and whether it may be written to a file.
    func text(of principal: Principal) -> (text: String, isDurable: Bool) {
        let known = state.withLock { state -> (text: String, isDurable: Bool)? in
            if let latest = state.latest, latest.principal == principal { return latest.text }
            guard let known = state.principals[principal] else { return nil }
            state.latest = (principal, known)
            return known
        }
        if let known { return known }
        let made = (text: principal.text(digest: { PublicHash.hash(salt + $0) }), isDurable: principal.openText != nil)
        state.withLock { state in
            if state.principals.count >= Self.maximumPrincipals { state.principals.removeAll(keepingCapacity: true) }
            state.principals[principal] = made
        }
        return made
    }

    /// Returns a digest of a credential that is of no use to another process.
    func secretDigest(_ text: String) -> String {
        Hexadecimal.text(PublicHash.hash(salt + Array(text.utf8)))
    }

    /// Returns the digest of the app's sensitive data, or an empty text if there is none.
    func digest(_ text: String) -> String {
        if text.isEmpty { return "" }
        let known = state.withLock { $0.sensitive }
        if known.text.isExactly(text) { return known.digest }
        let digest = CacheArguments.digest(text)
        state.withLock { $0.sensitive = (text, digest) }
        return digest
    }

    /// Returns the parsed fields of an entry. An entry in memory keeps its own; a durable store makes new entries for each lookup.
    func facts(_ entry: CacheEntry) -> CacheFacts {
        if let known = entry.facts { return known }
        let facts = rememberedFacts(entry)
        entry.facts = facts
        return facts
    }

    private func rememberedFacts(_ entry: CacheEntry) -> CacheFacts {
        if let known = state.withLock({ $0.facts[entry.id] }), known.responseDate == entry.responseDate { return known }
        let facts = CacheFacts(entry)
        state.withLock { state in
            if state.facts.count >= Self.maximumFacts { state.facts.removeAll(keepingCapacity: true) }
            state.facts[entry.id] = facts
        }
        return facts
    }

    /// Forgets the parsed fields of an entry that has changed.
    func forgetFacts(_ entry: CacheEntry) {
        entry.facts = nil
        state.withLock { _ = $0.facts.removeValue(forKey: entry.id) }
    }

    /// Returns the write queue of a store of the app, and remembers it.
    @discardableResult
    func writeQueue(of store: any CacheStore) -> CacheWriteQueue {
        state.withLock { state in
            if let known = state.writeQueues[ObjectIdentifier(store)] { return known }
            let made = CacheWriteQueue(store)
            state.writeQueues[ObjectIdentifier(store)] = made
            return made
        }
    }

    /// The write queues of the store in memory and of every known store of the app.
    var writeQueues: [CacheWriteQueue] { [memory] + state.withLock { Array($0.writeQueues.values) } }

    // MARK: Changes

    func noteIgnored(_ names: Set<String>) {
        if names.isEmpty { return }
        state.withLock { if $0.ignored.count < Self.maximumIgnored { $0.ignored.insert(names) } }
    }

    /// Returns the URLs, also in the forms without the arguments that rules ignore.
    func forms(of urls: [String]) -> [String] {
        let ignored = state.withLock { $0.ignored }
        if ignored.isEmpty { return urls }
        var forms = urls
        for url in urls.compactMap({ try? HTTPURL($0) }) {
            for names in ignored {
                let form = CacheArguments.url(url, ignoring: names)
                if !forms.contains(form) { forms.append(form) }
            }
        }
        return forms
    }

    func noteChangeOfAll() { changes.noteAll() }

    /// Whether there are no revalidations.
    var isIdle: Bool { state.withLock { $0.revalidating.isEmpty } }

    func begin(_ revalidation: Revalidation) -> Bool { state.withLock { $0.revalidating.insert(revalidation).inserted } }

    func end(_ revalidation: Revalidation) {
        let idling = state.withLock { state in
            state.revalidating.remove(revalidation)
            return state.revalidating.isEmpty ? state.idling.takeAll() : Waiters()
        }
        idling.resume()
    }

    /// Returns when there are no revalidations, or after `limit`.
    func settle(within limit: Duration, _ time: any TimeSource) async {
        if isIdle { return }
        await time.wait(atMost: limit) { [self] in
            await state.wait(in: \.idling) { $0.revalidating.isEmpty }
        }
    }

    /// Returns when all responses are written, or after `limit` if a store hangs. The pending writes are then lost
    /// with the process.
    func flush(within limit: Duration, _ time: any TimeSource = .system) async {
        let slow = writeQueues.filter { !$0.isImmediate }
        if slow.isEmpty { return }
        await time.wait(atMost: limit) {
            await withTaskGroup { group in
                for writeQueue in slow { group.addTask { try? await writeQueue.flush() } }
            }
        }
    }
}
