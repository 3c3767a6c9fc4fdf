extension TarmacError.Code {
    /// The disk has no room for the file.
    public static let insufficientSpace = Self("insufficientSpace", .application)
    /// The file is not the one expected: neither the caller's digest nor the server's own fits.
    public static let digestMismatch = Self("digestMismatch", .message)
    /// Another call, of this process or another, downloads the same to the same place.
    public static let transferInProgress = Self("transferInProgress", .input)
    /// The ledger of transfers could not be read or written.
    public static let ledgerFailed = Self("ledgerFailed", .application)
    /// The server does not speak the protocol of resumable uploads as it should.
    public static let uploadProtocolFailed = Self("uploadProtocolFailed", .message)
}
