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
        public var sizeLimit: Int

        /// The most bytes the index may take; default 1 GiB. More is `.indexExceeded`. It takes 8 bytes a value and
        /// key: usually half of the document's size, at most four times it (`[1,1,1,…]`).
        public var indexLimit: Int

        /// Keys whose values (everything below them included) appear in no error text. Compared without
        /// case, `_` and `-`; default ``defaultMaskedKeys``. Strings that hold JSON themselves are not quoted at all.
        public var maskedKeys: Set<String>

        /// Whether the text came from outside. One this module wrote of a built value has no place an error could name, and
        /// nobody knows under which keys the value stands.
        var isText = true

        /// For text this module wrote.
        static var built: Options {
            var options = Options(depthLimit: .max, indexLimit: .max)
            options.isText = false
            return options
        }

        public init(
            depthLimit: Int = 512, sizeLimit: Int = (1 << 30) - 1, indexLimit: Int = 1 << 30,
            maskedKeys: Set<String> = Options.defaultMaskedKeys
        ) {
            self.depthLimit = depthLimit
            self.sizeLimit = sizeLimit
            self.indexLimit = indexLimit
            self.maskedKeys = maskedKeys
        }
    }
}
