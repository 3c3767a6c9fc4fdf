/// How a ``Work`` runs.
public struct WorkPlan<Value: Sendable, Progress: Sendable>: Sendable {
    package typealias Perform = nonisolated(nonsending) @Sendable (WorkRun, (@Sendable (Progress) -> Void)?) async throws -> WorkResult<Value>

    package let name: @Sendable () -> String
    package let traits: @Sendable (WorkRun) -> WorkTraits
    package let perform: Perform

    /// Creates a plan.
    ///
    /// - Parameters:
    ///   - name: the name in errors, events and groups.
    ///   - traits: returns the service and the tags that a cancellation looks for. Default: none.
    ///   - perform: runs the work and returns when all of it has ended, also after a failure or a cancellation. It calls the
    ///     second parameter with the progress, in order and on any thread.
    @_spi(TarmacRooms) public init(
        _ name: @escaping @Sendable @autoclosure () -> String, traits: @escaping @Sendable (WorkRun) -> WorkTraits = { _ in WorkTraits() },
        perform: nonisolated(nonsending) @escaping @Sendable (WorkRun, (@Sendable (Progress) -> Void)?) async throws -> WorkResult<Value>
    ) {
        (self.name, self.traits, self.perform) = (name, traits, perform)
    }
}

/// The client and the settings that a work runs with.
@_spi(TarmacRooms) public struct WorkRun: Sendable {
    /// The engine of the client, whose type this folder does not know.
    package let host: any AnyObject & Sendable
    /// The settings of the call, which take precedence over those of the work.
    public var options: Options
    package var binding: CallBinding
    /// The service that receives every call. With `nil`, each endpoint names its own.
    package let service: Service?

    package init(host: any AnyObject & Sendable, _ options: Options, _ binding: CallBinding, to service: Service?) {
        (self.host, self.options, self.binding, self.service) = (host, options, binding, service)
    }

    /// Whether no further part of the work starts.
    package var isCancelled: Bool { Task.isCancelled || binding.isCancelled }
}

/// The result of a work.
@_spi(TarmacRooms) public struct WorkResult<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value
    /// The landing of work that lands one response.
    package let landed: Landed<Value>?
    /// The response, if there is one.
    package let response: Response?

    /// Creates the result of work that has no response or several.
    public init(_ value: Value) { self.init(value, response: nil) }

    package init(_ landed: Landed<Value>) { (value, self.landed, response) = (landed.value, landed, landed.response) }

    package init(_ value: Value, response: Response?) { (self.value, landed, self.response) = (value, nil, response) }
}

/// The properties of a work that a cancellation looks for.
@_spi(TarmacRooms) public struct WorkTraits: Sendable {
    /// The service of its calls, or `nil` for work that may use several.
    public let service: Service?
    private let findTags: @Sendable () -> Set<CallTag>

    /// Makes the properties. The tags are read only when one is looked for.
    public init(service: Service? = nil, tags: @escaping @Sendable @autoclosure () -> Set<CallTag> = []) {
        self.service = service
        findTags = tags
    }

    public var tags: Set<CallTag> { findTags() }
}
