#if Tools
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore

/// Answers at once and keeps nothing of a request.
struct InstantAnswer: TarmacCore.Transport {
    let name = "instant"
    let capabilities: TransportCapabilities = [.separateHeaders, .backPressure]
    static let json: HTTPFields = [.contentType: "application/json", .contentLength: "12"]
    let answer: @Sendable (Request) -> Response

    init(_ answer: @escaping @Sendable (Request) -> Response = { Response(status: .ok, headers: json, body: .bytes(body), url: $0.url) }) {
        self.answer = answer
    }
    static let body = Bytes(#"{"status":1}"#)

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        let response = answer(request)
        exchange.report(.receivedHead)
        if case .bytes = response.body { exchange.report(.ended) }
        return response
    }

    func shutdown() async {}
}

extension TransportFactory {
    static func instant(_ answer: @escaping @Sendable (Request) -> Response) -> TransportFactory {
        TransportFactory(name: "instant") { _ in InstantAnswer(answer) }
    }
    static var instant: TransportFactory { TransportFactory(name: "instant") { _ in InstantAnswer() } }
    static func held(_ transport: HeldAnswers) -> TransportFactory { TransportFactory(name: "held") { _ in transport } }
}

/// Keeps every request until ``open()``.
final class HeldAnswers: TarmacCore.Transport {
    private struct State {
        var held = SlotArray<CheckedContinuation<Void, any Error>>()
        var count = 0
        var isOpen = false
        var awaited: (count: Int, waiter: CheckedContinuation<Void, Never>)?

        mutating func take(_ place: Int) -> CheckedContinuation<Void, any Error>? {
            guard count > 0, let continuation = held.leave(place) else { return nil }
            count -= 1
            return continuation
        }
    }
    let name = "held"
    let capabilities: TransportCapabilities = [.separateHeaders, .backPressure]
    private let state = Locked(State())

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        try await withCheckedThrowingContinuation { continuation in
            let place = state.withLock { state -> Int? in
                if state.isOpen { return nil }
                state.count += 1
                return state.held.enter(continuation)
            }
            guard let place else { return continuation.resume() }
            exchange.onAbort { [self] reason in state.withLock { $0.take(place) }?.resume(throwing: reason.error) }
            notice()
        }
        exchange.report(.ended)
        return Response(status: .ok, headers: InstantAnswer.json, body: .bytes(InstantAnswer.body), url: request.url)
    }

    private func notice() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard let awaited = state.awaited, state.count >= awaited.count else { return nil }
            state.awaited = nil
            return awaited.waiter
        }
        waiter?.resume()
    }

    /// Returns when so many requests are held.
    func holds(_ count: Int) async {
        await withCheckedContinuation { waiter in
            state.withLock { $0.awaited = (count, waiter) }
            notice()
        }
    }

    /// Answers all requests, and later ones at once.
    func open() {
        let all = state.withLock { state in
            defer { (state.held, state.count) = (SlotArray(), 0) }
            state.isOpen = true
            return state.held.all
        }
        for continuation in all { continuation.resume() }
    }

    /// Keeps requests again.
    func close() { state.withLock { $0.isOpen = false } }

    func shutdown() async {}
}

/// A body of parts that are there already.
struct InstantParts {
    static func body(_ text: String) -> ResponseBody {
        let bytes = Array(text.utf8), size = 16_384
        let parts = stride(from: 0, to: bytes.count, by: size).map { Bytes(Array(bytes[$0..<min($0 + size, bytes.count)])) }
        return .stream(ByteStream { Source(Locked(parts[...])) })
    }

    private final class Source: ByteStreamSource {
        private let rest: Locked<ArraySlice<Bytes>>
        init(_ rest: Locked<ArraySlice<Bytes>>) { self.rest = rest }
        func next() async throws -> Bytes? { rest.withLock { $0.popFirst() } }
    }
}
#endif
