#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
@_spi(TarmacRooms) import TarmacCore

/// The parsed fields of a stored response. They are kept, because parsing costs more than deciding.
final class CacheFacts: Sendable {
    let directives: CacheDirectives
    let times: CacheTimes
    let variant: CacheVariant
    /// All fields except Age, which is computed for each hit.
    let fields: HTTPFields
    /// The arrival time of the response that was parsed. A validation brings new fields.
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

    /// Returns the fields of a hit. All hits within one second share them.
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
