#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes

/// What CACHE tells the stages below about a request.
struct CacheMark: Sendable {
    /// Whether a 304 is what was asked for.
    var expectsNotModified = false
    /// What a request is stored under whose body is part of the question, such as a POST the app keeps the answers of: those
    /// that ask the same share one.
    var question: CacheKey?
    /// The URL it is stored under, which changes are known by.
    var url: String?
    /// The secret fields of the request: what it is known by.
    let credentials: Set<String>

    init(_ headers: HTTPFields, redactor: Redactor) { credentials = Self.secrets(headers, redactor) }

    /// Whether a request still has the credentials it was looked up with.
    func fits(_ headers: HTTPFields, redactor: Redactor) -> Bool { Self.secrets(headers, redactor) == credentials }

    private static func secrets(_ headers: HTTPFields, _ redactor: Redactor) -> Set<String> {
        Set(headers.lazy.filter { redactor.isSecret($0.name) }.map { "\($0.name.canonicalName): \($0.value)" })
    }
}

/// What the stages below note on a response for CACHE, and CACHE for the landing.
struct CacheTrace: Sendable {
    /// Whether an interceptor below the cache changed the credentials.
    var hasOtherCredentials = false
    /// When the request went out, and the answer was there.
    var sent: Date?
    var received: Date?
    /// Of an answer that several calls share: whoever takes it stores the answer.
    var claim: OneShot?
    /// What it was answered with.
    var entry: CacheReference?
}

/// An entry in its store.
struct CacheReference: Sendable {
    let backlog: CacheBacklog
    let entry: CacheEntry
}

extension Response {
    mutating func note(_ change: (inout CacheTrace) -> Void) {
        var trace = cacheTrace ?? CacheTrace()
        change(&trace)
        cacheTrace = trace
    }

    /// When it was asked for and arrived, for its age (RFC 9111 §4.2.3).
    mutating func noteTimes(sent: Date, received: Date) { note { ($0.sent, $0.received) = (sent, received) } }

    /// Throws away what a hit was made of when it cannot be decoded: it would fail every call until it is past its time.
    func evict(after error: any Error) async {
        guard let reference = cacheTrace?.entry, (error as? TarmacError)?.code.category == .decoding else { return }
        await reference.backlog.remove(.entry(reference.entry.id), for: nil)
    }
}

/// Something that can be taken once.
final class OneShot: Sendable {
    private let isTaken = Locked(false)

    /// Whether this is the first time.
    func take() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }
}
