#if NIO
import HTTPTypes
import NIOCore
import NIOHTTP1
import TarmacCore

/// The head of a response, already in Tarmac's types.
struct ResponseHead: Sendable {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    let version: ProtocolVersion
    /// What Content-Length says.
    let announcedLength: Int?

    /// Whether the body is delimited by chunks (RFC 9112 §6.3): the last coding must be that one.
    var isChunked: Bool {
        let codings = headers[.transferEncoding]?.lowercased().split(separator: ",")
        return codings?.last?.filter { $0 != " " && $0 != "\t" } == "chunked"
    }
}

/// What the connection's handler tells, always on the connection's event loop and in the order of the wire.
extension WireExchange {
    /// The connection takes the exchange; `false` when it has ended in the meantime and must not be sent.
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
        if wasWaiting { stopWaiting() }
        exchange.report(.connected(isReused: isReused))
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

    // RFC 9112 §6.3: some have no body, whatever their fields say.
    private func bodyLength(_ head: ResponseHead) -> Int? {
        let hasBody = message.head.method != .HEAD && head.status != .noContent && head.status != .notModified
        return hasBody ? head.announcedLength : nil
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

    /// Takes a chunk of the body; `true` when the connection should stop reading for now.
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

    /// The connection has nothing more for now: a waiting reader gets its next chunk.
    func receivedBatch() { wakeReader() }

    /// The last byte was sent and received: from now on ending the exchange does nothing to the connection. `false` when
    /// it was ended before, and the connection is given up.
    func letGo() -> Bool {
        state.withLock { state in
            state.lease = nil
            return !state.isEnded
        }
    }

    /// The response is complete, and so is the request; returns the caller of a collected body, who is to be resumed.
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

    // A server may answer before it has the whole body; nobody wants the rest then.
    private func release(_ ending: State.Ending) {
        registry.remove(ending.number)
        ending.upload?.cancel()
    }
}
#endif
