extension Options {
    /// The interceptors around the whole call. Each runs once, sees the response after redirects, and may return its
    /// own response.
    ///
    /// Layers append; the lowest layer's run outermost. Default: none.
    public var interceptors: [any Interceptor] {
        get { self[Interceptors.self, empty: []] }
        _modify { yield &self[Interceptors.self, empty: []] }
    }

    /// The interceptors around every attempt. They run again for each redirect and each retry.
    ///
    /// Layers append; the lowest layer's run outermost. Default: none.
    ///
    /// They run below the cache and below shared calls. Add credentials in ``interceptors`` instead: a response to
    /// credentials that the cache does not know of is not stored.
    public var attemptInterceptors: [any Interceptor] {
        get { self[AttemptInterceptors.self, empty: []] }
        _modify { yield &self[AttemptInterceptors.self, empty: []] }
    }

    /// The observers of events. Layers append. Default: none.
    public var observers: [any EventObserver] {
        get { self[Observers.self, empty: []] }
        _modify { yield &self[Observers.self, empty: []] }
    }

    /// The hooks that may replace an error before it is thrown. Layers append; the endpoint's and the call's run
    /// last. Default: none.
    public var mapError: [ErrorMapping] {
        get { self[MapError.self, empty: []] }
        _modify { yield &self[MapError.self, empty: []] }
    }
}

/// A hook that may replace an error, for example to give it another ``TarmacError/userMessage``.
public typealias ErrorMapping = @Sendable (TarmacError) -> TarmacError

enum Interceptors: KernelOption {
    static let name = "interceptors"
    typealias Value = [any Interceptor]
    static var field: WritableKeyPath<OptionValues, [any Interceptor]> { \.interceptors }
    static func merge(_ upper: [any Interceptor], over lower: [any Interceptor]) -> [any Interceptor] { lower + upper }
    static func describe(_ value: [any Interceptor]) -> String { typeNames(value) }
}

enum AttemptInterceptors: KernelOption {
    static let name = "attemptInterceptors"
    static var sharing: ResponseSharing { .exclusive }
    typealias Value = [any Interceptor]
    static var field: WritableKeyPath<OptionValues, [any Interceptor]> { \.attemptInterceptors }
    static func merge(_ upper: [any Interceptor], over lower: [any Interceptor]) -> [any Interceptor] { lower + upper }
    static func describe(_ value: [any Interceptor]) -> String { typeNames(value) }
}

enum Observers: KernelOption {
    static let name = "observers"
    typealias Value = [any EventObserver]
    static var field: WritableKeyPath<OptionValues, [any EventObserver]> { \.observers }
    static func merge(_ upper: [any EventObserver], over lower: [any EventObserver]) -> [any EventObserver] { lower + upper }
    static func describe(_ value: [any EventObserver]) -> String { typeNames(value) }
}

enum MapError: KernelOption {
    static let name = "mapError"
    typealias Value = [ErrorMapping]
    static var field: WritableKeyPath<OptionValues, [ErrorMapping]> { \.mapError }
    static func merge(_ upper: [ErrorMapping], over lower: [ErrorMapping]) -> [ErrorMapping] { lower + upper }
    static func describe(_ value: [ErrorMapping]) -> String { value.isEmpty ? "none" : "\(value.count)" }
}
