#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCore

/// What the fields of a stored answer say, read once: reading them costs more than deciding.
final class CacheFacts: Sendable {
    let directives: CacheDirectives
    let times: CacheTimes
    let variant: CacheVariant
    /// All of them but Age, which is said anew.
    let fields: HTTPFields
    /// Of the answer they were read of: a validation brings new fields.
    let responseDate: Date
    private let latest = Locked<Hit?>(nil)

    private struct Hit {
        let age: Int
        let timeToLive: Int
        let fields: HTTPFields
    }

    init(_ entry: CacheEntry) {
        directives = CacheDirectives(entry.headers)
        times = CacheTimes(entry.headers, received: entry.responseDate.timeIntervalSince1970)
        variant = CacheVariant(entry.headers)
        fields = entry.headers.withoutAge
        responseDate = entry.responseDate
    }

    /// The fields of a hit, which all hits of one second share.
    func fields(_ freshness: CacheFreshness) -> HTTPFields {
        let age = freshness.ageField, timeToLive = freshness.timeToLiveField
        let known = latest.withLock { hit in hit.flatMap { $0.age == age && $0.timeToLive == timeToLive ? $0.fields : nil } }
        if let known { return known }
        var fields = fields
        fields.append(HTTPField(name: .age, value: String(age)))
        fields.append(HTTPField(name: .cacheStatus, value: CacheStatusField(outcome: .hit(timeToLive: timeToLive)).text))
        latest.withLock { [fields] in $0 = Hit(age: age, timeToLive: timeToLive, fields: fields) }
        return fields
    }
}

extension HTTPFields {
    var withoutAge: HTTPFields { contains(.age) ? filter { $0.name != .age } : self }
}
