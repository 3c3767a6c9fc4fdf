#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Applies the changes of a jar since it last saved to the currently saved cookies, which others may have changed too
/// (pure).
struct CookieMerge {
    /// By the text of the principal.
    typealias Shelves = [String: [Cookie]]
    private typealias Table = [Key: Cookie]
    private struct Key: Hashable {
        let name, path: [UInt8]
        let domain: String
        let isHostOnly: Bool
    }

    /// The cookies that the jar saved last.
    let base: Shelves
    /// The current cookies of the jar.
    let mine: Shelves
    let date: Date

    func applied(to theirs: Shelves) -> Shelves {
        var merged = theirs
        for text in Set(base.keys).union(mine.keys) {
            merged[text] = merge(Self.table(base[text]), Self.table(mine[text]), into: Self.table(theirs[text]))
        }
        return merged.mapValues { $0.filter { !$0.isExpired(at: date) } }.filter { !$0.value.isEmpty }
    }

    private func merge(_ base: Table, _ mine: Table, into theirs: Table) -> [Cookie] {
        var merged = theirs
        for (key, cookie) in mine {
            let isChanged = base[key].map { !cookie.isLike($0) } ?? true
            // If no other jar has changed the cookie, this jar knows its last use.
            if isChanged || theirs[key]?.isLike(cookie) == true { merged[key] = cookie }
        }
        for (key, cookie) in base where mine[key] == nil {
            // A cookie that only expired here may have been set again elsewhere.
            if !cookie.isExpired(at: date) || theirs[key]?.isLike(cookie) == true { merged[key] = nil }
        }
        return merged.values.sorted { ($0.domain, $0.path, $0.name) < ($1.domain, $1.path, $1.name) }
    }

    private static func table(_ cookies: [Cookie]?) -> Table {
        Table((cookies ?? []).map { (Key(name: Array($0.name.utf8), path: Array($0.path.utf8), domain: $0.domain, isHostOnly: $0.isHostOnly), $0) }) { $1 }
    }
}

extension Cookie {
    /// Whether both cookies are equal apart from their last use.
    fileprivate func isLike(_ other: Cookie) -> Bool {
        var other = other
        other.lastUsed = lastUsed
        return self == other
    }
}
