import HTTPTypes
@_spi(TarmacRooms) import TarmacCore

/// Starts the flight of a stream; the reader cancels the task.
typealias StreamLaunch = @Sendable (StreamHandover) -> Task<Void, Never>

/// The flight of a stream that is read as a sequence: one call with any number of connections.
struct StreamFlight<E: Endpoint>: Sendable {
    let endpoint: E
    let engine: Engine
    let binding: CallBinding
    let options: Options
    let kind: StreamKind
    /// The id after which the stream continues; empty for the beginning.
    var lastEventID = ""

    /// Starts the flight.
    func start(_ handover: StreamHandover) -> Task<Void, Never> {
        // LIFETIME: ends with the flight, which the reader ends: when it is done, cancelled or dropped.
        Task {
            do {
                try await fly(handover)
                handover.close(.success(()))
            } catch {
                handover.close(.failure(error))
            }
        }
    }

    private func fly(_ handover: StreamHandover) async throws {
        let endpoint = endpoint.with { kind.configure(&$0) }
        try await Flight.fly(endpoint, on: engine, for: binding, delivery: .live, call: options) { builder in
            var built = try builder.build(endpoint)
            // Without an id to continue after, a field set by the caller is kept.
            if !lastEventID.isEmpty { try built.request.resume(after: lastEventID) }
            return built
        } land: { flight, response in
            defer { flight.endStream() }
            var first = try await kind.opening(of: response, context: flight.context)
            if lastEventID.isEmpty { first?.lastEventID = flight.context.request?.lastEventID }
            try await StreamReconnector(flight: flight, kind: kind).run(first, handover)
        }
    }
}

extension StreamKind {
    /// Returns the connection that a response opens; `nil` if the response ends the stream.
    func opening(of response: Response, context: CallContext) async throws -> StreamOpening? {
        if isEvents, response.status == .noContent { return nil }
        guard let fault = fault(of: response, accepting: context.options.values.acceptableContentTypes) else {
            // The records of a coded body cannot be separated.
            try response.checkCoding()
            return StreamOpening(response, context: context)
        }
        var response = response
        if case .stream(let stream) = response.body {
            let limit = context.options.values.timeout.duration
            do {
                response.body = .bytes(
                    try await context.outlived(in: .receiving, atMost: limit) { try await stream.first(atMost: ResponseSnapshot.bodyLimit + 1) })
            } catch is CancellationError { throw CancellationError() } catch { response.body = .bytes(.empty) }
        }
        throw fault.with(response: response.snapshot(options: context.documentOptions))
    }
}

extension ByteStream {
    /// Returns the bytes that come first. A body like that of a stream never ends.
    fileprivate func first(atMost limit: Int) async throws -> Bytes {
        for try await chunk in self { return chunk.prefix(limit) }
        return .empty
    }
}

extension Request {
    fileprivate var lastEventID: String? { HTTPField.Name("Last-Event-ID").flatMap { headers[$0] } }

    /// Asks the server to continue after an event (HTML §9.2.4); an id that no field can hold throws
    /// `TarmacError(.invalidParameter)`.
    mutating func resume(after id: String) throws(TarmacError) {
        guard let name = HTTPField.Name("Last-Event-ID") else { return }
        headers[name] = nil
        if !id.isEmpty { headers.append(try HTTPField.checked("Last-Event-ID", id)) }
    }
}
