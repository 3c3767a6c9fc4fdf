@_spi(TarmacRooms) public import TarmacCore
import TarmacResilience
import TarmacSupport

extension Options {
    /// The rule for storing and reusing responses. Default: ``CacheRule/off``, so that no data of a user is stored
    /// unless the app asks for it.
    ///
    /// Set it for a client or a service, and override it for single endpoints. A call that changes a resource
    /// invalidates the stored response of its URL (RFC 9111 §4.4), whatever its own rule is.
    ///
    /// Responses are kept apart by service, environment and principal. The principal is the authenticator's account,
    /// ``Options/principal``, and the credentials that an endpoint or a call sends by itself. If none of these is
    /// present, the credentials that the client or service sends with every call, and the cookies of a jar, are the
    /// principal.
    ///
    /// Downloads to a file use the cache like other calls. Set `.off` to keep large ones out of it.
    public var cache: CacheRule? {
        get { self[CacheOption.self] }
        set { self[CacheOption.self] = newValue }
    }

    /// The place where responses are stored. Default: ``CacheStorePlace/memory``.
    public var cacheStore: CacheStorePlace? {
        get { self[CacheStoreOption.self] }
        set { self[CacheStoreOption.self] = newValue }
    }

    /// A value that stored responses depend on besides the request, such as the id of the user. Default: empty.
    ///
    /// Only a digest of it is stored. A response that ``CacheRule/ttl(_:version:configure:)`` stored under another
    /// value is not used.
    public var cacheSensitiveData: String? {
        get { self[CacheSensitiveDataOption.self] }
        set { self[CacheSensitiveDataOption.self] = newValue }
    }

    /// The version of the app. Default: empty. A response that ``CacheRule/ttl(_:version:configure:)`` stored under
    /// another version is not used.
    public var cacheAppVersion: String? {
        get { self[CacheAppVersionOption.self] }
        set { self[CacheAppVersionOption.self] = newValue }
    }
}

package enum CacheOption: OptionKey {
    package static let name = "cache"
    package static var defaultValue: CacheRule { CacheRule.off }
    package static func merge(_ upper: CacheRule, over lower: CacheRule) -> CacheRule { upper.over(lower) }
    package static func fault(of value: CacheRule) -> String? { value.fault }
    package static func stages(_ rule: CacheRule, in scope: StageScope) -> [SeatedStage] {
        guard rule.isOn, !scope.option(ReachesServer.self) else { return [] }
        return [
            SeatedStage(.cache, CacheInterceptor(settings: CacheSettings(rule, in: scope))),
            SeatedStage(.cacheWire, CacheWireInterceptor()),
        ] + (scope.option(Coalesces.self) ? [] : CallerMarkInterceptor.stages(in: scope))
    }
}

extension CacheOption: ExplainedOption {
    package static func note(_ rule: CacheRule, on request: Request, _ context: CallContext) -> String? {
        guard rule.isOn, CacheSubject.passes(request, context, rule) else { return nil }
        let own = context.principalNow(of: request)?.isNamed == true ? request.headers : nil
        let names = CallerFields.names(of: context.stamped(request).headers, own: own, redactor: context.redactor)
        return names.isEmpty ? nil : "kept apart by " + names.joined(separator: ", ")
    }
}

package enum CacheStoreOption: OptionKey {
    package static let name = "cacheStore"
    package static var defaultValue: CacheStorePlace { CacheStorePlace.memory }
    package static func fault(of value: CacheStorePlace) -> String? { (value.store as? MemoryCacheStore)?.fault }
    /// Returns no stages. A `CacheState` is created so that calls without a cache invalidate entries in the store named
    /// here.
    package static func stages(_ value: CacheStorePlace, in scope: StageScope) -> [SeatedStage] {
        _ = scope.state(CacheState.self)
        return []
    }
}

package enum CacheSensitiveDataOption: OptionKey {
    package static let name = "cacheSensitiveData"
    package static var defaultValue: String { "" }
    package static func describe(_ value: String) -> String { value.isEmpty ? "none" : Redactor.mask }
}

package enum CacheAppVersionOption: OptionKey {
    package static let name = "cacheAppVersion"
    package static var defaultValue: String { "" }
}

extension Seat {
    /// Below redirects, so that each hop is stored separately, and above retries, so that a hit counts as no attempt.
    static let cache = Seat(.answering, order: 10)
    /// Below the cookies, because they are part of what identifies a request.
    static let cacheWire = Seat(.preparing, order: 100)
}
