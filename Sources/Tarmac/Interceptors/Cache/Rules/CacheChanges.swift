/// Which URLs were changed lately: what was asked for before a change and arrives behind it must not be stored (pure).
struct CacheChanges: Sendable {
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
