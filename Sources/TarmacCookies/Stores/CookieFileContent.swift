#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacSupport

/// The content of a cookie file (pure).
///
/// The first line has all cookies at some time. Each later line has the changes of one write and starts with a newline,
/// so that a line that was cut off is a line of its own. Some file systems leave zeros in place of a write that was cut
/// off, also of the newline it began with; a line ends at the first of them.
struct CookieFileContent {
    /// The cookies after all changes.
    let cookies: [String: [Cookie]]
    /// The number of bytes before the changes.
    let snapshotSize: Int

    private struct Snapshot: Codable {
        var version = 1
        var principals: [String: [Cookie]]
    }

    private struct Line: Codable {
        /// By the text of the principal.
        var changes: [String: [CookieLine]]
    }

    init(_ bytes: [UInt8]) throws(UnusableContent) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { $0.prefix { $0 != 0 } }
        let decoder = JSONDecoder()
        // The cause is left out, because it could quote a cookie.
        guard let first = lines.first, let snapshot = try? decoder.decode(Snapshot.self, from: Data(first)) else {
            throw UnusableContent("is damaged")
        }
        guard snapshot.version == 1 else { throw UnusableContent("has the unknown version \(snapshot.version)") }
        snapshotSize = first.count
        cookies = Self.cookies(snapshot.principals, lines.dropFirst().lazy.compactMap { try? decoder.decode(Line.self, from: Data($0)) })
    }

    private static func cookies(_ saved: [String: [Cookie]], _ lines: some Sequence<Line>) -> [String: [Cookie]] {
        var tables: [String: [CookieKey: Cookie]] = [:]
        for line in lines {
            for (principal, changes) in line.changes {
                var table = tables[principal] ?? Dictionary(saved[principal, default: []].map { (CookieKey($0), $0) }) { $1 }
                tables[principal] = nil
                for change in changes { change.change.apply(to: &table) }
                tables[principal] = table
            }
        }
        return saved.merging(tables.mapValues { Array($0.values).inOrder }) { $1 }.filter { !$0.value.isEmpty }
    }

    static func snapshot(of cookies: [String: [Cookie]]) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return [UInt8](try encoder.encode(Snapshot(principals: cookies)))
    }

    /// Returns the cookies without those that were unused for longest, which take about `bytes` bytes. At least one is dropped.
    static func dropping(_ bytes: Int, of cookies: [String: [Cookie]]) -> [String: [Cookie]] {
        let all = cookies.flatMap { principal, cookies in cookies.map { (principal: principal, cookie: $0) } }
        var dropped: [String: Set<CookieKey>] = [:], rest = bytes
        for (principal, cookie) in all.sorted(by: { $0.cookie.lastUsed < $1.cookie.lastUsed }) {
            if rest <= 0, !dropped.isEmpty { break }
            dropped[principal, default: []].insert(CookieKey(cookie))
            rest -= cookie.name.utf8.count + cookie.value.utf8.count + cookie.domain.utf8.count + cookie.path.utf8.count + fieldNames
        }
        let kept = cookies.map { principal, cookies in (principal, cookies.filter { dropped[principal]?.contains(CookieKey($0)) != true }) }
        return Dictionary(uniqueKeysWithValues: kept).filter { !$0.value.isEmpty }
    }

    /// About the bytes of a cookie in JSON besides its texts.
    private static let fieldNames = 180

    static func line(of changes: CookieChanges) throws -> [UInt8] {
        [UInt8(ascii: "\n")] + (try JSONEncoder().encode(Line(changes: changes.principals.mapValues { $0.map { CookieLine($0) } })))
    }

    /// The size from which a file is replaced as a whole: the changes take more space than the cookies. Small files may
    /// have more changes.
    static func isWorthReplacing(size: Int, snapshotSize: Int) -> Bool { size - snapshotSize > max(snapshotSize, 64 << 10) }
}

/// A change as it is written.
private struct CookieLine: Codable {
    enum Kind: String, Codable { case set, used, removed, expired }
    let kind: Kind
    let cookie: Cookie

    init(_ change: CookieChanges.Change) {
        switch change {
        case .set(let cookie): (kind, self.cookie) = (.set, cookie)
        case .used(let cookie): (kind, self.cookie) = (.used, cookie)
        case .removed(let cookie): (kind, self.cookie) = (.removed, cookie.withoutValue)
        case .expired(let cookie): (kind, self.cookie) = (.expired, cookie)
        }
    }

    var change: CookieChanges.Change {
        switch kind {
        case .set: .set(cookie)
        case .used: .used(cookie)
        case .removed: .removed(cookie)
        case .expired: .expired(cookie)
        }
    }
}

extension Cookie {
    /// A removed cookie is found by its name, domain and path. Its value is not written.
    fileprivate var withoutValue: Cookie {
        Cookie(
            name: name, value: "", domain: domain, path: path, expires: expires, isHostOnly: isHostOnly, isSecure: isSecure, isHTTPOnly: isHTTPOnly,
            sameSite: sameSite, created: created, lastUsed: lastUsed)
    }
}

extension [Cookie] {
    /// The cookies by domain, path and name.
    var inOrder: [Cookie] { sorted { ($0.domain, $0.path, $0.name) < ($1.domain, $1.path, $1.name) } }
}
