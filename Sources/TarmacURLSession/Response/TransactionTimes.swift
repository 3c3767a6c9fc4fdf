import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The times of a request as Apple's URLSession measures them. A time is `nil` if its step did not occur.
struct TransactionTimes {
    var nameStart, nameEnd, connectStart, connectEnd, tlsStart, tlsEnd, requestStart, requestEnd, responseStart, responseEnd: Date?
    var isReused: Bool?
    /// The name of the protocol as ALPN has it (RFC 7301 §6), such as `h2`.
    var protocolName: String?
    var remoteAddress: String?
    var remotePort: Int?

    init() {}

    /// The timings that follow from the times.
    var timings: NetworkTimings {
        NetworkTimings(
            nameResolution: span(nameStart, nameEnd),
            // Apple's time of the connection includes TLS.
            connect: span(connectStart, tlsStart ?? connectEnd), tls: span(tlsStart, tlsEnd), send: span(requestStart, requestEnd),
            wait: span(requestEnd, responseStart), receive: span(responseStart, responseEnd), isReused: isReused, remoteAddress: address,
            version: version)
    }

    private func span(_ start: Date?, _ end: Date?) -> Duration? {
        guard let start, let end else { return nil }
        // The clock of dates may be set back between the two.
        return .seconds(max(end.timeIntervalSince(start), 0))
    }

    private var address: String? {
        guard let remoteAddress, let remotePort else { return remoteAddress }
        return remoteAddress.contains(":") ? "[\(remoteAddress)]:\(remotePort)" : "\(remoteAddress):\(remotePort)"
    }

    private var version: ProtocolVersion? {
        switch protocolName {
        case "http/1.0": .http1_0
        case "http/1.1": .http1_1
        case "h2", "h2c": .http2
        case "h3": .http3
        case let name?: name.hasPrefix("h3-") ? .http3 : nil
        case nil: nil
        }
    }
}
