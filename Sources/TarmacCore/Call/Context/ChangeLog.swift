@_spi(TarmacRooms) import TarmacHTTP

/// The changes that a client's calls have made on servers.
///
/// A response that was requested before a change and arrives after it must not be stored or shared as current.
package final class ChangeLog: Sendable {
    private struct State {
        var changes = RecentChanges()
        var observers: [Observer] = []
    }
    /// An observer, held weakly: the client keeps the observers, and an observer keeps the log.
    private struct Observer: Sendable { weak var room: (any ChangeObserver)? }
    private let state = Locked(State())

    /// The number of the last change, for ``isChanged(_:since:)``.
    package var mark: UInt64 { state.withLock { $0.changes.latest } }

    /// Whether a URL was changed after the change with the given number.
    package func isChanged(_ url: String, since mark: UInt64) -> Bool { state.withLock { $0.changes.isChanged(url, since: mark) } }

    package func note(_ urls: [String]) { state.withLock { $0.changes.note(urls) } }

    /// Marks everything as changed.
    package func noteAll() { state.withLock { $0.changes.noteAll() } }

    /// Adds an observer of changes. The log holds it weakly.
    package func add(_ observer: any ChangeObserver) { state.withLock { $0.observers.append(Observer(room: observer)) } }

    /// The objects that store responses.
    package var observers: [any ChangeObserver] { state.withLock { $0.observers.compactMap(\.room) } }

    /// Records changed URLs and informs the observers.
    func note(_ changed: [String], by context: CallContext) async {
        if changed.isEmpty { return }
        let observers = observers
        let urls = observers.reduce(changed) { $1.forms(of: $0) }
        note(urls)
        for observer in observers { await observer.didChange(urls, by: context) }
    }
}

/// An object that stores responses and must not use those that a change makes stale (RFC 9111 §4.4).
package protocol ChangeObserver: AnyObject, Sendable {
    /// Returns the URLs, and the other URLs under which the object stores the same responses.
    func forms(of urls: [String]) -> [String]
    /// Called when the URLs have changed on their server.
    func didChange(_ urls: [String], by context: CallContext) async
}

/// The URLs that were changed recently (pure).
struct RecentChanges: Sendable {
    /// The number of the last change. A request remembers it when it starts.
    private(set) var latest: UInt64 = 0
    private var urls: [String: UInt64] = [:]
    /// The number up to which everything counts as changed.
    private var floor: UInt64 = 0
    private static let maximumURLs = 1024

    mutating func note(_ changed: [String]) {
        latest += 1
        for url in changed { urls[url] = latest }
        if urls.count > Self.maximumURLs { noteAll() }
    }

    /// Marks everything as changed, as after a purge.
    mutating func noteAll() {
        latest += 1
        urls = [:]
        floor = latest
    }

    /// Whether a URL was changed since the change with the given number.
    func isChanged(_ url: String, since mark: UInt64) -> Bool {
        latest != mark && (floor > mark || (urls[url] ?? 0) > mark)
    }
}
