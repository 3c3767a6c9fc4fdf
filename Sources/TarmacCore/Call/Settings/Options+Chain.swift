extension Options {
    /// The interceptors around the whole call. Each runs once, sees the response after redirects, and may return its
    /// own response.
    ///
    /// Layers append; the lowest layer's run outermost. Default: none.
    public var interceptors: [any Interceptor] {
        get { self[Settings.interceptors, empty: []] }
        _modify { yield &self[Settings.interceptors, empty: []] }
    }

    /// The interceptors around every attempt. They run again for each redirect and each retry.
    ///
    /// Layers append; the lowest layer's run outermost. Default: none.
    ///
    /// They run below the cache and below shared calls. Add credentials in ``interceptors`` instead: a response to
    /// credentials that the cache does not know of is not stored.
    public var attemptInterceptors: [any Interceptor] {
        get { self[Settings.attemptInterceptors, empty: []] }
        _modify { yield &self[Settings.attemptInterceptors, empty: []] }
    }

    /// The observers of events. Layers append. Default: none.
    public var observers: [any EventObserver] {
        get { self[Settings.observers, empty: []] }
        _modify { yield &self[Settings.observers, empty: []] }
    }

    /// The hooks that may replace an error before it is thrown. Layers append; the endpoint's and the call's run
    /// last. Default: none.
    public var mapError: [ErrorMapping] {
        get { self[Settings.mapError, empty: []] }
        _modify { yield &self[Settings.mapError, empty: []] }
    }
}

/// A hook that may replace an error, for example to give it another ``TarmacError/userMessage``.
public typealias ErrorMapping = @Sendable (TarmacError) -> TarmacError

extension Settings {
    static let interceptors = Setting("interceptors", \.interceptors) {
        $0.merge = { upper, lower in lower + upper }
        $0.describe = { typeNames($0) }
    }

    static let attemptInterceptors = Setting("attemptInterceptors", \.attemptInterceptors) {
        $0.sharing = .exclusive
        $0.merge = { upper, lower in lower + upper }
        $0.describe = { typeNames($0) }
    }

    static let observers = Setting("observers", \.observers) {
        $0.merge = { upper, lower in lower + upper }
        $0.describe = { typeNames($0) }
    }

    static let mapError = Setting("mapError", \.mapError) {
        $0.merge = { upper, lower in lower + upper }
        $0.describe = { value in value.isEmpty ? "none" : "\(value.count)" }
    }
}
