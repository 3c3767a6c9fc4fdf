import TarmacCore

extension CallLog {
    /// Where the time of an attempt went, as ``AttemptTimings``, in whole microseconds. A span is `nil` if it did not occur or is unknown.
    public struct Timings: Sendable, Hashable, Codable {
        package let queuedFor, resolvedIn, connectedIn, securedIn, sentIn, waitedFor, receivedIn, lasted: Milliseconds?
        public let bytesSent: Int64?
        public let bytesReceived: Int64?
        public let isReused: Bool?
        public let remoteAddress: String?

        enum CodingKeys: String, CodingKey {
            case bytesSent, bytesReceived, isReused, remoteAddress
            case queuedFor = "queued", resolvedIn = "nameResolution", connectedIn = "connect", securedIn = "tls"
            case sentIn = "send", waitedFor = "wait", receivedIn = "receive", lasted = "total"
        }

        package init(
            queuedFor: Milliseconds?, resolvedIn: Milliseconds?, connectedIn: Milliseconds?, securedIn: Milliseconds?, sentIn: Milliseconds?,
            waitedFor: Milliseconds?, receivedIn: Milliseconds?, lasted: Milliseconds?, bytesSent: Int64?, bytesReceived: Int64?, isReused: Bool?,
            remoteAddress: String?
        ) {
            (self.queuedFor, self.resolvedIn, self.connectedIn, self.securedIn) = (queuedFor, resolvedIn, connectedIn, securedIn)
            (self.sentIn, self.waitedFor, self.receivedIn, self.lasted) = (sentIn, waitedFor, receivedIn, lasted)
            (self.bytesSent, self.bytesReceived, self.isReused, self.remoteAddress) = (bytesSent, bytesReceived, isReused, remoteAddress)
        }

        public var queued: Duration? { queuedFor?.duration }
        public var nameResolution: Duration? { resolvedIn?.duration }
        public var connect: Duration? { connectedIn?.duration }
        public var tls: Duration? { securedIn?.duration }
        public var send: Duration? { sentIn?.duration }
        public var wait: Duration? { waitedFor?.duration }
        public var receive: Duration? { receivedIn?.duration }
        public var total: Duration? { lasted?.duration }
    }
}

extension CallLog.Timings {
    init(_ timings: AttemptTimings) {
        self.init(
            queuedFor: Milliseconds(timings.queued), resolvedIn: timings.nameResolution.map { Milliseconds($0) },
            connectedIn: timings.connect.map { Milliseconds($0) }, securedIn: timings.tls.map { Milliseconds($0) },
            sentIn: timings.send.map { Milliseconds($0) }, waitedFor: timings.wait.map { Milliseconds($0) },
            receivedIn: timings.receive.map { Milliseconds($0) }, lasted: Milliseconds(timings.total), bytesSent: timings.bytesSent,
            bytesReceived: timings.bytesReceived, isReused: timings.isReused, remoteAddress: timings.remoteAddress)
    }
}

extension CallLog.Timings {
    package func replacingAddress(_ address: String?) -> CallLog.Timings {
        CallLog.Timings(
            queuedFor: queuedFor, resolvedIn: resolvedIn, connectedIn: connectedIn, securedIn: securedIn, sentIn: sentIn, waitedFor: waitedFor,
            receivedIn: receivedIn, lasted: lasted, bytesSent: bytesSent, bytesReceived: bytesReceived, isReused: isReused,
            remoteAddress: address)
    }
}

/// A span of time in milliseconds with three decimals, as archives write it.
package struct Milliseconds: Sendable, Hashable, Codable {
    /// Always a number whose microseconds fit into 64 bits.
    package let value: Double
    /// About 285,000 years.
    private static let longest = 9e15

    package init(_ value: Double) { self.value = (Self.bounded(value) * 1_000).rounded() / 1_000 }

    package init(_ duration: Duration) {
        self.init(duration.seconds * 1_000)
    }

    package init(from decoder: any Decoder) throws { value = Self.bounded(try decoder.singleValueContainer().decode(Double.self)) }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    // A file may hold any number.
    private static func bounded(_ value: Double) -> Double { value.isNaN ? 0 : min(max(value, -longest), longest) }

    /// The first and the last millisecond of the years that ISO 8601 writes with four digits, 0001 to 9999.
    private static let firstOfDates = -62_135_596_800_000.0, lastOfDates = 253_402_300_799_999.0

    /// Returns the nearest time in the years 0001 to 9999, in milliseconds since 1970.
    package static func ofDate(_ milliseconds: Double) -> Double { milliseconds.isNaN ? 0 : min(max(milliseconds, firstOfDates), lastOfDates) }

    package var duration: Duration { .microseconds(Int64((value * 1_000).rounded())) }
}
