/// The changes that a client's calls have made on servers. An answer that was asked for before a change and arrives after it
/// must not be stored or shared as if it were new.
package final class ChangeLog: Sendable {
    private struct State {
        var changes = RecentChanges()
        var observers: [Observer] = []
    }
    /// The client keeps its rooms, and a room keeps this.
    private struct Observer: Sendable { weak var room: (any ChangeObserver)? }
    private let state = Locked(State())

    /// The number of the last change, for ``isChanged(_:since:)``.
    package var mark: UInt64 { state.withLock { $0.changes.latest } }

    /// Whether a URL was changed after the change of that number.
    package func isChanged(_ url: String, since mark: UInt64) -> Bool { state.withLock { $0.changes.isChanged(url, since: mark) } }

    package func note(_ urls: [String]) { state.withLock { $0.changes.note(urls) } }

    /// Counts everything as changed.
    package func noteAll() { state.withLock { $0.changes.noteAll() } }

    /// Adds a room that learns of changes. The log holds it weakly.
    package func add(_ observer: any ChangeObserver) { state.withLock { $0.observers.append(Observer(room: observer)) } }

    /// Notes changed URLs, and tells the observers.
    func note(_ changed: [String], by context: CallContext) async {
        if changed.isEmpty { return }
        let observers = state.withLock { $0.observers.compactMap(\.room) }
        let urls = observers.reduce(changed) { $1.forms(of: $0) }
        note(urls)
        for observer in observers { await observer.didChange(urls, by: context) }
    }
}

/// A room that keeps answers, and must not use those that a change makes doubtful (RFC 9111 §4.4).
package protocol ChangeObserver: AnyObject, Sendable {
    /// The URLs, and others under which the room keeps the same answers.
    func forms(of urls: [String]) -> [String]
    /// The URLs have changed on their server.
    func didChange(_ urls: [String], by context: CallContext) async
}

/// The URLs that were changed lately (pure).
struct RecentChanges: Sendable {
    /// The number of the last change: who asks now remembers it.
    private(set) var latest: UInt64 = 0
    private var urls: [String: UInt64] = [:]
    /// Up to here everything counts as changed.
    private var floor: UInt64 = 0
    private static let maximumURLs = 1024

    mutating func note(_ changed: [String]) {
        latest += 1
        for url in changed { urls[url] = latest }
        if urls.count > Self.maximumURLs { noteAll() }
    }

    /// Everything is to be asked for anew, as after a purge.
    mutating func noteAll() {
        latest += 1
        urls = [:]
        floor = latest
    }

    /// Whether a URL was changed since the change of that number.
    func isChanged(_ url: String, since mark: UInt64) -> Bool {
        latest != mark && (floor > mark || (urls[url] ?? 0) > mark)
    }
}
