/// How far a transfer has come.
public struct TransferProgress: Sendable, Hashable {
    /// Bytes of the request body sent so far; a redirect or resend starts over.
    public var sent: Int64
    /// The length of the request body, if it is known.
    public var totalToSend: Int64?
    /// Bytes of the response body received so far.
    public var received: Int64
    /// The length of the response body, if the server stated it.
    public var totalToReceive: Int64?

    public init(sent: Int64 = 0, totalToSend: Int64? = nil, received: Int64 = 0, totalToReceive: Int64? = nil) {
        self.sent = sent
        self.totalToSend = totalToSend
        self.received = received
        self.totalToReceive = totalToReceive
    }

    /// From 0 to 1: of the response once it arrives, else of the request; `nil` while the length is unknown.
    public var fraction: Double? {
        if received > 0 || totalToSend == 0 || totalToSend == nil {
            return totalToReceive.map { $0 > 0 ? min(1, Double(received) / Double($0)) : 1 }
        }
        return totalToSend.map { min(1, Double(sent) / Double($0)) }
    }
}
