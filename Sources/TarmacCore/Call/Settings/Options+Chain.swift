extension Options {
    /// Interceptors around the whole call: each runs once, sees redirects followed and may answer by itself. Layers
    /// append; the lowest layer's run outermost. Default: none.
    public var interceptors: [any Interceptor] {
        get { self[Interceptors.self] ?? [] }
        set { self[Interceptors.self] = newValue }
    }

    /// Interceptors around every attempt: each redirect hop and each further try passes them again. Layers append; the
    /// lowest layer's run outermost. Default: none.
    ///
    /// They run below the cache and calls that are shared. What adds credentials belongs into ``interceptors``: an answer to
    /// others than the cache knows of is not cached.
    public var attemptInterceptors: [any Interceptor] {
        get { self[AttemptInterceptors.self] ?? [] }
        set { self[AttemptInterceptors.self] = newValue }
    }

    /// Observers of events. Layers append. Default: none.
    public var observers: [any EventObserver] {
        get { self[Observers.self] ?? [] }
        set { self[Observers.self] = newValue }
    }

    /// Hooks that may replace an error on its way out. Layers append; the endpoint's and the call's run last.
    /// Default: none.
    public var mapError: [ErrorMapping] {
        get { self[MapError.self] ?? [] }
        set { self[MapError.self] = newValue }
    }
}

/// A hook that may replace an error, for instance to give it another ``TarmacError/userMessage``.
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
    static var sharing: AnswerSharing { .exclusive }
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
