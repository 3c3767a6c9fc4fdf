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
        get { self[Settings.cache] }
        set { self[Settings.cache] = newValue }
    }

    /// The place where responses are stored. Default: ``CacheStorePlace/memory``.
    public var cacheStore: CacheStorePlace? {
        get { self[Settings.cacheStore] }
        set { self[Settings.cacheStore] = newValue }
    }

    /// A value that stored responses depend on besides the request, such as the id of the user. Default: empty.
    ///
    /// Only a digest of it is stored. A response that ``CacheRule/ttl(_:version:configure:)`` stored under another
    /// value is not used.
    public var cacheSensitiveData: String? {
        get { self[Settings.cacheSensitiveData] }
        set { self[Settings.cacheSensitiveData] = newValue }
    }

    /// The version of the app. Default: empty. A response that ``CacheRule/ttl(_:version:configure:)`` stored under
    /// another version is not used.
    public var cacheAppVersion: String? {
        get { self[Settings.cacheAppVersion] }
        set { self[Settings.cacheAppVersion] = newValue }
    }
}

extension Settings {
    package static let cache = Setting<CacheRule>("cache", default: .off) {
        $0.merge = { upper, lower in upper.over(lower) }
        $0.fault = { $0.fault }
        $0.stages = { rule, scope in
            guard rule.isOn, !scope.option(Settings.reachesServer) else { return [] }
            return [
                SeatedStage(.cache, CacheInterceptor(settings: CacheSettings(rule, in: scope))),
                SeatedStage(.cacheWire, CacheWireInterceptor()),
            ] + (scope.option(Settings.coalesces) ? [] : CallerMarkInterceptor.stages(in: scope))
        }
        $0.note = { rule, request, context in
            guard rule.isOn, CacheSubject.passes(request, context, rule) else { return nil }
            let own = context.principalNow(of: request)?.isNamed == true ? request.headers : nil
            let names = CallerFields.names(of: context.stamped(request).headers, own: own, redactor: context.redactor)
            return names.isEmpty ? nil : "kept apart by " + names.joined(separator: ", ")
        }
    }

    package static let cacheStore = Setting<CacheStorePlace>("cacheStore", default: .memory) {
        $0.fault = { value in (value.store as? MemoryCacheStore)?.fault }
        // Returns no stages. A `CacheState` is created so that calls without a cache invalidate entries in the store named
        // here.
        $0.stages = { _, scope in
            _ = scope.state(CacheState.self)
            return []
        }
    }

    package static let cacheSensitiveData = Setting("cacheSensitiveData", default: "") {
        $0.describe = { value in value.isEmpty ? "none" : Redactor.mask }
    }

    package static let cacheAppVersion = Setting("cacheAppVersion", default: "")
}

extension Seat {
    /// Below redirects, so that each hop is stored separately, and above retries, so that a hit counts as no attempt.
    static let cache = Seat(.answering, order: 10)
    /// Below the cookies, because they are part of what identifies a request.
    static let cacheWire = Seat(.preparing, order: 100)
}
