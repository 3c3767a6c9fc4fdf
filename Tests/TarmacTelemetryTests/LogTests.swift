#if Tools
import HTTPTypes
import InMemoryLogging
import InMemoryTracing
import Logging
import TarmacResilience
import TarmacSupport
import TarmacTesting
import Testing

@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacTelemetry

@Suite("Log lines of calls")
struct LogTests {
    @Test func aSuccessIsDebug() async throws {
        let rig = TelemetryRig()
        _ = try await rig.client.send(GetUser(id: "7"))
        let entry = try #require(rig.logs.entries.first)
        #expect(rig.logs.entries.count == 1 && entry.level == .debug && entry.message == "call landed")
        #expect(entry.metadata["tarmac.endpoint"] == "GetUser" && entry.metadata["http.response.status_code"] == "200")
    }

    @Test func aRepeatIsAWarningAndAFailureAnError() async throws {
        let rig = TelemetryRig(configure: { $0.retry = .exponential(maxAttempts: 2, base: .zero) }) { _ in .status(.serviceUnavailable) }
        await #expect(throws: TarmacError.self) { try await rig.client.send(GetUser(id: "7")) }
        #expect(rig.logs.entries.map(\.level) == [.warning, .error])
        #expect(rig.logs.entries.last?.metadata["error.type"] == "unacceptableStatus")
        #expect(rig.logs.entries.last?.metadata["tarmac.attempts"] == "2")
    }

    @Test func aCallThatSendsNothingIsLoggedAsWell() async throws {
        let rig = TelemetryRig(services: [])
        await #expect(throws: TarmacError.self) { try await rig.client.get("/nowhere") }
        #expect(rig.logs.entries.map(\.level) == [.error])
        // Its span has no attempt in it.
        #expect(rig.spans.map(\.operationName) == ["GET"])
    }

    @Test func aWarningIsItsOwnTextAndOneLineAMinute() async throws {
        let service = Service("plain", host: "http://shop.example") { $0.allowsInsecureHTTP = true }
        let rig = TelemetryRig(services: [service], configure: { $0.retry = .exponential(maxAttempts: 3, base: .zero) }) { _ in
            .status(.serviceUnavailable)
        }
        for _ in 0..<3 { _ = try? await rig.client.get("/") }
        let plain = rig.logs.entries.filter { "\($0.message)".hasPrefix("plain http to http://shop.example") }
        #expect(plain.count == 1 && plain.first?.level == .warning && plain.first?.metadata["error.message"] == nil)
        #expect(!rig.logs.entries.contains { "\($0.message)" == "connection is not protected" })
    }

    @Test func textsAreAdmittedOnceAMinuteAndTheirNumberIsBounded() {
        let now = ContinuousClock.now
        var texts = RecentTexts()
        func admits(_ text: String, after seconds: Int) -> Bool { texts.admits(text, at: now + .seconds(seconds)) }
        #expect([admits("a", after: 0), admits("a", after: 59), admits("b", after: 59)] == [true, false, true])
        #expect([admits("a", after: 60), admits("a", after: 119)] == [true, false])
        #expect((0..<1_000).allSatisfy { admits("text \($0)", after: 120) })
        #expect([admits("text 999", after: 120)] == [false] && texts.count == RecentTexts.limit)
    }

    @Test func linesBelowTheLevelOfTheLoggerAreNotMade() async throws {
        let logs = InMemoryLogHandler()
        var logger = Logger(label: "test") { _ in logs }
        logger.logLevel = .warning
        let rig = TelemetryRig()
        _ = try await rig.client.send(GetUser(id: "7")) { [logger] in $0.telemetry = Telemetry(logger: logger) }
        #expect(logs.entries.isEmpty)
    }
}
#endif
