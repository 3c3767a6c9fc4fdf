/// The progress of a transfer.
public struct TransferProgress: Sendable, Hashable {
    /// The number of bytes of the request body sent so far. A redirect or resend starts over at 0.
    public var sent: Int64
    /// The length of the request body, if it is known.
    public var totalToSend: Int64?
    /// The number of bytes of the response body received so far. For a download, it includes the bytes from
    /// before it was resumed.
    public var received: Int64
    /// The length of the response body, if the server stated it.
    public var totalToReceive: Int64?
    /// The rate in bytes a second, smoothed over the last seconds. `nil` until there are two updates.
    public var rate: Double?

    public init(sent: Int64 = 0, totalToSend: Int64? = nil, received: Int64 = 0, totalToReceive: Int64? = nil, rate: Double? = nil) {
        self.sent = sent
        self.totalToSend = totalToSend
        self.received = received
        self.totalToReceive = totalToReceive
        self.rate = rate
    }

    /// The completed fraction, from 0 to 1: of the response once it arrives, of the request before. `nil` while
    /// the length is unknown.
    public var fraction: Double? {
        if isReceiving { return totalToReceive.map { $0 > 0 ? min(1, Double(received) / Double($0)) : 1 } }
        return totalToSend.map { min(1, Double(sent) / Double($0)) }
    }

    /// The remaining time at the current rate. `nil` while the length or the rate is unknown.
    public var remaining: Duration? {
        let total = isReceiving ? totalToReceive : totalToSend
        guard let total, let rate, rate > 0 else { return nil }
        return .seconds(min(Double(max(0, total - (isReceiving ? received : sent))) / rate, 1e9))
    }

    private var isReceiving: Bool { received > 0 || totalToSend == 0 || totalToSend == nil }
}
