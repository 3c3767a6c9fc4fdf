import TarmacCore

/// What a client keeps for its caches: the store in memory, the stores that were used, and the lookups that no call waits for.
final class CacheShelf: ClientState, ChangeObserver {
    let memory = CacheBacklog(MemoryCacheStore())
    /// So that what stands for credentials in memory cannot be compared with anything outside of it.
    private let salt: [UInt8]
    private let state = Locked(State())
    private static let maximumPrincipals = 256
    private static let maximumFacts = 2048
    private static let maximumIgnored = 64

    private struct State {
        var principals: [Principal: (text: String, isDurable: Bool)] = [:]
        /// The one asked for last, which comparing finds faster than hashing.
        var latest: (principal: Principal, text: (text: String, isDurable: Bool))?
        /// The last of the app's sensitive data, and its digest: it changes when somebody logs in.
        var sensitive = (text: "", digest: "")
        var facts: [UInt64: CacheFacts] = [:]
        var backlogs: [ObjectIdentifier: CacheBacklog] = [:]
        var revalidating: Set<Revalidation> = []
        /// Who waits until nothing is looked up anew.
        var idling: [CheckedContinuation<Void, Never>] = []
        /// The arguments that rules so far have ignored: their answers stand under URLs without them.
        var ignored: Set<Set<String>> = []
    }

    /// What is looked up anew.
    struct Revalidation: Hashable {
        let key: CacheKey
        let variant: String
    }

    private let time: any TimeSource
    private let changes: ChangeLog
    /// The time that lookups without a caller may take to be kept when the client shuts down.
    static let revalidationPatience = Duration.seconds(2)

    init(_ client: ClientScope) {
        salt = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
        time = client.time
        changes = client.changes
        for layer in client.layers { if let store = layer.cacheStore?.store { backlog(of: store) } }
        client.changes.add(self)
    }

    func settle() async { await settle(within: Self.revalidationPatience, time) }
    func flush() async { await flush(within: .seconds(30)) }

    func didChange(_ urls: [String], by context: CallContext) async {
        for backlog in backlogs {
            for url in urls { await backlog.remove(.url(url), for: context) }
        }
    }

    /// A text for a principal, and whether it may be written to a file.
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

    /// The digest of the app's sensitive data; of none, none.
    func digest(_ text: String) -> String {
        if text.isEmpty { return "" }
        let known = state.withLock { $0.sensitive }
        if known.text == text { return known.digest }
        let digest = CacheArguments.digest(text)
        state.withLock { $0.sensitive = (text, digest) }
        return digest
    }

    /// What the fields of an entry say.
    func facts(_ entry: CacheEntry) -> CacheFacts {
        if let known = state.withLock({ $0.facts[entry.id] }), known.responseDate == entry.responseDate { return known }
        let facts = CacheFacts(entry)
        state.withLock { state in
            if state.facts.count >= Self.maximumFacts { state.facts.removeAll(keepingCapacity: true) }
            state.facts[entry.id] = facts
        }
        return facts
    }

    /// The fields of an entry have changed.
    func forgetFacts(_ entry: CacheEntry) { state.withLock { _ = $0.facts.removeValue(forKey: entry.id) } }

    /// What is written into a store of the app's; it is known from then on.
    @discardableResult
    func backlog(of store: any CacheStore) -> CacheBacklog {
        state.withLock { state in
            if let known = state.backlogs[ObjectIdentifier(store)] { return known }
            let made = CacheBacklog(store)
            state.backlogs[ObjectIdentifier(store)] = made
            return made
        }
    }

    /// The memory, and every store of the app's that is known.
    var backlogs: [CacheBacklog] { [memory] + state.withLock { Array($0.backlogs.values) } }

    // MARK: Changes

    func noteIgnored(_ names: Set<String>) {
        if names.isEmpty { return }
        state.withLock { if $0.ignored.count < Self.maximumIgnored { $0.ignored.insert(names) } }
    }

    /// URLs as they are, and as answers are stored under them by rules that ignore arguments.
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

    /// Whether nothing is looked up anew.
    var isIdle: Bool { state.withLock { $0.revalidating.isEmpty } }

    func begin(_ revalidation: Revalidation) -> Bool { state.withLock { $0.revalidating.insert(revalidation).inserted } }

    func end(_ revalidation: Revalidation) {
        let idling = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.revalidating.remove(revalidation)
            guard state.revalidating.isEmpty else { return [] }
            defer { state.idling = [] }
            return state.idling
        }
        for continuation in idling { continuation.resume() }
    }

    /// Returns once nothing is looked up anew, or patience has ended.
    func settle(within patience: Duration, _ time: any TimeSource) async {
        if isIdle { return }
        await Self.wait(patience, time) { [self] in
            await withCheckedContinuation { continuation in
                let isIdle = state.withLock { state in
                    if !state.revalidating.isEmpty { state.idling.append(continuation) }
                    return state.revalidating.isEmpty
                }
                if isIdle { continuation.resume() }
            }
        }
    }

    /// Returns once all that was answered is written, or patience with a store that hangs has ended; what waits for it is lost
    /// with the process.
    func flush(within patience: Duration, _ time: any TimeSource = .system) async {
        let slow = backlogs.filter { !$0.isImmediate }
        if slow.isEmpty { return }
        await Self.wait(patience, time) {
            await withTaskGroup { group in
                for backlog in slow { group.addTask { try? await backlog.flush() } }
            }
        }
    }

    /// Returns once the work has ended, or patience has.
    private static func wait(_ patience: Duration, _ time: any TimeSource, for work: @escaping @Sendable () async -> Void) async {
        await withCheckedContinuation { continuation in
            let waiting = Locked<CheckedContinuation<Void, Never>?>(continuation)
            let end: @Sendable () -> Void = {
                let first = waiting.withLock { waiting in
                    defer { waiting = nil }
                    return waiting
                }
                first?.resume()
            }
            // LIFETIME: ends with patience, or below.
            let timer = Task.detached {
                try? await time.sleep(until: time.now + patience)
                end()
            }
            // LIFETIME: ends with the work, such as a store's writing; one that hangs keeps it, and nobody waits for it any more.
            Task.detached {
                await work()
                end()
                timer.cancel()
            }
        }
    }
}
