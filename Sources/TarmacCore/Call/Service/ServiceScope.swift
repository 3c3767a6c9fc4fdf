/// A service in one environment, as modules see it: its hosts, its client, and the state that modules keep for it.
public final class ServiceScope: Sendable {
    /// The service's name.
    public var name: String { service.name }
    public let environment: ServiceEnvironment
    /// The client that the service belongs to.
    public let client: ClientScope
    package let service: Service
    package let hosts: Hosts?
    let origins: [WebOrigin]
    private let states = StateTable()

    init(_ service: Service, environment: ServiceEnvironment, client: ClientScope) {
        self.service = service
        self.environment = environment
        self.client = client
        hosts = service.hosts(in: environment)
        origins = hosts?.origins ?? []
    }

    /// The clocks.
    public var time: any TimeSource { client.time }

    /// Returns the state of a type, and creates it on first use.
    public func state<State: ServiceState>(_ type: State.Type) -> State { states.state(type) { State(self) } }

    /// Returns the state of a type, or `nil` if it has not been created yet.
    package func existingState<State: ServiceState>(_ type: State.Type) -> State? { states.known(type) }

    /// Whether a request to `origin` stays within the service.
    package func owns(_ origin: WebOrigin) -> Bool { origins.contains(origin) }

    func close() { for state in states.all { (state as? any ServiceState)?.close() } }
}

/// The values that a setting makes its stage from: the service and the resolved values of other settings.
public struct StageScope: Sendable {
    public let service: ServiceScope
    package let values: OptionValues
    /// Whether client or service give requests header fields or fixed credentials.
    var stamps = false

    package init(_ service: ServiceScope, _ values: OptionValues) {
        self.service = service
        self.values = values
    }

    /// Returns the resolved value of another setting.
    public func option<Value>(_ setting: Setting<Value>) -> Value { values.value(of: setting) }

    /// Returns the module's state for the service.
    public func state<State: ServiceState>(_ type: State.Type) -> State { service.state(type) }

    /// Returns the module's state for the client.
    public func state<State: ClientState>(_ type: State.Type) -> State { service.client.state(type) }
}
