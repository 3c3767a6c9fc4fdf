public import TarmacCore

extension Options {
    /// Whether answers are kept and used again, and by whose word: ``CacheRule``. Default: ``CacheRule/off``, so that nothing of a
    /// user's is kept that the app did not say.
    ///
    /// Set it for a client or service, and for endpoints what differs there. A call that changes something has what is stored
    /// of its URL asked for anew (RFC 9111 §4.4) whatever its own rule is.
    ///
    /// Answers are kept apart by service, environment and whose they are: the authenticator's account, ``Options/principal``,
    /// and the credentials an endpoint or a call sends by itself. Those that client and service send with all calls, and a jar's
    /// cookies, count where none of the former names anybody. Downloads to a file are answered from what is stored and stored themselves
    /// as any other call; `.off` keeps large ones out.
    public var cache: CacheRule? {
        get { self[CacheOption.self] }
        set { self[CacheOption.self] = newValue }
    }

    /// Where answers are kept. Default: ``CacheStorePlace/memory``.
    public var cacheStore: CacheStorePlace? {
        get { self[CacheStoreOption.self] }
        set { self[CacheStoreOption.self] = newValue }
    }

    /// What stored answers depend on besides the request, such as the id of who is logged in; kept as a digest. Answers that
    /// ``CacheRule/ttl(_:version:configure:)`` stored under another are not used (YTK-28). Default: empty.
    public var cacheSensitiveData: String? {
        get { self[CacheSensitiveDataOption.self] }
        set { self[CacheSensitiveDataOption.self] = newValue }
    }

    /// The version of the app: answers that ``CacheRule/ttl(_:version:configure:)`` stored under another are not used (YTK-29).
    /// Default: empty.
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
        ]
    }
}

package enum CacheStoreOption: OptionKey {
    package static let name = "cacheStore"
    package static var defaultValue: CacheStorePlace { CacheStorePlace.memory }
    /// None; but a store that is named is purged of what calls without a cache change.
    package static func stages(_ value: CacheStorePlace, in scope: StageScope) -> [SeatedStage] {
        _ = scope.state(CacheShelf.self)
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
    /// Below redirect, so that each hop is stored by itself, and above retry, so that a hit passes no attempt.
    static let cache = Seat(.answering, order: 10)
    /// Below the cookies, which are part of what the cache knows a request by.
    static let cacheWire = Seat(.preparing, order: 100)
}
