public import TarmacCore

extension TarmacError.Code {
    /// The response is not encrypted, and it has to be.
    public static let unencryptedResponse = Self("unencryptedResponse", .message, .sent, .lasting)
    /// The response has no signature, and it has to have one.
    public static let signatureMissing = Self("signatureMissing", .message, .sent, .lasting)
    /// The signature does not match the message, or does not cover the required parts.
    public static let signatureInvalid = Self("signatureInvalid", .message, .sent, .lasting)
    /// The signature is too old, or its date is in the future.
    public static let signatureExpired = Self("signatureExpired", .message, .sent, .lasting)
    /// The same signed message was received before.
    public static let signatureReplayed = Self("signatureReplayed", .message, .sent, .lasting)
}
