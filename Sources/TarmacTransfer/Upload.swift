import HTTPTypes
@_spi(TarmacRooms) public import TarmacCore

/// A call with a body that may be large. Its value is that of the call.
///
/// Files and streams are read while they are sent, so memory use stays constant.
///
/// ```swift
/// let photo = try await client.send(Upload(.file(path), to: PostPhoto()), progress: { bar.update($0.fraction) })
/// try await client.send(Upload(.multipart([.field("title", "Sunrise"), .file("photo", path)]), to: PostPhoto()))
/// ```
/// The body replaces the endpoint's own. Parameters that the route's template does not name become fields of a
/// multipart form, before its files; with any other body they go into the query, and `@Field` and `@WholeBody` are
/// errors. An upload may take as long as bytes keep moving: ``Options/timeout`` counts from the last byte sent to the end of
/// the response, and ``Options/idleTimeout`` ends a body that stalls. ``Options/deadline`` limits the whole call.
///
/// The progress is the bytes sent so far, at most 20 times a second and once at the end. It starts over after a redirect
/// or a resend. A paused upload (``CallHandle/pause()``) starts from the beginning when it is resumed, so its body must be
/// replayable.
public struct Upload<Value: Sendable>: PausableWork, EndpointWork {
    public typealias WorkProgress = TransferProgress

    /// The call that carries or creates the upload, with the body in place of its own.
    package let endpoint: any Endpoint
    /// The source and the protocol of an upload that another module makes resumable.
    package let source: (any Sendable)?
    private let fly: WorkPlan<Value, TransferProgress>.Perform

    /// Creates an upload in which another module says how it is sent.
    package init<E: Endpoint>(to endpoint: E, from source: (any Sendable)? = nil, fly: @escaping WorkPlan<Value, TransferProgress>.Perform) {
        self.endpoint = endpoint
        self.source = source
        self.fly = fly
    }

    /// Creates an upload of a body as the body of `endpoint`.
    public init<E: Endpoint>(_ body: Body, to endpoint: E) where E.Value == Value {
        let endpoint = UploadEndpoint(base: endpoint, content: body)
        self.init(to: endpoint) { run, progress in
            let landed = try await Flight.fly(
                endpoint, on: run.engine, for: run.binding, to: run.service, delivery: .buffered, call: run.options, restartsTimeout: true,
                progress: progress
            ) { builder in
                try builder.build(endpoint)
            } respond: { flight, request in
                try await flight.pausable { try await flight.answer(to: try await flight.keyed(request, name: flight.givenKey(of: request))) }
            } land: { flight, response in
                let context = flight.context
                if context.option(Settings.storedCall).refusesPages {
                    try PortalPage.check(response, accepting: context.request?.headers[.accept], context)
                }
                return try await flight.landed(endpoint, endpoint.landing, response)
            }
            return WorkResult(landed)
        }
    }

    public var _plan: WorkPlan<Value, TransferProgress> {
        WorkPlan(endpoint.endpointName) {
            endpoint.traits(in: $0)
        } perform: { run, progress in
            try await run.pausable { try await fly($0, progress) }
        }
    }
}

/// A transfer of the call of one endpoint.
package protocol EndpointWork {
    var endpoint: any Endpoint { get }
}

extension Upload: MaskedReflectable {
    /// The endpoint's name, never its parameters, because they may be secret.
    public var description: String { endpoint.endpointName }
}
