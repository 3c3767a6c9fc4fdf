#if NIO
import HTTPTypes
import NIOCore
import NIOHTTP1
@_spi(TarmacRooms) import TarmacCore

/// The head of a response in Tarmac's types.
struct ResponseHead: Sendable {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    let version: ProtocolVersion
    /// The value of Content-Length.
    let announcedLength: Int?

    /// Whether chunks delimit the body (RFC 9112 §6.3): the last coding must be `chunked`.
    var isChunked: Bool {
        let codings = headers[.transferEncoding]?.lowercased().split(separator: ",")
        return codings?.last?.filter { $0 != " " && $0 != "\t" } == "chunked"
    }
}

/// Receives the events of the connection's handler, always on its event loop and in the order of the wire.
extension WireExchange {
    /// Attaches a connection. Returns `false` if the exchange has ended in the meantime and must not be sent.
    func attach(to connection: ConnectionLink, of lease: ConnectionLease?, uses: ConnectionUses) -> Bool {
        let attached = state.withLock { state -> (isReused: Bool, wasWaiting: Bool)? in
            guard !state.isEnded else { return nil }
            state.connection = connection
            state.uses = uses
            state.isReused = uses.begin()
            if let lease { state.lease = lease }
            defer { state.isWaiting = false }
            return (state.isReused, state.isWaiting)
        }
        guard let (isReused, wasWaiting) = attached else { return false }
        begin(on: uses, isReused: isReused, wasWaiting: wasWaiting)
        exchange.report(.connected(isReused: isReused))
        exchange.report(.network(uses.network))
        if let notice = uses.notice { exchange.report(.pins(notice.naming(message.url.host))) }
        return true
    }

    func received(_ head: ResponseHead) {
        exchange.report(.receivedHead)
        let length = bodyLength(head)
        if let length { exchange.report(.contentLength(Int64(length))) }
        switch exchange.delivery {
        case .collected(let limit): collect(head, length: length, limit: limit)
        case .streamed: stream(head)
        }
    }

    private func bodyLength(_ head: ResponseHead) -> Int? { mayHaveContent(head.status) ? head.announcedLength : nil }

    /// RFC 9112 §6.3: some responses have no body, whatever their fields state.
    func mayHaveContent(_ status: HTTPResponse.Status) -> Bool {
        message.head.method != .HEAD && status != .noContent && status != .notModified
    }

    private func collect(_ head: ResponseHead, length: Int?, limit: Int) {
        if let length, length > limit { return end(TarmacError.bodyTooLarge(limit: limit)) }
        state.withLock { state in
            state.head = head
            state.collector = BodyCollector(limit: limit, announced: length)
        }
    }

    private func stream(_ head: ResponseHead) {
        let continuation = state.withLock { state -> UnsafeContinuation<TarmacCore.Response, any Error>? in
            guard !state.isEnded else { return nil }
            state.head = head
            state.stream = StreamBuffer()
            defer { state.continuation = nil }
            return state.continuation
        }
        guard let continuation else { return }
        let body = StreamedBody(self)
        continuation.resume(returning: response(head, body: .stream(ByteStream { body })))
    }

    private func response(_ head: ResponseHead, body: ResponseBody, trailers: HTTPFields? = nil) -> TarmacCore.Response {
        TarmacCore.Response(
            status: head.status, headers: head.headers, body: body, url: message.url, version: head.version,
            trailers: trailers)
    }

    /// Receives a chunk of the body. Returns `true` if the connection should stop reading for now.
    func received(_ chunk: ByteBuffer) -> Bool {
        exchange.report(.receivedBody(bytes: chunk.readableBytes))
        let (fits, pauses) = state.withLock { state -> (Bool, Bool) in
            guard !state.isEnded else { return (true, false) }
            state.received += chunk.readableBytes
            if state.stream != nil { return (true, state.stream?.push(chunk) ?? false) }
            return (state.collector?.append(chunk) ?? true, false)
        }
        if !fits, case .collected(let limit) = exchange.delivery { end(TarmacError.bodyTooLarge(limit: limit)) }
        return pauses
    }

    /// Notes that the connection has no more bytes for now, so that a waiting reader receives its next chunk.
    func receivedBatch() { wakeReader() }

    /// Releases the connection after the last byte was sent and received. From then on, the end of the exchange
    /// does not affect the connection. Returns `false` if the exchange ended before, and the connection is
    /// given up.
    func letGo() -> Bool {
        let (isInFlight, _) = state.withLock { state in
            defer { state.lease = nil }
            return (!state.isEnded, state.lease)
        }
        return isInFlight
    }

    /// Ends a complete response to a complete request. Returns the caller of a collected body, which has to be
    /// resumed.
    func receivedEnd(trailers: HTTPFields?) -> ResumptionBatch.Resumption? {
        let done = state.withLock { state -> (State.Ending, ResponseHead, Bytes)? in
            guard !state.isEnded, let head = state.head else { return nil }
            state.stream?.finish()
            guard state.stream == nil else { return nil }
            let body = state.collector?.finish() ?? .empty
            state.collector = nil
            return (state.close(reportsEnd: false), head, body)
        }
        guard let (ending, head, body) = done else {
            finishStream()
            return nil
        }
        release(ending)
        let response = response(head, body: .bytes(body), trailers: trailers)
        return ending.continuation.map { ResumptionBatch.Resumption(continuation: $0, response: response) }
    }

    private func finishStream() {
        wakeReader()
        let ending = state.withLock { $0.isEnded ? nil : $0.close(reportsEnd: false) }
        if let ending { release(ending) }
    }

    // A server may answer before it has received the whole body. The rest is not sent then.
    private func release(_ ending: State.Ending) {
        registry.remove(ending.number)
        leavePeer(ending)
        ending.upload?.cancel()
    }
}
#endif
