#if SQLite
import GRDB
@_spi(TarmacRooms) import TarmacCache

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A selection of entries as SQL.
struct CacheConditions: Sendable {
    private(set) var sql = "1"
    private(set) var arguments = StatementArguments()
    /// Whether the SQL covers the whole selection. Otherwise each entry must be checked: the database cannot tell the
    /// prefix of a URL in a sealed cache, nor the principals of an entry in any cache.
    private(set) var isWhole = true

    init(_ selection: CacheSelection, _ veil: CacheKeyDigester) {
        if let id = selection.id { add("id = ?", Int64(bitPattern: id)) }
        if let key = selection.key { add("place = ?", veil.name(key.text)) }
        if let service = selection.service { add("service = ?", veil.name(service)) }
        if let environment = selection.environment { add("environment = ?", veil.name(environment)) }
        if let url = selection.url { add("url = ?", veil.name(url)) }
        if let tag = selection.tag { add("id IN (SELECT entry FROM cache_tag WHERE tag = ?)", veil.name(tag)) }
        if let date = selection.olderThan { add("stored < ?", date.timeIntervalSince1970) }
        if let principal = selection.principal {
            // A principal may be a part of the column's text, in hexadecimal digits if it is not ASCII.
            isWhole = false
            if !veil.isSealed, principal.utf8.allSatisfy({ $0 < 0x80 }) { add("instr(principal, ?) > 0", principal) }
        }
        guard let prefix = selection.urlPrefix else { return }
        if veil.isSealed {
            isWhole = false
        } else {
            // The index finds the first URL; substr compares the prefix, with no wildcards to escape.
            add("url >= ?", prefix)
            add("substr(url, 1, length(?)) = ?", prefix)
            arguments += [prefix]
        }
    }

    private mutating func add(_ condition: String, _ value: some DatabaseValueConvertible) {
        sql += " AND \(condition)"
        arguments += [value]
    }
}
#endif
