public import TarmacCore

extension TarmacError.Code {
    /// The server does not follow the protocol of resumable uploads.
    public static let uploadProtocolFailed = Self("uploadProtocolFailed", .message, .sent, .lasting)
}
