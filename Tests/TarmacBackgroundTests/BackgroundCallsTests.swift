import Foundation
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacBackground
@testable import TarmacTransfer

/// Which call of a background session lands by which event. A wait is a name here.
@Suite struct BackgroundCallsTests {
    private typealias Calls = BackgroundCalls<String>
    private let label: BackgroundLabel
    private let lost = TarmacError(.connectionLost), rest = Data("rest".utf8)
    private var calls = Calls()

    init() throws { label = try #require(BackgroundLabel(description: "tarmac-1 \(String(repeating: "a", count: 64)) bytes=5-")) }

    /// A call that waits for a task.
    private mutating func waits(_ name: String, for task: Int? = nil) -> Calls.Ticket {
        let ticket = calls.makeTicket(label)
        #expect(calls.admit(ticket, name, abortion: nil) == nil)
        if let task { calls.assign(task, to: ticket) }
        return ticket
    }

    /// Who lands by the end of a task, whether it failed, and what is kept; `nil` when another task goes on.
    private mutating func landing(
        _ task: Int, _ failure: TarmacError? = nil, isCancelled: Bool = false, _ data: Data? = nil
    ) -> (wait: String?, code: TarmacError.Code?, kept: Data?)? {
        guard case .land(let wait, let result, let kept) = calls.end(task, label, failure: failure, isCancelled: isCancelled, resumeData: data)
        else { return nil }
        if case .failure(let error) = result { return (wait, (error as? TarmacError)?.code, kept) }
        return (wait, nil, kept)
    }

    @Test mutating func aCallLandsByItsTask() throws {
        _ = waits("a", for: 1)
        let end = try #require(landing(1))
        #expect(end.wait == "a" && end.code == nil && end.kept == nil)
        #expect(try #require(landing(1)).wait == nil, "it lands once")
    }

    @Test mutating func aSecondCallForTheSameBytesIsRefusedAndItsEndTouchesNothing() throws {
        let first = waits("a", for: 1), second = calls.makeTicket(label)
        #expect((calls.admit(second, "b", abortion: nil) as? TarmacError)?.code == .transferInProgress)
        #expect(!calls.isWaiting(second))
        #expect(calls.abort(second) == nil)
        #expect(calls.isWaiting(first))
        #expect(try #require(landing(1)).wait == "a")
    }

    @Test mutating func aCallThatWasAbortedOnItsWayDoesNotWait() {
        let ticket = calls.makeTicket(label)
        #expect(calls.admit(ticket, "a", abortion: CancellationError()) is CancellationError)
        #expect(!calls.isWaiting(ticket))
        #expect(calls.abort(ticket) == nil)
    }

    @Test mutating func theTaskOfAnAbortedCallEndsWithoutTheCallThatFollows() throws {
        let first = waits("a", for: 1)
        #expect(calls.abort(first) == "a")
        let second = waits("b", for: 2)
        let end = try #require(landing(1, lost, isCancelled: true, rest))
        #expect(end.wait == nil && end.kept == rest)
        #expect(calls.isWaiting(second))
        #expect(try #require(landing(2)).wait == "b")
    }

    @Test mutating func aTaskThatGoesOnBringsTheBytesOfTheSameCall() throws {
        _ = waits("a", for: 1)
        #expect(landing(1, lost, rest) == nil)
        calls.replace(1, by: 2, label)
        #expect(try #require(landing(1)).wait == nil)
        #expect(try #require(landing(2)).wait == "a")
    }

    @Test mutating func aTaskGoesOnFiveTimesAndThenItsCallFails() throws {
        _ = waits("a", for: 0)
        for task in 0..<5 {
            #expect(landing(task, lost, rest) == nil)
            calls.replace(task, by: task + 1, label)
        }
        let end = try #require(landing(5, lost, rest))
        #expect(end.wait == "a" && end.code == .connectionLost && end.kept == rest)
        // A landing starts the count again.
        _ = waits("b", for: 6)
        #expect(landing(6, lost, rest) == nil)
    }

    @Test mutating func aTaskNobodyWaitsForGoesOnToo() { #expect(landing(9, lost, rest) == nil) }

    @Test mutating func aTaskThatSomebodyCancelledDoesNotGoOn() throws {
        let end = try #require(landing(1, TarmacError(.transportFailed), isCancelled: true, rest))
        #expect(end.wait == nil && end.kept == rest)
    }

    @Test mutating func aCallThatTakesWhatHasComeLandsOnce() {
        let ticket = waits("a")
        #expect(calls.start(ticket, tasks: [], hasCome: true, resumeData: nil) == .take)
        #expect(calls.take(ticket) == "a")
        #expect(calls.take(ticket) == nil)
    }

    @Test mutating func afterTheEndNobodyWaitsAndNoTaskGoesOn() throws {
        _ = waits("a", for: 1)
        #expect(calls.close() == ["a"])
        let late = calls.makeTicket(label)
        #expect((calls.admit(late, "b", abortion: nil) as? TarmacError)?.code == .clientShutDown)
        let end = try #require(landing(1, lost, rest))
        #expect(end.wait == nil && end.kept == rest)
    }

    @Test mutating func theSessionClosesWithItsLastService() {
        calls.enter()
        calls.enter()
        let ends = [calls.leave(), calls.leave()]
        #expect(ends == [false, true])
    }

    @Test func statesHaveTheNumbersOfURLSession() {
        let states = (0...4).map { BackgroundPolicy.TaskState(number: $0) }
        #expect(states == [.running, .suspended, .canceling, .completed, .completed])
    }

    @Test mutating func aRefusedChallengeIsTheFailureOfItsTaskAndNoCancellation() {
        calls.refuse(1, TarmacError(.pinMismatch, phase: .connecting))
        let cancelled = TarmacError(.transportFailed)
        let other = calls.failure(of: 2, cancelled, isCancelled: true)
        #expect(other.failure?.code == .transportFailed && other.isCancelled)
        let refused = calls.failure(of: 1, cancelled, isCancelled: true)
        #expect(refused.failure?.code == .pinMismatch && !refused.isCancelled)
        let successor = calls.failure(of: 1, nil, isCancelled: false)
        #expect(successor.failure == nil, "once")
    }

    @Test func aSessionHasPinsTrustAndAnIdentityAndNoOtherSettings() {
        let pins: Pins = [PinSet("a.example", ["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="])]
        let pinned = ConnectionSettings {
            ($0.pins, $0.trust, $0.clientIdentity) = (pins, .only(pemFile: "/roots.pem"), .pkcs12(Bytes("x"), password: "x"))
        }
        for settings in [ConnectionSettings(), pinned] {
            #expect(BackgroundPolicy.refusal(settings) == nil)
            #expect(BackgroundPolicy.refusal(settings, open: settings) == nil)
        }
        #expect(BackgroundPolicy.refusal(pinned, open: ConnectionSettings())?.code == .unsupported, "one session has one trust")
        for settings in [ConnectionSettings { $0.connectionsPerHost = 2 }, ConnectionSettings { $0.insecurelySkipsHostName = true }] {
            #expect(BackgroundPolicy.refusal(settings)?.code == .unsupported)
        }
    }
}
