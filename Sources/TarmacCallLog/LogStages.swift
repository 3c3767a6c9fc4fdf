import HTTPTypes
@_spi(TarmacRooms) import TarmacCore

/// The values that the stages of a log share. One reference, because the chain copies its stages in each call; a call keeps the scope alone, because
/// the log keeps the call.
final class LogSeat: Sendable {
    let log: CallLog
    let scope: LogScope

    init(_ log: CallLog, _ scope: LogScope) { (self.log, self.scope) = (log, scope) }
}

/// Notes the call as its caller made it, and the response that lands.
struct CallLogStage: Interceptor {
    let seat: LogSeat

    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: TarmacCore.Request, chain: Chain) async throws -> TarmacCore.Response {
        let log = seat.log, record = log.begin(request, chain.context, seat.scope)
        do {
            let response = try await chain.proceed(request)
            log.land(record, response, request, chain.context)
            return response
        } catch {
            log.fail(record, error, request, chain.context)
            throw error
        }
    }
}

/// Notes each request as the transport gets it, and its response.
struct WireLogStage: Interceptor {
    let seat: LogSeat

    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: TarmacCore.Request, chain: Chain) async throws -> TarmacCore.Response {
        let log = seat.log
        guard let attempt = log.beginAttempt(request, chain, seat.scope) else { return try await chain.proceed(request) }
        do {
            let response = try await chain.proceed(request)
            log.endAttempt(attempt, response, chain.context)
            return response
        } catch {
            log.endAttempt(attempt, error, chain.context)
            throw error
        }
    }
}

/// Keeps the beginning of the bodies of each attempt, where they are readable.
struct BodyLogStage: Interceptor {
    let log: CallLog

    nonisolated(nonsending) func intercept(_ request: TarmacCore.Request, chain: Chain) async throws -> TarmacCore.Response {
        let limit = log.bodies.limit, mark = AttemptMark(RawBody(request.body, limit: limit))
        var response = try await chain.attaching(mark).proceed(copying(request, mark))
        guard let attempt = mark.attempt else { return response }
        switch response.body {
        case .bytes(let bytes):
            let kept = RawBody(bytes, limit: limit)
            log.change(attempt) { $0.response?.body = kept }
        case .stream(let stream):
            response.body = .stream(LoggedStream.wrap(stream, limit: limit) { [log] kept in log.change(attempt) { $0.response?.body = kept } })
        }
        return response
    }

    /// Returns the request with a stream that is copied while it is sent.
    private func copying(_ request: TarmacCore.Request, _ mark: AttemptMark) -> TarmacCore.Request {
        guard let stream = request.body.plainStream else { return request }
        var request = request
        let body = request.body
        let copied = LoggedStream.wrap(stream, limit: log.bodies.limit) { [log] kept in
            if let attempt = mark.attempt { log.change(attempt) { $0.body = kept } }
        }
        request.body = .stream(copied, length: body.length, isReplayable: body.isReplayable, contentType: body.contentType)
        return request
    }
}

/// An attempt of a call in the log.
struct LoggedAttempt: Sendable {
    let record: CallRecord
    let number: Int
}

/// The attempt that a stage above has begun, for the stage at the wire.
final class AttemptMark: Attachment {
    /// The body of the request before it was compressed.
    let body: RawBody?
    private let value = Locked<LoggedAttempt?>(nil)

    init(_ body: RawBody?) { self.body = body }

    var attempt: LoggedAttempt? { value.withLock { $0 } }

    func set(_ attempt: LoggedAttempt) { value.withLock { $0 = attempt } }
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
        if error is CancellationError {
            self.init(code: "cancelled", text: "cancelled")
        } else if let known = error as? TarmacError {
            self.init(code: known.code.name, text: known.description)
        } else {
            self.init(code: "transportFailed", text: "\(type(of: error))")
        }
    }
}
