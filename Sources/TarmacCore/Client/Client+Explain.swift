import HTTPTypes

extension Client {
    /// Returns every setting of a call and the layer that sets it. Nothing is sent.
    ///
    /// A setting that a layer sets is always listed. `settings` adds settings of other modules that no layer sets.
    public func explain<E: Endpoint>(
        _ endpoint: E, listing settings: [AnySetting] = [], configure: (inout Options) -> Void = { _ in }
    ) -> Explanation {
        do {
            let context = try preview(endpoint, Options(configure))
            let (line, request) = requestLine(endpoint, context)
            return Explanation(request: line, settings: context.settings(listing: settings, of: request))
        } catch { return Explanation(request: "\(error)", settings: []) }
    }

    /// Returns the request that a call would send. Nothing is sent.
    ///
    /// The request contains the results of parameter transforms, the header fields, and the service's credentials if
    /// they are already available.
    ///
    /// - Throws: the `TarmacError` that the call would throw.
    public func request<E: Endpoint>(
        for endpoint: E, configure: (inout Options) -> Void = { _ in }
    ) throws -> Request {
        let context = try preview(endpoint, Options(configure))
        do {
            let built = try RequestBuilder(context.options, service: context.scope, delivery: .buffered).build(endpoint)
            return context.previewed(context.stamped(built.request))
        } catch {
            throw (error as? TarmacError ?? TarmacError.foreign(error)).with(context: context.errorContext())
        }
    }

    package func preview<E: Endpoint>(_ endpoint: E, _ call: Options) throws(TarmacError) -> CallContext {
        Flight.makeContext(
            FlightPlan(endpoint), id: 0, runtime: try engine.runtime(endpoint.service), binding: .none, delivery: .buffered, call: call, progress: nil)
    }

    /// The masks say which rule masks a value.
    private func requestLine<E: Endpoint>(_ endpoint: E, _ context: CallContext) -> (String, Request?) {
        do {
            let built = try RequestBuilder(context.options, service: context.scope, delivery: .buffered).build(endpoint)
            context.addSecrets(built.secrets)
            return ("\(built.request.method.rawValue) \(context.redactor.explaining.url(built.request.url))", built.request)
        } catch { return ("\(error)", nil) }
    }
}
