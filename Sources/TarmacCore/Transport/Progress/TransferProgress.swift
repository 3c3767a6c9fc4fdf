/// How far a transfer has come.
public struct TransferProgress: Sendable, Hashable {
    /// Bytes of the request body sent so far; a redirect or resend starts over.
    public var sent: Int64
    /// The length of the request body, if it is known.
    public var totalToSend: Int64?
    /// Bytes of the response body received so far; of a download, with what was there before.
    public var received: Int64
    /// The length of the response body, if the server stated it.
    public var totalToReceive: Int64?
    /// Bytes a second, smoothed over the last seconds; `nil` until two updates tell.
    public var rate: Double?

    public init(sent: Int64 = 0, totalToSend: Int64? = nil, received: Int64 = 0, totalToReceive: Int64? = nil, rate: Double? = nil) {
        self.sent = sent
        self.totalToSend = totalToSend
        self.received = received
        self.totalToReceive = totalToReceive
        self.rate = rate
    }

    /// From 0 to 1: of the response once it arrives, else of the request; `nil` while the length is unknown.
    public var fraction: Double? {
        if isReceiving { return totalToReceive.map { $0 > 0 ? min(1, Double(received) / Double($0)) : 1 } }
        return totalToSend.map { min(1, Double(sent) / Double($0)) }
    }

    /// How long the rest takes at the present rate; `nil` while length or rate is unknown.
    public var remaining: Duration? {
        let total = isReceiving ? totalToReceive : totalToSend
        guard let total, let rate, rate > 0 else { return nil }
        return .seconds(min(Double(max(0, total - (isReceiving ? received : sent))) / rate, 1e9))
    }

    private var isReceiving: Bool { received > 0 || totalToSend == 0 || totalToSend == nil }
}
