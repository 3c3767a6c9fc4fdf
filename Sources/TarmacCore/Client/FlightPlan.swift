/// The part of an endpoint that a flight needs, without the type of its value.
package struct FlightPlan {
    /// The endpoint's name.
    let name: String
    /// The service that receives the call.
    let service: Service
    /// The endpoint's layer of settings.
    let options: Options
    let needsJSON: Bool
    /// The media types the landing can read.
    let accepts: AcceptableContentTypes
    let ignoresBody: Bool

    package init<E: Endpoint>(_ endpoint: E) { self.init(endpoint, endpoint.landing, to: nil) }

    /// - Parameters:
    ///   - landing: the endpoint's landing. Making it twice would cost time.
    ///   - service: the service that receives the call. With `nil`, the endpoint names it.
    init<E: Endpoint>(_ endpoint: E, _ landing: Landing<E.Value>, to service: Service?) {
        let name = endpoint.endpointName
        let landing = landing.of(name)
        self.name = name
        self.service = service ?? endpoint.service
        // A closure of its own: a reference to the method would be allocated.
        options = Options { endpoint.configure(&$0) }
        needsJSON = landing.needsJSON
        accepts = landing.accepts
        ignoresBody = landing.ignoresBody
    }

    /// - Parameter landing: the landing for the type of the value, or `nil` for a call without a value.
    init(_ inline: InlineCall, to service: Service?, as landing: TypeLanding?) {
        name = inline.endpointName
        self.service = service ?? inline.service
        options = inline.options
        needsJSON = landing?.needsJSON ?? false
        accepts = landing?.accepts ?? .any
        ignoresBody = landing == nil
    }

    /// Returns the settings of a call: those of the service with the layers of the endpoint and of the call.
    package func resolved(_ runtime: ServiceRuntime, _ call: Options) -> ResolvedOptions {
        if options.isEmpty, call.isEmpty { return runtime.options }
        return runtime.options.adding([OptionLayer(origin: .endpoint(name), options: options), OptionLayer(origin: .call, options: call)])
    }
}
