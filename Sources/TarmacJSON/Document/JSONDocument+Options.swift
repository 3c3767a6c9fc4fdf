extension JSONDocument {
    /// Limits of parsing, and which values an error must not quote.
    ///
    /// ```swift
    /// var options = JSONDocument.Options()
    /// options.depthLimit = 32
    /// options.maskedKeys.insert("pin")
    /// ```
    public struct Options: Sendable, Hashable {
        /// The names whose values are masked by default: credentials as APIs usually spell them.
        public static let defaultMaskedKeys: Set<String> = [
            "password", "passwd", "passphrase", "secret", "clientsecret", "token", "accesstoken",
            "refreshtoken", "idtoken", "sessiontoken", "authorization", "apikey", "privatekey", "cookie",
            "sessionid", "pin", "otp", "cvv", "cardnumber", "credential", "credentials",
        ]

        /// How many containers may stand inside each other; default 512. One more is `.depthExceeded`.
        public var depthLimit: Int

        /// The largest document in bytes; default and maximum 1 GiB − 1. A larger one is `.sizeExceeded`.
        /// The index takes at most four times the document's size, usually half of it.
        public var sizeLimit: Int

        /// Keys whose values (everything below them included) appear in no error text. Compared without
        /// case, `_` and `-`; default ``defaultMaskedKeys``.
        public var maskedKeys: Set<String>

        public init(
            depthLimit: Int = 512, sizeLimit: Int = (1 << 30) - 1,
            maskedKeys: Set<String> = Options.defaultMaskedKeys
        ) {
            self.depthLimit = depthLimit
            self.sizeLimit = sizeLimit
            self.maskedKeys = maskedKeys
        }
    }
}
