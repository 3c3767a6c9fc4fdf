#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes

/// What the fields of a stored answer say, read once: reading them costs more than deciding.
final class CacheFacts: Sendable {
    let directives: CacheDirectives
    let times: CacheTimes
    let variant: CacheVariant
    /// All of them but Age, which is said anew.
    let fields: HTTPFields
    /// Of the answer they were read of: a validation brings new fields.
    let responseDate: Date

    init(_ entry: CacheEntry) {
        directives = CacheDirectives(entry.headers)
        times = CacheTimes(entry.headers, received: entry.responseDate.timeIntervalSince1970)
        variant = CacheVariant(entry.headers)
        fields = entry.headers.withoutAge
        responseDate = entry.responseDate
    }
}

extension HTTPFields {
    var withoutAge: HTTPFields { contains(.age) ? filter { $0.name != .age } : self }
}
