public import TarmacCore

extension TarmacError.Code {
    /// The file does not match the digest of the caller or of the server.
    public static let digestMismatch = Self("digestMismatch", .message, .sent, .lasting)
    /// Another call, of this process or of another, downloads the same file to the same place.
    public static let transferInProgress = Self("transferInProgress", .input, .unsent, .lasting)
    /// The disk has no room for the file.
    public static let insufficientSpace = Self("insufficientSpace", .application, .sent, .lasting, message: .noSpace)
}
