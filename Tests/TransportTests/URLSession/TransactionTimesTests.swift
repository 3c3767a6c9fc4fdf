import Foundation
import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacURLSession
import Testing

/// What Apple's task metrics say in the terms of Tarmac.
@Suite struct TransactionTimesTests {
    private func date(_ milliseconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: milliseconds / 1_000) }

    private func times(_ change: (inout TransactionTimes) -> Void = { _ in }) -> NetworkTimings.Fields {
        var times = TransactionTimes()
        (times.nameStart, times.nameEnd) = (date(0), date(8))
        (times.connectStart, times.connectEnd) = (date(8), date(40))
        (times.tlsStart, times.tlsEnd) = (date(16), date(40))
        (times.requestStart, times.requestEnd) = (date(40), date(48))
        (times.responseStart, times.responseEnd) = (date(112), date(128))
        (times.isReused, times.protocolName, times.remoteAddress, times.remotePort) = (false, "h2", "192.0.2.7", 443)
        change(&times)
        return times.timings.fields
    }

    private func milliseconds(_ span: Duration?) -> Int? {
        span.map { Int(($0 / .milliseconds(1)).rounded()) }
    }

    @Test func spansFollowOneAnother() {
        let timings = times()
        let spans = [timings.nameResolution, timings.connect, timings.tls, timings.send, timings.wait, timings.receive]
        // The connection of Apple's metrics contains TLS.
        #expect(spans.map(milliseconds) == [8, 8, 24, 8, 64, 16])
        #expect(timings.isReused == false)
        #expect(timings.remoteAddress == "192.0.2.7:443")
    }

    @Test func aConnectionWithoutTLSHasOneSpan() {
        let timings = times { ($0.tlsStart, $0.tlsEnd) = (nil, nil) }
        #expect(milliseconds(timings.connect) == 32)
        #expect(timings.tls == nil)
    }

    @Test func aReusedConnectionHasNeitherNameNorConnect() {
        let timings = times {
            ($0.nameStart, $0.nameEnd, $0.connectStart, $0.connectEnd, $0.tlsStart, $0.tlsEnd) = (nil, nil, nil, nil, nil, nil)
            $0.isReused = true
        }
        #expect(timings.nameResolution == nil && timings.connect == nil && timings.tls == nil)
        #expect(timings.isReused == true)
    }

    @Test func anInterruptedStepHasNoSpan() {
        let timings = times { ($0.requestEnd, $0.responseStart, $0.responseEnd) = (nil, nil, nil) }
        #expect(timings.send == nil && timings.wait == nil && timings.receive == nil)
    }

    @Test func aClockThatWasSetBackGivesZero() {
        #expect(times { $0.responseStart = date(20) }.wait == .zero)
    }

    @Test(arguments: [("http/1.0", ProtocolVersion.http1_0), ("http/1.1", .http1_1), ("h2", .http2), ("h3", .http3), ("h3-29", .http3)])
    func protocolsHaveTheirVersion(name: String, version: ProtocolVersion) { #expect(times { $0.protocolName = name }.version == version) }

    @Test(arguments: ["spdy/3.1", nil] as [String?])
    func unknownProtocolsHaveNone(name: String?) { #expect(times { $0.protocolName = name }.version == nil) }

    @Test func anIPv6AddressIsInBrackets() {
        #expect(times { $0.remoteAddress = "2001:db8::1" }.remoteAddress == "[2001:db8::1]:443")
        #expect(times { $0.remotePort = nil }.remoteAddress == "192.0.2.7")
    }
}
