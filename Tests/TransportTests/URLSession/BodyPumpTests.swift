import Foundation
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
@testable import TarmacURLSession
import Testing

/// How a body gets into the stream that Apple's URLSession reads. The stream is a pipe of a few bytes here.
@Suite struct BodyPumpTests {
    struct Unreadable: Error {}

    /// An action without its error, to be compared.
    private static func name(_ action: BodyPump.Action) -> String {
        switch action {
        case .wait: "wait"
        case .read: "read"
        case .write(let range): "write \(range)"
        case .close: "close"
        case .stop(nil): "stop"
        case .stop(is Unreadable): "stop, unreadable"
        case .stop(let error as TarmacError): "stop, \(error.code)"
        case .stop: "stop, ?"
        }
    }

    // SAFETY: the events hold numbers, and an error without state.
    struct Row: CustomTestStringConvertible, @unchecked Sendable {
        let testDescription: String
        var declared: Int64? = 10
        let steps: [(BodyPump.Event, String)]
    }

    static let rows: [Row] = [
        Row(
            testDescription: "a body in two reads, taken in three writes",
            steps: [
                (.room, "read"), (.read(6), "write 0..<6"), (.wrote(4), "wait"), (.room, "write 4..<6"), (.wrote(2), "wait"),
                (.room, "read"), (.read(4), "write 0..<4"), (.wrote(4), "read"), (.read(0), "close"),
            ]),
        Row(
            testDescription: "without a declared length the end is looked for when there is room", declared: nil,
            steps: [(.room, "read"), (.read(4), "write 0..<4"), (.wrote(4), "wait"), (.room, "read"), (.read(0), "close")]),
        Row(testDescription: "an empty body", declared: 0, steps: [(.room, "read"), (.read(0), "close")]),
        Row(testDescription: "nothing was taken after all", steps: [(.room, "read"), (.read(5), "write 0..<5"), (.wrote(0), "wait"), (.room, "write 0..<5")]),
        Row(
            testDescription: "a body that is too short",
            steps: [(.room, "read"), (.read(6), "write 0..<6"), (.wrote(6), "wait"), (.room, "read"), (.read(0), "stop, invalidParameter")]),
        Row(testDescription: "a body that is too long is not written beyond its length", steps: [(.room, "read"), (.read(11), "stop, invalidParameter")]),
        Row(
            testDescription: "a body that cannot be read fails with its own error", steps: [(.room, "read"), (.unreadable(Unreadable()), "stop, unreadable")]),
        Row(testDescription: "a broken stream has no error of the body", steps: [(.room, "read"), (.read(5), "write 0..<5"), (.wrote(-1), "stop")]),
        Row(testDescription: "the flight is over before the stream opens", steps: [(.abandoned, "stop")]),
        Row(
            testDescription: "the flight is over in the middle",
            steps: [(.room, "read"), (.read(5), "write 0..<5"), (.wrote(2), "wait"), (.abandoned, "stop")]),
        Row(
            testDescription: "nothing follows the end",
            steps: [(.abandoned, "stop"), (.room, "wait"), (.read(1), "wait"), (.wrote(1), "wait"), (.unreadable(Unreadable()), "wait"), (.abandoned, "wait")]),
    ]

    @Test(arguments: rows) func eachEventHasItsAction(row: Row) {
        var pump = BodyPump(declared: row.declared)
        for (event, action) in row.steps { #expect(Self.name(pump.action(after: event)) == action) }
    }

    /// A pipe that takes what it has room for, and a reader that empties it now and then.
    @Test(arguments: [1, 7, 4096]) func everyByteArrivesInOrder(room: Int) throws {
        let bytes = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let source = BytesBodySource(Bytes(bytes))
        var pump = BodyPump(declared: Int64(bytes.count)), buffer = [UInt8](repeating: 0, count: 1000), arrived: [UInt8] = []
        while !pump.isOver {
            var action = pump.action(after: .room)
            loop: while true {
                switch action {
                case .wait: break loop
                case .read: action = pump.action(after: .read(buffer.withUnsafeMutableBytes { source.read(into: $0) }))
                case .write(let range):
                    let taken = range.prefix(room)
                    arrived += buffer[taken]
                    action = pump.action(after: .wrote(taken.count))
                case .close: break loop
                case .stop(let error):
                    Issue.record("stopped: \(String(describing: error))")
                    break loop
                }
            }
        }
        #expect(arrived == bytes)
    }

    @Test func aStreamIsGivenAgainWhereThatCannotActTwice() {
        typealias Answer = StreamRequests.Answer
        let table: [(isIdempotent: Bool, isOver: Bool, second: Answer)] = [
            (true, false, .again), (false, false, .refused), (true, true, .none), (false, true, .none),
        ]
        for row in table {
            var requests = StreamRequests()
            #expect(requests.answer(isIdempotent: row.isIdempotent, isOver: false) == .first)
            #expect(requests.answer(isIdempotent: row.isIdempotent, isOver: row.isOver) == row.second)
        }
    }
}

/// A flight between the session that asks for its body and what feeds the body to it.
@Suite struct FlightBodyTests {
    private final class Feed: BodyFeed {
        let stops = Locked(0)
        func stop() { stops.withLock { $0 += 1 } }
        var count: Int { stops.withLock { $0 } }
    }

    private let reports = Locked<[String]>([])
    private let body = Body.bytes(Bytes("body"))

    private func flight(_ method: HTTPRequest.Method, _ body: RestingBody? = .bytes(Bytes("body"))) throws -> SessionTask {
        let exchange = Exchange(delivery: .collected(limit: 10)) { [reports] report in reports.withLock { $0.append("\(report)") } }
        let flight = SessionTask(Request(method, try HTTPURL("http://a.example/"), body: self.body), exchange: exchange, canceller: TaskCanceller())
        if let body { flight.carries(body) }
        return flight
    }

    /// What the session reads, with the feed behind it.
    private func text(_ flight: SessionTask, _ feed: Feed) -> String? {
        flight.bodyStream { source, length in
            var bytes = [UInt8](repeating: 0, count: Int(length))
            guard let count = try? bytes.withUnsafeMutableBytes({ try source.read(into: $0) }) else { return nil }
            return (String(decoding: bytes[..<count], as: UTF8.self), feed)
        }
    }

    @Test func theSecondStreamHasTheBodyFromItsStartAndEndsTheFirst() throws {
        let flight = try flight(.put), first = Feed(), second = Feed()
        #expect(text(flight, first) == "body")
        flight.sent(2, total: 2)
        #expect(text(flight, second) == "body")
        #expect((first.count, second.count) == (1, 0))
        #expect(reports.withLock { $0 }.contains("resent"))
        flight.end(.failure(CancellationError()))
        #expect((first.count, second.count) == (1, 1))
    }

    @Test func aRequestThatMayHaveBeenActedOnGetsNoSecondStreamAndFails() throws {
        let flight = try flight(.post), feed = Feed()
        #expect(text(flight, feed) == "body")
        flight.sent(2, total: 2)
        #expect(text(flight, Feed()) == nil)
        #expect(flight.isOver)
        #expect(feed.count == 1)
    }

    @Test func aBodyThatFailsEndsItsFlightAndItsFeed() throws {
        let flight = try flight(.post), feed = Feed()
        _ = text(flight, feed)
        flight.bodyFailed(TarmacError(.unreadableFile))
        #expect(flight.isOver)
        #expect(feed.count == 1)
    }

    @Test func afterTheEndThereIsNoStream() throws {
        let flight = try flight(.put), late = Feed()
        flight.end(.failure(CancellationError()))
        #expect(text(flight, late) == nil)
        flight.feeds(late)
        #expect(late.count == 1)
    }

    @Test func withoutABodyThereIsNoStream() throws { #expect(text(try flight(.put, nil), Feed()) == nil) }
}
