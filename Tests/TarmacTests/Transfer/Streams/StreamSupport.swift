import HTTPTypes
import TarmacTesting

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

extension Response {
    /// Server-Sent Events that arrive in the given chunks.
    static func events(_ chunks: String..., status: HTTPResponse.Status = .ok, type: String? = "text/event-stream") -> Response {
        .chunks(chunks, status: status, headers: type.map { [.contentType: $0] } ?? [:])
    }

    /// The same, and then the connection breaks.
    static func broken(_ chunks: String..., code: TarmacError.Code = .connectionLost) -> Response {
        let stream = ByteStream { BrokenSource(chunks.map { Bytes($0) }, code: code) }
        return .stream(stream, headers: [.contentType: "text/event-stream"])
    }

    /// The same, and then nothing more comes.
    static func open(_ chunks: String..., type: String = "text/event-stream") -> Response {
        .stream(ByteStream { OpenSource(chunks.map { Bytes($0) }) }, headers: [.contentType: type])
    }
}

/// Chunks, and then an error.
private final class BrokenSource: ByteStreamSource {
    private let rest: Locked<ArraySlice<Bytes>>
    private let code: TarmacError.Code

    init(_ chunks: [Bytes], code: TarmacError.Code) {
        rest = Locked(chunks[...])
        self.code = code
    }

    func next() async throws -> Bytes? {
        if let chunk = rest.withLock({ $0.popFirst() }) { return chunk }
        throw TarmacError(code, phase: .receiving, "the test broke it")
    }
}

/// Chunks, and then nothing until it is cancelled.
private final class OpenSource: ByteStreamSource {
    private let rest: Locked<ArraySlice<Bytes>>
    init(_ chunks: [Bytes]) { rest = Locked(chunks[...]) }

    func next() async throws -> Bytes? {
        if let chunk = rest.withLock({ $0.popFirst() }) { return chunk }
        _ = try await Watched(false).wait { $0 }
        return nil
    }
}

/// Answers one after the other; the last one again and again.
final class Answers: Sendable {
    private let rest: Locked<[@Sendable () throws -> Response]>
    init(_ answers: (@Sendable () throws -> Response)...) { rest = Locked(answers) }

    func next() throws -> Response {
        let answer = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        return try answer()
    }

    var stub: StubTransport { StubTransport { _ in try self.next() } }
}

extension AsyncSequence {
    /// Everything, or the first so many.
    func collected(_ limit: Int = .max) async throws -> [Element] {
        var elements: [Element] = []
        for try await element in self {
            elements.append(element)
            if elements.count == limit { break }
        }
        return elements
    }
}

extension HTTPField.Name {
    static let lastEventIDForTests = HTTPField.Name("Last-Event-ID") ?? .cookie
}
