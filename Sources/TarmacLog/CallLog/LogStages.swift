import HTTPTypes
@_spi(TarmacRooms) import TarmacCore

/// Notes the call as its caller made it, and the response that lands.
struct CallLogStage: Interceptor {
    let log: CallLog
    let client: ObjectIdentifier

    nonisolated(nonsending) func intercept(_ request: TarmacCore.Request, chain: Chain) async throws -> TarmacCore.Response {
        let context = chain.context, key = CallKey(client: client, call: context.id), limit = log.bodies.limit
        var call = RawCall(request, context)
        call.body = RawBody(request.body, limit: limit)
        log.begin(key, call)
        let response = try await chain.proceed(request)
        let head = RawResponse(response, limit: limit)
        // A stored response may repeat the credentials of the service, which no request of this call shows.
        let stamped = head.source == .network ? nil : context.stamped(request)
        log.change(key) { call in
            call.setResponse(head)
            if let stamped { call.stamped = stamped }
        }
        return response
    }
}

/// Notes each request as the transport gets it, and its response.
struct WireLogStage: Interceptor {
    let log: CallLog
    let client: ObjectIdentifier

    nonisolated(nonsending) func intercept(_ request: TarmacCore.Request, chain: Chain) async throws -> TarmacCore.Response {
        let context = chain.context, key = CallKey(client: client, call: context.id), mark = chain[AttemptMark.self], now = context.time.moment
        let body = mark?.body ?? RawBody(request.body, limit: 0)
        guard let number = log.change(key, { $0.begin(request, body: body, at: now) }) else { return try await chain.proceed(request) }
        mark?.set(number)
        do {
            let response = try await chain.proceed(request)
            let head = RawResponse(response, limit: 0)
            log.change(key) { $0.change(number) { $0.response = head } }
            return response
        } catch {
            let failure = CallLog.Failure(raw: error)
            log.change(key) { $0.change(number) { $0.failure = failure } }
            throw error
        }
    }
}

/// Keeps the beginning of the bodies of each attempt, where they are readable.
struct BodyLogStage: Interceptor {
    let log: CallLog
    let client: ObjectIdentifier

    nonisolated(nonsending) func intercept(_ request: TarmacCore.Request, chain: Chain) async throws -> TarmacCore.Response {
        let key = CallKey(client: client, call: chain.context.id), limit = log.bodies.limit
        let mark = AttemptMark(RawBody(request.body, limit: limit))
        var request = request
        if let stream = request.body.plainStream {
            let body = request.body
            let copied = LoggedStream.wrap(stream, limit: limit) { [log, mark] kept in
                if let number = mark.number { log.change(key) { $0.change(number) { $0.body = kept } } }
            }
            request.body = .stream(copied, length: body.length, isReplayable: body.isReplayable, contentType: body.contentType)
        }
        var response = try await chain.attaching(mark).proceed(request)
        guard let number = mark.number else { return response }
        switch response.body {
        case .bytes(let bytes):
            let kept = RawBody(bytes, limit: limit)
            log.change(key) { $0.change(number) { $0.response?.body = kept } }
        case .stream(let stream):
            response.body = .stream(
                LoggedStream.wrap(stream, limit: limit) { [log] kept in
                    log.change(key) { $0.change(number) { $0.response?.body = kept } }
                })
        }
        return response
    }
}

/// The attempt that a stage above has begun, for the stage at the wire.
final class AttemptMark: Attachment {
    /// The body of the request before it was compressed.
    let body: RawBody
    private let value = Locked<Int?>(nil)

    init(_ body: RawBody) { self.body = body }

    var number: Int? { value.withLock { $0 } }

    func set(_ number: Int) { value.withLock { $0 = number } }
}

extension TarmacCore.Body {
    /// The stream of a body that may be copied while it is sent. Parts have an outline, and sources that never wait are read elsewhere.
    fileprivate var plainStream: ByteStream? {
        if case .stream(let stream) = content, !stream.isSteady, stream.outline == nil { stream } else { nil }
    }
}

extension CallLog.Failure {
    /// An error as it was thrown, with its secrets.
    init(raw error: any Error) {
        if error is CancellationError { self.init(code: "cancelled", text: "cancelled") } else if let known = error as? TarmacError {
            self.init(code: known.code.name, text: known.description)
        } else {
            self.init(code: "transportFailed", text: "\(type(of: error))")
        }
    }
}
